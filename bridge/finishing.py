"""Modifiers at the end of the stack that only finish a surface: they stay on the result, and act after it is bent.

A simple subdivision finishes nothing: what it is for is to have points that bend.
"""

FINISHING = ("SUBSURF", "WEIGHTED_NORMAL", "EDGE_SPLIT", "TRIANGULATE")


def leave_finish(item):
    """Take all modifiers of a copied object but those at the end that finish its surface."""
    for modifier in _others(item):
        item.modifiers.remove(modifier)
    return item


def take_finish(item):
    """Take the modifiers that finish the surface of a copied object."""
    others = _others(item)
    for modifier in [modifier for modifier in item.modifiers if modifier not in others]:
        item.modifiers.remove(modifier)
    return item


def _others(item):
    found = list(item.modifiers)
    while found and _finishes(found[-1]):
        found.pop()
    return found


def _finishes(modifier):
    return modifier.type in FINISHING and getattr(modifier, "subdivision_type", "") != "SIMPLE"
