"""What a simulation goes on from, as named arrays, and the check that they are the scene's own when they come back.

They come from a file, and kernels follow the numbers of capsules in them unchecked. So every array has to be of the
State's own kind and shape, every whole number in its range, every other number finite. Each column of a table is an
array of its own.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ..model import State
from ..validate import CheckpointError

VERSION = 4  # counts up whenever a step gives other numbers, or a number in State means something else
ENDLESS = ("listed",)  # may be infinite: no pairs were listed yet


def pack(states: Sequence[State], index: int) -> dict[str, np.ndarray]:
    """The State of each island after frame `index` as arrays by name."""
    arrays = {"index": np.array(index), "version": np.array(VERSION)}
    for k, state in enumerate(states):
        arrays |= {f"{k}.{name}": column.copy() for name, column in columns(state)}
    return arrays


def columns(state: State) -> Iterator[tuple[str, np.ndarray]]:
    """(name, array) of all plain arrays of a State, and of all columns of its tables."""
    for name, array in state._asdict().items():
        if array.dtype.names:
            yield from ((f"{name}.{column}", array[column]) for column in array.dtype.names)
        else:
            yield name, array


def unpack(arrays: Mapping[str, np.ndarray], count: int) -> tuple[int, list[dict[str, np.ndarray]]]:
    """(index, arrays by name for each of `count` islands). Raises CheckpointError."""
    version = arrays.get("version", np.zeros(0))
    own: dict[str, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        island, _, column = name.partition(".")
        own.setdefault(island, {})[column] = array
    known = {"index", "version"} | {str(k) for k in range(count)}
    if own.keys() != known or np.shape(version) != () or version != VERSION:
        raise CheckpointError("it is of another version or scene")
    return int(arrays["index"]), [own[str(k)] for k in range(count)]


def restored(arrays: Mapping[str, np.ndarray], drawn: State, capsules: int, time: float) -> State:
    """The State in `arrays` (by name), of an island that begins as `drawn` and has so many capsules, at `time` [s].

    Raises CheckpointError.
    """
    if arrays.keys() != {name for name, _ in columns(drawn)}:
        raise CheckpointError("it is of another version or scene")
    room = len(arrays["pairs.i"]) if np.ndim(arrays["pairs.i"]) else 0
    state = State(*(array.copy() for array in drawn))._replace(pairs=np.zeros(room, drawn.pairs.dtype))
    for name, column in columns(state):
        column[...] = _alike(name, arrays[name], column)
    fits = np.all(state.clock["time"] >= 0.0) and np.all(state.clock["step"] >= 0.0)
    fits = fits and abs(state.clock["time"][0] - time) <= 1e-9 * time
    for name, (lowest, highest) in ranges(drawn, capsules, room).items():
        fits = fits and np.all((arrays[name] >= lowest) & (arrays[name] <= highest))
    if not fits:
        raise CheckpointError("its numbers are out of range")
    return state


def ranges(drawn: State, capsules: int, room: int) -> dict[str, tuple]:
    """Lowest and highest value of each array of whole numbers, of an island that begins as `drawn`, with so many
    capsules and room for so many pairs.
    """
    capsule, vertex, wall = (0, capsules - 1), drawn.plane_pairs["i"], drawn.plane_pairs["j"]
    return {
        "pairs.i": capsule, "pairs.j": capsule, "listing.count": (-1, room), "holds.lags": (0, 2),
        "plane_pairs.i": (vertex, vertex), "plane_pairs.j": (wall, wall),
    }  # fmt: skip


def _alike(name: str, array: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The array, if it is what `own` is: of its type and shape, and finite."""
    if array.dtype != own.dtype or array.shape != own.shape:
        raise CheckpointError(f"its {name} is of another scene")
    if array.dtype == bool:  # whatever byte stands for true
        return np.ascontiguousarray(array).view(np.uint8) != 0
    if not np.all(np.isfinite(array) | (np.isinf(array) & (name in ENDLESS))):
        raise CheckpointError(f"its {name} is not finite")
    return array
