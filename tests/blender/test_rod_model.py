"""Model of a rod as an artist chooses it: read, baked, switched; its settings of its own; what paper presets bring."""

import sys
from pathlib import Path

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
import measure
import studio

RADIUS, LENGTH, PIECES, FRAMES = 0.02, 1.0, 40, 30
TURNS = 0.5
ROUNDED = 0.04  # of the turns: 40 pieces round off the corners of the wave, by about half of (l/L)^⅔
PERIOD = 24  # frames, in which twist runs along the rod four times


@pytest.fixture
def scene():
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.air_density, scene.tendril.solver = False, 0.0, "EXPLICIT"
    return scene


def rod(model):
    """A straight rod along x that was wound up evenly, by its tilt, and is held at its start."""
    share = np.linspace(0.0, 1.0, PIECES + 1)
    line, tilt = share[:, None] * [LENGTH, 0.0, 0.0], 2.0 * np.pi * TURNS * share
    item = studio.polylines("Rope", [line], RADIUS, [tilt])
    bpy.ops.tendril.add_rod()
    own = item.tendril.rod
    own.young, own.poisson, own.density, own.bend_factor = 1e-3, 0.0, 1000.0, 1.0
    own.shape_memory, own.internal_damping, own.drag_coefficient, own.points = 0.0, 0.0, 0.0, 0
    own.model, own.touches = model, False
    fps = bpy.context.scene.render.fps
    speed = 4.0 * LENGTH / (PERIOD / fps)
    own.spin_factor = own.young * 1e9 / 2.0 / own.density / speed**2
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="TWIST")
    return item


def wave(s, t):
    """Turns at s [L] and t [periods] by d'Alembert: ½ (f(s − 4t) + f(s + 4t)), f odd about the clamp and even about the
    free end.
    """
    return TURNS * sum(0.5 * (1.0 - np.abs((s + way * 4.0 * t + 1.0) % 4.0 - 2.0)) for way in (-1.0, 1.0))


def test_a_rope_that_was_wound_up_untwists_as_the_wave_equation_says(scene):
    """ρI θ̈ = C θ'' from an even twist, between the middles of the first and the last edge."""
    rod("COSSERAT")
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    x, m1, _ = measure.baked()
    turns = measure.twist(x, m1).sum(axis=1) / (2.0 * np.pi)
    t, half = np.arange(len(turns)) / PERIOD, 0.5 / PIECES
    np.testing.assert_allclose(turns, wave(1.0 - half, t) - wave(half, t), atol=ROUNDED * TURNS)


def test_the_model_and_what_is_of_it_arrive(scene):
    item = rod("COSSERAT")
    own = item.tendril.rod
    (spinning,) = read_scene(bpy.context)[0].rods
    assert (spinning.model, spinning.stretchable, spinning.rolls) == ("cosserat", True, True)
    assert spinning.parallel_stiffness is None
    assert spinning.spin_factor == pytest.approx(own.spin_factor)
    own.parallel_stiffness = 50.0
    assert read_scene(bpy.context)[0].rods[0].parallel_stiffness == 50.0
    own.model = "KIRCHHOFF"
    (plain,) = read_scene(bpy.context)[0].rods
    assert (plain.model, plain.stretchable, plain.rolls) == ("kirchhoff", False, False)


@pytest.mark.parametrize("name", ["parallel_stiffness", "spin_factor"])
def test_what_is_no_number_is_refused_and_nothing_else_can_be_set(scene, name):
    own = rod("COSSERAT").tendril.rod
    setattr(own, name, -1.0)
    assert getattr(own, name) >= 0.0
    setattr(own, name, float("nan"))
    with pytest.raises(SceneError, match="'Rope': its .* is not a number: set it to"):
        read_scene(bpy.context)


def test_a_parallel_stiffness_out_of_all_proportion_is_refused(scene):
    rod("COSSERAT").tendril.rod.parallel_stiffness = 1e9
    with pytest.raises(SceneError, match="'Rope': Shear, its parallel stiffness, is 1e\\+09 N: give more than 0"):
        read_scene(bpy.context)


def test_branches_of_a_tree_are_kirchhoff_rods(scene):
    """Whatever model the curve had as a rod, which is grey then."""
    lines = [np.linspace(start, end, 9) for start, end in (((0, 0, 0), (0, 0, 2)), ((0, 0, 1), (0.8, 0, 1.5)))]
    item = studio.polylines("Tree", lines, RADIUS)
    bpy.ops.tendril.add_tree()
    item.tendril.rod.model = "COSSERAT"
    given, _ = read_scene(bpy.context)
    assert [own.model for own in given.rods] == ["kirchhoff"] * 2


@pytest.mark.parametrize("name", ["rope", "wire", "thread"])
def test_a_paper_preset_is_given_and_the_next_one_takes_it_back(scene, name):
    own = rod("COSSERAT").tendril.rod
    bpy.ops.tendril.apply_preset(preset=f"paper_{name}", with_radius=True)
    assert own.spin_factor > 1.0
    (spinning,) = read_scene(bpy.context)[0].rods
    assert spinning.parallel_stiffness == pytest.approx(own.parallel_stiffness)
    of_both = spinning.stretch_damping_factor, spinning.twist_damping_factor
    assert of_both == pytest.approx((own.stretch_damping_factor, own.twist_damping_factor))
    assert of_both != (1.0, 1.0)
    bpy.ops.tendril.apply_preset(preset="copper_wire")
    assert (own.spin_factor, own.parallel_stiffness, own.model) == (1.0, 0.0, "COSSERAT")
    assert (own.stretch_damping_factor, own.twist_damping_factor) == (1.0, 1.0)
