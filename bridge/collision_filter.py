"""Who does not meet whom: rods and bodies that are limited to what is in a collection, as numbers of groups.

Two things meet unless one of them has a collection that the other is not in. An object meets itself in any case.
"""

from itertools import combinations

from ..properties.meeting import limited_to


def groups_of(items):
    """({object: number of its group}, pairs of groups that do not touch) of all objects that can touch."""
    own = {item: chosen for item in items if (chosen := limited_to(item))}
    members = {chosen: set(chosen.all_objects) for chosen in own.values()}
    number, groups = {}, {}
    for item in items:
        within = frozenset(chosen for chosen, those in members.items() if item in those)
        groups[item] = number.setdefault((item if item in own else None, within), len(number))
    kinds = list(number)
    collision_filter = tuple(
        (i, j) for i, j in combinations(range(len(kinds)), 2) if not _meet(kinds[i], kinds[j], own)
    )  # fmt: skip
    return groups, collision_filter if own else ()


def _meet(one, other, own):
    """Whether two kinds, (the object that is limited or None, collections that hold it), meet."""
    (first, of_first), (second, of_second) = one, other
    return own.get(first) in {None, *of_second} and own.get(second) in {None, *of_first}
