"""The same scene for either solver: what a law of rods says holds whichever takes the steps."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.implicit import rod_equations, straight_rod
from tendril.physics.implicit.chain import bind_given
from tendril.physics.implicit.frames import carry, take_frames
from tendril.physics.implicit.scratch import BLOCK
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.run.driver import Driver
from tendril.physics.run.steps import RodSteps
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE
from tendril.physics.time_integration.workspace import workspace

BALANCED = 1e-9  # of the stiffness of the stiffest hinge: what may be left that would turn a frame


def solved_by(solver, scene, **options):
    """The scene for a solver, with other options of a Scene."""
    return replace(scene, solver=solver, **options)


def go_on(scene, model, state, work, duration):
    """Take the steps of the scene's solver and quality for `duration` [s]."""
    steps = RodSteps(scene)
    steps.begin((model,), (state,))
    steps.at_work = lambda: nullcontext(work)
    status, *_ = steps.attempt(duration, 1.0)
    assert status == DONE


def persist(scene, model, state, work, end, led=None):
    """(State, Workspace, what failed for good, or None) at the time `end` [s], whatever has to be tried; led: see
    Driver, by default no pins.
    """
    none = np.zeros(len(model.pins), bool)
    driver = Driver(scene, RodSteps(scene), (model,), (state,), none if led is None else led)
    failed = driver.go_to(end)
    return driver.states[0], workspace(model, driver.states[0]), failed


def exact_steps(scene, model, state, work, h, count):
    """So many steps of exactly h [s], whatever limits say."""
    if scene.solver == "IMPLICIT":
        status, *_ = implicit_steps(model, state, work, h * count, h)
    else:
        status, _ = take_steps(model, state, work, h, count)
    assert status == DONE


def relaxed(scene, rate, duration):
    """(model, state) after `duration` [s] while all velocities fade at `rate` [1/s], which no equilibrium notices."""
    model, state, work = assemble(scene)
    state.fields["brake"][:, 0] = rate
    go_on(scene, model, state, work, duration)
    assert elastic_forces(model, state, work.elastic) < 0  # frames at equilibrium too
    return model, state


def forces(scene, model, state, work):
    """Elastic forces (N, 3) [N] as the scene's solver has them, frames at equilibrium."""
    assert elastic_forces(model, state, work.elastic) < 0
    return implicit_forces(model, state, work.implicit) if scene.solver == "IMPLICIT" else work.elastic.f.copy()


def implicit_forces(model, state, own):
    """Those (N, 3) [N] on the vertices of a single undamped rod, from the equations of the implicit step without all
    else: they have to find its frames at equilibrium where the State has them.
    """
    n, chain = len(model.nodes), model.chain_system.chains[0]
    framed = chain["size"] == BLOCK
    own.force[:], own.drag[:], own.pull[:], own.frames["inertia"][:] = 0.0, 0.0, 0.0, 0.0
    own.inertia[:], own.drift[:] = 1.0, state.x
    if framed:
        take_frames(model, state, own, 0, state.x)
        own.unknown[:] = 0.0
        carry(model, state, own, 0, 1.0)
        bind_given(model, state, own, 0)
    (rod_equations if framed else straight_rod).assemble(model, state, own, 0, 1.0, False)
    rows = own.unknown[: chain["size"] * chain["blocks"]].reshape(chain["blocks"], chain["size"])
    node = (chain["vertex"] + np.arange(chain["blocks"])) % n  # where a rod closes, some are met twice
    f, turning = np.zeros((n, 3)), np.zeros(n)
    np.add.at(f, node, rows[:, :3])
    if framed:
        np.add.at(turning, node, rows[:, 4])
        largest = max(abs(rows[0, 3]), np.abs(turning).max())
        assert largest <= BALANCED * max(model.hinges["bend"].max(), model.hinges["twist_rate"].max())
    return f
