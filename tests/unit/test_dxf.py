"""Centre lines as a drawing: back as they were, drawings of others as chords of their curves, or a sentence."""

import io
import os
import subprocess
import sys
import tracemalloc

import ezdxf
import numpy as np
import pytest
from tendril.meshing.formats import dxf
from tendril.meshing.formats.centre_lines import CentreLine
from tendril.meshing.formats.dxf import read_dxf, write_dxf
from tendril.meshing.formats.unreadable import Unreadable

RNG = np.random.default_rng(0)


def line(name, n=5, closed=False):
    return CentreLine(
        name, RNG.normal(size=(n, 3)) * 1e3, RNG.normal(size=(n if closed else n - 1, 3)), RNG.uniform(0.01, 0.1, n)
    )


def drawing(draw, unit=6, **options):
    """The bytes of a drawing of another program, in which `draw` has drawn."""
    made = ezdxf.new(**options)
    made.header["$INSUNITS"] = unit
    draw(made.modelspace())
    text = io.StringIO()
    made.write(text)
    return text.getvalue().encode()


def test_what_is_written_is_read_again_to_the_digit():
    lines = [line("Hose"), line("Ring", 6, closed=True), line("Kabel ß 线", 2)]
    for own, again in zip(lines, read_dxf(write_dxf(lines), 1.0), strict=True):
        assert (again.name, again.closed) == (own.name, own.closed)
        for name in ("x", "m1", "radius"):
            np.testing.assert_array_equal(getattr(again, name), getattr(own, name))


def test_each_line_has_a_layer_of_its_own_in_metres():
    """Whatever it is called: layers have no slashes, and their case means nothing."""
    names = ["Hose", "hose", "a/b", "a\\b", "0", "", "x\ny", 300 * "A", 300 * "a"]
    made = ezdxf.read(io.StringIO(write_dxf([line(name) for name in names]).decode()))
    assert made.units == ezdxf.units.M
    curves = list(made.modelspace())
    assert {curve.dxftype() for curve in curves} == {"POLYLINE"}
    assert all(curve.is_3d_polyline for curve in curves)
    layers = [curve.dxf.layer for curve in curves]
    assert layers[:7] == ["Hose", "hose 2", "a_b", "a_b 2", "0 2", "_", "x_y"]
    assert len({layer.casefold() for layer in layers}) == len(names)
    assert all(layer in made.layers and len(layer) <= 255 for layer in layers)
    assert not made.audit().errors


@pytest.mark.parametrize("version", ["R12", "R2000", "R2018"])
def test_a_drawing_of_another_program_has_the_radius_that_is_given(version):
    """In its own unit."""
    (found,) = read_dxf(
        drawing(lambda space: space.add_polyline3d([(0, 0, 0), (1000, 0, 500)]), 4, dxfversion=version), 0.2
    )
    assert found.radius == pytest.approx(0.2)
    scale = 1.0 if version == "R12" else 1e-3  # in which drawings have no unit
    assert found.x == pytest.approx(scale * np.array([[0, 0, 0], [1000, 0, 500]]))


@pytest.mark.parametrize(
    ("unit", "metres"),
    [(0, 1.0), (1, 0.0254), (2, 0.3048), (3, 1609.344), (4, 1e-3), (9, 2.54e-5), (10, 0.9144), (17, 1e9),
     (21, 1200 / 3937), (22, 100 / 3937), (23, 3600 / 3937), (24, 6336000 / 3937), (99, 1.0)],
)  # fmt: skip
def test_a_line_is_as_long_in_the_unit_that_the_drawing_names(unit, metres):
    (found,) = read_dxf(drawing(lambda space: space.add_line((0, 0), (1, 0)), unit), 0.1)
    assert found.x[1, 0] == pytest.approx(metres, rel=1e-15)


def test_a_circle_without_a_radius_hides_no_other_curve():
    def draw(space):
        space.add_circle((1, 2), 0.0)
        space.add_lwpolyline([])
        space.add_line((0, 0), (1, 0))

    (found,) = read_dxf(drawing(draw), 0.1)
    np.testing.assert_array_equal(found.x, [(0, 0, 0), (1, 0, 0)])


def test_curves_become_chords():
    """None farther from them than FLAT of their size, and no more than that takes."""

    def draw(space):
        space.add_circle((1, 2, 3), 0.5)
        space.add_arc((0, 0, 0), 2.0, 0.0, 90.0, dxfattribs={"extrusion": (0, 1, 0)})
        space.add_lwpolyline([(0, 0, 1.0), (2, 0, 0.0)], format="xyb")

    circle, arc, half = read_dxf(drawing(draw), 0.1)
    assert circle.closed
    for own, centre, radius, part in (
        (circle, (1, 2, 3), 0.5, 1.0), (arc, (0, 0, 0), 2.0, 0.25), (half, (1, 0, 0), 1.0, 0.5),
    ):  # fmt: skip
        x = np.concatenate([own.x, own.x[:1]]) if own.closed else own.x
        assert np.linalg.norm(x - centre, axis=1) == pytest.approx(radius, rel=1e-3)
        middles = np.linalg.norm(0.5 * (x[1:] + x[:-1]) - centre, axis=1)
        assert (radius - middles).max() < 1e-4 * 2.0 * radius
        assert len(x) < 260 * part + 1
    assert (arc.x[:, 1] == 0.0).all()


def test_a_spline_passes_its_fit_points_and_a_spline_frame_is_none_of_a_polyline():
    def draw(space):
        space.add_spline([(0, 0, 0), (1, 2, 0), (3, 1, 1), (4, 4, 4)])
        framed = space.add_polyline3d([(0, 0, 0), (5, 5, 5), (1, 0, 0)])
        framed.vertices[1].dxf.flags |= 16

    spline, framed = read_dxf(drawing(draw), 0.1)
    for place in [(0, 0, 0), (1, 2, 0), (3, 1, 1), (4, 4, 4)]:
        assert np.linalg.norm(spline.x - place, axis=1).min() < 0.05
    np.testing.assert_array_equal(framed.x, [(0, 0, 0), (1, 0, 0)])


def test_lines_and_arcs_that_go_on_are_one_line():
    """A pipe's, whichever end each was drawn from; but not of another layer, or elsewhere."""

    def draw(space):
        space.add_line((1, 0, 0), (0, 0, 0), dxfattribs={"layer": "Pipe"})
        space.add_arc((1, 1, 0), 1.0, 270.0, 0.0, dxfattribs={"layer": "Pipe"})
        space.add_line((2, 3, 0), (2, 1, 0), dxfattribs={"layer": "Pipe"})
        space.add_line((2, 3, 0), (5, 3, 0), dxfattribs={"layer": "Other"})
        space.add_line((5, 3.01, 0), (8, 3, 0), dxfattribs={"layer": "Other"})
        for k in range(4):
            corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
            space.add_line(corners[k], corners[(k + 1) % 4], dxfattribs={"layer": "Square"})

    pipe, *others, square = read_dxf(drawing(draw), 0.1)
    assert [own.name for own in (pipe, *others, square)] == ["Pipe", "Other", "Other", "Square"]
    np.testing.assert_allclose(pipe.x[[0, 1, -2, -1]], [(0, 0, 0), (1, 0, 0), (2, 1, 0), (2, 3, 0)], atol=1e-12)
    assert square.closed
    assert len(square.x) == 4


SOUND = write_dxf([line("Hose"), line("Ring", 6, closed=True)])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is no drawing, or ends too early"), (b"line,x,y,z\n", "it is no drawing, or ends too early"),
        (SOUND[: len(SOUND) // 2], "it is no drawing, or ends too early"),
        (b"hello\nworld\nEOF", "it is damaged: Invalid group code"),
        (b"AutoCAD Binary DXF\r\n\x1a\0" + bytes(100), "it is binary: save it as text"),
        (drawing(lambda space: space.add_text("Hello")), "it has no lines, arcs, polylines or splines"),
        (drawing(lambda space: space.add_line((1, 2), (1, 2))), "it has no lines, arcs, polylines or splines"),
        (drawing(lambda space: space.add_line((1, 2), (1e39, 2))), "line '0' has a place that is nowhere"),
        (drawing(lambda space: space.add_line((1, 2), (np.nan, 2))), "line '0' has a place that is nowhere"),
        (SOUND.replace(b"\n  5\n23\n", b"\n  5\n0\n"), "its parts do not fit together"),
        (SOUND.replace(b"1041\n0.", b"1041\n-0."), "line 'Hose' has a place or a radius that is nowhere"),
        (drawing(lambda space: space.add_open_spline(RNG.normal(size=(400, 3)), degree=300)), "its parts do not fit"),
    ],
)  # fmt: skip
def test_what_is_no_such_drawing_is_told(data, reason):
    with pytest.raises(Unreadable, match=f"^{reason}"):
        read_dxf(data, 0.1)


@pytest.mark.parametrize(("gap", "count"), [(5e-7, 1), (2e-6, 2)])
def test_ends_are_one_within_six_digits(gap, count):
    def draw(space):
        space.add_line((0, 0), (1, 0))
        space.add_line((1 + gap, 0), (2, 0))

    assert len(read_dxf(drawing(draw), 0.1)) == count
    ring = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2 * gap, 0)]
    (found,) = read_dxf(drawing(lambda space: space.add_polyline3d(ring)), 0.1)
    assert found.closed == (count == 1)


def test_a_drawing_that_is_read_takes_a_gigabyte_or_two_at_most():
    data = drawing(lambda space: [space.add_line((k, 0, 1 / 3), (k, 1, 2 / 3)) for k in range(300)])
    tracemalloc.start()
    read_dxf(data, 0.1)
    most = tracemalloc.get_traced_memory()[1] / len(data) * dxf.MOST
    tracemalloc.stop()
    assert 0.7e9 < most < 2e9


def test_a_drawing_that_would_fill_the_memory_is_told(monkeypatch):
    monkeypatch.setattr(dxf, "MOST", len(SOUND) - 1)
    with pytest.raises(Unreadable, match="save its lines alone"):
        read_dxf(SOUND, 0.1)


@pytest.mark.parametrize("options", [b"", b"options\n", "[core]\n".encode("utf-16")], ids=["none", "bad", "utf-16"])
def test_nothing_is_read_from_or_left_in_the_users_folder(options, tmp_path):
    """The library lists the fonts of the system at its first import, and would keep that list. Options in a file that
    is no text would end Python.
    """
    code = (
        "import numpy as np, os\n"
        "from tendril.meshing.formats.centre_lines import CentreLine\n"
        "from tendril.meshing.formats.dxf import read_dxf, write_dxf\n"
        "line = CentreLine('Hose', np.eye(3), np.eye(3)[:2], np.full(3, 0.1))\n"
        "(found,) = read_dxf(write_dxf([line]), 0.1)\n"
        "assert found.name == 'Hose' and 'XDG_CACHE_HOME' not in os.environ\n"
    )
    own = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
    temporary, file = tmp_path / "temporary", tmp_path / "ezdxf.ini"
    temporary.mkdir()
    file.write_bytes(options)
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=own | {"HOME": str(tmp_path), "TMPDIR": str(temporary)},
        cwd=tmp_path,
    )  # fmt: skip
    assert {place for place in tmp_path.rglob("*") if "tendril" not in place.parts} == {temporary, file}
