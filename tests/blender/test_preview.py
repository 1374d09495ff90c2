"""Frames are shown while others are baked, for all that is baked, and nothing of that stays."""

import os
import signal
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bridge import preview
from bl_ext.user_default.tendril.operators import bake as bake_operators
from bl_ext.user_default.tendril.operators import previewing, timeline
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.properties.body import rod_of, source_of
from seen import names, previews, run

FRAMES = 12


def started():
    """A bake as the modal operator begins it, all of whose frames have come."""
    baking = Baking(bpy.context)
    worker = baking.start()
    while not worker.over:
        if said := worker.next_message(1.0):
            baking.hear(bpy.context, said)
    return baking


def shown(baking, count=FRAMES):
    """It, with so many frames shown."""
    baking.preview(bpy.context)
    while baking.previewing.preview.shown < count:
        baking.preview(bpy.context)
    return baking


def places(item, frame):
    """Of the vertices of an object at a frame, in the world."""
    bpy.context.scene.frame_set(frame)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    found = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", found)
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world)
    return found.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def rope():
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.ops.tendril.add_rod()
    bpy.context.object.tendril.rod.points = 12
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="TWIST")
    return bpy.context.object


def body():
    bpy.ops.mesh.primitive_cube_add(size=0.2, rotation=(0.3, 0.2, 0.1))
    cube = bpy.context.object
    cube.tendril.body.spin = (1.0, 2.0, 40.0)
    bpy.ops.tendril.add_body()
    cube.tendril.body.spin = (1.0, 2.0, 40.0)
    bpy.ops.mesh.primitive_plane_add(size=0.1, location=(0.2, 0.0, 0.0))
    bpy.context.object.parent = cube
    return bpy.context.object


def soft():
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0.0, 0.0, 0.12))
    bpy.ops.tendril.add_soft()
    bpy.context.object.tendril.soft.resolution = 2
    bpy.context.scene.tendril.use_floor = True
    return bpy.context.object


def tree(leaves):
    """A trunk that leans, with a mesh of small leaves, or one thing, on it."""
    stem = rope()
    bpy.ops.tendril.remove_pin()
    stem.rotation_euler = (0.0, -1.0, 0.0)
    stem.tendril.is_tree = True
    mesh = bpy.data.meshes.new("Leaves")
    at = np.linspace(-1.0, 1.0, 40 if leaves else 1)
    corners = np.array([(0, 0, 0), (0.02, 0, 0), (0, 0.02, 0)]) + np.stack([at, 0 * at, 0.05 + 0 * at], axis=1)[:, None]
    mesh.from_pydata(corners.reshape(-1, 3).tolist(), [], np.arange(3 * len(at)).reshape(-1, 3).tolist())
    item = bpy.data.objects.new("Leaves", mesh)
    bpy.context.collection.objects.link(item)
    item.parent = stem
    return item


THINGS = {
    "rope": rope, "body and its child": body, "soft body": soft, "tree with leaves": lambda: tree(True),
    "tree with a bird": lambda: tree(False),
}  # fmt: skip


def ropes(count):
    """Ropes side by side."""
    first = rope()
    for number in range(1, count):
        item = first.copy()
        item.data, item.location.y = first.data.copy(), 0.3 * number
        bpy.context.collection.objects.link(item)


def tilts(item, frame):
    """(n,) [rad] of the control points of a curve at a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    curve = evaluated.to_curve(bpy.context.evaluated_depsgraph_get(), apply_modifiers=True)
    return np.array([point.tilt for point in curve.splines[0].bezier_points])


@pytest.fixture
def saved(tmp_path):
    bpy.context.scene.frame_end = FRAMES
    return lambda: bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))


@pytest.mark.parametrize("thing", THINGS)
def test_what_is_shown_meanwhile_is_what_the_bake_becomes(saved, thing):
    THINGS[thing]()
    saved()
    baking = started()
    baking.preview(bpy.context)
    while not baking.previewing.preview.shown:  # a busy machine may need more than a slice for the first
        baking.preview(bpy.context)
    shown(baking)
    stands = {item.tendril.stands_for.name: item for item in previews()}
    assert stands
    assert all(bpy.data.objects[name].hide_viewport and bpy.data.objects[name].hide_render for name in stands)
    assert not any(item.hide_viewport or item.hide_render for item in previews())
    seen = {name: [places(item, frame) for frame in range(1, FRAMES + 1)] for name, item in stands.items()}
    baking.end(bpy.context)
    assert previews() == []
    for name, found in seen.items():
        result = bpy.data.objects[name].tendril.result
        for frame, x in enumerate(found, start=1):
            assert x == pytest.approx(places(result, frame), abs=1e-4), f"{name} at frame {frame}"
        assert not np.allclose(found[0], found[-1], atol=1e-3)


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("again", [False, True])
def test_the_file_is_that_of_a_bake_that_nobody_watched(saved, thing, again):
    """Also where an earlier bake waits meanwhile."""
    THINGS[thing]()
    saved()
    if again:
        bpy.ops.tendril.bake()
    before = names()
    baking = shown(started())
    assert len(names()) > len(before)
    preview.clear()
    assert names() == before
    assert not any(item.tendril.waits_in_viewport or item.tendril.waits_in_render for item in bpy.data.objects)
    shown(baking)
    baking.end(bpy.context)
    watched = names()
    bpy.ops.tendril.bake() if again else (bpy.ops.tendril.revert(), bpy.ops.tendril.bake())
    assert names() == watched


def test_clicking_a_preview_shows_the_settings_of_what_is_baked(saved):
    rod = rope()
    saved()
    baking = shown(started())
    (item,) = previews()
    assert source_of(item) == rod_of(item) == rod
    bpy.context.view_layer.objects.active = item
    baking.end(bpy.context)
    assert bpy.context.object == rod.tendril.result
    baking = shown(started())
    (item,) = previews()
    assert source_of(item) == rod
    baking.end(bpy.context)


def test_what_is_saved_meanwhile_has_no_preview(saved, tmp_path):
    rope()
    saved()
    before = names()
    baking = shown(started())
    path = str(tmp_path / "copy.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    with bpy.data.libraries.load(path) as (there, _):
        assert {("objects", name) for name in there.objects} <= before
        assert "NurbsPath" in there.objects
    assert previews() == []
    shown(baking)  # and goes on
    assert len(previews()) == 1
    baking.end(bpy.context)


def test_a_file_that_blender_saved_by_itself_is_tidied_when_it_is_opened(saved, tmp_path):
    rope()
    saved()
    before = names()
    shown(started())
    bpy.app.handlers.save_pre.remove(previewing.clear)  # which an autosave does not call
    path = str(tmp_path / "autosave.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    previewing.end()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert names() == before
    assert not bpy.data.objects["NurbsPath"].hide_viewport


def test_undo_meanwhile_and_afterwards_leaves_none(saved):
    rope()
    saved()
    bpy.ops.ed.undo_push(message="Before")
    baking = shown(started())
    bpy.data.objects["NurbsPath"].tendril.rod.density = 500.0
    bpy.ops.ed.undo_push(message="Artist's")
    bpy.ops.ed.undo()
    assert previews() == []
    assert not bpy.data.objects["NurbsPath"].hide_viewport
    shown(baking)
    assert len(previews()) == 1
    bpy.ops.ed.undo_push(message="Another")
    bpy.data.objects["NurbsPath"].tendril.rod.density = 600.0
    bpy.ops.ed.undo_push(message="And another")
    baking.end(bpy.context)
    bpy.ops.ed.undo_push(message="Bake")
    assert previews() == []
    for _ in range(2):  # to steps with a preview
        bpy.ops.ed.undo()
        assert previews() == []
        rod = bpy.data.objects["NurbsPath"]
        assert not any((rod.hide_viewport, rod.hide_render, rod.tendril.waits_in_viewport))


def test_a_preview_that_is_deleted_comes_again(saved):
    rod = rope()
    saved()
    baking = shown(started())
    bpy.data.objects.remove(previews()[0])
    film = baking.previewing.preview
    film.at_once, film.order, film.ahead = 1, film.order[:-1], FRAMES - 1
    baking.previewing.preview.show(bpy.context, 1.0)
    assert not rod.hide_viewport
    shown(baking)
    assert len(previews()) == 1
    baking.end(bpy.context)


def test_what_is_hidden_or_being_edited_stays_as_it_is(saved):
    hidden, edited = rope(), rope()
    hidden.location.x = 3.0
    bpy.ops.tendril.bake()
    bpy.context.view_layer.objects.active = edited.tendril.result
    bpy.ops.tendril.edit_source()
    hidden.tendril.result.hide_viewport = True
    saved()
    baking = shown(started())
    assert previews() == []
    assert not edited.hide_viewport
    baking.end(bpy.context)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_crash_leaves_none_and_what_was_finished(saved):
    rope()
    bpy.context.scene.frame_end = 400
    saved()
    baking = Baking(bpy.context)
    worker = baking.start()
    while baking.previewing is None or baking.previewing.preview.shown < 5:
        if said := worker.next_message(0.05):
            baking.hear(bpy.context, said)
        baking.preview(bpy.context)
    os.kill(worker.pid, signal.SIGKILL)
    while not worker.over:
        if said := worker.next_message(1.0):
            baking.hear(bpy.context, said)
    baking.end(bpy.context)
    assert previews() == []
    assert run().failed
    kept = len(Cache(baking.job.folder).frames)
    assert len(bpy.data.objects["NurbsPath"].tendril.result.data.shape_keys.key_blocks) == kept


def test_nothing_listens_or_draws_when_nothing_is_baked(saved):
    rope()
    saved()
    before = len(bpy.app.handlers.save_pre)
    baking = shown(started())
    assert len(bpy.app.handlers.save_pre) == before + 1
    baking.end(bpy.context)
    assert len(bpy.app.handlers.save_pre) == before
    assert timeline._handle is None
    assert timeline.spans(run()) == []


def test_the_timeline_tells_the_range_and_what_is_there(saved):
    rope()
    bpy.context.scene.frame_start = 5
    saved()
    baking = Baking(bpy.context)
    baking.hear(bpy.context, {"kind": "progress", "frame": 3, "of": 8, "seconds_left": 4.0})
    assert timeline.spans(run()) == [(5, 12, timeline.WHOLE), (5, 7, timeline.THERE)]
    baking.hear(bpy.context, {"kind": "progress", "frame": 0, "of": 8, "seconds_left": 4.0})
    assert timeline.spans(run()) == [(5, 12, timeline.WHOLE)]


def area(kind, region, **more):
    shape = SimpleNamespace(x=100, y=50, width=200, height=300, type=region, active_panel_category=more.get("tab"))
    return SimpleNamespace(
        type=kind, regions=[shape], spaces=SimpleNamespace(active=SimpleNamespace(context=more.get("context")))
    )


@pytest.mark.parametrize(
    ("found", "place", "over"),
    [
        (area("VIEW_3D", "UI", tab="Tendril"), (150, 60), True),
        (area("VIEW_3D", "UI", tab="Item"), (150, 60), False),
        (area("VIEW_3D", "UI", tab="Tendril"), (99, 60), False),
        (area("VIEW_3D", "WINDOW"), (150, 60), False),
        (area("PROPERTIES", "WINDOW", context="PHYSICS"), (150, 349), True),
        (area("PROPERTIES", "WINDOW", context="OBJECT"), (150, 349), False),
    ],
)
def test_esc_cancels_over_the_panel_alone(found, place, over):
    window = SimpleNamespace(screen=SimpleNamespace(areas=[found]))
    event = SimpleNamespace(mouse_x=place[0], mouse_y=place[1])
    assert bake_operators.is_over_panel(window, event) == over


def test_many_things_are_shown_one_after_the_other(saved):
    """A look gives frames to as many as its time allows, one at least, and none is left out."""
    ropes(8)
    saved()
    baking = started()
    show, looks = preview.Preview.show, 0
    film = preview.Preview(baking.meta, baking.job)
    while show(film, bpy.context, 1e-9):
        looks += 1
        assert len(previews()) == min(looks, 8)
        assert looks < 1000
    assert film.shown == FRAMES
    assert looks >= 8 + 8
    assert {len(item.data.shape_keys.key_blocks) for item in previews()} == {FRAMES}
    preview.clear()
    baking.end(bpy.context)


def test_the_twist_is_seen_as_it_will_be(saved):
    item = rope()
    target = item.tendril.pins[0].target
    for frame, turn in ((1, 0.0), (FRAMES, 3.0)):
        target.rotation_euler.x = turn
        target.keyframe_insert("rotation_euler", frame=frame)
    saved()
    baking = shown(started())
    (film,) = previews()
    before = [tilts(film, frame) for frame in (1, FRAMES // 2, FRAMES)]
    baking.end(bpy.context)
    after = [tilts(item.tendril.result, frame) for frame in (1, FRAMES // 2, FRAMES)]
    assert np.ptp([own[0] for own in after]) > 1.0
    for one, other in zip(before, after, strict=True):
        away = one - other
        assert np.abs(away - 2.0 * np.pi * np.round(away / (2.0 * np.pi))).max() < 1e-3


def test_what_has_many_points_is_drawn_coarsely_and_moves_alike(saved, monkeypatch):
    monkeypatch.setattr(preview, "MOST_FINE", 5)
    item = rope()
    saved()
    baking = shown(started())
    (film,) = previews()
    assert film.data.bevel_resolution == 0
    keys = film.data.shape_keys.key_blocks[-1].data
    before = np.array([film.matrix_world @ point.co for point in keys])
    baking.end(bpy.context)
    result = item.tendril.result
    assert result.data.bevel_resolution == item.data.bevel_resolution > 0
    after = np.array([result.matrix_world @ point.co for point in result.data.shape_keys.key_blocks[-1].data])
    assert np.abs(before - after).max() < 1e-4
