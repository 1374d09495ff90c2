"""Curves whose strands lie side by side, as hair does. Where they touch, each touches others along all of its length,
which is what takes a bake's time; where ropes of a net cross, it is at points.
"""

import numpy as np
from mathutils.kdtree import KDTree

MANY = 20  # strands; 40 of 15 pieces in a bundle took minutes for 25 frames
ALONG = np.cos(np.radians(30.0))  # of the angle to what is nearest, in most places: a net has 90°, locks some degrees
SLENDER = 100.0  # times as long as their radius: sticks of a heap, some thirty times, touch a few others each
LOOKED_AT = 500  # pieces at most


def side_by_side(strands, radii):
    """Whether many slender strands, (n, 3) each, of such radii, go along with their nearest ones in most places."""
    if len(strands) < MANY:
        return False
    lengths = [np.linalg.norm(np.diff(x, axis=0), axis=1).sum() for x in strands]
    if np.median(lengths) <= SLENDER * np.median(radii):
        return False
    middle = np.concatenate([0.5 * (x[1:] + x[:-1]) for x in strands])
    edge = np.concatenate([np.diff(x, axis=0) for x in strands])
    owner = np.repeat(np.arange(len(strands)), [len(x) - 1 for x in strands])
    length = np.linalg.norm(edge, axis=1, keepdims=True)
    along = np.divide(edge, length, out=np.zeros_like(edge), where=length > 0.0)
    tree = KDTree(len(middle))
    for number, place in enumerate(middle):
        tree.insert(place, number)
    tree.balance()
    cosines = []
    for number in np.linspace(0, len(middle) - 1, min(len(middle), LOOKED_AT)).astype(int):
        others = owner != owner[number]
        _, nearest, _ = tree.find(middle[number], filter=lambda index, others=others: bool(others[index]))
        if nearest is not None:
            cosines.append(abs(along[number] @ along[nearest]))
    return bool(np.median(cosines) > ALONG)


def told(name, count):
    return (
        f"'{name}' has {count} strands side by side: Touch Rods, in Contact, is off, for that they touch takes many "
        "times as long"
    )
