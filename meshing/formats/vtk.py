"""Legacy files of VTK, versions 1.0 to 5.1, as text or bytes: *VTK File Formats*, "Simple Legacy Formats"; since 5.1
cells are offsets and a connectivity. Of all that may be in them only unstructured grids have tetrahedra.
"""

import re

import numpy as np

from .numbers import Bytes, Text
from .unreadable import Unreadable
from .vtk_cells import tetrahedra_among

KINDS = {
    b"char": "i1", b"unsigned_char": "u1", b"short": "i2", b"unsigned_short": "u2", b"int": "i4", b"unsigned_int": "u4",
    b"long": "i8", b"unsigned_long": "u8", b"vtkidtype": "i8", b"vtktypeint32": "i4", b"vtktypeint64": "i8",
    b"vtktypeuint32": "u4", b"vtktypeuint64": "u8", b"float": "f4", b"double": "f8",
}  # fmt: skip
WORD = re.compile(rb"^[ \t]*[A-Za-z_]{4,}", re.MULTILINE)  # begins a section; no number is so long a word
SIZE = re.compile(rb"\d{1,15}")


class _File:
    """Lines and numbers of a file, one after the other."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0
        self.binary = False

    def line(self) -> bytes | None:
        """The next line, without white space; None at the end."""
        if self.at >= len(self.data):
            return None
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        found, self.at = self.data[self.at : end], end + 1
        return found.strip()

    def words(self, begin: bytes = b"") -> list[bytes]:
        """The words of the next line that is not empty, which has to begin so."""
        found: bytes | None = b""
        while found == b"":
            found = self.line()
        words = (found or b"").split()
        if not words or not words[0].upper().startswith(begin):
            raise Unreadable(f"its {begin.decode() or 'last section'} is missing")
        return words

    def numbers(self, count: int, kind: str) -> np.ndarray:
        """The next (count,), up to the next section."""
        if self.binary:
            source = Bytes(self.data, self.at, ">")
            found = source.reals(count, kind) if kind[0] == "f" else source.integers(count, kind)
            self.at = source.at
            return found
        word = WORD.search(self.data, self.at)
        end = word.start() if word else len(self.data)
        text = Text(self.data[self.at : end])
        found, self.at = text.reals(count) if kind[0] == "f" else text.integers(count), end
        if not text.over:
            raise Unreadable("it has more numbers than it counts")
        return found


def read_vtk(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(places (n, 3), their numbers in tetrahedra (t, 4)). Raises Unreadable."""
    file = _File(data)
    version = re.match(rb"# vtk DataFile Version (\d+)\.(\d+)", file.line() or b"")
    if version is None:
        raise Unreadable("it does not begin as a file of VTK")
    file.line()  # a title
    coding = (file.line() or b"").upper()
    if coding not in (b"ASCII", b"BINARY"):
        raise Unreadable("it is neither ASCII nor BINARY")
    file.binary = coding == b"BINARY"
    x, cells, kinds = None, None, None
    while x is None or cells is None or kinds is None:
        words = file.words()
        match words[0].upper():
            case b"DATASET":
                if len(words) < 2 or words[1].upper() != b"UNSTRUCTURED_GRID":
                    raise Unreadable("it is no UNSTRUCTURED_GRID, which alone has tetrahedra")
            case b"POINTS":
                x = file.numbers(3 * _size(words, 1), _kind(words, 2, "f")).reshape(-1, 3)
            case b"CELLS" if (int(version[1]), int(version[2])) >= (5, 1):
                cells = _cells_5(file, _size(words, 1), _size(words, 2))
            case b"CELLS":
                cells = _cells(file, _size(words, 1), _size(words, 2))
            case b"CELL_TYPES":
                kinds = file.numbers(_size(words, 1), "i4")
            case b"METADATA":
                while file.line():
                    pass
            case b"FIELD":
                _pass_fields(file, _size(words, 2))
            case _:
                raise Unreadable("it has another section before its cells")
    return x, tetrahedra_among(kinds, *cells, len(x))


def _cells(file: _File, count: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(first (c,), end (c,), nodes) of cells that each begin with how many nodes they have."""
    found, first, at = file.numbers(size, "i4"), [], 0
    flat = found.tolist()
    while at < len(flat):
        first.append(at + 1)
        at += 1 + max(flat[at], 0)
    if len(first) != count:
        raise Unreadable(f"it counts {count} cells, but has {len(first)}")
    start = np.array(first, np.int64)
    return start, start + found[start - 1], found


def _cells_5(file: _File, count: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    offsets = file.numbers(count, _kind(file.words(b"OFFSETS"), 1, "iu"))
    nodes = file.numbers(size, _kind(file.words(b"CONNECTIVITY"), 1, "iu"))
    return offsets[:-1], offsets[1:], nodes


def _pass_fields(file: _File, count: int) -> None:
    """Pass over arrays that have a line each: name, numbers in each tuple, tuples, kind."""
    for _ in range(count):
        words = file.words()
        if words[0].upper() == b"METADATA":
            while file.line():
                pass
            words = file.words()
        file.numbers(_size(words, 1) * _size(words, 2), _kind(words, 3, "fiu"))


def _size(words: list[bytes], at: int) -> int:
    if len(words) <= at or not SIZE.fullmatch(words[at]):
        raise Unreadable(f"its {words[0][:20].decode(errors='replace')} are not counted")
    return int(words[at])


def _kind(words: list[bytes], at: int, allowed: str) -> str:
    """Of numbers: integers may be where floats may."""
    found = KINDS.get(words[at].lower(), "") if len(words) > at else ""
    if not found or (found[0] == "f" and "f" not in allowed):
        raise Unreadable(f"its {words[0][:20].decode(errors='replace')} are of no kind that is known")
    return found
