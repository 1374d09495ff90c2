"""What bakes need is compiled while an artist works, in windows only; tests ask for it."""

import bpy
import pytest
from bl_ext.user_default.tendril.bake import process
from bl_ext.user_default.tendril.bake.messages import message
from bl_ext.user_default.tendril.operators import compile_ahead

RUN = "Compiling in the background: explicit steps"


class Compiler:
    """Stands for the process that compiles."""

    def __init__(self, kinds, *_where):
        self.kinds, self.said, self.killed = kinds, [], False

    def poll(self):
        said, self.said = self.said, []
        return said

    def kill(self):
        self.killed = True

    def wait(self):
        assert self.killed


@pytest.fixture
def compilers(monkeypatch):
    """Those that were started, in place of real ones."""
    started = []
    monkeypatch.setattr(
        compile_ahead.Worker, "compile_ahead", lambda *given: started.append(Compiler(*given)) or started[-1]
    )
    monkeypatch.setattr(compile_ahead, "_done", frozenset())
    monkeypatch.setattr(compile_ahead, "_stale", True)
    yield started
    compile_ahead.stop()


@pytest.fixture
def preferences():
    own = bpy.context.preferences.addons[compile_ahead.ADDON].preferences
    assert own.compile_ahead  # unless it is switched off
    yield own
    own.compile_ahead = True


def test_in_background_nothing_is_compiled_ahead(held_rope):
    assert bpy.app.background
    assert not bpy.app.timers.is_registered(compile_ahead.look)
    assert compile_ahead._worker is None


def test_enabled_it_compiles_for_rods_and_for_what_is_there_besides(compilers, held_rope):
    compile_ahead.look()
    assert [one.kinds for one in compilers] == [["rods"]]
    assert bpy.context.window_manager.tendril.ahead == ""
    compilers[0].said = [message("compiling", text=RUN)]
    compile_ahead.look()
    assert bpy.context.window_manager.tendril.ahead == RUN
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_body()
    compile_ahead.look()
    assert len(compilers) == 1  # one at a time
    compilers[0].said = [message("exit", code=0, text="", detail="")]
    compile_ahead.look()
    assert bpy.context.window_manager.tendril.ahead == ""
    compile_ahead.look()
    assert [one.kinds for one in compilers] == [["rods"], ["rigid-bodies", "rods"]]
    compilers[1].said = [message("exit", code=0, text="", detail="")]
    for _ in range(3):
        bpy.context.view_layer.update()
        compile_ahead.changed()
        compile_ahead.look()
    assert len(compilers) == 2  # that is done


def test_all_kinds_of_things_are_seen():
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.tendril.add_soft()
    bpy.ops.mesh.primitive_plane_add()
    bpy.ops.object.modifier_add(type="COLLISION")
    bpy.ops.object.effector_add(type="WIND")
    assert compile_ahead.wanted(bpy.context.scene) == {"rods", "soft-bodies", "colliders", "force-fields"}


def test_a_worker_that_settles_or_previews_compiles_alone(compilers, monkeypatch):
    """It needs the same kernels, and is no bake that the panel tells of."""
    monkeypatch.setattr(process, "busy", lambda: True)
    compile_ahead.look()
    assert not compilers
    monkeypatch.setattr(process, "busy", lambda: False)
    compile_ahead.look()
    assert len(compilers) == 1


def test_what_fails_is_not_tried_again_and_again(compilers):
    compile_ahead.look()
    compilers[0].said = [message("exit", code=1, text="", detail="no space left on device")]
    for _ in range(3):
        compile_ahead.changed()
        compile_ahead.look()
    assert len(compilers) == 1
    assert not bpy.context.window_manager.tendril.failed


def test_it_is_switched_off_in_the_preferences(compilers, preferences):
    compile_ahead.look()
    preferences.compile_ahead = False
    compile_ahead.look()
    assert compilers[0].killed
    compile_ahead.look()
    assert len(compilers) == 1
    preferences.compile_ahead = True
    compile_ahead.look()
    assert len(compilers) == 2


def test_a_bake_takes_its_place_and_it_goes_on_afterwards(compilers, held_rope):
    compile_ahead.look()
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert compilers[0].killed
    compile_ahead.look()
    assert len(compilers) == 2


def test_it_ends_when_the_add_on_is_disabled(compilers, addon):
    compile_ahead.look()
    addon.unregister()
    try:
        assert compilers[0].killed
        assert compile_ahead._worker is None
    finally:
        addon.register()


def test_the_real_one_says_what_it_compiles_or_that_all_is():
    compile_ahead.start({"rods"})
    worker = compile_ahead._worker
    said = worker.next_message(500.0)  # its priority is low
    assert said["kind"] == "compiling" or said["code"] == 0
    compile_ahead.stop()
    assert compile_ahead._worker is None
