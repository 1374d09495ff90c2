"""Settle: the equilibrium before the first frame, by kinetic damping.

The scene runs with its pins held where they start. When its kinetic energy has passed a peak, an equilibrium has been
passed too, and all motion is stopped (Cundall 1976). What moved δ in the time τ between two stops would move δ (T/τ)²
under the same force in a slow quarter period T; the scene is at rest when that stays below a hundredth of a radius
for a few stops in a row.
"""

import numpy as np

from ._jit import entry, kernel
from .arrays import copy
from .assemble import workspace
from .contact.room import grown
from .model import State, changed
from .rigid_bodies.free_motion import turn_back
from .rigid_bodies.slaves import turn_welds
from .time_integration.step import step
from .time_integration.step_limit import motion_step, stable_step
from .time_integration.symplectic_euler import DONE, PAIRS_FULL

AT_REST = 1e-2  # of the smallest radius
SLOW = 0.1  # s, a quarter of the period of the slowest motion that has to have died
CALM_STOPS = 3
MOST_STEPS = 400_000
MOST_TIME = 300.0  # s, of the motion that is stopped again and again
FALLEN = 5.0  # lengths of the longest rod: what has moved so far falls freely
CHUNK = 2_000  # steps between looks at the clock
FRACTION = 0.4  # of the stable step: the fastest mode has to shrink from stop to stop


def settled(scene, model, state, work, feel):
    """Bring the start to rest: (State, Workspace, whether it came to rest). What falls or fails stays as drawn.

    feel(state) lets the force fields of the start act. Bodies that are pushed at the start are so after they rested.
    """
    drawn = State(*(array.copy() for array in state))
    pushed = state.bodies["v"].copy(), state.bodies["l"].copy()
    state.bodies["v"][:] = state.bodies["l"][:] = 0.0
    held = hold_start(model, windy=bool(scene.fields))
    longest = max(np.linalg.norm(rod.edges(), axis=1).sum() for rod in scene.rods)
    stopped, calm, close = state.x.copy(), 0, AT_REST * model.world["thinnest"][0]
    at_rest, time = np.full_like(state.x, np.nan), 0.0
    for _ in range(0, MOST_STEPS, CHUNK):
        if scene.fields:
            feel(state)
        before = State(*(array.copy() for array in state))
        status, _, calm = relax(held, state, work, CHUNK, stopped, calm)
        time += CHUNK * state.clock["step"][0]
        if status == PAIRS_FULL:
            state, work = grown(model, before)
        elif calm >= CALM_STOPS:
            if not scene.fields or np.abs(state.x - at_rest).max() <= close:
                break  # at rest in the fields of where it is, too
            at_rest, calm = state.x.copy(), 0
        elif status != DONE or np.abs(state.x - drawn.x).max() > FALLEN * longest:
            return drawn, workspace(model, drawn), False
        elif time > MOST_TIME:
            break
    state.v[:] = 0.0
    state.bodies["v"][:], state.bodies["l"][:] = pushed
    state.clock["time"][0] = 0.0
    return state, work, calm >= CALM_STOPS


@entry
def relax(model, state, work, steps, stopped, calm):
    """Up to `steps` steps of kinetic damping. stopped (N, 3) holds the positions at the last stop.

    Returns (status, rod, stops in a row that found the scene at rest).
    """
    nodes = model.nodes
    close = AT_REST * model.world[0].thinnest
    before, since = 0.0, 0.0
    for _ in range(steps):
        h = min(FRACTION * stable_step(model, state), motion_step(model, state))
        status, rod, _, h = step(model, state, work, h, h)
        state.clock[0].time = 0.0
        if status != DONE:
            return status, rod, calm
        since += h
        if since > SLOW:  # nothing has happened for long: it began at rest
            quickest = 0.0
            for i in range(len(state.x)):
                for c in range(3):
                    quickest = max(quickest, abs(state.v[i, c]))
            if quickest * SLOW < close:
                return DONE, 0, CALM_STOPS
        energy = 0.0
        for i in range(len(state.x)):
            energy += nodes[i].mass * (state.v[i, 0] ** 2 + state.v[i, 1] ** 2 + state.v[i, 2] ** 2)
        energy += bodies_energy(model.bodies, state.bodies, work.target)
        if energy < before:
            furthest = 0.0
            for i in range(len(state.x)):
                for c in range(3):
                    state.x[i, c] = work.x0[i, c]  # where the energy was highest; going on would overshoot fast modes
                    state.v[i, c] = 0.0
                    furthest = max(furthest, abs(state.x[i, c] - stopped[i, c]))
                    stopped[i, c] = state.x[i, c]
            stop_bodies(model.welds, state, work)
            calm = calm + 1 if furthest * max(1.0, SLOW / since) ** 2 < close else 0
            if calm >= CALM_STOPS:
                break
            energy = since = 0.0
        before = energy
    return DONE, 0, calm


@kernel
def bodies_energy(bodies, now, momentum):
    """Twice the kinetic energy [J] of all bodies as they are now, State.bodies; momentum is scratch."""
    energy = 0.0
    for b in range(len(bodies)):
        turn_back(now[b].q, now[b].l, momentum)
        for c in range(3):
            energy += bodies[b].mass * now[b].v[c] ** 2 + momentum[c] ** 2 / bodies[b].inertia[c]
    return energy


@kernel
def stop_bodies(welds, state, work):
    """Bodies stand still where they were before the last step."""
    copy(work.bodies0, state.bodies)
    for b in range(len(state.bodies)):
        for c in range(3):
            state.bodies[b].v[c] = state.bodies[b].l[c] = 0.0
    turn_welds(welds, state)


def hold_start(model, windy=False):
    """The model with every pin held where it starts, and no damping but that of the method."""
    first, end = model.pins["first_sample"], model.pins["end_sample"]
    return model._replace(
        samples=np.repeat(model.samples[first], end - first, axis=0),
        rods=changed(model.rods, damped=False),
        world=model.world if windy else changed(model.world, air_density=0.0),
    )
