"""The wires that show the tetrahedra of a soft body, an object of their own that no render shows."""

import bpy

from . import own_tetrahedra, result_object
from .homes import link_beside


def show(soft, x, tetrahedra):
    """Draw tetrahedra (t, 4) of nodes x (n, 3), in the world."""
    name = f"{soft.name} Tetrahedra"
    item = bpy.data.objects.new(name, own_tetrahedra.make_wires(name, x, tetrahedra))
    item.display_type, item.hide_render, item.hide_select, item.show_in_front = "WIRE", True, True, True
    link_beside(item, soft)
    soft.tendril.soft.wires = item


def hide(soft):
    """Remove the wires of a soft body. Returns whether there were any."""
    item, soft.tendril.soft.wires = soft.tendril.soft.wires, None
    if item is None or result_object.is_deleted(item):
        return False
    result_object.remove(item)
    return True
