"""Rods that hold bodies together twice: constraints that no motion can tell apart make the projection singular.

Only edges count that have no free point: both their ends belong to bodies, so each fixes one distance between two of
them. Its gradient is (−t, −a × t) on one and (t, b × t) on the other, t its direction, a and b the arms of its ends.
"""

from collections import Counter
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from ..scene import Pin, Scene, Weld
from ..scenes.linked import together
from .errors import SceneError
from .holds import Holders

DEPENDENT = 1e-6  # of a gradient: less that is its own is rounding


@dataclass(frozen=True)
class Link:
    """An edge between two holders; ends: (body, its place (3,) [m]) of what can move, one or two of them."""

    rod: str
    holders: tuple[Pin | Weld, Pin | Weld]
    ends: tuple[tuple[int, np.ndarray], ...]
    direction: np.ndarray


def check_redundancy(scene: Scene, holders: Holders) -> None:
    """Raises SceneError about the first edge that fixes what others already do. holders: of `check_holds`."""
    links = [link for place in holders if (link := _link(scene, holders, place))]
    while True:  # what alone holds a body depends on no other
        count = Counter(body for link in links for body, _ in link.ends)
        left = [link for link in links if all(count[body] > 1 for body, _ in link.ends)]
        if len(left) == len(links):
            break
        links = left
    for group in _groups(links):
        _check_group(scene, group)


def _link(scene: Scene, holders: Holders, place: tuple[int, int]) -> Link | None:
    """The Link that begins at a held (rod, point), or None."""
    number, point = place
    rod = scene.rods[number]
    after = (point + 1) % len(rod.x)
    one, two = holders[place], holders.get((number, after))
    if two is None or one is two or rod.stretchable or (after == 0 and not rod.closed):
        return None
    bodies = [getattr(holder, "body", None) for holder in (one, two)]  # a pin has none
    if bodies == [None, None]:
        return None
    places = zip(bodies, (rod.x[point], rod.x[after]), strict=True)
    ends = tuple((body, x) for body, x in places if body is not None and not scene.bodies[body].kinematic)
    if not ends or bodies[0] == bodies[1]:
        raise SceneError(
            two.name,
            f"'{one.name}' and '{two.name}' hold points {point} and {after} of '{rod.name}', between which nothing is "
            "left to move: hold it there once, or leave a free point between them.",
        )
    edge = rod.x[after] - rod.x[point]
    return Link(rod.name, (one, two), ends, edge / np.linalg.norm(edge))


def _groups(links: list[Link]) -> list[list[Link]]:
    """Lists of links that have bodies in common."""
    first: dict[int, int] = {}
    shared = [(first.setdefault(body, k), k) for k, link in enumerate(links) for body, _ in link.ends]
    return [[links[k] for k in group] for group in together(shared, len(links))]


def _check_group(scene: Scene, links: list[Link]) -> None:
    """Each gradient has to have something of its own (Gram–Schmidt)."""
    own: list[np.ndarray] = []
    gradients = _gradients(scene, links)
    for number, row in enumerate(gradients):
        rest = row.copy()
        for _ in range(2):  # twice is enough
            for other in own:
                rest -= (rest @ other) * other
        size = np.linalg.norm(rest)
        if size <= DEPENDENT:
            _raise_redundant(links, number, gradients)
        own.append(rest / size)


def _gradients(scene: Scene, links: list[Link]) -> np.ndarray:
    """Unit gradients (len(links), 6 per body), arms in a common length."""
    column = {body: 6 * k for k, body in enumerate(dict.fromkeys(body for link in links for body, _ in link.ends))}
    arms = [[x - scene.bodies[body].position for body, x in link.ends] for link in links]
    length = max(np.linalg.norm(arm) for own in arms for arm in own) or 1.0
    rows = np.zeros((len(links), 6 * len(column)))
    for row, link, own in zip(rows, links, arms, strict=True):
        for sign, (body, _), arm in zip((-1.0, 1.0), link.ends, own, strict=False):
            at = column[body]
            row[at : at + 3] = sign * link.direction
            row[at + 3 : at + 6] = sign * np.cross(arm, link.direction) / length
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _raise_redundant(links: list[Link], number: int, gradients: np.ndarray) -> NoReturn:
    share = np.abs(np.linalg.lstsq(gradients[:number].T, gradients[number], rcond=None)[0])
    others = [k for k in range(number) if links[k].rod != links[number].rod] or range(number)
    other, link = links[max(others, key=lambda k: share[k])], links[number]
    pairs = f"'{other.rod}' and '{link.rod}'" if other.rod != link.rod else f"Two parts of '{link.rod}'"
    raise SceneError(
        link.rod,
        f"{pairs} hold the same bodies together twice between '{link.holders[0].name}' and '{link.holders[1].name}': "
        "remove one of these ties or leave a free point of the rod between them.",
    )
