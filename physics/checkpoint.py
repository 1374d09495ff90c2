"""What a simulation goes on from, as named arrays, and the check that they are the scene's own when they come back.

They come from a file, and kernels follow the numbers of capsules in them unchecked. So every array has to be of the
State's own kind and shape, every whole number in its range, every other number finite.
"""

import numpy as np

from .model import State
from .validate import CheckpointError

VERSION = 2  # counts up whenever a step gives other numbers, or a number in State means something else
GROWING = ("pairs", "pair_force")  # as many rows as there was room for pairs
ENDLESS = ("listed",)  # may be infinite: no pairs were listed yet


def pack(states, index):
    """The State of each island after frame `index` as arrays by name."""
    arrays = {"index": np.array(index), "version": np.array(VERSION)}
    for k, state in enumerate(states):
        arrays |= {f"{k}.{name}": value.copy() for name, value in state._asdict().items()}
    return arrays


def unpack(arrays, count):
    """(index, arrays of the State's fields by name for each of `count` islands). Raises CheckpointError."""
    names = {f"{k}.{name}" for k in range(count) for name in State._fields}
    version = arrays.get("version")
    if arrays.keys() != {"index", "version"} | names or np.shape(version) != () or version != VERSION:
        raise CheckpointError("it is of another version or scene")
    return int(arrays["index"]), [{name: arrays[f"{k}.{name}"] for name in State._fields} for k in range(count)]


def restored(arrays, drawn, capsules, time):
    """The State in `arrays` (by field), of an island that begins as `drawn` and has so many capsules, at `time` [s].

    Raises CheckpointError.
    """
    state = State(**{name: _alike(name, arrays[name], getattr(drawn, name)) for name in State._fields})
    fits = len(state.pairs) == len(state.pair_force) and np.all(state.clock >= 0.0)
    fits = fits and abs(state.clock[0] - time) <= 1e-9 * time
    for name, (lowest, highest) in ranges(state, capsules).items():
        fits = fits and np.all((getattr(state, name) >= lowest) & (getattr(state, name) <= highest))
    if not fits:
        raise CheckpointError("its numbers are out of range")
    return state


def ranges(state, capsules):
    """Lowest and highest value of each array of whole numbers in a State, flags among them."""
    flags = {name: (0, 1) for name in State._fields if getattr(state, name).dtype.itemsize == 1}
    return flags | {"pairs": (0, capsules - 1), "pair_count": (-1, len(state.pairs))}


def _alike(name, array, drawn):
    """A copy of `array`, which is what `drawn` is: of its type and shape, and finite."""
    rows = slice(1, None) if name in GROWING else slice(None)
    if array.dtype != drawn.dtype or array.ndim != drawn.ndim or array.shape[rows] != drawn.shape[rows]:
        raise CheckpointError(f"its {name} is of another scene")
    if not np.all(np.isfinite(array) | (np.isinf(array) & (name in ENDLESS))):
        raise CheckpointError(f"its {name} is not finite")
    return array.copy()
