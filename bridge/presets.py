"""Material presets to and from the settings of a rod or tree, shown in units of their own, lengths in Blender's."""

from pathlib import Path

from ..presets import material

PresetError = material.PresetError


def find(own_folder, *, woods=False):
    """{name: path} of the shipped presets, of rods or woods, and those in `own_folder`, which win; by name."""
    shipped = material.WOODS if woods else material.SHIPPED
    return dict(sorted(({path.stem: path for path in material.files(shipped)} | find_own(own_folder)).items()))


def find_own(own_folder):
    """{name: path} of the presets in `own_folder`, by name."""
    return {path.stem: path for path in material.files(own_folder)}


def summary(path):
    return material.summary(path)


def apply(path, settings, units, *, with_radius=False):
    """Give an object's settings, a TendrilObject, the material at `path`, and its usual radius if wanted.

    Raises PresetError.
    """
    values, rod = material.read(path), settings.rod
    radius = values.pop("radius", None)
    for name, value in values.items():
        owner = settings.tree if name in material.LEAVES else rod
        setattr(owner, name, value if isinstance(value, bool) else value / material.TABLE[name].si)
    if with_radius and radius is not None:
        rod.use_radius = True
        rod.radius = units.blender_units(radius)
    rod.preset = Path(path).stem


def save(path, settings, units):
    """Write the material of an object's settings, and the radius if it has its own, to `path`. Raises PresetError."""
    rod = settings.rod
    values = {name: getattr(rod, name) for name in (*material.REQUIRED, "twist_factor")}
    if settings.is_tree:
        values |= {name: getattr(settings.tree, name) for name in material.LEAVES}
    for name, value in values.items():
        values[name] = value if isinstance(value, bool) else value * material.TABLE[name].si
    if rod.use_radius:
        values["radius"] = units.metres(rod.radius)
    material.write(path, values, "set in Blender")
    rod.preset = Path(path).stem
