"""XML files of VTK, of unstructured grids: *VTK File Formats*, "XML File Formats". Their arrays are text, bytes in
base64, or bytes at the end of the file, which zlib or LZMA may have packed in blocks.

Entities are refused, for which these files have no use: a few of them make a text without end.
"""

import base64
import binascii
import lzma
import re
import zlib
from xml.etree import ElementTree

import numpy as np

from .numbers import Bytes, Text, check_count, check_few
from .unreadable import Unreadable
from .vtk_cells import tetrahedra_among

KINDS = {f"{word}{bits}": f"{word[0].lower()}{bits // 8}" for word in ("Int", "UInt") for bits in (8, 16, 32, 64)}
KINDS |= {"Float32": "f4", "Float64": "f8"}
APPENDED = re.compile(rb'<AppendedData\s+encoding\s*=\s*"(raw|base64)"\s*>\s*_')
MARKS = 10_000  # of elements and of attributes: arrays in pieces have some tens each, and each takes some 100 bytes
MEMORY = 2**28  # bytes that LZMA may take: its strongest preset takes a quarter
END = b"</AppendedData>"


class _Tree(ElementTree.TreeBuilder):
    """Elements, but no entities."""

    def doctype(self, *_: object) -> None:
        raise Unreadable("it declares entities")


class _File:
    """The elements of a file, and how its arrays are written."""

    def __init__(self, data: bytes):
        self.raw, self.appended = False, b""
        if start := APPENDED.search(data):
            end = data.rfind(END)
            if end < start.end():
                raise Unreadable("its appended data has no end")
            self.raw, self.appended = start[1] == b"raw", data[start.end() : end]
            data = data[: start.start()] + data[end + len(END) :]
        if max(data.count(b"<"), data.count(b"=")) > MARKS:
            raise Unreadable("it has more elements than arrays")
        try:
            self.root = ElementTree.fromstring(data, ElementTree.XMLParser(target=_Tree()))
        except (ElementTree.ParseError, ValueError, LookupError) as error:
            raise Unreadable(f"as XML, {error}") from None
        if self.root.tag != "VTKFile" or self.root.get("type") != "UnstructuredGrid":
            raise Unreadable("it is no UnstructuredGrid of VTK")
        self.order = ">" if self.root.get("byte_order") == "BigEndian" else "<"
        self.header = KINDS.get(self.root.get("header_type", "UInt32"), "")
        self.packed = self.root.get("compressor", "")
        if self.header not in ("u4", "u8") or self.packed not in ("", "vtkZLibDataCompressor", "vtkLZMADataCompressor"):
            raise Unreadable(f"it is packed by '{self.packed[:40]}', not by zlib or LZMA")

    def array(self, item: ElementTree.Element, count: int) -> np.ndarray:
        """The numbers (count,) of a DataArray."""
        kind, form = KINDS.get(item.get("type", "")), item.get("format", "ascii")
        if kind is None:
            raise Unreadable("an array is of no kind that is known")
        if form == "ascii":
            text = Text((item.text or "").encode())
            found = text.reals(count) if kind[0] == "f" else text.integers(count)
            if not text.over:
                raise Unreadable("an array has more numbers than it counts")
            return found
        if form == "appended":
            offset = item.get("offset", "")
            if not re.fullmatch(r"[0-9]{1,15}", offset) or int(offset) >= len(self.appended):
                raise Unreadable("an array is not where it should be")
            data, raw = self.appended[int(offset) :], self.raw
        elif form == "binary":
            data, raw = "".join((item.text or "").split()).encode(), False
        else:
            raise Unreadable("an array is written in no way that is known")
        size = count * int(kind[1])
        source = Bytes(self._blocks(data, raw, size) if self.packed else self._block(data, raw, size), 0, self.order)
        return source.reals(count, kind) if kind[0] == "f" else source.integers(count, kind)

    def _block(self, data: bytes, raw: bool, size: int) -> bytes:
        """So many bytes, which follow how many they are."""
        width = int(self.header[1])
        if raw:
            whole = data[: width + size]
        else:
            whole = _decoded(data, width + size)
            if len(whole) == width:  # encoded apart
                whole += _decoded(data[4 * -(-width // 3) :], size)
        (said,) = Bytes(whole, 0, self.order).integers(1, self.header).tolist()
        if said != size:
            raise Unreadable(f"an array has {said} bytes in place of {size}")
        return whole[width:]

    def _blocks(self, data: bytes, raw: bool, size: int) -> bytes:
        """So many bytes, packed in blocks; before these their number, size, last one's size, and sizes as packed."""
        width = int(self.header[1])
        (count,) = self._integers(data, raw, 1)
        check_count(count, len(data) // width)
        sizes, at = self._integers(data, raw, 3 + count)[3:], (3 + count) * width
        if not raw:
            data, at = _decoded(data[4 * -(-at // 3) :], sum(sizes)), 0
        check_count(sum(sizes), len(data) - at)
        found = []
        for own in sizes:
            found.append(self._unpacked(data[at : at + own], size))
            size, at = size - len(found[-1]), at + own
        return b"".join(found)

    def _integers(self, data: bytes, raw: bool, count: int) -> list[int]:
        size = count * int(self.header[1])
        return Bytes(data[:size] if raw else _decoded(data, size), 0, self.order).integers(count, self.header).tolist()

    def _unpacked(self, block: bytes, most: int) -> bytes:
        """What is packed, no more than so many bytes."""
        try:
            if self.packed == "vtkZLibDataCompressor":
                found = zlib.decompressobj().decompress(block, most + 1)
            else:
                found = lzma.LZMADecompressor(memlimit=MEMORY).decompress(block, most + 1)
        except (zlib.error, lzma.LZMAError, EOFError):
            raise Unreadable("what is packed in it cannot be unpacked") from None
        check_count(len(found), most)
        return found


def _decoded(text: bytes, size: int) -> bytes:
    """The first so many bytes of what is encoded in base64, as far as they are there: a part that is padded ends."""
    part = text[: 4 * -(-size // 3)]
    padded = part.find(b"=")
    if padded >= 0:
        part = part[: padded + (4 - padded % 4) % 4]
    try:
        return base64.b64decode(part, validate=True)[:size]
    except binascii.Error:
        raise Unreadable("an array is not encoded in base64") from None


def read_vtu(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(places (n, 3), their numbers in tetrahedra (t, 4)), of all pieces. Raises Unreadable."""
    file, places, found = _File(data), [np.zeros((0, 3))], [np.zeros((0, 4), np.int64)]
    for piece in file.root.iterfind("UnstructuredGrid/Piece"):
        x, own = _piece(file, piece)
        found.append(own + sum(map(len, places)))
        places.append(x)
    return np.concatenate(places), np.concatenate(found)


def _piece(file: _File, piece: ElementTree.Element) -> tuple[np.ndarray, np.ndarray]:
    points, cells = (piece.get(f"NumberOf{what}", "") for what in ("Points", "Cells"))
    if not all(re.fullmatch(r"[0-9]{1,15}", text) for text in (points, cells)):
        raise Unreadable("its points or cells are not counted")
    array = piece.find("Points/DataArray")
    own = {item.get("Name"): item for item in piece.iterfind("Cells/DataArray")}
    if (
        array is None
        or array.get("NumberOfComponents") != "3"
        or not {"connectivity", "offsets", "types"} <= own.keys()
    ):
        raise Unreadable("it has no points in space or no cells")
    check_few(3 * max(int(points), int(cells)))
    x = file.array(array, 3 * int(points)).reshape(-1, 3)
    kinds, end = (file.array(own[name], int(cells)) for name in ("types", "offsets"))
    last = int(end[-1]) if len(end) else 0
    check_few(last)
    nodes = file.array(own["connectivity"], last)
    return x, tetrahedra_among(kinds, np.append(0, end[:-1]) if len(end) else end, end, nodes, len(x))
