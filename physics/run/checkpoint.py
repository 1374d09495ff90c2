"""What a simulation goes on from, as named arrays, and the check that they are the scene's own when they come back.

They come from a file, and kernels follow the numbers of capsules in them unchecked. So every array has to be of the
State's own kind and shape, every whole number in its range, every other number finite. Each column of a table is an
array of its own, of all islands one behind the other. Of a list of pairs there is what is listed: room is made when
steps ask for it, and none for what a file says.
Few of the pairs that are near press: of what most have nothing of there are the rows that are not zeros, and which.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..contact.contact_features import LED, PLANE, features, first_edge, first_feature
from ..model import COLUMNS, LISTS, PAIR, Model, State, copied, listed, rows_of
from ..scene import Scene
from ..validate import CheckpointError, implicit_rods
from .joining import stacked, with_room
from .kept import Kept

VERSION = 49  # counts up whenever a step gives other numbers, or a number in State means something else
OWN = ("index", "version", "islands")  # beside what the State has
ROOM = ("asked", "rows", "entries")  # columns that are not kept: for how much room was asked
ENDLESS = ("listed", "handles.strength")  # may be infinite: no pairs were listed yet, a handle never yields
OF_PAIRS = ("force", "wakes_beside", "wakes_near", "closing")
SPARSE = [f"{name}.{column}" for name in LISTS for column in OF_PAIRS]
OF = ".of"  # behind such a name: which rows


def pack(states: Sequence[State], islands: np.ndarray, index: int) -> dict[str, np.ndarray]:
    """The States of the islands (P,), see Meeting, after frame `index`: arrays by name."""
    own = {"index": np.array(index), "version": np.array(VERSION), "islands": islands.copy()}
    short = [state._replace(**{name: listed(state, name) for name in LISTS}) for state in states]
    whole = columns(_whole(short))  # as plain numbers: numpy does not write what a type says of them, and says so
    arrays = own | {name: np.ascontiguousarray(column).view(column.dtype.str) for name, column in whole}
    for name in SPARSE:
        rows = arrays[name]
        some = rows.view(np.uint8).reshape(len(rows), -1).any(axis=1) if len(rows) else np.zeros(0, bool)
        arrays |= {name: rows[some], name + OF: np.flatnonzero(some).astype(np.int64)}
    return arrays


class Packed(Mapping[str, np.ndarray]):
    """What `pack` returns, packed when it is first looked at: few frames' are ever kept."""

    def __init__(
        self, states: Sequence[Kept], islands: np.ndarray, index: int, more: Mapping[str, np.ndarray] | None = None
    ) -> None:
        """As for `pack`; more: what else is to be kept."""
        self._given, self._more = (states, islands.copy(), index), more or {}

    @cached_property
    def _arrays(self) -> dict[str, np.ndarray]:
        states, islands, index = self._given
        return {**pack([state.copy() for state in states], islands, index), **self._more}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)


def columns(state: State) -> Iterator[tuple[str, np.ndarray]]:
    """(name, array) of all plain arrays of a State, and of all columns of its tables but ROOM."""
    for name, array in state._asdict().items():
        if array.dtype.names:
            yield from ((f"{name}.{column}", array[column]) for column in array.dtype.names if column not in ROOM)
        else:
            yield name, array


def _whole(states: Sequence[State]) -> State:
    """All islands' arrays, one behind the other."""
    names = states[0]._fields
    return states[0]._replace(**{name: stacked([getattr(state, name) for state in states]) for name in names})


def check_version(arrays: Mapping[str, np.ndarray]) -> None:
    """Raises CheckpointError unless steps go on so from such arrays."""
    version, index = (arrays.get(name, np.zeros(0)) for name in ("version", "index"))
    fits = np.shape(version) == np.shape(index) == () and version == VERSION and index.dtype.kind == "i"
    if not (fits and index >= 0):
        raise CheckpointError("it is of another version or scene")


def unpack(arrays: Mapping[str, np.ndarray], parts: int) -> tuple[int, np.ndarray]:
    """(index, islands (P,)) of a scene of so many parts. Raises CheckpointError."""
    check_version(arrays)
    own = np.arange(parts)
    islands = alike("islands", arrays.get("islands", np.zeros(0)), own)
    if not np.all((islands >= 0) & (islands <= own)) or not np.array_equal(islands[islands], islands):
        raise CheckpointError("its numbers are out of range")
    return int(arrays["index"]), islands


def recorded(arrays: Mapping[str, np.ndarray], scene: Scene) -> np.ndarray:
    """(R,) bool: the rods that took implicit steps by themselves in the bake that left these arrays. Raises
    CheckpointError.
    """
    implicit = arrays.get("implicit", np.zeros(0))
    own = np.zeros(len(scene.rods), dtype=bool)
    if implicit.dtype != own.dtype or implicit.shape != own.shape:
        raise CheckpointError("it is of another version or scene")
    implicit = alike("implicit", implicit, own)
    left_open = scene.solver == "AUTOMATIC" and scene.treatment != "SPRINGS"
    if not left_open and not np.array_equal(implicit, implicit_rods(scene)):
        raise CheckpointError("its solver is of another scene")
    return implicit


def restored(
    arrays: Mapping[str, np.ndarray], drawn: Sequence[State], models: Sequence[Model], time: float
) -> list[State]:
    """The States in `arrays` of islands of these Models that begin as `drawn`, at `time` [s].

    Raises CheckpointError.
    """
    names = {*OWN, *(name + OF for name in SPARSE), *(name for state in drawn[:1] for name, _ in columns(state))}
    if arrays.keys() != names:
        raise CheckpointError("it is of another version or scene")
    arrays = {name: array for name, array in arrays.items() if not name.endswith(OF)} | {
        name: _spread(name, arrays[name], arrays[name + OF], np.size(arrays[name.rpartition(".")[0] + ".i"]))
        for name in SPARSE
    }
    count = {name: _count(arrays, name, drawn) for name in LISTS}
    begun = [
        copied(state)._replace(**{name: np.zeros(counts[k], PAIR) for name, counts in count.items()})
        for k, state in enumerate(drawn)
    ]
    whole = _whole(begun)
    for name, column in columns(whole):
        column[...] = alike(name, arrays[name], column)
    fits = np.all(whole.clock["time"] >= 0.0) and np.all(whole.clock["step"] >= 0.0)
    fits = fits and np.all(np.abs(whole.clock["time"] - time) <= 1e-9 * time)
    for name, (lowest, highest) in ranges(drawn, models, count).items():
        fits = fits and np.all((arrays[name] >= lowest) & (arrays[name] <= highest))
    if not fits:
        raise CheckpointError("its numbers are out of range")
    return [
        state._replace(**{name: with_room(getattr(state, name), len(getattr(own, name))) for name in LISTS})
        for own, state in zip(drawn, _apart(whole, begun), strict=True)
    ]


def _count(arrays: Mapping[str, np.ndarray], name: str, drawn: Sequence[State]) -> np.ndarray:
    """(I,) how many pairs of each island are listed. Raises CheckpointError."""
    rows = np.concatenate([state.listings["count"] for state in drawn])
    count = np.maximum(alike("listings.count", arrays["listings.count"], rows)[LISTS[name] :: len(LISTS)], 0)
    if count.sum() != len(arrays[f"{name}.i"]):  # before so much is asked for
        raise CheckpointError("its numbers are out of range")
    return count


def _apart(whole: State, islands: Sequence[State]) -> list[State]:
    """The States of which `whole` has all arrays, each as long as those of its island."""
    ends = {name: np.cumsum([len(getattr(own, name)) for own in islands])[:-1] for name in whole._fields}
    parts = {name: np.split(getattr(whole, name), end) for name, end in ends.items()}
    return [own._replace(**{name: parts[name][k].copy() for name in parts}) for k, own in enumerate(islands)]


def ranges(drawn: Sequence[State], models: Sequence[Model], count: Mapping[str, np.ndarray]) -> dict[str, tuple]:
    """Lowest and highest value of each array of whole numbers, of islands (I,) of these Models that begin as `drawn`;
    count: how many pairs of each list there are, which `_count` has checked.
    """
    number, found = numbered(models), dict[str, tuple]()
    for name, one in COLUMNS.items():
        kind, rows = np.dtype(one.kind), count.get(name, np.array([len(getattr(state, name)) for state in drawn]))
        for field in kind.names or ():
            if kind[field].base.kind != "i" or field in ROOM:
                continue
            said: Any = kind[field].base.metadata
            of = one.numbers.get(field) or said["of"]
            if of == "drawn":
                found[f"{name}.{field}"] = (stacked([getattr(state, name)[field] for state in drawn]),) * 2
            else:
                found[f"{name}.{field}"] = (0, np.repeat(number[of] - 1, rows)) if isinstance(of, str) else of
    return found


def numbered(models: Sequence[Model]) -> dict[str, np.ndarray]:
    """(I,) how many there are of what columns of a State number, in each of these Models. Besides, such a number may be
    as "drawn", for ever.
    """
    # The States of rods, of soft bodies and of what is between them have one clock, and each Model knows its own.
    things = max(len(model.rods) + len(model.bodies) for model in models)
    things += max(len(model.surfaces.colliders) for model in models) + sum(len(model.solids.bodies) for model in models)
    own = [
        (rows := rows_of(model)) | {
            "nodes": len(model.nodes) + rows["cable_points"],
            "capsules": len(model.capsules) + 2 * rows["cable_points"],  # segments, and ends: see run/cable_rows
            "features": features(model.surfaces) + min(rows["cables"], 1),  # and, for cables, the floor
            "colliders": max(len(model.surfaces.colliders), 1),
            "firsts": first_edge(model, LED),
            "seconds": first_feature(model, PLANE) + len(model.planes),
            "things": max(things, 1),
        }
        for model in models
    ]  # fmt: skip
    return {name: np.array([counts[name] for counts in own]) for name in own[0]}


def _spread(name: str, rows: np.ndarray, own: np.ndarray, count: int) -> np.ndarray:
    """(count, …) of zeros but for these rows (k, …), which are the `own` (k,). Raises CheckpointError."""
    fits = own.dtype == np.int64 and own.ndim == 1 and rows.ndim > 0 and len(rows) == len(own)
    if not fits or np.any(np.diff(own, prepend=-1, append=count) < 1):
        raise CheckpointError(f"its {name} is of another scene")
    whole = np.zeros((count, *rows.shape[1:]), rows.dtype)
    whole[own] = rows
    return whole


def alike(name: str, array: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The array, if it is what `own` is: of its type and shape, and finite."""
    if array.dtype != own.dtype or array.shape != own.shape:
        raise CheckpointError(f"its {name} is of another scene")
    if array.dtype == bool:  # whatever byte stands for true
        return np.ascontiguousarray(array).view(np.uint8) != 0
    if not np.all(np.isfinite(array) | (np.isinf(array) & (name in ENDLESS))):
        raise CheckpointError(f"its {name} is not finite")
    return array
