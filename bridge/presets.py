"""Material presets to and from the settings of a rod, tree or soft body, which are shown in units of their own."""

from pathlib import Path
from typing import Any

from ..presets import material
from ..properties.body import is_cable
from ..properties.parameters import SOFT

PresetError = material.PresetError


def find(own_folder: Path | str, *, woods: bool = False) -> dict[str, Path]:
    """{name: path} of the shipped presets, of rods or woods, and those in `own_folder`, which win; by name."""
    return _with_own(material.WOODS if woods else material.SHIPPED, own_folder)


def find_soft(own_folder: Path | str, *, sheets: bool = False) -> dict[str, Path]:
    """The same of soft bodies, or of sheets."""
    return _with_own(material.SHIPPED_SHEETS if sheets else material.SHIPPED_SOFT, own_folder)


def _with_own(shipped: Path, own_folder: Path | str) -> dict[str, Path]:
    return dict(sorted(({path.stem: path for path in material.files(shipped)} | find_own(own_folder)).items()))


def find_own(own_folder: Path | str) -> dict[str, Path]:
    """{name: path} of the presets in `own_folder`, by name."""
    return {path.stem: path for path in material.files(own_folder)}


def summary(path: Path) -> str:
    return material.summary(path)


def usual(path: Path | str) -> tuple[float, float]:
    """(radius, inner radius) [m] that what is of the material at `path` usually has; 0: the file says none. Raises
    PresetError.
    """
    values = material.read(path)
    return values.get("radius", 0.0), values["inner_radius"]


def apply(path: Path | str, settings: Any, radius: float | None = None) -> None:
    """Give an object's settings, a TendrilObject, the material at `path`. A tube becomes hollow by the same share as it
    usually is: radius [Blender units], that of the rod where it is thickest; None: as is set. A cable keeps its length
    whatever it is of. Raises PresetError.
    """
    values, rod = material.read(path), settings.rod
    inner = values.pop("inner_radius") / values.pop("radius", 1.0)
    rod.inner_radius = inner * (rod.radius if radius is None else radius)
    for name, value in values.items():
        owner = settings.tree if name in material.LEAVES else rod
        setattr(owner, name, value if isinstance(value, bool) else value / material.TABLE[name].si)
    if is_cable(settings.id_data):
        rod.stretchable = False
    rod.preset = Path(path).stem


def save(path: Path | str, settings: Any, radius: float, inner_radius: float) -> None:
    """Write the material of an object's settings, and its radii [m] if the outer one is not 0, to `path`. Raises
    PresetError.
    """
    rod = settings.rod
    values = {name: getattr(rod, name) for name in (*material.REQUIRED, *material.ABSENT)}
    del values["inner_radius"]
    if settings.is_tree:
        values |= {name: getattr(settings.tree, name) for name in material.LEAVES}
    for name, value in values.items():
        values[name] = value if isinstance(value, bool) else value * material.TABLE[name].si
    if radius:
        values |= {"radius": radius, "inner_radius": inner_radius}
    material.write(path, values, "set in Blender")
    rod.preset = Path(path).stem


def apply_soft(path: Path | str, soft: Any) -> None:
    """Give the settings of a soft body or sheet, a TendrilSoft, the material at `path`. Raises PresetError."""
    for name, value in material.read(path, _kind(soft)).items():
        setattr(soft, name, value / SOFT[name].si)
    soft.preset = Path(path).stem


def save_soft(path: Path | str, soft: Any) -> None:
    """Write the material of the settings of a soft body or sheet to `path`. Raises PresetError."""
    values = {name: getattr(soft, name) * SOFT[name].si for name in _kind(soft).required}
    material.write(path, values, "set in Blender", _kind(soft))
    soft.preset = Path(path).stem


def _kind(soft: Any) -> material.Kind:
    return material.SHEETS if soft.is_sheet else material.SOFT_BODIES
