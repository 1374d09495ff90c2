"""A material of rods, a wood with its leaves, or one of soft bodies or sheets, as a TOML file: of each parameter its
`value` in SI and its `source`.

    [young]  # Pa
    value = 2.07e11
    source = "carbon steel (Shigley, Table A–5)"

The file is checked against the parameter table before anything is used: a name, a type, a range that does not fit is
refused with one sentence.
"""

import errno
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..properties.parameters import ROD, SOFT, TREE, Parameter

REQUIRED = (
    "young",
    "poisson",
    "density",
    "bend_factor",
    "stretchable",
    "internal_damping",
    "drag_coefficient",
    "friction",
)
MOST_BYTES = 20_000  # of a file; a preset has two thousand, and the parser takes the square of a key of many parts
LEAVES = ("leaf_mass", "leaf_drag")  # of a wood, for each metre of twig
ABSENT: dict[str, float | bool] = {
    "twist_factor": 1.0,
    "inner_radius": 0.0,
    "parallel_stiffness": 0.0,
    "spin_factor": 1.0,
    "stretch_damping_factor": 1.0,
    "twist_damping_factor": 1.0,
    "bend_limit": 0.0,
    "tension_limit": 0.0,
    "transverse_limit": 0.0,
    "aspect": 1.0,
}
OPTIONAL = ("radius", *ABSENT, *LEAVES)  # radius: how thick such a rod usually is
SHIPPED = Path(__file__).parent / "rods"
WOODS = Path(__file__).parent / "woods"
SHIPPED_SOFT = Path(__file__).parent / "soft"
SHIPPED_SHEETS = Path(__file__).parent / "sheets"
TABLE = ROD | {name: TREE[name] for name in LEAVES}


@dataclass(frozen=True)
class Kind:
    """What a preset of some kind has to hold, what it may, and the table all that is in."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    table: Mapping[str, Parameter]


RODS = Kind(REQUIRED, OPTIONAL, TABLE)
SOFT_BODIES = Kind(("young", "poisson", "density", "relaxation"), (), SOFT)
SHEETS = Kind((*SOFT_BODIES.required, "thickness", "membrane"), (), SOFT)


class PresetError(ValueError):
    """What is wrong with a preset file, in one sentence: the file, the key, its value and the cure."""


def read(path: Path | str, kind: Kind = RODS) -> dict[str, float | bool]:
    """The SI values in the file at `path`: {name: float | bool}, with every name that is required and, of a rod, those
    of ABSENT where the file has none. Raises PresetError.
    """
    path = Path(path)
    try:
        content = _content(path)
        if len(content) == MOST_BYTES:
            raise ValueError("it is too large")
        tables = tomllib.loads(content.decode())
    except OSError as error:
        raise PresetError(f"Preset {path.name} cannot be read ({error.strerror}): choose another file") from None
    except (ValueError, RecursionError) as error:  # not TOML, or not text
        raise PresetError(f"Preset {path.name} is not a TOML file ({error}): correct it or save it anew") from None
    known = kind.required + kind.optional
    for name in tables:
        if name not in known:
            raise PresetError(f"Preset {path.name} has the unknown key {name[:30]}: use only {', '.join(known)}")
    for name in kind.required:
        if name not in tables:
            raise PresetError(f"Preset {path.name} lacks the key {name}: add a table [{name}] with its value")
    absent = {name: value for name, value in ABSENT.items() if name in known}
    values = absent | {name: _value(path.name, name, table, kind.table[name]) for name, table in tables.items()}
    _check_hollow(path.name, values)
    return values


def _check_hollow(file: str, values: Mapping[str, float | bool]) -> None:
    """Raises PresetError: what a tube is inside of is not known, or no larger than it."""
    inner, radius = values.get("inner_radius", 0.0), values.get("radius")
    if inner and radius is None:
        raise PresetError(f"Preset {file} has an inner_radius but no radius: add a table [radius] with its value")
    if inner and radius is not None and inner >= radius:
        raise PresetError(f"Preset {file}: inner_radius = {inner:g} must be less than its radius, {radius:g} m")


def _said(value: Any) -> str:
    """A value as a sentence shows it: in part if it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or of tables in tables
        return "a value too long to show"
    return text if len(text) <= 60 else text[:60] + "…"


def files(folder: Path | str) -> list[Path]:
    """Paths of the preset files in `folder`, sorted; folders, pipes and links to nowhere of such a name are none."""
    try:
        return sorted(path for path in Path(folder).glob("*.toml") if path.is_file())
    except OSError:  # it may not be looked into
        return []


def summary(path: Path) -> str:
    """The first sentence of the comment that opens the file, for a tooltip; '' if there is none."""
    try:
        first = _content(path).decode(errors="replace").partition("\n")[0]
    except OSError:
        first = ""
    return first.removeprefix("#").split(". ")[0].strip(" .\n") if first.startswith("#") else ""


def _content(path: Path) -> bytes:
    """The first MOST_BYTES of a file. Raises OSError, also for what is no file."""
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "there is no such file")
    with path.open("rb") as file:
        return file.read(MOST_BYTES)


def _value(file: str, name: str, table: Any, parameter: Parameter) -> float | bool:
    """The checked value of one parameter's table."""
    if not isinstance(table, dict):
        raise PresetError(
            f"Preset {file}: {name} = {_said(table)} must be a table: write [{name}] and value = … below it"
        )
    for key in table:
        if key not in ("value", "source"):
            raise PresetError(f"Preset {file} has the unknown key {name}.{key[:60]}: use only value and source")
    if "value" not in table:
        raise PresetError(f"Preset {file} lacks {name}.value: add the line value = … under [{name}]")
    if not isinstance(table.get("source", ""), str):
        raise PresetError(f"Preset {file}: {name}.source = {_said(table['source'])} must be a text in quotes")
    value = table["value"]
    if isinstance(parameter.default, bool):
        if not isinstance(value, bool):
            raise PresetError(f"Preset {file}: {name} = {_said(value)} must be true or false")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PresetError(f"Preset {file}: {name} = {_said(value)} must be a number, in {parameter.unit or 'no unit'}")
    low, high = parameter.minimum * parameter.si, parameter.maximum * parameter.si
    if not low <= value <= high:  # NaN does not either
        unit = f" {parameter.unit}" if parameter.unit else ""
        raise PresetError(f"Preset {file}: {name} = {_said(value)} must lie between {low:g} and {high:g}{unit}")
    return float(value)


def write(path: Path | str, values: Mapping[str, float | bool], source: str, kind: Kind = RODS) -> None:
    """Write {name: SI value} to `path`, all from one `source`. Raises PresetError: a tube's inner radius is not inside
    of it, or the folder cannot be written.
    """
    _check_hollow(Path(path).name, values)
    lines = []
    for name, value in values.items():
        unit = f"  # {kind.table[name].unit}" if kind.table[name].unit else ""
        lines += [f"[{name}]{unit}", f"value = {json.dumps(value)}", f"source = {json.dumps(source)}", ""]
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
    except OSError as error:
        raise PresetError(f"Preset {path.name} cannot be written to {path.parent} ({error.strerror})") from None
