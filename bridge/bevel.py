"""The thickness of a rod's curve. One that has none gets a bevel, so that what is simulated is what is rendered."""

import bpy

from . import curves
from .hair import is_hair


def drawn(curve, lines):
    """Radius [m] of a curve's Polylines where its bevel draws them thickest; 0 if that does not say how thick it is.
    Hair has a radius without a bevel.
    """
    if isinstance(curve, bpy.types.Curves):
        return _thickest(lines)
    if curve.taper_object or curve.bevel_mode == "OBJECT":
        return 0.0
    return curve.bevel_depth * _thickest(lines)


def give(source, lines, radius, units):
    """Make a rod as thick as `radius` [m] where it is thickest: by the bevel of its curve → True; by a radius of its
    own where taper, bevel object or extrusion shape the curve, where it is hair, or a library has it → False. `lines`
    are the curve's Polylines.
    """
    rod, curve = source.tendril.rod, source.data
    if is_hair(source):
        rod.use_radius, rod.radius = True, units.blender_units(radius)
        return False
    shaped = curve.taper_object or curve.extrude or (curve.bevel_mode == "OBJECT" and curve.bevel_object)
    rod.use_radius = bool(shaped or curve.library) or _thickest(lines) == 0.0
    if rod.use_radius:
        rod.radius = units.blender_units(radius)
        return False
    if curve.bevel_mode == "OBJECT":  # by an object that is not there
        curve.bevel_mode = "ROUND"
    curve.bevel_depth = radius / _thickest(lines)
    return True


def of_rod(context, source, units):
    """Radius [m] of a rod where it is thickest, 0 if nothing says. Raises SceneError for a curve that cannot be one."""
    rod = source.tendril.rod
    return units.metres(rod.radius) if rod.use_radius else drawn(source.data, curves.read(context, source))


def is_bare(curve):
    """Whether a curve is drawn without any thickness: as that of what follows it is drawn by a mesh."""
    return isinstance(curve, bpy.types.Curve) and curve.bevel_depth == 0.0 and curve.bevel_mode != "OBJECT"


def thickest(source, lines, units):
    """The same [Blender units] of a rod whose curve's Polylines are `lines`; the radius that is set if nothing says."""
    rod = source.tendril.rod
    return (0.0 if rod.use_radius else units.blender_units(drawn(source.data, lines))) or rod.radius


def told(scene, source):
    """What to tell an artist about a bevel that was given."""
    settings = scene.unit_settings
    depth = source.data.bevel_depth * (settings.scale_length if settings.system != "NONE" else 1.0)
    length = bpy.utils.units.to_string(settings.system, "LENGTH", depth, precision=3)
    return f"'{source.name}' had no thickness: it got a bevel of {length}"


def _thickest(lines):
    """[m] of radius for each Blender unit of bevel depth."""
    return max(float(line.thickness.max()) for line in lines)
