"""Numbers one after the other, as text or as bytes. Nothing is allocated that is not there to be read."""

import warnings

import numpy as np

from .unreadable import Unreadable

MOST_NUMBERS = 20_000_000  # a million tetrahedra, which are all that can be simulated, have half as many in any format
EXACT = 2.0**53  # up to which every whole number has a float64 of its own


class Text:
    """Numbers as text, separated by white space; all of it has to be numbers."""

    def __init__(self, text: bytes):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # else what is no number ends them without a word
                self.values = np.fromstring(text, sep=" ") if text.strip() else np.zeros(0)
        except (ValueError, DeprecationWarning):
            raise Unreadable("there is something else than numbers among its numbers") from None
        check_few(len(self.values))
        self.at = 0

    def reals(self, count: int, _kind: str = "") -> np.ndarray:
        """The next (count,)."""
        check_count(count, len(self.values) - self.at)
        self.at += count
        return self.values[self.at - count : self.at]

    def integers(self, count: int, _kind: str = "") -> np.ndarray:
        """The next (count,), which have to be whole."""
        return whole(self.reals(count))

    @property
    def over(self) -> bool:
        """Whether no number is left."""
        return self.at == len(self.values)


class Bytes:
    """Numbers as bytes, of kinds as numpy names them, from the byte `at` on."""

    def __init__(self, data: bytes, at: int = 0, order: str = "<"):
        self.data, self.at, self.order = data, at, order

    def reals(self, count: int, kind: str = "f8") -> np.ndarray:
        """The next (count,)."""
        size = np.dtype(kind).itemsize
        check_count(count, (len(self.data) - self.at) // size)
        found = np.frombuffer(self.data, self.order + kind, count, self.at)
        self.at += count * size
        return found.astype(np.float64)

    def integers(self, count: int, kind: str = "i4") -> np.ndarray:
        """The next (count,)."""
        size = np.dtype(kind).itemsize
        check_count(count, (len(self.data) - self.at) // size)
        found = np.frombuffer(self.data, self.order + kind, count, self.at)
        self.at += count * size
        return signed(found)

    def rows(self, count: int, kind: np.dtype) -> np.ndarray:
        """The next (count,) of a structured kind."""
        check_count(count, (len(self.data) - self.at) // kind.itemsize)
        self.at += count * kind.itemsize
        return np.frombuffer(self.data, kind, count, self.at - count * kind.itemsize)


Numbers = Text | Bytes


def check_count(count: int, there: int) -> None:
    """Raises Unreadable: so many numbers there cannot be."""
    if count < 0 or count > there:
        raise Unreadable(f"it has {there} numbers where it counts {count}")


def check_few(count: int) -> None:
    """Raises Unreadable: so many numbers are not read."""
    if count > MOST_NUMBERS:
        raise Unreadable(f"it counts {count} numbers, more than a million tetrahedra have")


def whole(values: np.ndarray) -> np.ndarray:
    """Numbers (k,) as int64. Raises Unreadable: one is not whole, or so large that its neighbours are the same."""
    if not (np.abs(values) < EXACT).all() or (values != np.rint(values)).any():
        raise Unreadable("a count or a number of a node is not whole")
    return values.astype(np.int64)


def signed(values: np.ndarray) -> np.ndarray:
    """Whole numbers (k,) of any kind as int64. Raises Unreadable: one is too large."""
    if values.dtype.kind == "u" and values.dtype.itemsize == 8 and (values >= 2**63).any():
        raise Unreadable("a count or a number of a node is too large")
    return values.astype(np.int64)
