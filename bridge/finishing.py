"""Modifiers at the end of the stack that only finish a surface: they stay on the result, and act after it is bent.

A simple subdivision finishes nothing: what it is for is to have points that bend. A sheet is as thick as is set, so
Solidify only draws that.
"""

FINISHING = ("SUBSURF", "WEIGHTED_NORMAL", "EDGE_SPLIT", "TRIANGULATE")


def leave_finish(item, source):
    """Take all modifiers of a copy of `source` but those at the end that finish its surface."""
    for modifier in _others(item, source):
        item.modifiers.remove(modifier)
    return item


def take_finish(item):
    """Take the modifiers that finish the surface of a copied object."""
    others = _others(item, item)
    for modifier in [modifier for modifier in item.modifiers if modifier not in others]:
        item.modifiers.remove(modifier)
    return item


def _others(item, source):
    found, finishing = list(item.modifiers), (*FINISHING, *["SOLIDIFY"] * source.tendril.soft.is_sheet)
    while found and _finishes(found[-1], finishing):
        found.pop()
    return found


def _finishes(modifier, finishing):
    return modifier.type in finishing and getattr(modifier, "subdivision_type", "") != "SIMPLE"
