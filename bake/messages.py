"""What a bake says, and what is said to the process that bakes: one JSON object a line.

The first message of a bake is always the verdict, the last one of done, cancelled, error, or a verdict that refuses.
That is also the last of cables that are settled, with one of settled before it where they are, and of one that is
fitted to a pose, with one of fitted.
`frame` and `frames` count finished frames; `index` is a frame of the scene, from 0. `detail` is for a bug report, else
empty.
"""

import json
from typing import Any

from ..physics.scenes.measured import MEASURED
from .strict_json import loads

KINDS = {
    "verdict": {"ok", "text", "estimate", "detail"},  # text: why not, or how long; estimate [s], None: unknown
    "compiling": {"text"},
    "settling": {"text"},
    "progress": {"frame", "of", "seconds_left"},
    "warning": {"object", "frame", "text"},  # frame: the scene's, from 0
    "error": {"text", "detail"},
    "contact": {"text"},  # how much touched in the frames that were baked, at their end
    "cables": {*MEASURED},  # the largest of each in the frames that were baked
    # vertices [m], axes of edges, poses of bodies that hang on them as in a Frame; along: at vertices, see
    # physics/run/led_cables; and as "cables"
    # refused: [number of a cable that stays as it was, why]
    "settled": {"x", "m1", "bodies", "along", "refused", *MEASURED},
    # numbers: what a cable is like, by the names of physics/cables/pose; errors, kept, vague, tightest, rms, farthest:
    # as of a Fit there
    "fitted": {"numbers", "errors", "kept", "vague", "tightest", "rms", "farthest"},
    "done": {"frames"},
    "cancelled": {"frames"},
    # of one job, made by `process` where the worker has ended; text: without what became of the frames
    "exit": {"code", "text", "detail"},
    "log": {"text"},  # a line that is not a message, from some library
}

FORMAT = 5  # of orders; counts up whenever what they are changes
# job: its path; pins: of each the place [m] and the turn (w, x, y, z) to which it leads now; moved: of each collider
# that is not where the job has it its number and a map (3, 4) [m] from there; held: of each body that hangs on cables
# but is led by hand its number and pose as in a Frame; lengths: of each cable that gets another its number, and from
# which arc length to which it is to be how long [m]; rods: numbers of those that are fitted, alike; points: of what
# they are to lie along [m], with weights; unknown: names; connector: the number of a pin whose turn is one of these,
# or none; cancel: what is baked now; leave: there are no more, and Blender goes on or ends in order
LED = {"pins": 7, "moved": 13, "held": 8, "lengths": 4}  # numbers of a row of each
FITTED = {"rods", "points", "unknown", "connector"}
ORDERS = {
    "bake": {"job", "resume"}, "settle": {"job", *LED}, "fit": {"job", *FITTED}, "cancel": set[str](),
    "leave": set[str](),
}  # fmt: skip

Message = dict[str, Any]

# Of the programs that bake, by the kind of the last message. "verdict" is a refusal: nothing was changed. "exit": the
# worker ended without a word of its own; the frames it had finished are kept.
EXIT_CODES = {"done": 0, "error": 1, "verdict": 2, "cancelled": 3, "exit": 4}


def ends(message: Message) -> bool:
    """Whether this is the last that a bake says of itself."""
    return message["kind"] in {"done", "error", "cancelled"} or (message["kind"] == "verdict" and not message["ok"])


def message(kind: str, **entries: Any) -> Message:
    """A message as a dict; its entries are exactly those of KINDS. Raises ValueError."""
    if entries.keys() != KINDS[kind]:
        raise ValueError(f"a message of kind {kind!r} has the entries {sorted(KINDS[kind])}, not {sorted(entries)}")
    return {"kind": kind, **entries}


def order(kind: str, **entries: Any) -> bytes:
    """An order as a line; its entries are exactly those of ORDERS. Raises ValueError."""
    if entries.keys() != ORDERS[kind]:
        raise ValueError(f"an order of kind {kind!r} has the entries {sorted(ORDERS[kind])}, not {sorted(entries)}")
    return encode({"format": FORMAT, "kind": kind, **entries})


def decode_order(line: bytes) -> Message:
    """The order in a line of bytes. Raises ValueError, whatever they are."""
    match loads(line):
        case {"format": int() as version, "kind": "bake", "job": str(), "resume": bool(), **others} as found:
            known = not others
        case {"format": int() as version, "kind": "settle", "job": str(), **others} as found:
            rows: dict[Any, Any] = others
            known = rows.keys() == LED.keys() and all(
                isinstance(rows[name], list) and all(_is_row(row, length) for row in rows[name])
                for name, length in LED.items()
            )
        case {
            "format": int() as version, "kind": "fit", "job": str(), "rods": list() as rods, "points": list() as points,
            "unknown": list() as unknown, "connector": int() | None, **others,
        } as found:  # fmt: skip
            known = not others and _is_row(rods, len(rods)) and all(_is_row(point, 4) for point in points)
            known = known and len(rods) > 0 and len(points) > 0 and all(isinstance(name, str) for name in unknown)
        case {"format": int() as version, "kind": "cancel" | "leave", **others} as found:
            known = not others
        case _:
            raise ValueError("no order")
    if version != FORMAT or not known:
        raise ValueError("an order of another version")
    return found


def _is_row(row: Any, length: int) -> bool:
    return isinstance(row, list) and len(row) == length and all(type(number) in (float, int) for number in row)


def encode(message: Message) -> bytes:
    """One line of ASCII, so that no console encoding can spoil it."""
    return json.dumps(message, allow_nan=False).encode("ascii") + b"\n"


def decode(line: bytes) -> Message:
    """The message in a line of bytes; a line that is none becomes a `log`."""
    try:
        found = json.loads(line)
        if found.keys() - {"kind"} == KINDS[found["kind"]]:
            return found
    except (ValueError, KeyError, AttributeError, TypeError):
        pass
    return message("log", text=line.decode(errors="replace").rstrip())


def printable(text: str) -> str:
    """`text` for a terminal: names may hold characters that command one, or turn the line around."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text)
