"""Drawings, changed at random: lines that are sound, or a few words, within seconds and little memory."""

import io
import random
import time
import tracemalloc

import ezdxf
import numpy as np
import pytest
from tendril.meshing.formats.centre_lines import FARTHEST, CentreLine
from tendril.meshing.formats.dxf import read_dxf, write_dxf
from tendril.meshing.formats.unreadable import Unreadable

CASES = 1500
PATIENCE, MOST_MEMORY = 10.0, 100e6  # s, bytes
NUMBERS = [
    b"0", b"-1", b"1", b"8", b"16", b"64", b"255", b"4294967296", b"99999999999999999999", b"nan", b"inf", b"-inf",
    b"1e308", b"1e-308", b"1e38", b"", b"x", b"\0", b"\xff" * 8, b"POLYLINE", b"SPLINE", b"ELLIPSE", b"SEQEND",
    b"ENDSEC", b"EOF", b"INSERT", b"BLOCK", b"\\U+FFFFFF", b"(" * 5000,
]  # fmt: skip


def ours():
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], 6)
    return write_dxf([CentreLine("Hose", x, np.ones((5, 3)), np.full(6, 0.1))])


def all_kinds(version):
    made = ezdxf.new(version)
    space, places = made.modelspace(), [(0, 0, 0), (1, 2, 0), (3, 1, 1), (4, 4, 4), (5, 5, 0)]
    space.add_line((0, 0), (1, 1))
    space.add_arc((0, 0), 1.0, 0.0, 90.0, dxfattribs={"extrusion": (0, 1, 1)})
    space.add_circle((0, 0), 2.0)
    space.add_polyline2d([(0, 0, 0.5), (1, 0, 0), (2, 1, -1)], format="xyb")
    space.add_polyline3d(places)
    if version != "R12":
        space.add_ellipse((0, 0), (2, 0), 0.5)
        space.add_lwpolyline([(0, 0, 0.5), (1, 0, 0), (2, 1, -1)], format="xyb")
        space.add_spline(places)
        space.add_rational_spline(places, [1, 2, 3, 2, 1])
        space.add_open_spline(places)
    text = io.StringIO()
    made.write(text)
    return text.getvalue().encode()


@pytest.fixture(scope="module")
def files():
    return [ours(), *map(all_kinds, ("R12", "R2000", "R2018"))]


def changed(data, chance):
    """In the entities mostly, which are few lines of many."""
    lines = data.split(b"\n")
    first = lines.index(b"ENTITIES") if chance.random() < 0.8 else 0
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        at, way = chance.randrange(min(first, len(lines) - 1), len(lines)), chance.randrange(6)
        if way < 3:
            lines[at] = chance.choice(NUMBERS)
        elif way == 3:
            del lines[at : at + chance.choice([1, 2, 2, 4, 30])]
            lines = lines or [b""]
        elif way == 4:
            again = lines[at : at + 2 * chance.randrange(1, 60)]
            lines[at:at] = again * chance.choice([1, 1, 50])
        else:
            lines[at] = chance.randbytes(chance.choice([1, 4, 8]))
    data = b"\n".join(lines)
    return data[: chance.randrange(len(data) + 1)] + b"\n  0\nEOF\n" if chance.random() < 0.1 else data


def test_whatever_is_in_a_drawing_it_is_lines_or_a_few_words(random_case, files):
    chance = random.Random(random_case)
    data, start, said = changed(chance.choice(files), chance), time.process_time(), None
    tracemalloc.start()
    try:
        lines = read_dxf(data, 0.1)
    except Unreadable as error:
        said = str(error)
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < MOST_MEMORY
    assert time.process_time() - start < PATIENCE
    if said is not None:
        assert 0 < len(said) < 200
        assert said.isprintable()
    else:
        assert lines
        for line in lines:
            line.name.encode()
            assert (line.x.dtype, line.radius.dtype, line.x.shape[1:]) == (np.float64, np.float64, (3,))
            assert len(line.x) == len(line.radius) > 1
            assert len(line.m1) == len(line.x) - (not line.closed)
            assert (np.abs(line.x) <= FARTHEST).all()
            assert (line.radius > 0.0).all()


def test_as_they_are_they_are_all_lines(files):
    """Else the cases prove little."""
    assert [len(read_dxf(data, 0.1)) for data in files] == [1, 5, 10, 10]
