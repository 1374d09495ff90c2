"""The same scene for either solver: what a law of rods says holds whichever takes the steps."""

from dataclasses import replace

import numpy as np
from tendril.physics.assemble import assemble
from tendril.physics.implicit import rod_equations, straight_rod
from tendril.physics.implicit.frames import angle_row, bind_held, take_frames
from tendril.physics.implicit.newton import is_straight
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.run import retries
from tendril.physics.time_integration.symplectic_euler import DONE

BALANCED = 1e-9  # of the stiffness of the stiffest hinge: what may be left that would turn a frame


def solved_by(solver, scene, **options):
    """The scene for a solver, with other options of a Scene."""
    return replace(scene, solver=solver, **options)


def go_on(scene, model, state, work, duration):
    """Take the steps of the scene's solver and quality for `duration` [s]."""
    status, *_ = retries.go_on(scene, model, state, work, duration, 1.0)
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
    n = len(model.nodes)
    equations = straight_rod if is_straight(model.rods, 0) else rod_equations
    own.force[:], own.drag[:], own.pull[:], own.spin[:] = 0.0, 0.0, 0.0, 0.0
    own.inertia[:], own.drift[:] = 1.0, state.x
    if equations is rod_equations:
        take_frames(model, state, own, 0, state.x)
        bind_held(model, state, own, 0)
    equations.assemble(model, state, own, 0, 1.0, False)
    if equations is rod_equations:
        left = own.unknown[[angle_row(f) for f in range(n + 1)]]
        assert np.abs(left).max() <= BALANCED * max(model.hinges["bend"].max(), model.hinges["twist_rate"].max())
    return own.unknown[: equations.BLOCK * n].reshape(n, equations.BLOCK)[:, :3].copy()
