"""Models and States of parts put together as those of an island, and taken apart again.

The rows of each table follow one another, part by part; columns that number rows of something are moved on by how many
of it come before. The list of pairs is an island's own: of it, only pairs that press on each other last.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ..assemble.capsules import contact_scale
from ..assemble.chain_system import chain_system, no_chains
from ..assemble.room import ample
from ..assemble.state import PAIRS_PER_CAPSULE, PAIRS_PER_VERTEX
from ..model import LISTING, PAIR, LengthSystem, Model, State, changed

# of each table the columns that number rows, or places in an array, and of what; a negative number stays: there is none
NUMBERS: Mapping[str, Mapping[str, str]] = {
    "rods": {
        "first": "nodes", "last": "nodes", "frame": "frames", "first_clamp": "clamps", "end_clamp": "clamps",
        "segment": "segments", "bend": "bends",
    },
    "nodes": {"rod": "rods", "slave": "slaves"},
    "segments": {"tail": "nodes", "head": "nodes"},
    "bends": {"before": "segments", "behind": "segments"},
    "clamps": {"frame": "frames"},
    "pins": {
        "node": "nodes", "rod": "rods", "ghost": "ghosts", "second": "nodes", "frame": "frames", "clamp": "clamps",
        "first_sample": "times", "end_sample": "times",
    },
    "bodies": {"first_slave": "slaves", "end_slave": "slaves", "row": "unknowns", "slot": "entries"},
    "slaves": {"node": "nodes", "body": "bodies", "edge": "links"},
    "welds": {"body": "bodies", "rod": "rods", "ghost": "ghosts", "frame": "frames", "clamp": "clamps"},
    "links": {
        "tail": "nodes", "head": "nodes", "tail_slave": "slaves", "head_slave": "slaves", "row": "unknowns",
        "arm_slot": "entries",
    },
    "joints": {"one": "links", "other": "links", "node": "nodes", "slot": "entries"},
    "capsules": {"tail": "nodes", "head": "nodes", "rod": "rods"},
}  # fmt: skip
ROWS = {  # of a State's arrays, one for each
    "x": "nodes", "v": "nodes", "before_x": "nodes", "before_v": "nodes", "earlier_x": "nodes", "earlier_v": "nodes",
    "before_bend": "nodes", "earlier_bend": "nodes",
    "w": "nodes", "t": "frames", "u": "frames", "theta": "frames", "fixed": "frames",
    "moment": "frames", "torque": "frames", "spin": "frames", "spun": "frames", "q": "segments", "omega": "segments",
    "turns": "segments", "tension": "nodes", "rods": "rods", "ghosts": "ghosts",
    "clamp_frame": "clamps", "holds": "pins", "bodies": "bodies", "before_bodies": "bodies",
    "earlier_bodies": "bodies", "listed": "nodes", "surface_listed": "nodes", "shape_listed": "nodes",
    "listed_bodies": "bodies", "mode": "soft",
    "soft_listed": "soft", "tied": "ties",
}  # fmt: skip
Starts = Mapping[str, np.ndarray]  # (P + 1,) where each part's rows begin, and the last ones end


def stacked(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Tables of one kind, one behind the other; numpy would compare their columns, each time."""
    return np.concatenate(tables, dtype=tables[0].dtype)


def starts(models: Sequence[Model]) -> Starts:
    """Where the rows of each Model begin when all are put together."""
    count = {
        "nodes": [len(m.nodes) for m in models], "rods": [len(m.rods) for m in models],
        "frames": [len(m.nodes) + len(m.rods) for m in models], "ghosts": [2 * len(m.rods) for m in models],
        "segments": [len(m.segments) for m in models], "bends": [len(m.bends) for m in models],
        "clamps": [len(m.clamps) for m in models], "pins": [len(m.pins) for m in models],
        "times": [len(m.times) for m in models], "bodies": [len(m.bodies) for m in models],
        "slaves": [len(m.slaves) for m in models], "links": [len(m.length_system.links) for m in models],
        "unknowns": [len(m.length_system.column) - 1 for m in models],
        "soft": [len(m.nodes) if len(m.solids.bodies) else 0 for m in models],
        "ties": [len(m.solids.ties) for m in models],
        "entries": [len(m.length_system.below) for m in models], "capsules": [len(m.capsules) for m in models],
    }  # fmt: skip
    return {name: np.cumsum([0, *counts]) for name, counts in count.items()}


def join_models(models: Sequence[Model]) -> Model:
    """The Model of all parts together."""
    if len(models) == 1:
        return models[0]
    at = starts(models)
    tables = {
        name: join_tables(name, [getattr(m, name) for m in models], at)
        for name in (
            "rods", "nodes", "edges", "hinges", "segments", "mobility", "bends", "clamps", "pins", "bodies", "slaves",
            "welds", "capsules",
        )
    }  # fmt: skip
    joined = Model(
        world=_world(models, tables),
        times=np.concatenate([m.times for m in models]),
        samples=np.concatenate([m.samples for m in models]),
        length_system=_length_system([m.length_system for m in models], at),
        chain_system=no_chains(),
        joined=_keys(models, at["capsules"]),
        collision_filter=models[0].collision_filter,
        planes=models[0].planes,
        surfaces=models[0].surfaces,
        skins=models[0].skins,  # where bodies touch, all that touches is one part
        shapes=stacked([m.shapes for m in models]),
        rooted=models[0].rooted,
        solids=models[0].solids,
        **tables,
    )
    implicit = any(len(m.chain_system.chains) for m in models) and not joined.rods["cosserat"].any()
    return joined._replace(chain_system=chain_system(joined)) if implicit else joined


def join_tables(name: str, tables: Sequence[np.ndarray], at: Starts) -> np.ndarray:
    """The tables of one name of all parts, one behind the other, their numbers moved on."""
    rows = stacked(tables)
    part = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    for column, of in NUMBERS.get(name, {}).items():
        number = rows[column]
        before = at[of][part].reshape(-1, *[1] * (number.ndim - 1))
        rows[column] = np.where(number >= 0, number + before, number)
    return rows


def _world(models: Sequence[Model], tables: Mapping[str, np.ndarray]) -> np.ndarray:
    worlds = stacked([m.world for m in models])
    thinnest = worlds["thinnest"].min()
    radius, skin = contact_scale(tables["capsules"], thinnest)
    widest = worlds["widest_skin"].min()
    spinning = any(m.rods["cosserat"].any() for m in models)  # then none of them takes implicit steps
    own = next(
        (p for p, m in enumerate(models) if bool(len(m.chain_system.chains)) != spinning), 0
    )  # whose reach counts
    room = ample(len(tables["capsules"]), len(tables["nodes"]), models[0].skins, models[0].surfaces)
    return changed(worlds[own : own + 1], thinnest=thinnest, radius=radius, skin=skin, widest_skin=widest, ample=room)


def _length_system(parts: Sequence[LengthSystem], at: Starts) -> LengthSystem:
    """The systems side by side: those of one part are eliminated after those of the part before."""
    links, joints = (join_tables(name, [getattr(a, name) for a in parts], at) for name in ("links", "joints"))
    unknowns, entries = at["unknowns"], at["entries"]
    column = [a.column[:-1] + before for a, before in zip(parts, entries[:-1], strict=True)]
    below = [a.below + before for a, before in zip(parts, unknowns[:-1], strict=True)]
    return LengthSystem(links, joints, np.concatenate([*column, entries[-1:]]), np.concatenate(below))


def _keys(models: Sequence[Model], capsules: np.ndarray) -> np.ndarray:
    """Model.joined, its capsules i and j counted through all parts."""
    found = []
    for m, before in zip(models, capsules[:-1], strict=True):
        i, j = np.divmod(m.joined, max(len(m.capsules), 1))
        found.append((before + i) * capsules[-1] + before + j)
    return np.concatenate(found)


def join_states(models: Sequence[Model], states: Sequence[State], pressed: np.ndarray, room: int) -> State:
    """The State of all parts together, whose capsules `pressed`, PAIR (k,), press on each other. All other pairs have
    yet to be listed; there is room for so many per capsule.
    """
    n, planes = [len(m.nodes) for m in models], len(models[0].planes)
    own = {name: stacked([getattr(state, name) for state in states]) for name in ROWS}
    fields = [state.fields[:k] for state, k in zip(states, n, strict=True)]
    fields += [state.fields[k:] for state, k in zip(states, n, strict=True)]
    on_planes = [states[0].plane_pairs[:0]]
    for f in range(planes):
        on_planes += [state.plane_pairs[f * k : (f + 1) * k] for state, k in zip(states, n, strict=True)]
    on_surfaces = pressed_on_surfaces(states, np.cumsum([0, *n]))
    return State(
        clock=changed(
            states[0].clock,
            step=min(state.clock["step"][0] for state in states),
            past=0,  # their steps may have differed
            most=sum(
                {id(state.clock): state.clock["most"][0] for state in states}.values()
            ),  # parts share their island's
        ),
        fields=stacked(fields),
        plane_pairs=changed(stacked(on_planes), i=np.tile(np.arange(sum(n)), planes)),
        listing=changed(np.zeros(1, LISTING), count=len(pressed) or -1),
        pairs=with_room(pressed, room * sum(len(m.capsules) for m in models)),
        shape_listing=states[0].shape_listing,
        shape_pairs=states[0].shape_pairs,
        soft_listing=states[0].soft_listing,
        soft_pairs=states[0].soft_pairs,
        surface_listing=changed(np.zeros(1, LISTING), count=len(on_surfaces) or -1),
        surface_pairs=with_room(on_surfaces, PAIRS_PER_VERTEX * sum(n) if len(models[0].surfaces.faces) else 0),
        **own,
    )


def with_room(pairs: np.ndarray, room: int) -> np.ndarray:
    """PAIR with room for at least so many."""
    rows = np.zeros(max(room, len(pairs)), PAIR)
    rows[: len(pairs)] = pairs
    return rows


def pressed_on_surfaces(states: Sequence[State], first: np.ndarray) -> np.ndarray:
    """PAIR (k,) of what presses on surfaces, of vertices that are counted through all states, from first[p] on."""
    found = []
    for state, before in zip(states, first, strict=False):
        pairs = state.surface_pairs[: max(state.surface_listing["count"][0], 0)]
        pairs = pairs[pairs["force"][:, 0] > 0.0]
        found.append(changed(pairs, i=pairs["i"] + before, skip=0))
    return stacked(found)


def split_state(models: Sequence[Model], state: State) -> list[State]:
    """The States of an island's parts, without pairs of capsules."""
    if len(models) == 1:
        return [state._replace(pairs=state.pairs[:0])]
    at, planes = starts(models), len(models[0].planes)
    by_plane = state.plane_pairs.reshape(planes, len(state.x))
    on_any = pressed_on_surfaces([state], np.zeros(1, np.int64))
    found = []
    for p in range(len(models)):
        rows = {of: slice(begin[p], begin[p + 1]) for of, begin in at.items()}
        own = {name: getattr(state, name)[rows[of]] for name, of in ROWS.items()}
        on_planes = by_plane[:, rows["nodes"]].ravel()
        on_planes["i"] -= rows["nodes"].start
        on_surfaces = on_any[(on_any["i"] >= rows["nodes"].start) & (on_any["i"] < rows["nodes"].stop)]
        bodies = slice(len(state.x) + rows["bodies"].start, len(state.x) + rows["bodies"].stop)
        found.append(
            State(
                clock=state.clock,
                fields=stacked([state.fields[rows["nodes"]], state.fields[bodies]]),
                plane_pairs=on_planes,
                listing=state.listing,
                pairs=state.pairs[:0],
                shape_listing=state.shape_listing,
                shape_pairs=state.shape_pairs,
                soft_listing=state.soft_listing,
                soft_pairs=state.soft_pairs,
                surface_listing=changed(np.zeros(1, LISTING), count=len(on_surfaces)),
                surface_pairs=changed(on_surfaces, i=on_surfaces["i"] - rows["nodes"].start),
                **own,
            )
        )
    return found


def pressed_pairs(state: State, capsules: np.ndarray) -> np.ndarray:
    """PAIR (k,) of what presses on each other, by the numbers (C,) that an island's capsules have in the whole."""
    pairs = state.pairs[: max(state.listing["count"][0], 0)]
    pairs = pairs[pairs["force"][:, 0] > 0.0]
    return changed(pairs, i=capsules[pairs["i"]], j=capsules[pairs["j"]])


def room_of(state: State, capsules: int) -> int:
    """For how many pairs per capsule there is room."""
    return -(-len(state.pairs) // capsules) if capsules else PAIRS_PER_CAPSULE
