"""Force, general force with its frames, and one solve of the projection: ns per vertex, in a compiled loop."""

import numpy as np
from tendril.physics._jit import njit
from tendril.physics.assemble import workspace
from tendril.physics.constraints.fast_projection import edge_vectors, newton_open
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.rods.isotropic_force import isotropic_force
from tendril.physics.time_integration.advance import take_steps

from . import paper_figures
from .measure import medians, row
from .states import copy, fresh, in_motion

LOOPS = 5000


@njit
def put(x, y):
    for i in range(len(x)):
        y[i, 0], y[i, 1], y[i, 2] = x[i, 0], x[i, 1], x[i, 2]


@njit
def isotropic_loop(positions, bend, torque, f, loops):
    """The force at two states in turn, so that nothing can be kept from one to the next."""
    for k in range(loops):
        isotropic_force(positions[k % 2], bend, torque, f)


@njit
def general_loop(model, state, work, positions, loops):
    for k in range(loops):
        put(positions[k % 2], state.x)
        elastic_forces(model.rods, state, work)


@njit
def projection_loop(x, predicted, o, w, length, multiplier, ratio, step, loops):
    """One Newton step on the whole chain each time, from the same prediction, and the check of its error."""
    for _ in range(loops):
        put(predicted, x)
        newton_open(x, o, w, length, multiplier, ratio, step)


def rows():
    tasks = {"isotropic": _isotropic(), "general": _general(), "projection": _projection()}
    seconds = medians({name: task for name, (task, _) in tasks.items()})
    cost = {name: seconds[name] / LOOPS / count * 1e9 for name, (_, count) in tasks.items()}
    metric, goal = "ns per vertex", "this project's goal"
    return [
        row("force, isotropic and straight at rest, 75 vertices", metric, cost["isotropic"], 12.0, goal),
        row("force, anisotropic and curved, with frames by Newton, 49 vertices", metric, cost["general"], 130.0, goal),
        row("projection, one solve, 75 vertices", metric, cost["projection"], 18.0, goal),
    ]


def _two_states(figure):
    """Model, State and the positions of two successive steps (2, N, 3)."""
    model, state = in_motion(figure)
    model, after, work = fresh(model, state)
    take_steps(model, after, work, figure.step, 1)
    return model, state, np.stack([state.x, after.x])


def _isotropic():
    model, _, positions = _two_states(paper_figures.localised_buckling())
    f = np.zeros_like(positions[0])
    return (lambda: (positions, model.rods.bend, 1.0, f, LOOPS), isotropic_loop), 75


def _general():
    model, state, positions = _two_states(paper_figures.half_circle())
    return (lambda: (model, copy(state), workspace(model, state), positions, LOOPS), general_loop), 49


def _projection():
    model, state, positions = _two_states(paper_figures.localised_buckling())
    own = slice(model.rods.first[0], model.rods.last[0] + 1)
    o = np.zeros((75, 3))
    edge_vectors(positions[0, own], False, o)
    predicted = positions[1, own] + 1e-4 * np.random.default_rng(1).normal(size=(75, 3))
    arrays = (predicted.copy(), predicted, o[:-1], state.w[own], model.rods.length[own][:-1], *np.zeros((3, 74)))
    return (lambda: (*arrays, LOOPS), projection_loop), 75
