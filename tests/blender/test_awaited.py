"""The first cable of an installation: its physics is compiled while Blender stays alive."""

import bpy
import numpy as np
import pytest
from artist import choose
from bl_ext.user_default.tendril.bake.messages import message
from bl_ext.user_default.tendril.operators import awaited
from bl_ext.user_default.tendril.operators import cable as cable_operators
from cables import LENGTH, cable, places, targets


class Compiler:
    """Stands for a worker that compiles what cables need, and then settles one."""

    def __init__(self):
        self.over, self.said = False, [COMPILING]

    def next_message(self, _timeout=None):
        return self.said.pop(0)

    def poll(self):
        said, self.said = self.said, []
        self.over = any(one["kind"] == "exit" for one in said)
        return said

    def kill(self):
        self.over = True


COMPILING = message("compiling", text="Compiling, only once, 1 of 1: cables (about 15 s)")


@pytest.fixture
def compiler(monkeypatch):
    """One, that is there once; a window, as it were; and the timers that were begun."""
    made, real = [], cable_operators.begin

    def begin(*given):
        if made:
            return real(*given)
        made.append(Compiler())
        return made[0]

    monkeypatch.setattr(cable_operators, "begin", begin)
    monkeypatch.setattr(cable_operators, "has_window", lambda: True)
    yield made
    awaited.forget()
    if bpy.app.timers.is_registered(awaited.look):
        bpy.app.timers.unregister(awaited.look)


def test_a_window_stays_alive_while_the_physics_of_cables_is_compiled(compiler):
    one, other = cable(), cable()
    targets(one)[1].location.x = targets(other)[1].location.x = 0.75 * LENGTH
    before = places(one), places(other)
    choose(one, other)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    assert len(compiler) == 1  # both wait for it
    assert bpy.app.timers.is_registered(awaited.look)
    np.testing.assert_array_equal(before, (places(one), places(other)))
    run, counted = bpy.context.window_manager.tendril, COMPILING | {"text": "the same, 7 s so far"}
    compiler[0].said = [counted]
    assert awaited.look()
    assert run.ahead == counted["text"]
    with pytest.raises(RuntimeError, match="try again then"):
        bpy.ops.tendril.cable_to_mesh()
    bpy.data.objects.remove(other)
    compiler[0].said = [message("done", frames=1), message("exit", code=0, text="", detail="")]
    assert awaited.look() is None
    assert run.ahead == ""
    assert places(one)[:, 2].min() < -0.2 * LENGTH


def test_a_cable_that_waits_for_a_worker_that_ends_is_told_of(compiler):
    item = cable()
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    compiler[0].said = [message("exit", code=-9, text="The bake process ended unexpectedly", detail="")]
    before = places(item)
    assert awaited.look() is None
    np.testing.assert_array_equal(before, places(item))
    run = bpy.context.window_manager.tendril
    assert (run.failed, run.message) == (True, "The bake process ended unexpectedly")
    assert awaited.is_compiled()


def test_nothing_waits_in_another_file(compiler):
    cable()
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    bpy.ops.wm.read_homefile(use_empty=True)
    assert compiler[0].over
    assert awaited.look() is None
