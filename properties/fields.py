"""How much of gravity and of Blender's force fields acts on an object, and which fields of a scene do at all."""

import bpy

from .declare import declare
from .enabled import enabled_objects
from .parameters import Parameter

KINDS = (
    "WIND",
    "FORCE",
    "VORTEX",
    "TURBULENCE",
    "DRAG",
)  # of Blender's fields, those that act


def _weight(name, label, what):
    text = f"How much {what} acts on this object: 1 fully, less is sheltered from it, 0 not at all"
    return declare(Parameter(name, label, 1.0, text, 0.0, 200.0, 0.0, 1.0, blender_unit="FACTOR"))


class TendrilWeights(bpy.types.PropertyGroup):
    """As Blender's own Field Weights."""

    gravity: _weight("gravity", "Gravity", "gravity")
    all: _weight("all", "All", "each force field, besides its own weight,")
    wind: _weight("wind", "Wind", "the velocity of the air")
    force: _weight("force", "Force", "each force field of type Force")
    vortex: _weight("vortex", "Vortex", "each vortex")
    turbulence: _weight("turbulence", "Turbulence", "each turbulence field")
    drag: _weight("drag", "Drag", "each drag field, not the drag of the air,")


def field_objects(view_layer):
    """The objects whose force fields act in a view layer, as Blender's own simulations see it."""
    return [item for item in enabled_objects(view_layer) if item.field and item.field.type != "NONE"]
