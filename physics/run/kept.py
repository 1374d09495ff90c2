"""States kept as they are at a moment, each in one piece: a run keeps one a frame, to begin that frame again or to go
on from later, and looks at few of them. To copy array by array takes longer than a step of a short rod.
"""

from collections.abc import Sequence

import numpy as np

from ..model import LISTS, State, alike, listed


class Kept:
    """A State as it was at `time` [s]."""

    def __init__(self, state: State, content: bytes) -> None:
        """state: whose arrays are of the same kinds and shapes; content: of all but lists, and of what is listed."""
        self.time = state.clock["time"][0]
        self._like, self._content = state, content

    def copy(self) -> State:
        """That State, its arrays its own. Lists have the room they had, and zeros behind what is listed."""
        like = self._like
        state = like._replace(**{name: np.zeros(a.shape, a.dtype) for name, a in zip(like._fields, like, strict=True)})
        self.put(state)
        return alike(like, state)

    def put(self, state: State, but: Sequence[str] = ()) -> None:
        """In `state`, all but these arrays; its lists may have more room."""
        begin = 0
        for name in (*_plain(state), *LISTS):  # in this order: how much is listed comes before what is
            own = _bytes_of(listed(state, name) if name in LISTS else getattr(state, name))
            if name not in but:
                own[:] = self._content[begin : begin + len(own)]
            begin += len(own)


class Keeper:
    """Keeps a State, which goes on in place, as often as it is asked to."""

    def __init__(self, state: State) -> None:
        self.state = state
        plain = [array for name in _plain(state) if len(array := getattr(state, name))]
        self._plain = [_bytes_of(array) if array.dtype.names else array for array in plain]
        self._lists = [
            (_bytes_of(getattr(state, name)), state.listings["count"][k : k + 1], getattr(state, name).itemsize)
            for name, k in LISTS.items()
            if len(getattr(state, name))
        ]

    def keep(self) -> Kept:
        """What it is now."""
        listed = [rows[: max(count[0], 0) * size] for rows, count, size in self._lists]
        return Kept(self.state, b"".join([*self._plain, *listed]))


class Beside:
    """A State beside another: some of its arrays are its own, all others the other's."""

    def __init__(self, state: State, names: Sequence[str]) -> None:
        """names: of its own arrays."""
        self.of = state
        self._own = alike(state, state._replace(**{name: np.empty_like(getattr(state, name)) for name in names}))
        self._copies = [(_bytes_of(getattr(self._own, name)), _bytes_of(getattr(state, name))) for name in names]

    def now(self) -> State:
        """It, as the other is now."""
        for own, other in self._copies:
            own[:] = other
        return self._own


def _plain(state: State) -> list[str]:
    return [name for name in state._fields if name not in LISTS]


def _bytes_of(array: np.ndarray) -> memoryview:
    return np.ndarray(array.nbytes, np.uint8, array).data
