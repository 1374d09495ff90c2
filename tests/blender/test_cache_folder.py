"""Where caches are: never shared by two files or scenes, found again after Save As and renaming, named when useless."""

from pathlib import Path

import bpy
import pytest
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bake.errors import BakeError
from bl_ext.user_default.tendril.bake.index import NAME as INDEX
from bl_ext.user_default.tendril.operators import run_state
from bl_ext.user_default.tendril.operators.cache_folder import bake_folder, cache_folder, on_other_machine
from bl_ext.user_default.tendril.ui.bake import said
from panels import draw_all, window


@pytest.fixture
def rod(tmp_path):
    return shot(tmp_path / "shot_v001.blend")


def shot(file=None, scene="Scene", frames=3):
    """A rope that falls, in a file."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.ops.tendril.add_rod()
    bpy.context.object.tendril.rod.points = 8
    bpy.context.scene.name, bpy.context.scene.frame_end = scene, frames
    if file:
        save(file)
    return bpy.context.object


def save(file):
    file.parent.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(file))


def scene():
    return bpy.context.scene


def frames(folder):
    return len(Cache(folder).frames)


def hash_of(folder):
    return Cache(folder).input_hash


def bake():
    bpy.ops.tendril.bake()
    return cache_folder(scene())


def test_names_that_only_differ_in_where_they_part_do_not_share(tmp_path):
    shot(tmp_path / "shot 01.blend", "Scene")
    one = bake_folder(scene())
    shot(tmp_path / "shot.blend", "01 Scene")
    assert bake_folder(scene()) != one


def test_files_of_one_name_do_not_share_a_chosen_folder(tmp_path):
    found = set()
    for place in ("a", "b"):
        shot(tmp_path / place / "shot.blend")
        scene().tendril.cache_folder = str(tmp_path / "frames")
        found.add(bake())
    assert len(found) == 2
    assert [frames(folder) for folder in found] == [3, 3]


def test_files_that_were_never_saved_do_not_share_a_chosen_folder(tmp_path):
    found = set()
    for _ in range(2):
        shot()
        scene().tendril.cache_folder = str(tmp_path)
        found.add(bake_folder(scene()))
    assert len(found) == 2


def test_a_backup_does_not_share_with_its_file(rod, tmp_path):
    own = bake_folder(scene())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot_v001.blend1"))
    assert bake_folder(scene()) != own


def test_a_bake_is_found_after_save_as_and_neither_file_harms_the_other(rod, tmp_path):
    v001 = bake()
    before = hash_of(v001)
    save(tmp_path / "shot_v002.blend")
    assert cache_folder(scene()) == v001
    assert bpy.ops.tendril.resume.poll()
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    bpy.context.view_layer.objects.active = rod
    rod.tendril.rod.density = 500.0
    v002 = bake()
    assert v002 != v001
    assert frames(v001) == 3
    assert hash_of(v001) == before
    bpy.ops.tendril.free()
    assert not v002.exists()
    assert frames(v001) == 3


def test_another_bake_in_the_old_file_is_not_the_one_that_the_new_file_has(rod, tmp_path):
    v001 = bake()
    save(tmp_path / "shot_v002.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot_v001.blend"))
    bpy.data.objects["NurbsPath"].tendril.rod.density = 500.0
    assert bake() == v001
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot_v002.blend"))
    assert cache_folder(scene()) == bake_folder(scene()) != v001
    bpy.ops.tendril.free()
    assert frames(v001) == 3


def test_a_renamed_scene_keeps_its_folder_and_a_new_one_of_its_name_gets_another(rod):
    own = bake()
    scene().name = "Finale"
    assert cache_folder(scene()) == own
    assert bake() == own
    other = bpy.data.scenes.new("Scene")
    assert bake_folder(other) != own
    assert cache_folder(other) != own


def test_a_copied_scene_has_a_cache_of_its_own(rod):
    own, first = bake(), scene()
    copy = first.copy()
    assert copy.tendril.baked_in == str(own)
    assert cache_folder(first) == own
    assert cache_folder(copy) != own
    assert bake_folder(copy) != own


def test_a_bake_from_before_the_first_save_is_found_after_it(tmp_path):
    shot()
    early = bake()
    save(tmp_path / "shot.blend")
    assert cache_folder(scene()) == early
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    assert tmp_path in bake_folder(scene()).parents


def test_free_leaves_no_empty_folder_of_ours(rod, tmp_path):
    bake()
    bpy.ops.tendril.free()
    assert [path.name for path in tmp_path.iterdir()] == ["shot_v001.blend"]


@pytest.mark.parametrize("chosen", ["x", "x/y", r"C:\frames", r"\\server\share"])
def test_a_folder_that_begins_nowhere_is_refused(rod, chosen):
    scene().tendril.cache_folder = chosen
    with pytest.raises(BakeError, match="does not say where it begins: write //"):
        bake_folder(scene())
    with pytest.raises(RuntimeError, match="does not say where it begins"):
        bpy.ops.tendril.bake()


def test_spaces_are_no_folder_and_a_tilde_is_home(rod, tmp_path, monkeypatch):
    default = bake_folder(scene())
    scene().tendril.cache_folder = "  "
    assert bake_folder(scene()) == default
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    scene().tendril.cache_folder = "~/x"
    assert tmp_path / "home" / "x" in bake_folder(scene()).parents


@pytest.mark.parametrize(
    ("path", "file", "other"),
    [
        (r"\\server\share\x", r"C:\shot.blend", True),
        (r"\\server\share\x", r"\\server\share\shots\shot.blend", False),
        (r"\\server\share\x", r"\\other\share\shot.blend", True),
        (r"D:\x", r"C:\shot.blend", False),
        ("/home/x", "/home/shot.blend", False),
    ],
)
def test_which_paths_lie_on_another_machine(path, file, other):
    assert on_other_machine(path, file) == other


def test_opening_a_file_looks_at_no_other_machine(rod, tmp_path, monkeypatch):
    bake()
    save(tmp_path / "shot_v001.blend")
    looked = []
    monkeypatch.setattr(Cache, "size", lambda cache: looked.append(cache.folder) or 1)
    for names_other_machine in (False, True):
        looked.clear()
        for module in (run_state, __import__(bake_folder.__module__, fromlist=["x"])):
            monkeypatch.setattr(module, "on_other_machine", lambda *_, there=names_other_machine: there)
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot_v001.blend"))
        assert bool(looked) != names_other_machine


def test_opening_a_file_measures_its_cache(rod, tmp_path):
    bake()
    save(tmp_path / "shot_v001.blend")
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not bpy.context.window_manager.tendril.cache_place
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot_v001.blend"))
    run = bpy.context.window_manager.tendril
    assert run.cache_size > 0.0
    assert Path(run.cache_place) == cache_folder(scene())


def test_after_a_crash_what_is_left_is_offered_though_it_cannot_be_looked_at(rod, tmp_path, monkeypatch):
    """A bake that ended with Blender is in no file: only the cache has it, on a disk that says nothing now."""
    save(tmp_path / "shot_v001.blend")
    bake()
    file = str(tmp_path / "shot_v001.blend")
    index = cache_folder(scene()) / INDEX
    for name in ("lock", "machine"):
        with monkeypatch.context() as patch:
            if name == "machine":
                for module in (run_state, __import__(bake_folder.__module__, fromlist=["x"])):
                    patch.setattr(module, "on_other_machine", lambda *_: True)
            else:
                patch.setattr(Cache, "size", lambda _cache: 0)  # as where no file can be looked at
                kept = index.rename(index.with_suffix(".kept"))
                index.mkdir()
            bpy.ops.wm.open_mainfile(filepath=file)
            bpy.context.view_layer.objects.active = bpy.data.objects["NurbsPath"]
            assert "tendril.resume" in draw_all()
            assert bpy.ops.tendril.resume.poll()
            told = bpy.context.window_manager.tendril.cache_unread
            assert told in {text for text, _icon in said(window())}
            assert ("another machine" if name == "machine" else "not what Tendril keeps there") in told
            if name == "lock":
                index.rmdir()
                kept.rename(index)
    bpy.ops.wm.open_mainfile(filepath=file)
    assert not bpy.context.window_manager.tendril.cache_unread
    bpy.ops.tendril.resume()
    assert bpy.context.window_manager.tendril.message == "Baked 3 frames"


def test_what_is_said_of_a_cache_goes_when_another_is_chosen(rod, tmp_path):
    run = bpy.context.window_manager.tendril
    bake()
    scene().tendril.cache_folder = str(tmp_path / "far")
    run_state.measure_cache(bpy.context, asked=False)
    run.cache_unread = "The cache is far away."
    run_state.refresh(bpy.context)
    assert run.cache_unread
    scene().tendril.cache_folder = str(tmp_path / "near")
    run_state.refresh(bpy.context)
    assert not run.cache_unread
