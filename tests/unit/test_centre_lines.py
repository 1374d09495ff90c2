"""Centre lines as a table: back as they were, or a sentence."""

import numpy as np
import pytest
from tendril.meshing.formats.centre_lines import COLUMNS, CentreLine, read_centre_lines, write_centre_lines
from tendril.meshing.formats.unreadable import Unreadable


def lines():
    rng = np.random.default_rng(0)
    return [
        CentreLine(name, rng.normal(size=(n, 3)), rng.normal(size=(n - 1, 3)), rng.uniform(0.01, 0.1, n))
        for name, n in (("Hose", 5), ('Trunk, "thick"', 2))
    ]


def test_what_is_written_is_read_again():
    for own, again in zip(lines(), read_centre_lines(write_centre_lines(lines())), strict=True):
        assert again.name == own.name
        for name in ("x", "m1", "radius"):
            assert getattr(again, name) == pytest.approx(getattr(own, name), rel=1e-11)


def test_a_closed_line_comes_back_to_its_first_point():
    rng = np.random.default_rng(1)
    ring = CentreLine("Ring", rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng.uniform(0.01, 0.1, 6))
    assert ring.closed
    assert not lines()[0].closed
    rows = write_centre_lines([ring]).splitlines()
    assert len(rows) == 8
    assert rows[1].split(",")[2:5] == rows[-1].split(",")[2:5]
    (again,) = read_centre_lines("\n".join(rows))
    assert again.closed
    for name in ("x", "m1", "radius"):
        assert getattr(again, name) == pytest.approx(getattr(ring, name), rel=1e-11)


def test_how_far_along_each_point_is_stands_beside_it():
    rows = [row.split(",") for row in write_centre_lines(lines()[:1]).splitlines()]
    assert tuple(rows[0]) == COLUMNS
    apart = np.linalg.norm(np.diff(lines()[0].x, axis=0), axis=1)
    assert [float(row[1]) for row in rows[1:]] == pytest.approx([0.0, *np.cumsum(apart)])


def test_a_table_of_another_program_needs_places_and_radii_alone():
    (line,) = read_centre_lines("radius,line,z,y,x\n0.1,A,3,2,1\n0.1,A,6,5,4\n")
    assert line.x == pytest.approx(np.array([(1, 2, 3), (4, 5, 6)]))


@pytest.mark.parametrize("parted", [";", "\t"])
def test_a_spreadsheet_whose_decimals_have_commas_parts_by_something_else(parted):
    text = "line,x,y,z,radius\nA,1.5,2,3,0.1\nA,4.5,5,6,0.1\n".replace(",", parted).replace(".", ",")
    (line,) = read_centre_lines(text)
    assert line.x == pytest.approx(np.array([(1.5, 2, 3), (4.5, 5, 6)]))
    assert line.radius == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it has no column line, x, y, z, radius"),
        (f"line,x,y,z,radius\n{200_000 * 'A'},1,2,3,4\n", "field larger than field limit"),
        ("line,x,y,z\n", "it has no column radius"),
        ("line,x,y,z,radius\n", "it has no points"),
        ("line,x,y,z,radius\nA,1,2,3,0.1\n", "line 'A' has one point alone"),
        ("line,x,y,z,radius\nA,1,2,3,0.1\nA,1,2,up,0.1\n", "line 'A' has something that is no number"),
        ("line,x,y,z,radius\nA,1,2,3,0.1\nA,1,2\n", "line 'A' has something that is no number"),
        ("line,x,y,z,radius\nA,1,2,3,0.1\nA,nan,2,3,0.1\n", "line 'A' has a place or a radius that is nowhere, or"),
        ("line,x,y,z,radius\nA,1,2,3,0.1\nA,1,2,3,0\n", "line 'A' has a place or a radius that is nowhere, or"),
    ],
)
def test_what_is_no_such_table_is_told(text, reason):
    with pytest.raises(Unreadable, match=f"^{reason}"):
        read_centre_lines(text)
