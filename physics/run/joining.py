"""Models and States of parts put together as those of an island, and taken apart again.

The rows of each table follow one another, part by part; columns that number rows of something are moved on by how many
of it come before. The list of pairs is an island's own: of it, only pairs that press on each other last.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

import numpy as np

from ..assemble.capsules import contact_scale
from ..assemble.chain_system import chain_system, no_chains
from ..assemble.keyed import TABLES, no_keys
from ..assemble.room import ample
from ..assemble.state import started
from ..compiling.laid_out import lean
from ..model import (
    CAPSULES,
    COLUMNS,
    FEATURES,
    PAIR,
    SURFACES,
    Keyed,
    LengthSystem,
    Model,
    State,
    changed,
    listed,
    rows_of,
)

Starts = Mapping[str, np.ndarray]  # (P + 1,) where each part's rows begin, and the last ones end


def stacked(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Tables of one kind, one behind the other; numpy would compare their columns, each time."""
    return np.concatenate(tables, dtype=tables[0].dtype)


def starts(models: Sequence[Model]) -> Starts:
    """Where the rows of each Model begin when all are put together."""
    counts = [rows_of(model) for model in models]
    return {name: np.cumsum([0, *(own[name] for own in counts)]) for name in counts[0]}


def join_models(models: Sequence[Model]) -> Model:
    """The Model of all parts together."""
    if len(models) == 1:
        return models[0]
    at = starts(models)
    tables = {
        name: join_tables([getattr(m, name) for m in models], at)
        for name in (
            "rods", "nodes", "edges", "hinges", "segments", "mobility", "bends", "clamps", "pins", "bodies", "slaves",
            "welds", "pulleys", "capsules",
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
        cables=models[0].cables,  # which are a part of their own
        keyed=_keyed(models, at),
        **tables,
    )
    implicit = any(len(m.chain_system.chains) for m in models)
    return joined._replace(chain_system=chain_system(joined)) if implicit else joined


def join_tables(tables: Sequence[np.ndarray], at: Starts) -> np.ndarray:
    """The tables of one kind of all parts, one behind the other, their numbers moved on."""
    rows = stacked(tables)
    part = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    for column in rows.dtype.names or ():
        number, kind = rows[column], rows.dtype[column].base
        if kind.kind == "i" and (of := kind.metadata["of"]) in at:
            before = at[of][part].reshape(-1, *[1] * (number.ndim - 1))
            rows[column] = np.where(number >= 0, number + before, number)
    return rows


def _keyed(models: Sequence[Model], at: Starts) -> Keyed:
    """All that is keyed; of a part without, its own numbers are what holds now."""
    keyed = [m.keyed for m in models]
    if not any(len(own.keyed) for own in keyed):
        return no_keys()
    whole = [own if len(own.keyed) else m for own, m in zip(keyed, models, strict=True)]
    tables = {name: join_tables([getattr(one, name) for one in whole], at) for name in TABLES}
    return Keyed(join_tables([own.keyed for own in keyed], at), stacked([own.keys for own in keyed]), **tables)


def _world(models: Sequence[Model], tables: Mapping[str, np.ndarray]) -> np.ndarray:
    worlds = stacked([m.world for m in models])
    thinnest = worlds["thinnest"].min()
    radius, skin = contact_scale(tables["capsules"], thinnest)
    widest = worlds["widest_skin"].min()
    own = next((p for p, m in enumerate(models) if len(m.chain_system.chains)), 0)  # whose reach counts
    room = ample(len(tables["capsules"]), len(tables["nodes"]), models[0].skins, models[0].surfaces)
    return changed(worlds[own : own + 1], thinnest=thinnest, radius=radius, skin=skin, widest_skin=widest, ample=room)


def _length_system(parts: Sequence[LengthSystem], at: Starts) -> LengthSystem:
    """The systems side by side: those of one part are eliminated after those of the part before."""
    links, joints, runs = (join_tables([getattr(a, name) for a in parts], at) for name in ("links", "joints", "runs"))
    unknowns, entries = at["unknowns"], at["entries"]
    column = [a.column[:-1] + before for a, before in zip(parts, entries[:-1], strict=True)]
    below = [a.below + before for a, before in zip(parts, unknowns[:-1], strict=True)]
    return LengthSystem(links, joints, runs, np.concatenate([*column, entries[-1:]]), np.concatenate(below))


def _keys(models: Sequence[Model], capsules: np.ndarray) -> np.ndarray:
    """Model.joined, its capsules i and j counted through all parts."""
    found = []
    for m, before in zip(models, capsules[:-1], strict=True):
        i, j = np.divmod(m.joined, max(len(m.capsules), 1))
        found.append((before + i) * capsules[-1] + before + j)
    return np.concatenate(found)


def join_states(models: Sequence[Model], states: Sequence[State], pressed: np.ndarray, room: int) -> State:
    """The State of all parts together, whose capsules `pressed`, PAIR (k,), press on each other. All other pairs have
    yet to be listed; there is room for so many.
    """
    n, planes, counts = [len(m.nodes) for m in models], len(models[0].planes), [rows_of(m) for m in models]
    own = {name: _together(name, [getattr(state, name) for state in states], counts) for name in _joined()}
    on_planes = [states[0].plane_pairs[:0]]
    for f in range(planes):
        on_planes += [state.plane_pairs[f * k : (f + 1) * k] for state, k in zip(states, n, strict=True)]
    on_surfaces = pressed_on_surfaces(states, np.cumsum([0, *n]))
    most = sum({id(state.clock): state.clock["most"][0] for state in states}.values())  # parts share their island's
    step = min(state.clock["step"][0] for state in states)
    return states[0]._replace(
        clock=changed(states[0].clock, step=step, past=0, most=most),  # their steps may have differed
        plane_pairs=changed(stacked(on_planes), i=np.tile(np.arange(sum(n)), planes)),
        listings=_relisted(states[0], len(pressed) or -1, len(on_surfaces) or -1),
        pairs=with_room(pressed, room),
        surface_pairs=with_room(on_surfaces, len(started(models[0])["surface_pairs"])),
        **own,
    )


def _relisted(state: State, capsules: int, surfaces: int) -> np.ndarray:
    """LISTING (3,) of so many pairs of capsules and with surfaces, of bodies as it was."""
    own = changed(np.zeros_like(state.listings), count=-1)
    own[FEATURES], own["count"][CAPSULES], own["count"][SURFACES] = state.listings[FEATURES], capsules, surfaces
    return own


def _joined() -> list[str]:
    """Of a State's arrays those that have rows for each part's own; all others are an island's."""
    return [name for name, one in COLUMNS.items() if one.of.split()[0] not in ("island", "room", "on_planes")]


def _together(name: str, arrays: Sequence[np.ndarray], counts: Sequence[Mapping[str, int]]) -> np.ndarray:
    """An array of a State of all parts, of those of each, which have so many rows."""
    kinds = COLUMNS[name].of.split()
    if len(kinds) > 1:
        pieces = [_cut(array, [own[kind] for kind in kinds]) for array, own in zip(arrays, counts, strict=True)]
        arrays = [own[k] for k in range(len(kinds)) for own in pieces]
    return stacked(arrays)


def _apart(name: str, array: np.ndarray, counts: Sequence[Mapping[str, int]]) -> list[np.ndarray]:
    """The reverse."""
    pieces, count = _cut(array, [own[kind] for kind in COLUMNS[name].of.split() for own in counts]), len(counts)
    return pieces if len(pieces) == count else [stacked(pieces[p::count]) for p in range(count)]


def _cut(array: np.ndarray, rows: Sequence[int]) -> list[np.ndarray]:
    return [array[begin:end] for begin, end in pairwise(accumulate(rows, initial=0))]


def with_room(pairs: np.ndarray, room: int) -> np.ndarray:
    """PAIR with room for at least so many."""
    rows = np.zeros(max(room, len(pairs)), PAIR)
    rows[: len(pairs)] = pairs
    return rows


def pressed_on_surfaces(states: Sequence[State], first: np.ndarray) -> np.ndarray:
    """PAIR (k,) of what presses on surfaces, of vertices that are counted through all states, from first[p] on."""
    found = []
    for state, before in zip(states, first, strict=False):
        pairs = listed(state, "surface_pairs")
        pairs = pairs[pairs["force"][:, 0] > 0.0]
        found.append(changed(pairs, i=pairs["i"] + before))
    return stacked(found)


def split_state(models: Sequence[Model], state: State) -> list[State]:
    """The States of an island's parts, without pairs of capsules."""
    if len(models) == 1:
        return [state._replace(pairs=state.pairs[:0])]
    counts, planes = [rows_of(model) for model in models], len(models[0].planes)
    by_plane, end = state.plane_pairs.reshape(planes, len(state.x)), 0
    on_any = pressed_on_surfaces([state], np.zeros(1, np.int64))
    parts, found = {name: _apart(name, getattr(state, name), counts) for name in _joined()}, []
    for p, rows in enumerate(counts):
        first, end = end, end + rows["nodes"]
        on_planes = by_plane[:, first:end].ravel()
        on_planes["i"] -= first
        on_surfaces = on_any[(on_any["i"] >= first) & (on_any["i"] < end)]
        found.append(
            lean(
                state._replace(
                    plane_pairs=on_planes,
                    pairs=state.pairs[:0],
                    listings=_relisted(state, -1, len(on_surfaces)),
                    surface_pairs=changed(on_surfaces, i=on_surfaces["i"] - first),
                    **{name: own[p] for name, own in parts.items()},
                )
            )
        )
    return found


def pressed_pairs(state: State, capsules: np.ndarray) -> np.ndarray:
    """PAIR (k,) of what presses on each other, by the numbers (C,) that an island's capsules have in the whole."""
    pairs = listed(state, "pairs")
    pairs = pairs[pairs["force"][:, 0] > 0.0]
    return changed(pairs, i=capsules[pairs["i"]], j=capsules[pairs["j"]])
