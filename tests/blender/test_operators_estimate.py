"""How long the bake will take: foreseen at once, then measured, in a window and without one."""

from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bake import probe as probes
from bl_ext.user_default.tendril.operators import command_line, estimate
from bl_ext.user_default.tendril.operators.estimate import TENDRIL_OT_estimate, forecasts


@pytest.fixture
def probed(monkeypatch):
    """Solvers that were measured; each tells nothing at first, then an hour more than the one before."""
    solvers = []

    def probe(_folder, scene, *_options):
        solvers.append(scene.solver)
        yield None
        yield 3600.0 * len(solvers)

    monkeypatch.setattr(estimate, "probe", probe)
    monkeypatch.setattr(estimate, "INTERVAL", 0.0)
    return solvers


def run():
    return bpy.context.window_manager.tendril


def test_what_is_chosen_is_measured_and_told(held_rope, probed):
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    assert probed == ["AUTOMATIC"]
    solver, _, why = run().estimate.partition(": 1 h 0 min; ")
    assert solver in {"Explicit", "Implicit"}
    assert why.startswith("implicit steps" if solver == "Explicit" else "explicit steps")


def test_the_one_that_is_asked_for_is_measured(held_rope, probed):
    bpy.context.scene.tendril.solver = "IMPLICIT"
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    assert probed == ["IMPLICIT"]
    assert run().estimate == "Takes about 1 h 0 min"


@pytest.mark.parametrize("quality", ["PREVIEW", "GOOD"])
def test_a_doorstop_that_would_be_still_says_what_lets_it_ring(held_rope, quality):
    """A steel rod in a wall, .3 m long: by 24 swings a second, and steps of a 48th or 240th of one."""
    held_rope.scale = (0.3, 0.3, 0.3)
    held_rope.data.bevel_depth = 0.005
    bpy.ops.tendril.apply_preset(preset="spring_steel")
    held_rope.tendril.pins[0].mode = "TWIST"
    bpy.context.scene.tendril.quality = quality
    foreseen = next(iter(forecasts(bpy.context)))
    said = foreseen.text
    assert "'Rope' rings 24 times a second, which implicit steps still within" in said
    assert said.endswith("turn on Keep Swing")
    assert ("choose the quality Good" in said) == (quality == "PREVIEW")
    bpy.context.scene.tendril.quality, bpy.context.scene.tendril.keep_swing = "GOOD", True
    foreseen = next(iter(forecasts(bpy.context)))
    assert "rings" not in foreseen.text


def test_the_command_line_waits_for_what_is_measured(held_rope, probed, tmp_path, capsys):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert command_line.main(["estimate", "--frames", "1..5"]) == 0
    assert "5 frames. " in (said := capsys.readouterr().out)
    assert "1 h 0 min" in said


def test_nothing_is_measured_beside_a_bake(held_rope, probed):
    run().running = True
    (foreseen,) = forecasts(bpy.context)
    assert probed == []
    assert foreseen.seconds < 3600.0


def modal(monkeypatch):
    """The operator as a window runs it, after it said what is foreseen; `ended`: what was given up."""
    self = SimpleNamespace(forecasts=forecasts(bpy.context), told="", ended=[])
    self.go_on = lambda context: TENDRIL_OT_estimate.go_on(self, context)
    self.cancel = lambda _context: self.ended.append(self.forecasts.close())
    assert self.go_on(bpy.context) == {"RUNNING_MODAL"}
    return self


def ticked(self):
    return TENDRIL_OT_estimate.modal(self, bpy.context, SimpleNamespace(type="TIMER"))


def test_a_window_shows_each_as_it_comes(held_rope, probed, monkeypatch):
    self = modal(monkeypatch)
    foreseen = run().estimate
    assert foreseen
    assert TENDRIL_OT_estimate.modal(self, bpy.context, SimpleNamespace(type="ESC")) == {"PASS_THROUGH"}
    assert ticked(self) == {"PASS_THROUGH"}
    assert run().estimate == foreseen
    assert ticked(self) == {"PASS_THROUGH"}
    assert "1 h 0 min" in run().estimate
    ended = [ticked(self) for _ in range(3)][-1]
    assert ended == {"FINISHED"}
    assert self.ended


def test_what_was_changed_meanwhile_stays_unsaid(held_rope, probed, monkeypatch):
    self = modal(monkeypatch)
    ticked(self)
    held_rope.tendril.rod.young *= 4.0
    assert not run().estimate
    assert ticked(self) == {"FINISHED"}
    assert not run().estimate
    assert self.ended


def test_a_bake_of_its_own_tells_and_leaves_nothing(held_rope, monkeypatch):
    """With the worker itself: it has its kernels to compile first, or tells what it measured."""
    bpy.context.scene.tendril.solver = "EXPLICIT"
    before = set(Path(bpy.app.tempdir).iterdir())
    assert bpy.ops.tendril.estimate() == {"FINISHED"}
    assert run().estimate.startswith("Takes ")
    assert set(Path(bpy.app.tempdir).iterdir()) == before
    monkeypatch.setattr(probes, "PATIENCE", 600.0)
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(bpy.app.tempdir, "shot.blend")))
    assert bpy.ops.tendril.bake() == {"FINISHED"}  # compiles
    found = list(estimate.slowly(forecasts(bpy.context)))
    seconds = np.array([one.seconds for one in found])
    assert len(np.unique(seconds)) > 1
