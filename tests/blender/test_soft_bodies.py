"""Soft bodies made of meshes, held, baked and unmade, by the buttons an artist presses."""

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.bridge.soft_bodies import held_nodes
from bl_ext.user_default.tendril.physics.solids.tetrahedra import dihedral_angles, volumes

FRAMES = 8


def mesh(name="Jelly", make="cube", size=0.2, place=(0.0, 0.0, 1.0), **options):
    bpy.ops.object.select_all(action="DESELECT")
    getattr(bpy.ops.mesh, f"primitive_{make}_add")(location=place, **options)
    item = bpy.context.object
    item.name, item.scale = name, [0.5 * size] * 3
    bpy.context.view_layer.update()
    return item


def soft(resolution=4, preset="gelatine", **options):
    item = mesh(**options)
    assert bpy.ops.tendril.add_soft() == {"FINISHED"}
    bpy.ops.tendril.apply_soft_preset(preset=preset)
    item.tendril.soft.resolution = resolution
    return item


def group(item, name="Top", held=lambda co: co.z > 0.5):
    own = item.vertex_groups.new(name=name)
    own.add([vertex.index for vertex in item.data.vertices if held(vertex.co)], 1.0, "REPLACE")
    return own


def refused(operator, **settings):
    with pytest.raises(RuntimeError) as refusal:
        operator(**settings)
    return str(refusal.value)


def save(tmp_path):
    bpy.context.scene.frame_end = FRAMES
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))


def places(item, frame):
    """Vertices (V, 3) in the world, as Blender plays them."""
    bpy.context.scene.frame_set(frame)
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([shown.matrix_world @ vertex.co for vertex in shown.data.vertices])


def test_meshes_become_soft_bodies_and_plain_meshes_again():
    cube = mesh()
    assert bpy.ops.tendril.add_soft() == {"FINISHED"}
    assert cube.tendril.is_soft
    assert cube.tendril.soft.preset == "silicone"
    assert "'Jelly' is a soft body already" in refused(bpy.ops.tendril.add_soft)
    assert "'Jelly' is a soft body" in refused(bpy.ops.tendril.add_body)
    assert bpy.ops.tendril.remove_soft() == {"FINISHED"}
    assert not cube.tendril.is_soft
    assert "Select a soft body" in refused(bpy.ops.tendril.remove_soft)


@pytest.mark.parametrize("make", ["cube", "monkey", "torus", "uv_sphere", "ico_sphere"])
def test_a_mesh_is_filled_with_good_tetrahedra_of_its_volume(make):
    soft(make=make, resolution=10)
    (body,) = read_scene(bpy.context)[0].solids
    corners = body.x[body.tetrahedra]
    assert dihedral_angles(corners).min() >= 8.0
    assert volumes(corners).min() > 0.0
    mass = body.density * volumes(corners).sum()
    assert body.density == pytest.approx(1030.0, rel=0.02)  # which makes up for what volume is missing
    if make == "cube":
        assert mass == pytest.approx(1030.0 * 0.2**3, rel=1e-3)


def test_squashiness_and_wobble_are_poissons_ratio_and_viscosity():
    item = soft()
    item.tendril.soft.squash = 0.5
    assert item.tendril.soft.poisson == pytest.approx(0.25)
    assert item.tendril.soft.preset == ""
    item.tendril.soft.young, item.tendril.soft.relaxation = 10.0, 0.1
    (body,) = read_scene(bpy.context)[0].solids
    assert (body.young, body.poisson) == pytest.approx((1e4, 0.25))
    assert (body.zeta, body.mu) == pytest.approx((0.1 * 1e4 / 1.5, 0.1 * 1e4 / 2.5))


def test_a_free_soft_body_falls_and_is_shown_by_shape_keys(tmp_path):
    item = soft()
    drawn = [tuple(vertex.co) for vertex in item.data.vertices]
    save(tmp_path)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    shown = item.tendril.result
    assert shown.tendril.source == item
    assert len(shown.data.shape_keys.key_blocks) == FRAMES
    assert not shown.data.shape_keys.use_relative
    fall = places(shown, FRAMES).mean(axis=0) - places(shown, 1).mean(axis=0)
    time = (FRAMES - 1) / bpy.context.scene.render.fps
    assert fall == pytest.approx([0.0, 0.0, -0.5 * 9.81 * time**2], abs=2e-3)
    assert [tuple(vertex.co) for vertex in item.data.vertices] == drawn
    assert item.hide_viewport
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert not item.hide_viewport
    assert item.tendril.result is None
    assert shown.name if False else len([one for one in bpy.data.objects if "Baked" in one.name]) == 0
    assert not bpy.data.shape_keys


def test_a_group_is_held_by_its_target_and_the_rest_hangs(tmp_path):
    item = soft()
    group(item)
    hand = bpy.data.objects.new("Hand", None)
    bpy.context.collection.objects.link(hand)
    hand.keyframe_insert("location", frame=1)
    hand.location.x = 0.05
    hand.keyframe_insert("location", frame=FRAMES)
    hand.select_set(True)
    assert bpy.ops.tendril.add_soft_pin() == {"FINISHED"}
    (pin,) = item.tendril.soft.pins
    assert (pin.group, pin.target) == ("Top", hand)
    save(tmp_path)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    first, last = places(item.tendril.result, 1), places(item.tendril.result, FRAMES)
    top = first[:, 2] > 1.05
    assert last[top] == pytest.approx(first[top] + [0.05, 0.0, 0.0], abs=1e-5)
    assert (last[~top, 2] < first[~top, 2] - 1e-3).all()


def test_without_a_target_a_group_follows_the_objects_own_animation(tmp_path):
    item = soft()
    group(item)
    bpy.ops.tendril.add_soft_pin()
    item.keyframe_insert("location", frame=1)
    item.location.y = 0.03
    item.keyframe_insert("location", frame=FRAMES)
    save(tmp_path)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    first, last = places(item.tendril.result, 1), places(item.tendril.result, FRAMES)
    top = first[:, 2] > 1.05
    assert last[top] == pytest.approx(first[top] + [0.0, 0.03, 0.0], abs=1e-5)


def test_nodes_near_held_faces_are_held_and_no_others():
    soft(resolution=6)
    scene = read_scene(bpy.context)[0]
    (body,) = scene.solids
    cube = np.array([[a, b, c] for a in (-0.1, 0.1) for b in (-0.1, 0.1) for c in (0.9, 1.1)])
    faces = np.array([[1, 5, 7], [1, 7, 3], [0, 2, 6], [0, 6, 4], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6],
                      [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5]])  # fmt: skip
    held = held_nodes(body.x, body.tetrahedra, cube, faces, cube[:, 2] > 1.0)
    assert body.x[held][:, 2] == pytest.approx(1.1, abs=0.011)
    assert len(held) >= (body.x[:, 2] > 1.1 - 1e-6).sum() > 30


def test_subdivision_stays_on_the_result_and_other_modifiers_are_in_its_mesh(tmp_path):
    item = soft()
    item.modifiers.new("Array", "ARRAY").count = 2
    item.modifiers.new("Smooth", "SUBSURF")
    save(tmp_path)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    shown = item.tendril.result
    assert [modifier.type for modifier in shown.modifiers] == ["SUBSURF"]
    assert len(shown.data.vertices) == 16
    assert len(item.modifiers) == 2


def test_baking_again_keeps_the_result_and_changes_are_told(tmp_path):
    item = soft()
    save(tmp_path)
    bpy.ops.tendril.bake()
    shown = item.tendril.result
    run = bpy.context.window_manager.tendril
    assert run.changed == ""
    item.tendril.soft.young = 20.0
    from bl_ext.user_default.tendril.operators import run_state

    run_state.compare(bpy.context)
    assert "Out of date: stiffness of 'Jelly' changed" in run.changed
    bpy.context.view_layer.objects.active = shown
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert item.tendril.result == shown
    assert len(shown.data.shape_keys.key_blocks) == FRAMES
    assert bpy.ops.tendril.resume() == {"FINISHED"}


def test_a_deleted_source_leaves_a_result_of_its_tetrahedra(tmp_path):
    from bl_ext.user_default.tendril.operators.baking import Baking

    item = soft()
    save(tmp_path)
    baking = Baking(bpy.context)
    bpy.data.objects.remove(item)
    baking.run(bpy.context)
    shown = bpy.data.objects["Jelly Baked"]
    assert len(shown.data.shape_keys.key_blocks) == FRAMES
    assert np.ptp(places(shown, 1), axis=0) == pytest.approx([0.2] * 3, abs=1e-3)


def test_a_soft_body_falls_on_the_floor_and_stays_on_it(tmp_path):
    item = soft(place=(0.0, 0.0, 0.11))
    bpy.context.scene.tendril.use_floor = True
    save(tmp_path)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    low = places(item.tendril.result, FRAMES)[:, 2].min()
    assert -1e-3 < low < 0.005


def flat(item):
    for vertex in item.data.vertices:
        vertex.co.z = 0.0


def bad_vertex(item):
    item.data.vertices[0].co.x = float("nan")


def pinned(item, name):
    pin = item.tendril.soft.pins.add()
    pin.name = pin.group = name


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (flat, "encloses no volume"),
        (lambda item: item.data.clear_geometry(), "has no faces"),
        (bad_vertex, "is not a number (NaN)"),
        (lambda item: item.shape_key_add(name="Basis"), "has shape keys"),
        (lambda item: item.modifiers.new("Multires", "MULTIRES"), "Multiresolution"),
        (lambda item: setattr(item, "scale", (1.0, 0.0, 1.0)), "zero in its scale"),
        (lambda item: setattr(item.tendril.soft, "resolution", 100), "lower its Resolution"),
        (lambda item: pinned(item, ""), "has no vertex group"),
        (lambda item: pinned(item, "Gone"), "which is not there"),
        (lambda item: (item.vertex_groups.new(name="Empty"), pinned(item, "Empty")), "has no vertex with a weight"),
    ],
)
def test_bad_input_is_one_sentence(spoil, said, tmp_path):
    item = soft()
    spoil(item)
    save(tmp_path)
    sentence = refused(bpy.ops.tendril.bake)
    assert said in sentence
    assert "'Jelly'" in sentence
    assert item.tendril.result is None


@pytest.mark.parametrize("make", ["plane", "circle"])
def test_what_encloses_no_volume_does_not_become_soft(make):
    item = mesh(make=make)
    sentence = refused(bpy.ops.tendril.add_soft)
    assert "no volume" in sentence
    assert not item.tendril.is_soft
