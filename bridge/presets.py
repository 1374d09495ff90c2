"""Material presets to and from a rod's settings, shown in units of its own and lengths in Blender's."""

from pathlib import Path

from ..presets import material
from ..properties.parameters import ROD

PresetError = material.PresetError


def find(own_folder):
    """{name: path} of the shipped presets and those in `own_folder`, which win; by name."""
    paths = [*material.SHIPPED.glob("*.toml"), *Path(own_folder).glob("*.toml")]
    return dict(sorted((path.stem, path) for path in paths))


def summary(path):
    return material.summary(path)


def apply(path, rod, units, *, with_radius=False):
    """Give the settings `rod` the material at `path`, with its usual radius if wanted. Raises PresetError."""
    values = material.read(path)
    radius = values.pop("radius", None)
    for name, value in values.items():
        setattr(rod, name, value if isinstance(value, bool) else value / ROD[name].si)
    if with_radius and radius is not None:
        rod.use_radius = True
        rod.radius = units.blender_units(radius)
    rod.preset = Path(path).stem


def save(path, rod, units):
    """Write the material of the settings `rod`, and the radius if it has its own, to `path`. Raises PresetError."""
    values = {name: getattr(rod, name) for name in material.REQUIRED}
    values = {name: value if isinstance(value, bool) else value * ROD[name].si for name, value in values.items()}
    if rod.use_radius:
        values["radius"] = units.metres(rod.radius)
    material.write(path, values, "set in Blender")
    rod.preset = Path(path).stem
