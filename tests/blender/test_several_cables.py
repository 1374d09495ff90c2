"""Several cables hung at once between the same objects."""

from functools import partial

import bpy
import numpy as np
import pytest
from artist import choose
from bl_ext.user_default.tendril.bridge import side_by_side
from harnesses import bake, cables, lines, posts
from mathutils import Matrix


@pytest.mark.parametrize("to", [(1.0, 0.5, 0.2), (0.0, 0.0, -1.0)])
def test_several_cables_hang_side_by_side_and_go_with_their_plugs(to):
    """So far apart, across the way and gravity; and where a plug turns they turn with it."""
    one, other = posts((0, 0, 1), to)
    assert bpy.ops.tendril.new_cable(count=6, gap=0.02, slack=0.05) == {"FINISHED"}
    found = cables()
    assert len(found) == 6
    radius = found[0].data.bevel_depth
    start, end = (np.array([lines(item)[0].x[at] for item in found]) for at in (0, -1))
    for ends, post in ((start, one), (end, other)):
        steps = np.diff(ends, axis=0)
        np.testing.assert_allclose(np.linalg.norm(steps, axis=1), 2.0 * radius + 0.02, rtol=1e-3)
        np.testing.assert_allclose(ends.mean(axis=0), post.location, atol=1e-4)
        np.testing.assert_allclose(steps @ (np.array(to) - (0, 0, 1)), 0.0, atol=1e-5)
        np.testing.assert_allclose(steps[:, 2], 0.0, atol=1e-5)
    other.rotation_euler.z = 0.5
    choose(*found)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    turned = np.array([lines(item)[0].x[-1] for item in found]) - other.location
    wanted = (end - other.location) @ np.array(Matrix.Rotation(0.5, 3, "Z")).T
    np.testing.assert_allclose(turned, wanted, atol=1e-4)


@pytest.mark.parametrize("arrangement", ["ROW", "RING"])
def test_cables_that_go_back_the_way_they_came_are_side_by_side_at_the_far_object(arrangement):
    one, other = posts((0, 0, 1), (0, 1, 1))
    around = side_by_side.in_a_row if arrangement == "ROW" else partial(side_by_side.around, bpy.context)
    bpy.context.view_layer.update()
    places, _ = around([one, other, one], 3, 0.02, np.array([0.0, 0.0, -9.81]))
    far = places[:, 1] - other.location
    np.testing.assert_allclose(far.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(far[:, 1], 0.0, atol=1e-9)  # across the way
    assert np.ptp(far, axis=0).max() > 0.01


def test_twelve_chains_of_a_chandelier():
    """From a hook to a ring below it, which follows."""
    (hook,) = posts((0.2, 0.1, 2.0))
    bpy.ops.mesh.primitive_torus_add(location=(0.2, 0.1, 1.0), major_radius=0.5, minor_radius=0.02)
    ring = bpy.context.object
    choose(ring, hook)
    assert bpy.ops.tendril.new_cable(count=12, arrangement="RING", mode="POSITION") == {"FINISHED"}
    found = cables()
    ends = np.array([lines(item)[0].x[-1] for item in found]) - ring.location
    np.testing.assert_allclose(np.linalg.norm(ends, axis=1), 0.5, rtol=1e-3)
    np.testing.assert_allclose(ends[:, 2], 0.0, atol=1e-4)
    angles = np.sort(np.arctan2(ends[:, 1], ends[:, 0]))
    np.testing.assert_allclose(np.diff(angles), 2.0 * np.pi / 12.0, atol=1e-3)
    choose(ring)
    assert bpy.ops.tendril.hang_on_cables() == {"FINISHED"}
    assert (ring.tendril.is_body, ring.tendril.body.motion) == (True, "SUSPENDED")
    ring.tendril.body.mass = 100.0  # which makes them taut
    assert bake() == {"FINISHED"}
    near = (found[0].data.bevel_depth + 0.005) / np.sin(np.pi / 12.0)  # from the hook, so that they do not touch there
    way = np.hypot(1.0, 0.5 - near) * 1.1
    assert ring.tendril.result.location.z == pytest.approx(2.0 - np.sqrt(way**2 - (0.5 - near) ** 2), abs=5e-3)
    bpy.ops.curve.primitive_bezier_circle_add(radius=0.3, location=(0.2, 0.1, 3.0))
    circle = bpy.context.object
    choose(hook, circle)
    assert bpy.ops.tendril.new_cable(count=3, arrangement="RING") == {"FINISHED"}
    start = np.array(lines(bpy.context.object)[0].x[0]) - circle.location
    assert np.linalg.norm(start) == pytest.approx(0.3, rel=1e-3)
