"""Several cables hung at once between the same objects."""

from functools import partial

import bpy
import numpy as np
import pytest
from artist import choose
from bl_ext.user_default.tendril.bake.errors import BakeError
from bl_ext.user_default.tendril.bridge import side_by_side
from bl_ext.user_default.tendril.operators import cable as cable_operators
from cables import drawn
from harnesses import RADIUS, bake, cable, cables, lines, pin, posts
from mathutils import Matrix
from seen import frames


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


def hung_from(name, way):
    item = cable(name, np.linspace(*way, 25), points=24)
    pin(item, mode="POSITION")
    return item


def crossing():
    """(a slack cable drawn above, one that hangs across its way)."""
    lower = hung_from("Lower", [(0.0, -0.4, 0.0), (0.0, 0.4, 0.0)])
    lower.tendril.pins[1].target.location.y = 0.35
    choose(lower)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    upper = hung_from("Upper", [(-0.4, 0.0, 0.1), (0.4, 0.0, 0.1)])
    for hold, x in zip(upper.tendril.pins, (-0.25, 0.25), strict=True):
        hold.target.location.x = x
    choose(upper)
    return upper, lower


def apart(one, other):
    """How far lines (n, 3) are from each other, but for the radii of both."""
    share = np.linspace(0.0, 1.0, 9)[:, None, None]
    a, b = ((x[:-1] + share * np.diff(x, axis=0)).reshape(-1, 3) for x in (one, other))
    return np.linalg.norm(a[:, None] - b[None], axis=2).min() - 2.0 * RADIUS


def test_what_is_settled_lies_on_cables_that_are_not():
    """Which stay; again it changes nothing, and one undo takes it back. Where it touches no rods it goes through."""
    upper, lower = crossing()
    before, down = drawn(lower), lines(lower)[0].x
    bpy.ops.ed.undo_push(message="before")
    first = drawn(upper)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    assert drawn(lower) == before
    assert -1e-2 * RADIUS < apart(lines(upper)[0].x, down) < 0.1 * RADIUS
    held = drawn(upper)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    np.testing.assert_allclose(lines(upper)[0].x, [point[0][:3] for point in held[0]], atol=2e-4 * RADIUS + 1e-5)
    bpy.ops.ed.undo_push(message="settled")
    bpy.ops.ed.undo()
    upper, lower = bpy.data.objects["Upper"], bpy.data.objects["Lower"]
    assert (drawn(upper), drawn(lower)) == (first, before)
    lower.tendril.rod.touches = False
    choose(upper)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    assert lines(upper)[0].x[:, 2].min() < down[:, 2].min() - 5.0 * RADIUS


def test_where_it_finds_no_rest_beside_others_it_goes_through_them_and_says_why(monkeypatch, capfd):
    upper, lower = crossing()
    lower.hide_set(True)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    wanted = lines(upper)[0].x
    lower.hide_set(False)
    settled = cable_operators._at_rest

    def late(*given):
        if given[4:] == (cable_operators.AMONG,):
            raise BakeError("Nothing was heard.")
        return settled(*given)

    monkeypatch.setattr(cable_operators, "_at_rest", late)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    assert (
        "goes through cables that are not selected, for it could not be settled among them: Nothing was heard."
        in capfd.readouterr().out
    )
    np.testing.assert_allclose(lines(upper)[0].x, wanted, atol=1e-4)


def test_what_is_baked_anew_lies_on_cables_that_stay():
    """A cable that goes up and down in frames leads one that is slack, which alone is baked anew."""
    upper, lower = crossing()
    bpy.context.scene.frame_end = 5
    for hold in lower.tendril.pins:
        for frame, z in ((1, 0.0), (3, 0.1), (5, 0.0)):
            hold.target.location.z = z
            hold.target.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    choose(upper)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    together = frames()
    upper.tendril.rod.density *= 1.01
    choose(upper.tendril.result)
    assert bpy.ops.tendril.bake_selected() == {"FINISHED"}
    alone = frames()
    order = [item.name for item in cables()]
    own, other = (slice(25 * order.index(name), 25 * (order.index(name) + 1)) for name in ("Upper", "Lower"))
    np.testing.assert_array_equal(alone[:, other], together[:, other])
    for x in alone:
        assert -1e-2 * RADIUS < apart(x[own], x[other]) < 0.1 * RADIUS
