"""Each island has its own solver: what is far away changes nothing, what meets goes on together, and a bake that is
resumed keeps the solvers it began with.
"""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run import simulate as simulation
from tendril.physics.run.parts import parts_of
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene
from tendril.physics.validate import CheckpointError, implicit_rods

POLYESTER = Material(8.8e9, 0.4, 828.0, bend_factor=7.3e-5, internal_damping=0.006, drag_coefficient=1.2)
STEEL = Material(200e9, 0.3, 7850.0)
RUBBER = Material(2e6, 0.45, 1100.0, internal_damping=0.002, friction=0.3)
R = 0.01  # m


def frames(scene, state=None):
    return list(simulate(scene, state))


def swinging(solver):
    """(a limp rope that swings from a nail, the same with a stiff wire in a vice 30 m away)."""
    rope = Rod.from_material("rope", np.linspace([0, 0, 0], [1.0, 0, 0], 41), 0.005, POLYESTER)
    wire = Rod.from_material("wire", np.linspace([30, 0, 0], [31.0, 0, 0], 101), 0.001, STEEL)
    hook, vice = Pin.fixed(rope, 0, rod=0), Pin.fixed(wire, 0, "TWIST", rod=1)
    alone = Scene((rope,), 1 / 24, 13, pins=(hook,), solver=solver)
    return alone, replace(alone, rods=(rope, wire), pins=(hook, vice))


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT", "AUTOMATIC"])
def test_what_is_far_away_changes_nothing(solver):
    alone, both = swinging(solver)
    if solver == "EXPLICIT":
        both = replace(both, rods=(both.rods[0], replace(both.rods[1], x=both.rods[1].x[::10], **coarse(both.rods[1]))))
    n = len(alone.rods[0].x)
    for one, other in zip(frames(alone), frames(both), strict=True):
        assert one.x.tobytes() == other.x[:n].tobytes()
        assert one.m1.tobytes() == other.m1[: n - 1].tobytes()


def coarse(wire):
    """What else a wire of every tenth point has."""
    fewer = Rod.from_material("wire", wire.x[::10], 0.001, STEEL)
    return {
        "mass": fewer.mass, "radius": fewer.radius, "bend_stiffness": fewer.bend_stiffness,
        "twist_stiffness": fewer.twist_stiffness, "stretch_stiffness": fewer.stretch_stiffness,
    }  # fmt: skip


def thrown():
    """A stiff bar hits a limp rope near its end, in empty space; each takes steps of its own before and after."""
    s = np.linspace(-0.3, 0.3, 13)[:, None]
    rope = Rod.from_material("rope", s * [1.0, 0.0, 0.0], R, RUBBER)
    fine = np.linspace(-0.2, 0.2, 41)[:, None]
    stiff = replace(STEEL, internal_damping=0.01)  # so that implicit steps calm nothing that stays
    bar = Rod.from_material(
        "bar", fine * [0.0, 1.0, 0.0] + [0.28, 0.02, 0.12], R, stiff, v=np.tile([0.0, 0.0, -2.0], (41, 1))
    )
    return Scene((rope, bar), 1 / 96, 33, gravity=np.zeros(3), air_density=0.0, solver="AUTOMATIC")


def test_what_meets_goes_on_by_implicit_steps_and_keeps_momentum_and_lengths():
    scene = thrown()
    assert [part.scene.solver for part in parts_of(scene)] == ["EXPLICIT", "IMPLICIT"]
    mass = np.concatenate([rod.mass for rod in scene.rods])[:, None]
    found = frames(scene)
    islands = [frame.state["islands"].tolist() for frame in found]
    assert [0, 1] in islands[1:]
    assert [0, 0] in islands[1:]
    begins = (mass * found[0].state["v"]).sum(axis=0)
    spins = np.cross(found[0].x, mass * found[0].state["v"]).sum(axis=0)
    for frame in found:
        momenta = mass * frame.state["v"]
        assert np.abs(momenta.sum(axis=0) - begins).max() < 1e-9 * np.abs(begins).max()
        assert np.abs(np.cross(frame.x, momenta).sum(axis=0) - spins).max() < 2e-3 * np.abs(spins).max()
        for rod, x in zip(scene.rods, np.split(frame.x, [13]), strict=True):
            drawn, now = (np.linalg.norm(np.diff(of, axis=0), axis=1) for of in (rod.x, x))
            np.testing.assert_allclose(now, drawn, rtol=2e-6)
        assert deepest_overlap(scene.rods, frame.x, relative=True) < 0.05
    still = found[0].state["v"][:13]
    assert np.abs(found[-1].state["v"][:13] - still).max() > 0.1  # it was hit
    assert islands[-1] == [0, 1]


def test_a_bake_is_resumed_by_the_solvers_that_began_it(monkeypatch):
    """Whatever would be chosen now; at every stage, while both are together too."""
    scene = thrown()
    whole = frames(scene)
    monkeypatch.setattr(simulation, "implicit_rods", lambda _scene: ~implicit_rods(scene))
    for k in (1, 8, 30):
        for one, other in zip(frames(scene, dict(whole[k].state)), whole[k + 1 :], strict=True):
            assert one.x.tobytes() == other.x.tobytes()


def test_a_checkpoint_of_other_solvers_is_refused():
    scene = thrown()
    first = frames(replace(scene, frame_count=2))[0].state
    assert first["implicit"].tolist() == [False, True]
    for given, implicit in (
        (replace(scene, solver="EXPLICIT"), first["implicit"]), (scene, first["implicit"][:1]),
        (scene, first["implicit"].astype(int)),
    ):  # fmt: skip
        with pytest.raises(CheckpointError):
            next(iter(simulate(given, {**first, "implicit": implicit})))


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT", "AUTOMATIC"])
def test_what_settles_far_away_changes_nothing(solver):
    """Nor does what cannot come to rest there: a rod that falls."""
    alone, both = swinging(solver)
    wire = replace(both.rods[1], x=both.rods[1].x[::10], **coarse(both.rods[1]))
    falling = replace(wire, x=wire.x + [0.0, 5.0, 0.0])
    both = replace(both, rods=(both.rods[0], wire, falling))
    n = len(alone.rods[0].x)
    (one,), (other,) = (frames(replace(scene, settle=True, frame_count=1)) for scene in (alone, both))
    assert one.x[-1, 2] < -0.9  # it hangs
    assert one.x.tobytes() == other.x[:n].tobytes()
    assert other.x[-len(falling.x) :].tobytes() == falling.x.tobytes()


def test_what_settles_onto_a_rod_is_held_by_it():
    """Apart as drawn, they are done again together."""
    s = np.linspace(-0.3, 0.3, 13)[:, None]
    beam = Rod.from_material("beam", s * [1.0, 0.0, 0.0], R, STEEL)
    cord = Rod.from_material("cord", s * [0.0, 1.0, 0.0] + [0.0, 0.0, 0.2], R, RUBBER, shape_memory=0.0)
    pins = (Pin.fixed(beam, 0, "TWIST", rod=0), Pin.fixed(beam, -1, "TWIST", rod=0))
    scene = Scene((beam, cord), 1 / 24, 1, pins=pins, solver="AUTOMATIC", settle=True)
    (start,) = frames(scene)
    assert start.state["islands"].tolist() == [0, 0]
    assert deepest_overlap(scene.rods, start.x, relative=True) < 0.05
    assert np.abs(start.x[13 + 6] - [0.0, 0.0, 2.0 * R]).max() < 0.5 * R
