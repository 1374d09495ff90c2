"""Rigid bodies made, tied, baked and unmade, by the buttons an artist presses."""

import bpy
import numpy as np
import pytest
from artist import choose, draw, refused, save
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

FRAMES = 24


def rope(name="Cable", x=0.0, top=2.0, length=1.0):
    """A straight cable down from the top, pinned there to an empty."""
    item = draw(name, [[(x, 0.0, top - length * share) for share in np.linspace(0.0, 1.0, 21)]])
    choose(item)
    bpy.ops.tendril.add_rod()
    return item


def mesh(name="Lamp", make="cube", place=(0.0, 0.0, 0.9), size=0.2):
    bpy.ops.object.select_all(action="DESELECT")
    getattr(bpy.ops.mesh, f"primitive_{make}_add")(location=place)
    item = bpy.context.object
    item.name = name
    item.scale = [0.5 * size] * 3
    bpy.context.view_layer.update()
    return item


@pytest.fixture
def lamp(tmp_path):
    """A cube of 20 cm and 1 kg below a cable that hangs from an empty, in a saved file."""
    cable = rope()
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="POSITION")
    body = mesh()
    bpy.ops.tendril.add_body()
    choose(cable, body)
    bpy.ops.tendril.tie()
    save(tmp_path, FRAMES)
    return body


def test_selected_meshes_become_bodies_and_plain_meshes_again():
    cubes = [mesh("One"), mesh("Two"), mesh("Three")]
    choose(cubes[0], cubes[1])
    assert bpy.ops.tendril.add_body() == {"FINISHED"}
    assert [cube.tendril.is_body for cube in cubes] == [True, True, False]
    assert [cube.tendril.body.shape for cube in cubes[:2]] == ["MESH", "MESH"]
    assert bpy.ops.tendril.remove_body() == {"FINISHED"}
    assert [cube.tendril.is_body for cube in cubes] == [True, False, False]
    assert "Select a rigid body" in refused(bpy.ops.tendril.remove_body)


def test_an_open_mesh_gets_a_box():
    shade = mesh("Shade", make="plane")
    assert bpy.ops.tendril.add_body() == {"FINISHED"}
    assert shade.tendril.body.shape == "BOX"


def test_what_is_flat_gets_no_collisions_and_that_is_said(capfd):
    plate, bowl = mesh("Plate", make="plane"), mesh("Bowl")
    bowl.data.polygons[0].flip()  # not closed, but not flat either
    choose(plate, bowl)
    assert bpy.ops.tendril.add_body() == {"FINISHED"}
    assert (plate.tendril.body.collide, bowl.tendril.body.collide) == (False, True)
    said = "".join(capfd.readouterr())
    assert "The mesh of 'Plate' is flat and passes through everything: its mass is spread over a box" in said
    assert "The mesh of 'Bowl' encloses no volume: its mass is spread over a box" in said


def test_what_cannot_become_a_body_is_named():
    assert "Nothing is selected" in refused(bpy.ops.tendril.add_body)
    cable = rope()
    assert "'Cable' is not a mesh" in refused(bpy.ops.tendril.add_body)
    assert not bpy.ops.tendril.add_body.poll()
    assert not bpy.ops.tendril.add_soft.poll()
    cube = mesh()
    bpy.ops.tendril.add_body()
    assert "'Lamp' is a rigid body already" in refused(bpy.ops.tendril.add_body)
    cube.data.clear_geometry()
    bpy.ops.tendril.remove_body()
    assert "'Lamp' has no faces" in refused(bpy.ops.tendril.add_body)
    assert not cube.tendril.is_body
    good = mesh("Good")
    choose(cube, good, cable)
    assert bpy.ops.tendril.add_body() == {"FINISHED"}
    assert (good.tendril.is_body, cube.tendril.is_body) == (True, False)
    choose(cable)
    assert "Select a rigid body besides the rods" in refused(bpy.ops.tendril.tie)
    choose(cube)
    assert "Select the rods to tie" in refused(bpy.ops.tendril.tie)


def test_a_rod_is_tied_at_its_nearest_end():
    cable, body = rope(), mesh()
    bpy.ops.tendril.add_body()
    choose(cable, body)
    assert bpy.ops.tendril.tie(mode="DIRECTION") == {"FINISHED"}
    (pin,) = cable.tendril.pins
    assert (pin.target, pin.fraction, pin.mode, pin.name) == (body, 1.0, "DIRECTION", "End")
    assert "would be held twice at 1 of its length" in refused(bpy.ops.tendril.tie)
    assert len(cable.tendril.pins) == 1


def test_a_rod_is_tied_along_its_length_where_the_body_is_nearer_to_that():
    cable, body = rope(), mesh("Bead", place=(0.05, 0.0, 1.3))
    bpy.ops.tendril.add_body()
    choose(body, cable)  # whichever is active
    assert bpy.ops.tendril.tie() == {"FINISHED"}
    assert np.isclose(cable.tendril.pins[0].fraction, 0.7, atol=0.026)


def test_a_rod_across_a_gap_is_tied_with_a_warning(capfd):
    cable, body = rope(), mesh(place=(0.0, 0.0, 0.4))
    bpy.ops.tendril.add_body()
    choose(cable, body)
    assert bpy.ops.tendril.tie() == {"FINISHED"}
    assert "'Cable' is tied to 'Lamp' across a gap of 0.5 units" in "".join(capfd.readouterr())
    assert cable.tendril.pins[0].fraction == 1.0


def test_several_rods_are_tied_at_once():
    ropes, body = [rope(f"Rope {k}", x=0.05 * k) for k in range(3)], mesh()
    bpy.ops.tendril.add_body()
    choose(*ropes, body)
    assert bpy.ops.tendril.tie() == {"FINISHED"}
    assert [item.tendril.pins[0].target for item in ropes] == [body] * 3


def frames():
    cache = Cache(cache_folder(bpy.context.scene))
    return [np.stack(arrays) for arrays in zip(*(cache.read(index) for index in cache.frames), strict=True)]


def places(item):
    """World matrices (F, 4, 4) of an object as Blender plays it."""
    found = []
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        found.append(np.array(item.matrix_world))
    return np.array(found)


def test_a_hanging_lamp_hangs_still(lamp):
    """Without a push nothing moves: the cable holds its weight."""
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    matrices = places(lamp.tendril.result)
    assert bpy.context.object == lamp.tendril.result
    assert np.abs(matrices[:, :3, 3] - (0.0, 0.0, 0.9)).max() < 1e-3
    assert lamp.hide_viewport


def test_a_pushed_lamp_swings_and_stays_on_its_cable(lamp):
    lamp.tendril.body.velocity = (1.0, 0.0, 0.0)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    x, _, poses = frames()
    matrices = places(lamp.tendril.result)
    assert matrices[:, 0, 3].max() > 0.1
    assert np.allclose(matrices[:, :3, 3], poses[:, 0, :3], atol=1e-5)
    held = np.einsum("fij,fj->fi", np.transpose(matrices[:, :3, :3], (0, 2, 1)), x[:, -1] - matrices[:, :3, 3])
    assert np.ptp(held, axis=0).max() < 1e-5  # the end of the cable rides on the lamp


def test_a_free_body_flies_as_galilei_says(lamp):
    ball = mesh("Ball", make="uv_sphere", place=(3.0, 0.0, 5.0))
    bpy.ops.tendril.add_body()
    ball.tendril.body.velocity, ball.tendril.body.spin = (1.0, 0.0, 2.0), (0.0, 0.0, 3.0)
    ball.tendril.body.drag_coefficient = 0.0
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    matrices, seconds = places(ball.tendril.result), np.arange(FRAMES) / 24
    assert np.allclose(matrices[:, 0, 3], 3.0 + seconds, atol=1e-3)
    assert np.allclose(matrices[:, 2, 3], 5.0 + 2.0 * seconds - 0.5 * 9.81 * seconds**2, atol=0.02)
    angle = np.unwrap(np.arctan2(matrices[:, 1, 0], matrices[:, 0, 0]))
    assert np.allclose(angle, 3.0 * seconds, atol=1e-3)


def test_revert_leaves_what_there_was(lamp):
    before = {item.name for item in bpy.data.objects}, len(bpy.data.actions), len(bpy.data.meshes)
    bpy.ops.tendril.bake()
    assert "is keyframes already" in refused(bpy.ops.tendril.bake_to_keyframes)
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert ({item.name for item in bpy.data.objects}, len(bpy.data.actions), len(bpy.data.meshes)) == before
    assert bpy.context.object == lamp
    assert not lamp.hide_viewport


def keys(item):
    """(F, 3) of the location that is keyed."""
    animation = item.animation_data
    curves = animation.action.layers[0].strips[0].channelbag(animation.action_slot).fcurves
    return np.array([[point.co.y for point in curve.keyframe_points] for curve in curves][:3]).T


def test_a_cancelled_bake_keeps_its_frames_and_resume_goes_on(lamp):
    bpy.context.scene.frame_end = 300
    lamp.tendril.body.velocity = (1.0, 0.0, 0.0)
    baking = Baking(bpy.context)
    worker, said = baking.start(), {"kind": ""}
    while said["kind"] != "exit":
        said = worker.next_message()
        baking.hear(bpy.context, said)
        if said["kind"] == "progress" and said["frame"] == 20:
            worker.cancel()
    baking.end(bpy.context)
    part = keys(lamp.tendril.result)
    assert 20 <= len(part) < 300
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    resumed = keys(lamp.tendril.result)
    assert len(resumed) == 300
    assert np.array_equal(resumed[: len(part)], part)
    bpy.ops.tendril.bake()
    assert np.array_equal(keys(lamp.tendril.result), resumed)


def test_removing_a_baked_body_takes_its_bake_along(lamp):
    bpy.ops.tendril.bake()
    assert bpy.ops.tendril.remove_body() == {"FINISHED"}
    assert "Lamp Baked" not in bpy.data.objects
    assert not lamp.hide_viewport
    assert not lamp.tendril.is_body
    assert bpy.context.object == lamp


def test_a_rod_follows_an_animated_body(lamp):
    lamp.tendril.body.motion = "ANIMATED"
    for frame, x in ((1, 0.0), (FRAMES, 0.1)):
        lamp.location.x = x
        lamp.keyframe_insert("location", frame=frame)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert not lamp.hide_viewport
    assert lamp.tendril.result is None
    x, _, _ = frames()
    for index, matrix in enumerate(places(lamp)):
        assert np.allclose(x[index, -1] - matrix[:3, 3], x[0, -1] - (0.0, 0.0, 0.9), atol=2e-3)


def test_bodies_settle_with_their_rods(lamp):
    choose(lamp)
    lamp.location.x += 0.1  # beside its cable, which then hangs askew
    assert bpy.ops.tendril.settle() == {"FINISHED"}
    rest = np.array(lamp.tendril.result.matrix_world)
    assert abs(rest[0, 3]) < 0.1
    assert np.isclose(lamp.location.x, 0.1)


def test_a_body_that_nothing_holds_cannot_settle(lamp):
    mesh("Ball", place=(3.0, 0.0, 5.0))
    bpy.ops.tendril.add_body()
    assert "Nothing holds 'Ball', so it cannot settle: tie a rod to it" in refused(bpy.ops.tendril.settle)
    bpy.context.object.tendril.body.motion = "ANIMATED"
    assert bpy.ops.tendril.settle() == {"FINISHED"}


def test_bodies_alone_can_be_baked_but_not_settle(tmp_path):
    mesh("Brick")
    bpy.ops.tendril.add_body()
    scene = bpy.context.scene
    scene.frame_end, scene.tendril.cache_folder = FRAMES, str(tmp_path)
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    said = bpy.context.window_manager.tendril.estimate
    assert said.startswith("Explicit: ")
    assert said.endswith("; without rods there is nothing stiff")
    given = Baking(bpy.context).job.scene
    assert (given.rods, [body.name for body in given.bodies], given.frame_count) == ((), ["Brick"], FRAMES)
    scene.tendril.use_floor = True
    assert "Nothing holds 'Brick', so it cannot settle" in refused(bpy.ops.tendril.settle)


@pytest.mark.once
def test_bodies_alone_fall_on_the_floor_and_lie_still(tmp_path):
    """A cube, a ball, and a brick on an animated table that goes up."""
    scene = bpy.context.scene
    scene.frame_end, scene.tendril.cache_folder, scene.tendril.use_floor = FRAMES, str(tmp_path), True
    cube, ball = mesh("Cube", place=(0.0, 0.0, 0.3)), mesh("Ball", "uv_sphere", (1.0, 0.0, 0.3))
    table, brick = mesh("Table", place=(3.0, 0.0, 0.5), size=1.0), mesh("Brick", place=(3.0, 0.0, 1.1))
    choose(cube, ball, table, brick)
    bpy.ops.tendril.add_body()
    ball.tendril.body.collision_shape, table.tendril.body.motion = "SPHERE", "ANIMATED"
    for frame, height in ((1, 0.5), (FRAMES, 0.9)):
        table.location.z = height
        table.keyframe_insert("location", frame=frame)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert table.tendril.result is None
    heights = {item.name: places(item.tendril.result)[:, 2, 3] for item in (cube, ball, brick)}
    for name in ("Cube", "Ball"):
        assert heights[name][0] == pytest.approx(0.3)
        assert np.abs(heights[name][-8:] - 0.1).max() < 2e-3
    table_height = places(table)[:, 2, 3]
    assert np.abs(heights["Brick"] - table_height - 0.6).max() < 5e-3
    cube.tendril.body.collide = False
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert places(cube.tendril.result)[-1, 2, 3] < -1.0


def test_bodies_drawn_into_each_other_are_pushed_apart_if_they_may(tmp_path):
    scene = bpy.context.scene
    scene.frame_end, scene.tendril.cache_folder, scene.use_gravity = FRAMES, str(tmp_path), False
    one, other = mesh("One"), mesh("Other", place=(0.15, 0.01, 0.92))
    choose(one, other)
    bpy.ops.tendril.add_body()
    assert "turn on Push Apart" in refused(bpy.ops.tendril.bake)
    scene.tendril.push_apart = True
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    half = 0.025 + 1e-5  # and what they are put apart by, 1e-4 of their size, between them
    for item, x in ((one, -half), (other, 0.15 + half)):
        baked = places(item.tendril.result)[:, :3, 3]
        np.testing.assert_allclose(baked, np.tile([x, *item.location[1:]], (FRAMES, 1)), atol=1e-5)
        assert item.location.x == pytest.approx(0.0 if item == one else 0.15)  # what was drawn stays
    notices = Baking(bpy.context).meta["notices"]
    assert [notice["text"] for notice in notices] == [
        "'One' is moved by 25 mm, out of 'Other'.", "'Other' is moved by 25 mm, out of 'One'.",
    ]  # fmt: skip
    scene.tendril.push_apart = False
    assert "turn on Push Apart" in refused(bpy.ops.tendril.bake)


def test_the_estimate_counts_bodies(lamp):
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    assert bpy.context.window_manager.tendril.estimate.startswith("Explicit: ")
    lamp.tendril.body.mass = 5.0
    assert not bpy.context.window_manager.tendril.estimate
