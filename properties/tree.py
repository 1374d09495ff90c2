"""What is set on a tree besides its wood: how finely it is simulated, and its leaves."""

import bpy

from .declare import declare
from .parameters import TREE


class TendrilTree(bpy.types.PropertyGroup):
    """Branches and leaves of a tree. Its wood and where it is held are those of a rod."""

    pieces: declare(TREE["pieces"])
    leaves: declare(TREE["leaves"])
    leaf_radius: declare(TREE["leaf_radius"])
    leaf_mass: declare(TREE["leaf_mass"])
    leaf_drag: declare(TREE["leaf_drag"])
