"""Files of Gmsh, versions 2.2 and 4.1, as text or bytes: its reference manual, "MSH file format" and "MSH file format
version 2 (Legacy)".

Nodes have tags, in any order and with gaps. Elements of other kinds than tetrahedra of four nodes are passed over.
"""

import re

import numpy as np

from .numbers import Bytes, Numbers, Text, whole
from .unreadable import Unreadable

TETRAHEDRON = 4
# How many nodes an element of each kind has.
NODES = {
    1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 6: 6, 7: 5, 8: 3, 9: 6, 10: 9, 11: 10, 12: 27, 13: 18, 14: 14, 15: 1, 16: 8, 17: 20,
    18: 15, 19: 13, 20: 9, 21: 10, 22: 12, 23: 15, 24: 15, 25: 21, 26: 4, 27: 5, 28: 6, 29: 20, 30: 35, 31: 56, 92: 64,
    93: 125,
}  # fmt: skip
NODE = np.dtype([("tag", "<i4"), ("place", "<f8", 3)])  # of version 2.2
HEADER = re.compile(rb"^\$MeshFormat\s+(\d[\d.]*)\s+([01])\s+([48])[ \t]*\r?\n", re.MULTILINE)


def read_gmsh(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(places (n, 3), their numbers in tetrahedra (t, 4)). Raises Unreadable."""
    header = HEADER.search(data)
    if header is None:
        raise Unreadable("it has no $MeshFormat")
    version, binary, size = header[1].decode(), header[2] == b"1", header[3].decode()
    if binary and data[header.end() : header.end() + 4] != b"\1\0\0\0":
        raise Unreadable("its bytes are in another order")
    nodes, elements = (_section(data, name, binary) for name in (b"Nodes", b"Elements"))
    if version in ("2", "2.2"):
        tags, x = _nodes_2(nodes)
        found = _elements_2(elements)
    elif version in ("4", "4.1"):
        tags, x = _nodes_4(nodes, f"u{size}")
        found = _elements_4(elements, f"u{size}")
    else:
        raise Unreadable(f"it is of version {version}, not 2.2 or 4.1")
    return x, _numbered(tags, found)


def _section(data: bytes, name: bytes, binary: bool) -> Numbers:
    """The numbers between $name and $Endname."""
    start = re.compile(rb"^\$" + name + rb"[ \t]*\r?\n", re.MULTILINE).search(data)
    if start is None:
        raise Unreadable(f"it has no ${name.decode()}")
    if binary:
        return Bytes(data, start.end())
    end = data.find(b"$End" + name, start.end())
    if end < 0:
        raise Unreadable(f"its ${name.decode()} have no end")
    return Text(data[start.end() : end])


def _count_2(numbers: Numbers) -> int:
    """How many there are, which is text in either kind of file."""
    if isinstance(numbers, Text):
        return int(numbers.integers(1)[0])
    line = re.compile(rb"(\d{1,15})[ \t]*\r?\n").match(numbers.data, numbers.at)
    if line is None:
        raise Unreadable("it does not count its nodes or elements")
    numbers.at = line.end()
    return int(line[1])


def _nodes_2(numbers: Numbers) -> tuple[np.ndarray, np.ndarray]:
    """(tags (n,), places (n, 3))."""
    count = _count_2(numbers)
    if isinstance(numbers, Text):
        rows = numbers.reals(4 * count).reshape(-1, 4)
        _check_over(numbers)
        return whole(rows[:, 0]), rows[:, 1:]
    found = numbers.rows(count, NODE)
    return found["tag"].astype(np.int64), found["place"]


def _elements_2(numbers: Numbers) -> np.ndarray:
    """Tags (t, 4) of the nodes of the tetrahedra."""
    count, found = _count_2(numbers), []
    if isinstance(numbers, Text):
        rest = numbers.integers(len(numbers.values) - numbers.at)
        flat, at = rest.tolist(), 0
        for _ in range(count):
            if at + 3 > len(flat) or flat[at + 2] < 0:
                raise Unreadable(f"it counts {count} elements, but has fewer")
            kind, first = flat[at + 1], at + 3 + flat[at + 2]
            at = first + _nodes_of(kind)
            if kind == TETRAHEDRON:
                found.append(first)
        if at != len(flat):
            raise Unreadable(f"it counts {count} elements, but has others than that")
        return rest[np.array(found, np.int64)[:, None] + np.arange(4)]
    done = 0
    while done < count:
        kind, many, tags = numbers.integers(3).tolist()
        width = 1 + tags + _nodes_of(kind)
        if many < 1 or tags < 0:
            raise Unreadable(f"it counts {many} elements with {tags} tags")
        own = numbers.integers(many * width).reshape(many, width)
        done += many
        if kind == TETRAHEDRON:
            found.append(own[:, -4:])
    return np.concatenate([np.zeros((0, 4), np.int64), *found])


def _nodes_4(numbers: Numbers, size: str) -> tuple[np.ndarray, np.ndarray]:
    blocks, total = numbers.integers(4, size)[:2].tolist()
    tags, places = [np.zeros(0, np.int64)], [np.zeros((0, 3))]
    for _ in range(blocks):
        parametric = int(numbers.integers(3)[2])
        if parametric:
            raise Unreadable("its nodes have parameters")
        count = int(numbers.integers(1, size)[0])
        tags.append(numbers.integers(count, size))
        places.append(numbers.reals(3 * count).reshape(-1, 3))
    _check_over(numbers)
    found = np.concatenate(tags)
    if len(found) != total:
        raise Unreadable(f"it counts {total} nodes, but has {len(found)}")
    return found, np.concatenate(places)


def _elements_4(numbers: Numbers, size: str) -> np.ndarray:
    blocks, total = numbers.integers(4, size)[:2].tolist()
    found, done = [np.zeros((0, 4), np.int64)], 0
    for _ in range(blocks):
        kind = int(numbers.integers(3)[2])
        count, width = int(numbers.integers(1, size)[0]), 1 + _nodes_of(kind)
        own = numbers.integers(count * width, size).reshape(count, width)
        done += count
        if kind == TETRAHEDRON:
            found.append(own[:, 1:])
    _check_over(numbers)
    if done != total:
        raise Unreadable(f"it counts {total} elements, but has {done}")
    return np.concatenate(found)


def _nodes_of(kind: int) -> int:
    if kind not in NODES:
        raise Unreadable(f"it has elements of the kind {kind}, which is unknown")
    return NODES[kind]


def _check_over(numbers: Numbers) -> None:
    if isinstance(numbers, Text) and not numbers.over:
        raise Unreadable("it has more numbers than it counts")


def _numbered(tags: np.ndarray, elements: np.ndarray) -> np.ndarray:
    """Tags (t, 4) as numbers of the nodes that have them, tags (n,)."""
    order = np.argsort(tags, kind="stable")
    ordered = tags[order]
    if (np.diff(ordered) == 0).any():
        raise Unreadable(f"two nodes have the number {ordered[:-1][np.diff(ordered) == 0][0]}")
    place = np.searchsorted(ordered, elements)
    there = np.append(ordered, -1)[place] == elements if len(ordered) else np.zeros(elements.shape, bool)
    there &= place < len(ordered)
    if not there.all():
        raise Unreadable(f"a tetrahedron has node {elements[~there][0]}, which is not there")
    return order[place] if len(order) else np.zeros((0, 4), np.int64)
