"""Cables off a spool, and what one is like by a line that was drawn or scanned of it."""

import re
import sys
from contextlib import suppress
from pathlib import Path

import bpy
import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
from artist import choose, draw, refused
from cables import LENGTH, cable, drawn, length, places, settle, targets

NUMBERS = ("bend_factor", "density", "spool_radius", "spool_direction")


def hose(**options):
    """A hose of rubber that is clamped at its ends, and hangs."""
    item = cable(mode="TWIST")
    rod = item.tendril.rod
    targets(item)[1].location = (0.75 * LENGTH, 0.1, 0.1)
    rod.young, rod.bend_factor, rod.density, rod.points = 0.005, 1.0, 1200.0, 40
    for name, value in options.items():
        setattr(rod, name, value)
    return item


def scan(item):
    """A curve of where it hangs, which then is otherwise, and both chosen."""
    found = settle(item)
    line, rod = draw("Scan", [found], depth=0.0), item.tendril.rod
    rod.bend_factor, rod.spool_radius, rod.spool_direction = 0.4, 0.0, 0.0
    settle(item)
    choose(line, item)
    return found


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_off_a_spool_it_curls(scale):
    """As widely as is set, in Blender units, where its tilt points or turned from there: weightless, on one clamp."""
    bpy.context.scene.unit_settings.scale_length = scale
    bpy.context.scene.use_gravity = False
    item = cable(mode="TWIST")
    item.tendril.pins.remove(1)
    rod, ends = item.tendril.rod, []
    rod.points, rod.spool_radius = 40, 0.8
    for way in (0.0, 0.5 * np.pi, np.pi):
        rod.spool_direction = way
        found = settle(item)
        assert item.tendril.bend_radius == pytest.approx(0.8, rel=2e-3)
        assert length(item) == pytest.approx(LENGTH, rel=1e-4)
        ends.append(found[-1] - [0.8 * np.sin(LENGTH / 0.8), 0.0, 0.0])
    np.testing.assert_allclose(ends[0], -ends[2], atol=2e-3)
    assert abs(ends[0] @ ends[1]) < 2e-3
    np.testing.assert_allclose(np.linalg.norm(ends, axis=1), 0.8 * (1.0 - np.cos(LENGTH / 0.8)), rtol=5e-3)
    rod.spool_radius = 0.0
    np.testing.assert_allclose(settle(item)[-1], [LENGTH, 0.0, 0.0], atol=1e-4)


def test_a_spool_that_is_thinner_than_the_cable_is_refused():
    item = hose(spool_radius=0.004)
    before = drawn(item)
    choose(item)
    assert "'Cable' comes off a spool of radius 0.004 m, less than its own, 0.005 m" in refused(
        bpy.ops.tendril.settle_cable
    )
    assert drawn(item) == before


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_it_becomes_what_hangs_along_a_line(capfd, scale):
    """Bending, spool and the turn of its connector, in one undo step."""
    bpy.context.scene.unit_settings.scale_length = scale
    item = hose(spool_radius=0.5, spool_direction=0.3)
    settle(item)
    grip = np.reshape(item.tendril.pins[1].grip, (4, 4))
    turn = np.array([[np.cos(0.4), -np.sin(0.4), 0, 0], [np.sin(0.4), np.cos(0.4), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    item.tendril.pins[1].grip = (grip @ turn).ravel().tolist()
    found = scan(item)
    item.tendril.pins[1].grip = grip.ravel().tolist()
    bpy.ops.ed.undo_push(message="hung")
    before = drawn(item)
    assert bpy.ops.tendril.fit_to_pose() == {"FINISHED"}
    rod = item.tendril.rod
    assert rod.bend_factor == pytest.approx(1.0, rel=1e-2)
    assert rod.spool_radius == pytest.approx(0.5, rel=2e-2)
    assert rod.spool_direction == pytest.approx(0.3, abs=0.02)
    assert rod.density == pytest.approx(1200.0)
    np.testing.assert_allclose(np.reshape(item.tendril.pins[1].grip, (4, 4)), grip @ turn, atol=0.01)
    np.testing.assert_allclose(places(item), found, atol=2e-4)
    said = capfd.readouterr().out
    assert "mm from 'Scan' in the root mean square: Bending × 2.5 ± " in said
    assert "'End' turned by 2" in said
    bpy.ops.ed.undo_push(message="fitted")
    bpy.ops.ed.undo()
    item = bpy.data.objects["Cable"]
    assert item.tendril.rod.spool_radius == 0.0
    assert drawn(item) == before


def test_what_the_pose_does_not_tell_stays(capfd):
    """Density, where nothing hangs on it; and a spool that the cable is too limp to show."""
    item = hose(bend_factor=0.02, spool_radius=0.5)
    scan(item)
    assert bpy.ops.tendril.fit_to_pose(density=True) == {"FINISHED"}
    rod, said = item.tendril.rod, capfd.readouterr().out
    assert rod.density == pytest.approx(1200.0)
    assert rod.spool_radius == 0.0
    assert "This pose does not tell Density of 'Cable': it stays" in said
    assert "This pose does not tell Spool Radius of 'Cable': it stays" in said
    assert rod.bend_factor == pytest.approx(0.02, rel=0.1)


def test_lines_that_are_imported_and_others():
    """What is no line of it is said, and so is what cannot be asked; where it cannot hang nothing changes."""
    item = hose()
    settle(item)
    assert "Select the curve that was drawn or scanned" in refused(bpy.ops.tendril.fit_to_pose)
    line = draw("Scan", [[(0, 0, 0), (0, 0, 0.5), (0, 0, 1)]], depth=0.0)
    choose(item, line)
    assert "The active object is no cable" in refused(bpy.ops.tendril.fit_to_pose)
    choose(line, item)
    targets(item)[1].location.x = 3.0 * LENGTH
    before = drawn(item), [getattr(item.tendril.rod, name) for name in NUMBERS]
    assert "too short to reach" in refused(bpy.ops.tendril.fit_to_pose)
    line.data.splines[0].points[1].co.x = np.nan
    assert "'Scan': point 1 of spline 0 is not a number" in refused(bpy.ops.tendril.fit_to_pose)
    assert (drawn(item), [getattr(item.tendril.rod, name) for name in NUMBERS]) == before


def test_a_table_of_centre_lines_will_do(tmp_path, capfd):
    """As a scanner's program writes it, in metres."""
    item = hose(spool_radius=0.5)
    found = scan(item)
    rows = ["line,x,y,z,radius", *(f"hose,{x:.6f},{y:.6f},{z:.6f},0.005" for x, y, z in found)]
    path = tmp_path / "scan.csv"
    path.write_text("\n".join(rows))
    assert bpy.ops.tendril.import_centre_lines(filepath=str(path)) == {"FINISHED"}
    line = bpy.context.object
    choose(line, item)
    assert bpy.ops.tendril.fit_to_pose(turn=False) == {"FINISHED"}
    assert item.tendril.rod.bend_factor == pytest.approx(1.0, rel=1e-2)
    assert item.tendril.rod.spool_radius == pytest.approx(0.5, rel=5e-2)
    assert f"mm from '{line.name}'" in capfd.readouterr().out


def test_a_line_elsewhere_is_said(capfd):
    item = hose()
    settle(item)
    line = draw("Scan", [[(0, 1, 0), (0.5, 1, -0.4), (0.9, 1.1, 0.1)]], depth=0.0)
    choose(line, item)
    with suppress(RuntimeError):  # or it finds no rest on its way there
        bpy.ops.tendril.fit_to_pose()
    assert re.search("to within a diameter: is it as long|snaps to another|as long as that", capfd.readouterr().out)
