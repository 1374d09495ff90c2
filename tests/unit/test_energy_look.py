"""What is looked at at the end of a step: energies as the formulas are written, and none where nothing is won."""

from dataclasses import replace

import numpy as np
import pytest
from solids import brick
from solvers import exact_steps
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.materials import Material
from tendril.physics.model import changed
from tendril.physics.run.winning import winning
from tendril.physics.scene import Pin, Rod, Scene, Weld

LINE = np.linspace(0.0, 1.0, 13)[:, None]
CURL = np.hstack([LINE, 0.1 * np.sin(4.0 * LINE), 0.1 * np.cos(4.0 * LINE)])
RUBBER = Material(5e6, 0.4, 1000.0, internal_damping=0.0)
KINDS = {
    "round": {"shape_memory": 0.0},
    "flat and curved": {"aspect": 0.5, "shape_memory": 0.5},
    "stretchable": {"stretchable": True, "shape_memory": 0.0},
    "cosserat": {"model": "cosserat", "shape_memory": 0.0},
}


def thrown(kind, solver, **options):
    rod = Rod.from_material("rod", CURL, 0.01, RUBBER, v=np.hstack([0.0 * LINE, 3.0 * LINE, LINE]), **KINDS[kind])
    return Scene((rod,), 0.02, 2, air_density=0.0, solver=solver, contact=False, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_an_implicit_step_wins_what_its_total_energy_rises_by(kind):
    """Without pins, contact or air: no more and no less, of all kinds, with a body too."""
    scene = thrown(kind, "IMPLICIT")
    if kind != "cosserat":
        body = brick(CURL[-1] + [0.06, 0.0, 0.0], (0.1, 0.05, 0.03), omega=np.array([1.0, 2.0, 3.0]))
        scene = replace(scene, bodies=(body,), welds=(Weld("weld", 0, 0, 12, "TWIST"),))
    model, state, work = assemble(scene)
    before = energies(model, state)
    for _ in range(6):
        exact_steps(scene, model, state, work, 1e-3, 1)
        after = energies(model, state)
        look = work.look[0]
        assert look["elastic"] + look["twist"] == pytest.approx(after.elastic.sum(), rel=1e-6)
        most = after.elastic.sum() + after.kinetic.sum() + after.body_kinetic.sum()
        assert look["won"] == pytest.approx(after.total - before.total, abs=1e-7 * most)
        assert state.clock["most"][0] <= most * 1.1
        before = after


@pytest.mark.parametrize("kind", KINDS)
def test_constraints_of_an_explicit_step_do_no_work(kind):
    """But for what the projection leaves: lengths are kept to 1e-9, and directions are those before the step."""
    held = Pin.fixed(Rod.from_material("rod", CURL, 0.01, RUBBER), 0, rod=0)
    scene = thrown(kind, "EXPLICIT", pins=(held,))
    model, state, work = assemble(scene)
    exact_steps(scene, model, state, work, 2e-6, 1)
    for _ in range(20):
        exact_steps(scene, model, state, work, 2e-5, 1)
    now = energies(model, state)
    assert abs(work.look[0]["won"]) < 1e-5 * now.kinetic.sum()


def test_what_has_won_is_told_once_and_again_when_it_is_twice_as_much():
    scene = thrown("round", "IMPLICIT")
    _, state, _ = assemble(scene)
    said = []
    for won in (0.0, 0.5, 0.9, 1.1):
        state = state._replace(clock=changed(state.clock, won=won))
        said.append(len(winning(scene, state, 3)))
        assert state.clock["won"][0] == 0.0
    assert said == [0, 1, 0, 1]
