"""JSON as a bake writes it, and no more: finite numbers, whole ones of 64 bits, nothing that takes much to read."""

import json
import math
from typing import Any, NoReturn

_MOST_BRACKETS, _MOST_COMMAS = 400_000, 2_000_000  # which take about 100 bytes and 32 bytes each


def loads(content: bytes) -> Any:
    """What the bytes `content` say. Raises ValueError, whatever they are."""
    if content.count(b"[") + content.count(b"{") > _MOST_BRACKETS or content.count(b",") > _MOST_COMMAS:
        raise ValueError("too much")
    try:
        return json.loads(content, parse_int=_whole, parse_float=_finite, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _whole(text: str) -> int:
    number = int(text) if len(text) < 20 else 2**63
    if not -(2**63) <= number < 2**63:
        raise ValueError("too large a number")
    return number


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("too large a number")
    return number


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")
