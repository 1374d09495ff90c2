"""By what numbers of a rod are painted: the Weight of a curve's points, or an attribute of hair."""

import bpy
from bpy.props import StringProperty

from .declare import forget_estimate

PAINTED = ("stiffness", "density", "friction")
WEIGHT = "weight"  # as a curve's points have it
KINDS = ("FLOAT", "INT", "BOOLEAN", "INT8")  # of attributes that are numbers


def is_number(attribute):
    """Whether an attribute of hair has one for each point or curve."""
    return attribute.data_type in KINDS and attribute.domain in ("POINT", "CURVE")


def painted(what):
    """The property of PAINTED."""
    return StringProperty(
        name=f"{what.title()} Attribute",
        description=f"Where along the rod its {what} is another: by the weight of a curve's points, which is set in "
        "edit mode with Control Points › Set Goal Weight, or by an attribute of hair. None: it is the same all along",
        options=set(),
        search=_names,
        update=forget_estimate,
    )


def _names(rod, _context, _text):
    data = rod.id_data.data
    return [own.name for own in data.attributes if is_number(own)] if isinstance(data, bpy.types.Curves) else [WEIGHT]
