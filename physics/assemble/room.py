"""Room for contact pairs: lists that are full grow between two stretches, for kernels must not allocate."""

from collections.abc import Sequence

import numpy as np

from ..model import LISTS, PAIR, Model, State, Surfaces, listed
from ..time_integration.workspace import Workspace, workspace
from .state import PAIRS_PER_CAPSULE, PAIRS_PER_SHAPE_VERTEX, PAIRS_PER_VERTEX

AMPLE = 16  # times the room that a list begins with,
LEAST = 2**19  # and so many pairs: by that even few things that lie on fine surfaces have what is near them listed
STRUCK = 4**5  # times the room that a list begins with, which it grows to at most: that of a struck spring did
MOST = 16  # times what is ample, the same: fourfold from just below that, and where all is near in the briefest step


def ample(capsules: int, nodes: int, skins: Surfaces, surfaces: Surfaces) -> int:
    """WORLD.ample of a scene with so many capsules and nodes, and these surfaces of bodies and of colliders."""
    begins = (
        PAIRS_PER_CAPSULE * capsules,
        PAIRS_PER_VERTEX * (nodes if len(surfaces.faces) else 0),
        PAIRS_PER_SHAPE_VERTEX * len(skins.vertices),
    )
    return max(LEAST, AMPLE * max(begins))


def crowded(model: Model, state: State) -> list[str]:
    """Names of the lists of contact pairs that are more than half full, and have no ample room."""
    lists = {name: len(getattr(state, name)) for name in LISTS}
    return [n for n, room in lists.items() if 2 * len(listed(state, n)) > room and room < model.world["ample"][0]]


def most_room(model: Model, begins: int) -> int:
    """How much room a list may have that begins with so much."""
    return max(STRUCK * begins, MOST * int(model.world["ample"][0]))


def lacking(state: State) -> list[str]:
    """Names of the lists of contact pairs that lacked room when they were last made anew."""
    return [name for name, listing in LISTS.items() if getattr(state, listing)["full"][0]]


def grown(model: Model, state: State, lacked: Sequence[str] = ()) -> tuple[State, Workspace]:
    """State and Workspace with more room: see `roomier`."""
    state = roomier(model, state, lacked)
    return state, workspace(model, state)


def roomier(model: Model, state: State, lacked: Sequence[str] = ()) -> State:
    """The State with room for four times as many contact pairs: in lists that lacked room, or else lack it now; or, if
    none did, that are more than half full, or all.
    """
    of_rods = {name for name, met in (("pairs", model.capsules), ("surface_pairs", model.surfaces.faces)) if len(met)}
    lists = {name: getattr(state, name) for name in LISTS}
    lists = {name: own for name, own in lists.items() if len(own) or name in of_rods}
    full = [name for name in lacked or lacking(state) if name in lists]
    full = full or [name for name, own in lists.items() if 2 * len(listed(state, name)) > len(own)] or [*lists]
    for name in full:
        getattr(state, LISTS[name])["full"] = False
    more = {name: np.zeros(4 * max(len(lists[name]), 1), PAIR) for name in full}
    for name, room in more.items():
        room[: len(lists[name])] = lists[name]
    return state._replace(**more)
