"""What may go wrong around a bake in Blender: damaged frames, names that change hands, keyed visibility, links."""

import bpy
import pytest
from artist import override, save
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.operators import bake as bake_operators
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

FRAMES = 6


@pytest.fixture
def rod(tmp_path):
    rope = new_rod("Rope")
    save(tmp_path, FRAMES)
    return rope


def new_rod(name, x=0.0):
    bpy.ops.curve.primitive_nurbs_path_add(location=(x, 0, 0))
    rope = bpy.context.object
    rope.name = name
    bpy.ops.tendril.add_rod()
    rope.tendril.rod.points = 8
    return rope


def run():
    return bpy.context.window_manager.tendril


def frames_shown(rod):
    result = rod.tendril.result
    return len(result.data.shape_keys.key_blocks) if result else 0


def frame_file(index):
    return cache_folder(bpy.context.scene) / "tendril_frames" / f"{index:06d}.npz"


def cut(path):
    path.write_bytes(path.read_bytes()[:100])


def remove(path):
    path.unlink()


def another(path):
    """A frame of another scene."""
    import numpy as np

    np.savez(path, x=np.zeros((3, 3)), m1=np.zeros((2, 3)), bodies=np.zeros((0, 7)))


def baked_and_spoilt(spoil, frame=4):
    """A bake whose frame is spoilt before it is made animation → the Baking, at its end."""
    baking = Baking(bpy.context)

    def tell(said):
        if said["kind"] == "exit":
            spoil(frame_file(frame))

    baking.run(bpy.context, tell)
    return baking


@pytest.mark.parametrize("spoil", [cut, remove, another], ids=lambda spoil: spoil.__name__)
def test_what_comes_before_a_damaged_frame_is_shown_and_a_sentence_says_which_it_is(rod, spoil):
    baked_and_spoilt(spoil)
    assert run().failed
    assert "Frame 4 of the cache" in run().message
    assert "only the 4 frames before it are shown" in run().message
    assert frames_shown(rod) == 4
    assert not run().running


def test_a_first_frame_that_is_damaged_shows_nothing_and_leaves_the_rod(rod):
    baked_and_spoilt(cut, 0)
    assert run().failed
    assert rod.tendril.result is None
    assert not rod.hide_viewport


def test_a_rod_that_takes_the_name_of_a_deleted_one_does_not_get_its_bake(rod):
    second = new_rod("Second", 3.0)
    baking = Baking(bpy.context)
    bpy.data.objects.remove(second)
    rod.name = "Second"
    baking.run(bpy.context)
    assert rod.tendril.result.tendril.source == rod
    start = rod.tendril.result.matrix_world.translation
    assert start.x == pytest.approx(rod.matrix_world.translation.x, abs=1e-4)
    others = [item for item in bpy.data.objects if "Baked" in item.name and item != rod.tendril.result]
    assert [item.tendril.source for item in others] == [None]


def key(item, path, frame, value):
    setattr(item, path, value)
    item.keyframe_insert(path, frame=frame)


def visibility(item):
    found = []
    for frame in (1, 2, 5):
        bpy.context.scene.frame_set(frame)
        found.append((item.hide_viewport, item.hide_render))
    return found


def test_keys_of_visibility_go_over_to_the_result_and_back(rod):
    for path in ("hide_viewport", "hide_render"):
        key(rod, path, 1, True)
        key(rod, path, 5, False)
    keyed = visibility(rod)
    assert keyed == [(True, True), (True, True), (False, False)]
    for _ in range(2):  # a second bake must not lose what the first handed over
        bpy.ops.tendril.bake()
        assert visibility(rod) == [(True, True)] * 3
        assert visibility(rod.tendril.result) == keyed
    bpy.ops.tendril.revert()
    assert visibility(rod) == keyed


def test_so_do_those_of_a_body_and_of_what_is_parented_to_it(rod):
    bpy.ops.mesh.primitive_cube_add(size=0.1)
    body = bpy.context.object
    bpy.ops.tendril.add_body()
    bpy.ops.mesh.primitive_plane_add(size=0.1)
    child = bpy.context.object
    child.parent = body
    for item in (body, child):
        key(item, "hide_render", 1, True)
        key(item, "hide_render", 5, False)
    keyed = [(False, True), (False, True), (False, False)]
    for _ in range(2):
        bpy.ops.tendril.bake()
        for item in (body, child):
            assert visibility(item) == [(True, True)] * 3
            assert visibility(item.tendril.result) == keyed
    bpy.context.scene.frame_set(5)
    assert body.tendril.result.matrix_world.translation.z < -0.01  # and it falls
    bpy.ops.tendril.revert()
    assert visibility(body) == visibility(child) == keyed


def linked_rod(tmp_path):
    library = str(tmp_path / "library.blend")
    far = new_rod("Far Rope", 5.0)
    bpy.data.libraries.write(library, {far})
    bpy.data.objects.remove(far)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Far Rope"]
    bpy.context.collection.objects.link(wanted.objects[0])
    return wanted.objects[0]


def test_a_linked_rod_is_left_out_with_a_notice(rod, tmp_path):
    far = linked_rod(tmp_path)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert frames_shown(rod) == FRAMES
    assert far.tendril.result is None
    assert [warning.text for warning in run().warnings] == [
        "'Far Rope' is linked from a library and takes no part: override it with Object › Library Override › Make, or "
        "make it local with Object › Relations › Make Local."
    ]
    assert run().changed == ""


def test_a_scene_of_linked_rods_only_is_refused(tmp_path):
    linked_rod(tmp_path)
    with pytest.raises(RuntimeError, match="'Far Rope' is linked from a library: override it with"):
        bpy.ops.tendril.bake()


def test_a_library_override_takes_part_and_keeps_its_settings_and_its_bake(tmp_path):
    rope = new_rod("Asset Rope", 0.0)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="POSITION")
    override(tmp_path, rope, rope.tendril.pins[0].target)
    bpy.context.scene.frame_end = FRAMES
    rope = bpy.context.scene.objects["Asset Rope"]
    assert rope.override_library
    rope.tendril.rod.density = 500.0
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert [warning.text for warning in run().warnings] == []
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    rope = bpy.context.scene.objects["Asset Rope"]
    assert rope.tendril.rod.density == 500.0
    assert frames_shown(rope) == FRAMES
    assert rope.tendril.result.override_library is None
    assert run().changed == ""
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert (rope.hide_viewport, rope.tendril.result) == (False, None)


class Pressed:
    type, value = "ESC", "PRESS"


def test_esc_ends_a_bake_over_its_panel_alone(rod, monkeypatch):
    run().running = True
    for over, went_on in ((False, "PASS_THROUGH"), (True, "RUNNING_MODAL")):
        monkeypatch.setattr(bake_operators, "is_over_panel", lambda *_where, over=over: over)
        assert bake_operators._Bake.modal(None, bpy.context, Pressed) == {went_on}
        assert run().cancelling == over


def test_compiling_and_settling_say_how_long_they_take(rod):
    baking = Baking(bpy.context)
    for text in ("Compiling, only once, 1 of 2: explicit steps (about 20 s)", "the same, 61 s so far"):
        baking.hear(bpy.context, {"kind": "compiling", "text": text})
        baking.tell_what_lasts(run())
        assert run().message == text  # the worker counts
    baking.hear(bpy.context, {"kind": "settling", "text": "Settling before the first frame."})
    assert run().message == "Settling before the first frame."
    baking.since -= 3.0
    baking.tell_what_lasts(run())
    assert run().message == "Settling: 3 s"
    baking.hear(bpy.context, {"kind": "progress", "frame": 1, "of": 2, "seconds_left": 4.0})
    baking.tell_what_lasts(run())
    assert run().message == "50 % (1 of 2), 4 s left"
    run().cancelling = True
    baking.tell_what_lasts(run())
    assert run().message == "Cancelling, after this frame"
    baking.hear(bpy.context, {"kind": "cancelled", "frames": 0})
    assert run().message == "Cancelled before the first frame"
    baking.tell_what_lasts(run())  # its process is there yet
    assert run().message == "Cancelled before the first frame"


class Region:
    def __init__(self, kind):
        self.type, self.drawn = kind, 0

    def tag_redraw(self):
        self.drawn += 1


class Area(Region):
    def __init__(self, kind):
        super().__init__(kind)
        self.regions = [Region("WINDOW"), Region("UI")]


def test_only_panels_are_drawn_again():
    from types import SimpleNamespace

    from bl_ext.user_default.tendril.operators import redraw

    view, properties, text = (Area(kind) for kind in ("VIEW_3D", "PROPERTIES", "TEXT_EDITOR"))
    screen = SimpleNamespace(areas=[view, properties, text])
    redraw.panels(SimpleNamespace(windows=[SimpleNamespace(screen=screen)]))
    assert (view.drawn, properties.drawn, text.drawn) == (0, 1, 0)
    assert [region.drawn for region in view.regions] == [0, 1]


def test_a_bake_that_is_told_to_end_before_it_starts_ends(rod):
    bpy.context.scene.frame_end = 500
    baking = Baking(bpy.context)
    baking.cancel()
    baking.run(bpy.context)
    assert baking.ending == "cancelled"
    assert len(Cache(cache_folder(bpy.context.scene)).frames) < 500
