"""Room that steps asked for, made between two stretches, for kernels must not allocate: see contact/room."""

from collections.abc import Mapping

import numpy as np

from ..contact.room import room_for
from ..model import LISTS, PAIR, Model, State, Surfaces
from ..time_integration.workspace import Workspace, workspace

LEAST = 2**19  # pairs that are ample anyway: by that even few things that lie on fine surfaces have what is near listed
CAPSULE, VERTEX, SURFACE_VERTEX = 192, 384, 256  # pairs for each of these, of rods and of bodies, that are ample
BY_HAND = {"pairs": 12, "surface_pairs": 24, "feature_pairs": 16}  # for each of these, and a vertex
Asked = Mapping[str, int]  # for how many pairs of each list, "rows" and "entries"


def ample(capsules: int, nodes: int, skins: Surfaces, surfaces: Surfaces) -> int:
    """WORLD.ample of a scene with so many capsules and nodes, and these surfaces of bodies and of colliders."""
    own = CAPSULE * capsules, VERTEX * nodes * (len(surfaces.faces) > 0), SURFACE_VERTEX * len(skins.vertices)
    return max(LEAST, *own)


def asked(state: State) -> Asked:
    """For how much room it asks, or has so far."""
    own = {name: int(state.listings["asked"][k]) for name, k in LISTS.items()}
    return own | {name: int(state.clock[name][0]) for name in ("rows", "entries")}


def roomier(state: State, wanted: Asked) -> State:
    """The State with room for that, where it has less."""
    for name in ("rows", "entries"):
        state.clock[name] = max(state.clock[name][0], wanted[name])
    short = [name for name in LISTS if len(getattr(state, name)) < wanted[name]]
    more = {name: np.zeros(room_for(wanted[name]), PAIR) for name in short}
    for name, room in more.items():
        room[: len(getattr(state, name))] = getattr(state, name)
    return state._replace(**more)


def grown(model: Model, state: State, wanted: Asked | None = None) -> tuple[State, Workspace]:
    """State and Workspace with the room that it asks for, or that is `wanted`."""
    state = roomier(state, wanted or asked(state))
    return state, workspace(model, state)


def by_hand(model: Model, state: State, times: int = 1) -> tuple[State, Workspace]:
    """State and Workspace with ample room for whoever takes steps by hand and looks at no status."""
    things = len(model.capsules), len(model.nodes), len(model.skins.vertices) + len(model.solids.on_node)
    own = {name: times * BY_HAND[name] * count for name, count in zip(LISTS, things, strict=True)}
    wanted = {name: own[name] if len(getattr(state, name)) else 0 for name in LISTS}
    rows = sum(wanted.values()) + len(state.plane_pairs)
    return grown(model, state, wanted | {"rows": rows, "entries": 36 * rows})
