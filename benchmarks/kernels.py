"""Force, general force with its frames, and one solve of the projection: ns per vertex, in a compiled loop."""

import numpy as np
from tendril.physics._jit import entry, kernel
from tendril.physics.constraints.fast_projection import edge_vectors, newton_open
from tendril.physics.constraints.scratch import ELIMINATION
from tendril.physics.rods.chain import chain_edges, hinges_of
from tendril.physics.rods.curvature import directions
from tendril.physics.rods.elastic_forces import elastic_forces, pull_vertices
from tendril.physics.rods.isotropic_force import isotropic_force
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.workspace import workspace

from . import paper_figures
from .measure import medians, row
from .states import copy, fresh, in_motion

LOOPS = 5000


@kernel
def put(x, y):
    for i in range(len(x)):
        y[i, 0], y[i, 1], y[i, 2] = x[i, 0], x[i, 1], x[i, 2]


@entry
def isotropic_loop(model, state, work, positions, torque, loops):
    """The force at two states in turn, so that nothing can be kept from one to the next."""
    rods, ghosts = model.rods, state.ghosts
    i, j = hinges_of(rods, 0, ghosts)
    bend, load, g = model.hinges["bend"][i:j], state.torque[i : j + 1], work.elastic.g[i : j + 1]
    t, inverse_length, chi = state.t[i : j + 1], work.elastic.inverse_length[i : j + 1], work.elastic.chi[i:j]
    for k in range(loops):
        chain_edges(rods, 0, ghosts, positions[k % 2], work.elastic.e)
        directions(work.elastic.e[i : j + 1], t, inverse_length, chi)
        isotropic_force(t, inverse_length, chi, bend, torque, load, g)
        pull_vertices(work.elastic.g, rods[0].closed, work.elastic.f)


@entry
def general_loop(model, state, work, positions, loops):
    for k in range(loops):
        put(positions[k % 2], state.x)
        elastic_forces(model, state, work.elastic)


@entry
def projection_loop(x, predicted, o, w, length, multiplier, scratch, loops):
    """One Newton step on the whole chain each time, from the same prediction, and the check of its error."""
    for _ in range(loops):
        put(predicted, x)
        newton_open(x, o, w, length, multiplier, scratch)


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
    model, state, positions = _two_states(paper_figures.localised_buckling())
    return (lambda: (*fresh(model, state), positions, 1.0, LOOPS), isotropic_loop), 75


def _general():
    model, state, positions = _two_states(paper_figures.half_circle())
    return (lambda: (model, copy(state), workspace(model, state), positions, LOOPS), general_loop), 49


def _projection():
    model, state, positions = _two_states(paper_figures.localised_buckling())
    own = slice(model.rods["first"][0], model.rods["last"][0] + 1)
    o = np.zeros((75, 3))
    edge_vectors(positions[0, own], False, o)
    predicted = positions[1, own] + 1e-4 * np.random.default_rng(1).normal(size=(75, 3))
    arrays = (
        predicted.copy(),
        predicted,
        o[:-1],
        state.w[own],
        model.edges["length"][own][:-1],
        np.zeros(74),
        np.zeros(74, ELIMINATION),
    )
    return (lambda: (*arrays, LOOPS), projection_loop), 75
