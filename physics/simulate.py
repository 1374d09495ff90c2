"""A generator: Scene in, frames out."""

import numpy as np

from .assemble import assemble, workspace
from .fit_lengths import fit_lengths
from .imperfection import imperfect
from .model import State
from .rods.elastic_forces import elastic_forces
from .rods.frames import bishop, material_frame, signed_angle, tangents
from .scene import QUALITIES, Frame, Notice
from .settle import CALM_STOPS, CHUNK, MOST_STEPS, hold_start, relax
from .time_integration.advance import advance
from .time_integration.symplectic_euler import DONE, NOT_FINITE, OVERSTRETCHED, PAIRS_FULL, TWIST_LOST
from .validate import SimulationError, check

RETRIES = 2
FALLEN = 5.0  # lengths of the longest rod: what has moved so far while settling falls freely
YIELDED = 0.05  # of an edge: how far a pin may lag before the artist is told
REASONS = {
    OVERSTRETCHED: "its pins ask for more length than it has: move them closer or give them a largest force",
    TWIST_LOST: "its twist found no equilibrium: turn its clamps less or give it more points",
    NOT_FINITE: "it became unstable: choose a higher quality or a softer material",
}


def simulate(scene, state=None):
    """Bake the scene: yield Frame 0 (the start, settled if asked), 1, … frame_count − 1, and Notices between them.

    `state`, of the last finished Frame, goes on after it. Raises SceneError before anything, SimulationError when a
    rod cannot go on.
    """
    check(scene)
    model, start, work = assemble(scene)
    if state is None:
        index = 0
        fit_lengths(scene, model, start)
        if scene.settle:
            start, work, calm = settled(scene, model, start, work)
            if not calm:
                text = "The scene did not come to rest before the first frame: pin what falls, or add a floor."
                yield Notice(scene.rods[0].name, 0, text)
        now = start
        yield frame(scene, model, now, work, index)
    else:
        index, now = int(state["index"]), State(**{name: np.array(state[name]) for name in State._fields})
        work = workspace(model, now)
    warned = set()
    while index + 1 < scene.frame_count:
        index += 1
        end = index * scene.frame_duration
        now, work = reach(scene, model, now, work, end, index)
        yield from _yielding(scene, model, now, index, warned)
        yield frame(scene, model, now, work, index)


def settled(scene, model, state, work):
    """Bring the start to rest: (State, Workspace, whether it came to rest). What falls or fails stays as drawn."""
    held, drawn = hold_start(model), State(*(array.copy() for array in state))
    longest = max(np.linalg.norm(rod.edges(), axis=1).sum() for rod in scene.rods)
    stopped, calm = state.x.copy(), 0
    for _ in range(0, MOST_STEPS, CHUNK):
        before = State(*(array.copy() for array in state))
        status, _, calm = relax(held, state, work, CHUNK, stopped, calm)
        if status == PAIRS_FULL:
            state, work = grown(model, before)
        elif calm >= CALM_STOPS:
            break
        elif status != DONE or np.abs(state.x - drawn.x).max() > FALLEN * longest:
            return drawn, workspace(model, drawn), False
    state.v[:] = 0.0
    state.clock[0] = 0.0
    return state, work, calm >= CALM_STOPS


def reach(scene, model, state, work, end, index=0):
    """Advance to the time `end` [s]: (State, Workspace). A stretch that fails is taken again, with room for more
    contact pairs or smaller steps."""
    fraction, max_step = QUALITIES[scene.quality], scene.max_step
    retries = 0
    while end - state.clock[0] > 1e-12 * max(end, scene.frame_duration):
        before = State(*(array.copy() for array in state))
        status, rod, _, _ = advance(model, state, work, end - state.clock[0], fraction, max_step)
        if status == DONE:
            break
        state = before
        if status == PAIRS_FULL:
            state, work = grown(model, state)
        elif retries < RETRIES:
            retries += 1
            fraction *= 0.25
            imperfect(model, state, always=True)
        else:
            name = scene.rods[rod].name
            raise SimulationError(name, f"'{name}' could not go on after {index} frames: {REASONS[status]}.")
    state.clock[0] = end
    imperfect(model, state)
    return state, work


def grown(model, state):
    """State and Workspace with room for twice as many contact pairs."""
    room = 2 * max(len(state.pairs), 1)
    pairs, force = np.zeros((room, 2), np.int64), np.zeros((room, 4))
    pairs[: len(state.pairs)], force[: len(state.pairs)] = state.pairs, state.pair_force
    state = state._replace(pairs=pairs, pair_force=force)
    return state, workspace(model, state)


def _yielding(scene, model, state, index, warned):
    """A Notice for each pin that has begun to lag since the last frame."""
    for p, pin in enumerate(scene.pins):
        missing = float(state.shortfall[p])
        if missing <= YIELDED * model.rods.length[model.pins.node[p] - 1]:
            warned.discard(p)
        elif p not in warned:
            warned.add(p)
            rod = scene.rods[pin.rod].name
            yield Notice(
                pin.name,
                index,
                f"'{pin.name}' asks for {missing:.3g} m more than '{rod}' can give: the pin yields.",
            )


def frame(scene, model, state, work, index):
    """The Frame of a state: vertices (N, 3) and first material axes (M, 3) of all rods, frames at equilibrium."""
    now = state._replace(**{name: getattr(state, name).copy() for name in ("t", "u", "theta", "torque", "turning")})
    failed = elastic_forces(model.rods, now, work)
    if failed >= 0:
        name = scene.rods[failed].name
        raise SimulationError(name, f"'{name}' could not go on after {index} frames: {REASONS[TWIST_LOST]}.")
    xs, axes = [], []
    for r, rod in enumerate(scene.rods):
        first, a = model.rods.first[r], model.rods.start[r]
        xs.append(state.x[first : first + len(rod.x)])
        axes.append(_material_axes(model, now, r)[first - a : first - a + rod.edge_count])
    arrays = {name: value.copy() for name, value in state._asdict().items()}
    return Frame(index, np.concatenate(xs), np.concatenate(axes), {"index": np.array(index), **arrays})


def _material_axes(model, state, r):
    """First material axes (m, 3) on all edges of rod r, ghosts included, at the equilibrium in `state`."""
    rods = model.rods
    a, b = rods.start[r], rods.start[r + 1]
    t, u, theta = np.zeros((b - a - 1, 3)), np.zeros((b - a - 1, 3)), state.theta[a : b - 1]
    tangents(state.x[a:b], t)
    u[0] = state.u[a]
    bishop(t, u)
    if not rods.general[r]:  # uniform torque: the twist is known in closed form (eq. 5)
        torque = 0.0
        if rods.twisted[r]:
            torque = (theta[-1] - theta[0] - rods.natural_twist[r]) / rods.twist_compliance[r]
        inner = slice(a + 1, b - 1)
        twist = torque / rods.twist_rate[inner] + rods.rest_twist[inner]
        theta = theta[0] + np.concatenate([[0.0], np.cumsum(twist)])
        if rods.clamp_start[r] < rods.clamp_start[r + 1]:
            k = rods.clamp_start[r]
            e = rods.clamp_edge[k] - a
            theta += signed_angle(u[e], state.clamp_frame[k], t[e]) - theta[e]
    m1 = np.zeros_like(u)
    material_frame(t, u, theta, m1)
    return m1
