"""Workspaces that are lent while steps are taken. What lies in one means nothing before and after: so things of the
same sizes, as the strands of a head of hair, share as many as are at work at a time. Those that nobody has are kept as
far as there is room, for to lay one out takes .4 ms, a third of one strand's frame; what is large hardly notices.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ..compiling.by_reference import alike
from ..model import Model, State
from ..time_integration.workspace import Workspace, workspace

ROOM = 2**24  # bytes of those that are kept: of some hundred strands, each of other sizes
_LOCK = threading.RLock()  # to take one or put it back, by which what is kept changes


class Free(list[Workspace]):
    """Those of one size that nobody has."""

    kept = 0  # bytes, of all sizes

    def __init__(self, size: int) -> None:
        """size: of each [bytes]."""
        super().__init__()
        self.size = size

    def take(self) -> Workspace | None:
        """One, if there is any."""
        with _LOCK:
            Free.kept -= self.size * bool(self)
            return self.pop() if self else None

    def put_back(self, work: Workspace) -> None:
        """Keep it, if there is room."""
        with _LOCK:
            if Free.kept + self.size <= ROOM:
                Free.kept += self.size
                self.append(work)

    def __del__(self) -> None:
        """Nothing is of this size any more."""
        with _LOCK:
            Free.kept -= self.size * len(self)


_FREE: WeakValueDictionary[Any, Free] = WeakValueDictionary()  # by size


class Lent:
    """A Workspace for a Model and a State, made when it is first asked for. low, high (N, 3): its own, see there."""

    def __init__(self, model: Model, state: State) -> None:
        self._of = model, state
        self._free: Free | None = None
        self._own: tuple[np.ndarray, ...] = ()
        self._work: Workspace | None = None
        self.low, self.high = state.x.copy(), state.x.copy()

    @contextmanager
    def at_work(self) -> Iterator[Workspace]:
        """The Workspace, which nobody else has until the end; within this again the same one."""
        if self._work:
            yield self._work
            return
        free, work = self._taken()
        for there, own in zip(constants(work), self._own, strict=True):
            there[...] = own
        self._work = work = alike(work, work._replace(low=self.low, high=self.high))
        try:
            yield work
        finally:
            self._work = None
            free.put_back(work)  # with what numba has found out about it

    def _taken(self) -> tuple[Free, Workspace]:
        made = None
        if self._free is None:
            made = workspace(*self._of)
            self._own = tuple(one.copy() for one in constants(made))
            with _LOCK:
                self._free = _FREE.setdefault(_sizes(made), Free(_bytes(made)))
        return self._free, self._free.take() or made or workspace(*self._of)


def constants(work: Workspace) -> tuple[np.ndarray, ...]:
    """What of a Workspace goes by its Model: the runs of its capsules, and joints with friction."""
    runs = work.contact.runs
    return runs.first, runs.thin, runs.thick, work.implicit.bends


def _sizes(arrays: Any) -> Any:
    return arrays.shape if isinstance(arrays, np.ndarray) else tuple(map(_sizes, arrays))


def _bytes(arrays: Any) -> int:
    return arrays.nbytes if isinstance(arrays, np.ndarray) else sum(map(_bytes, arrays))
