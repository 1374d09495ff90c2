"""The stripe on the mesh Blender makes of a result, against the material frame it was made from, in motion.

The motions are analytic, so that what is between two frames is known too.
"""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge import result, stripe
from bl_ext.user_default.tendril.bridge.scene import read_scene

FRAMES = 40


def transported(x, first, angle, closed):
    """m₁ of all edges: `first` carried along without twist, and turned by angle (m,)."""
    edge, _ = stripe.directions(x, closed)
    u = [stripe.unit(first - edge[0] * (first @ edge[0]))]
    for j in range(1, len(edge)):
        u.append(stripe.transport(u[-1], edge[j - 1], edge[j]))
    return stripe.rotate(np.array(u), edge, angle)


def swing(t):
    """A bent rope that hangs and swings through the vertical, while its plane turns and twist runs in from its top."""
    s = np.linspace(0, 1, 40)
    lean = 0.9 * np.sin(0.17 * t - 1.0) + 0.5 * s * s * np.cos(0.2 * t)
    step = np.column_stack([np.sin(lean), 0.0 * s, -np.cos(lean)]) / 39
    plane = 0.02 * t
    turn = np.array([[np.cos(plane), -np.sin(plane), 0], [np.sin(plane), np.cos(plane), 0], [0, 0, 1]])
    x = np.vstack([np.zeros(3), np.cumsum(0.5 * (step[1:] + step[:-1]), axis=0)]) @ turn.T
    return x, transported(x, turn[:, 1], 0.3 * t * (1 - s[:-1]) ** 2, False)


def knot(t):
    """An open trefoil knot that breathes and tumbles, with several turns of twist running through it."""
    s = np.linspace(-2.4, 2.4, 120)
    r = 1.0 + 0.1 * np.sin(0.15 * t)
    x = np.column_stack([
        r * (np.sin(s) + 2 * np.sin(2 * s)), np.cos(s) - 2 * np.cos(2 * s), -np.sin(3 * s) * (1 + 0.2 * np.cos(0.1 * t))
    ])  # fmt: skip
    a = 0.06 * t
    turn = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    x = x @ turn.T
    return x, transported(x, turn @ (1.0, 0.3, -0.5), (6.0 + 2.5 * np.sin(0.1 * t)) * s[:-1], False)


def untwisted_ring(t):
    """A closed ring that deforms into a figure eight, its untwisted frame, and the angle that lacks to close it."""
    s = np.arange(80) * 2 * np.pi / 80
    w = 0.5 - 0.5 * np.cos(np.pi * t / FRAMES)
    turn = w * 0.5 * np.pi * (1 - np.sin(s))  # the lower half turned over, as one does with a rubber band
    x = np.column_stack([np.cos(s) * np.cos(turn), np.sin(s), (1 - 0.6 * w) * np.cos(s) * np.sin(turn)])
    u = transported(x, np.array([0.2, 0.1, 1.0]), 0.0, True)
    edge, _ = stripe.directions(x, True)
    return x, edge, u, stripe.angle_between(stripe.transport(u[-1], edge[-1], edge[0]), u[0], edge[0])


FINE = np.arange(0, FRAMES + 0.001, 0.05)
GAPS = np.unwrap([untwisted_ring(t)[3] for t in FINE])


def ring(t):
    """The ring with its closing angle spread over all edges, without jumps in time."""
    x, edge, u, _ = untwisted_ring(t)
    return x, stripe.rotate(u, edge, np.interp(t, FINE, GAPS) * np.arange(80) / 80)


def trunk(t):
    """A trunk that stands along z and sways by 1° at its foot, in changing directions, without twist."""
    s = np.linspace(0, 1, 30)
    sway = 0.0175 * np.column_stack([np.sin(0.4 * t), np.sin(0.31 * t + 1.0)])
    step = stripe.unit(np.column_stack([(1.0 + 4.0 * s[:, None]) * sway, np.ones(30)])) / 29
    x = np.vstack([np.zeros(3), np.cumsum(step, axis=0)])
    return x, transported(x, np.array([1.0, 0.0, 0.0]), 0.0, False)


def reeled(t, place):
    """An arc that swings while a winch at `place`, where it begins, reels it in, and out again, twisted all the while.
    What is in lies there, a millionth of an edge apart.
    """
    out = 0.7 + 0.3 * np.cos(0.16 * t)
    s = np.maximum(out - np.arange(40, -1, -1) / 40.0, 0.0)  # from the winch
    lean = 0.4 * np.sin(0.17 * t) + 0.9
    x = np.column_stack([np.sin(lean * s), 0.2 * s**2, np.cos(lean * s)])
    held = np.count_nonzero(s == 0.0) - 1
    x += np.minimum(np.arange(41), held)[:, None] * 1e-6 / 40.0 * stripe.unit(x[held + 1] - x[0]) + place
    return x, transported(x, np.array([0.3, 1.0, 0.0]), 2.0 * np.sin(0.1 * t) * np.arange(40) / 40.0, False)


MOTIONS = {"swing": (swing, False), "knot": (knot, False), "ring": (ring, True), "trunk": (trunk, False)}


def new_rod(x, closed):
    """A rod drawn at x, under a parent with a scale, in a scene of centimetres."""
    bpy.context.scene.unit_settings.scale_length = 0.01
    data = bpy.data.curves.new("Rope", "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution = "3D", 2.0, 0
    spline = data.splines.new("POLY")
    spline.points.add(len(x) - 1)
    spline.points.foreach_set("co", np.column_stack([100 * x, np.ones(len(x))]).astype(np.float32).ravel())
    spline.use_cyclic_u = closed
    rope = bpy.data.objects.new("Rope", data)
    bpy.context.collection.objects.link(rope)
    rope.tendril.is_rod = True
    return rope


def bake(motion, closed):
    """The result of a bake whose frames are motion(0), motion(1), …"""
    frames = [motion(t) for t in range(FRAMES + 1)]
    new_rod(frames[0][0], closed)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 5, 5 + FRAMES
    _, meta = read_scene(bpy.context)
    cache = SimpleNamespace(frames=range(FRAMES + 1), read=lambda index: (*frames[index], np.zeros((0, 7))))
    (item,) = result.show(bpy.context, meta, cache)
    return item


def drawn(item, t):
    """(rings (k, 4, 3) of the evaluated mesh in the world [m]) at time t in frames."""
    frame = 5 + t
    bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    v = np.empty((len(mesh.vertices), 3), dtype=np.float32)
    mesh.vertices.foreach_get("co", v.ravel())
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world)
    return 0.01 * (v.astype(float) @ matrix[:3, :3].T + matrix[:3, 3]).reshape(-1, 4, 3)


def stripe_error(rings, wanted, closed):
    """Angle (k,) [°] between the stripe of rings and wanted directions."""
    centre = 0.5 * (rings[:, 0] + rings[:, 2])
    axis = stripe.unit(np.cross(rings[:, 0] - centre, rings[:, 1] - centre))
    wanted = wanted - stripe.dot(wanted, axis) * axis
    return np.degrees(np.abs(stripe.angle_between(rings[:, 0] - centre, wanted, axis)))


def errors(item, motion, closed, t):
    """Largest angle [°] of the stripe from the material frame at the vertices and at the middles of edges."""
    x, m1 = motion(t)
    wanted = stripe.vertex_stripe(x, m1, np.zeros(len(x)), closed)
    rings = drawn(item, t)
    if closed:
        wanted = np.vstack([wanted, wanted[:1]])
    r = item.data.splines[0].resolution_u
    return stripe_error(rings[::r], wanted, closed).max(), stripe_error(rings[r // 2 :: r], m1, closed).max()


@pytest.mark.parametrize("name", MOTIONS)
def test_the_stripe_follows_the_material_frame_at_whole_and_quarter_frames(name):
    motion, closed = MOTIONS[name]
    item = bake(motion, closed)
    found = np.array([errors(item, motion, closed, t) for t in np.arange(0, FRAMES + 0.1, 0.25)])
    print(name, found[::4].max(axis=0), found.max(axis=0), np.argmax(found, axis=0) / 4)
    assert found[::4, 0].max() < 0.05
    assert found.max() < 1.0


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (0.7, 0.3, 0.1), (40.0, -30.0, 20.0)])
@pytest.mark.parametrize("way", [1, -1])
def test_the_stripe_follows_the_material_frame_as_a_winch_reels_in_and_out(way, place):
    def motion(t):
        return tuple(values[::way] for values in reeled(t, place))

    item = bake(motion, closed=False)
    for t in range(FRAMES + 1):
        x, m1 = motion(t)
        out = np.flatnonzero(np.linalg.norm(np.diff(x, axis=0), axis=1) > 1e-4)
        x, m1 = x[out[0] : out[-1] + 2], m1[out]
        rings, wanted = drawn(item, t), stripe.vertex_stripe(x, m1, np.zeros(len(x)), False)
        assert len(rings) == 4 * len(out) + 1
        middle = slice(1, None) if way == 1 else slice(None, -1)  # its end has a hinge to what is in
        assert stripe_error(rings[::4], wanted, False)[middle].max() < 0.1
        assert stripe_error(rings[2::4], m1, False).max() < 1.0


@pytest.mark.parametrize(("name", "kept"), [("swing", False), ("ring", True), ("trunk", True)])
def test_the_result_has_the_axes_of_its_source_unless_its_rod_swings_through_their_z(name, kept):
    item = bake(*MOTIONS[name])
    assert np.allclose(item.matrix_basis, np.eye(4), atol=1e-6) == kept


@pytest.mark.parametrize("mirror", [1, -1])
@pytest.mark.parametrize("tilt", [0.0, 0.4, -2.5, 6.2])
def test_the_stripe_starts_where_the_artist_drew_it(tilt, mirror):
    x, _ = knot(3.0)
    rope = new_rod(x, closed=False)
    rope.scale = (mirror, 1, 1)
    for index, point in enumerate(rope.data.splines[0].points):
        point.tilt = tilt * (index - 60)  # Blender's tilt ends at ±60 turns
    source = drawn(rope, 0)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 5, 6
    scene, meta = read_scene(bpy.context)
    (rod,) = scene.rods
    edge, _ = stripe.directions(rod.x, False)
    m1 = stripe.rotate(transported(rod.x, rod.m1, 0.0, False), edge, np.cumsum(rod.twist[:-1]))
    cache = SimpleNamespace(frames=range(2), read=lambda _index: (rod.x, m1, np.zeros((0, 7))))
    (item,) = result.show(bpy.context, meta, cache)
    rings = drawn(item, 0)[:: item.data.splines[0].resolution_u]
    centre = 0.5 * (source[:, 0] + source[:, 2])
    assert np.allclose(0.5 * (rings[:, 0] + rings[:, 2]), centre, atol=1e-5)
    assert stripe_error(rings, source[:, 0] - centre, False).max() < 0.3
    turns = np.diff([point.tilt for point in item.data.splines[0].bezier_points])
    assert np.allclose(turns, mirror * tilt, atol=0.1)
