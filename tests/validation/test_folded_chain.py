"""A limp chain, folded, held at one end and let go at the other, which falls faster than freely and snaps straight: the
chain cracks like a whip (Calkin & March 1989, *The dynamics of a falling chain*)."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene
from tendril.physics.time_integration.advance import advance
from tendril.physics.time_integration.symplectic_euler import DONE

N, GAP, R, DENSITY, G = 100, 0.04, 1e-3, 1000.0, 9.81
MASS = np.pi * R**2 * DENSITY  # kg: it is a metre long
FALL = np.sqrt(2.0 / G)  # s


def scene(young, **options):
    """Two legs, GAP apart, with half a circle below."""
    half, s = 0.5 * (1.0 - 0.5 * np.pi * GAP), np.linspace(0.0, 1.0, N + 1)
    turn = np.clip((s - half) / (0.5 * GAP), 0.0, np.pi)
    down = np.minimum(s, half) - np.maximum(s - half - 0.5 * np.pi * GAP, 0.0)
    x = np.column_stack([0.5 * GAP * (1.0 - np.cos(turn)), 0.0 * s, -down - 0.5 * GAP * np.sin(turn)])
    chain = Rod.from_material("chain", x, R, Material(young, 0.4, DENSITY), shape_memory=0.0)
    pins = (Pin.fixed(chain, 0, rod=0),)
    return Scene((chain,), FALL / 200.0, 200, pins=pins, contact=False, keep_swing=True, air_density=0.0, **options)


def energy(model, state, young):
    """[J], that of bending included: B |κb|²/2l at each vertex, |κb| = 2 tan(φ/2)."""
    e, mass = np.diff(state.x, axis=0), model.nodes["mass"]
    cosine = np.sum(e[1:] * e[:-1], axis=1) * N**2
    bent = np.sum(2.0 * young * 0.25 * np.pi * R**4 * (1.0 - cosine) / (1.0 + cosine) * N)
    return np.sum(mass * (0.5 * np.sum(state.v**2, axis=1) + G * state.x[:, 2])) + bent


@pytest.mark.parametrize("young", [1e3, 1e4])
def test_snapping_straight_takes_few_steps_and_keeps_the_energy(young):
    """Its end passes where vertices fold, endless energy between one side and the other, a hundred times."""
    model, state, work = assemble(scene(young, solver="EXPLICIT"))
    start, steps, most = energy(model, state, young), 0, 0.0
    for _ in range(200):
        status, _, _, taken, _ = advance(model, state, work, FALL / 200.0, 0.6, np.inf)
        assert status == DONE
        steps, most = steps + taken, max(most, abs(energy(model, state, young) - start))
        assert steps < 10_000
    assert most < 0.05 * 0.5 * MASS * G * 0.5  # of what falling half its length gives half of it


@pytest.mark.parametrize(("solver", "precise"), [("EXPLICIT", 0.005), ("IMPLICIT", 0.02)])
def test_the_end_falls_as_energy_has_it(solver, precise):
    """v² = g y (2 − y)/(1 − y), so .8 of the length takes ∫ dy/v. Implicit steps lose some of what whips."""
    z = np.array([f.x[-1, 2] for f in simulate(scene(1e4, solver=solver))])
    y = z[0] - z
    k = np.flatnonzero(y > 0.8)[0]
    time = (k - 1 + (0.8 - y[k - 1]) / (y[k] - y[k - 1])) * FALL / 200.0
    u = (np.arange(20000) + 0.5) / 20000.0 * np.sqrt(0.8)  # y = u²: no singularity
    exact = np.mean(2.0 * np.sqrt((1.0 - u**2) / (2.0 - u**2)) / np.sqrt(G)) * np.sqrt(0.8)
    assert time == pytest.approx(exact, rel=precise)
