"""Kinetic damping: the way to an equilibrium, stopped at every peak of the kinetic energy.

When the kinetic energy has passed a peak, an equilibrium has been passed too, and all motion is stopped (Cundall 1976).
What moved δ in the time τ between two stops would move δ (T/τ)² under the same force in a slow quarter period T; the
scene is at rest when that stays below a hundredth of a radius for a few stops in a row.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy
from ..model import Model, OldState, State
from ..rigid_bodies.slaves import turn_welds
from ..rods.director_motion import lay_material_frames
from .energy_look import energy_of
from .step import step
from .step_limit import motion_step, stable_step
from .symplectic_euler import DONE
from .workspace import Workspace

AT_REST = 1e-2  # of the smallest radius
SLOW = 0.1  # s, a quarter of the period of the slowest motion that has to have died
CALM_STOPS = 3
FRACTION = 0.4  # of the stable step: the fastest mode has to shrink from stop to stop


@entry
def relax(
    model: Model, state: State, work: Workspace, steps: int, stopped: np.ndarray, calm: int
) -> tuple[int, int, int]:
    """Up to `steps` steps of kinetic damping. stopped (N, 3) holds the positions at the last stop.

    Returns (status, rod, stops in a row that found the scene at rest).
    """
    nodes, x0 = model.nodes, work.old.x
    close = AT_REST * model.world[0].thinnest
    before, since, status, rod = 0.0, 0.0, DONE, 0
    for _ in range(steps):
        h = min(FRACTION * stable_step(model, state), motion_step(model, state))
        status, rod, _, h = step(model, state, work, h, h)
        state.clock[0].time = 0.0
        if status != DONE:
            break
        since += h
        if since > SLOW:  # nothing has happened for long: it began at rest
            quickest = 0.0
            for i in range(len(state.x)):
                for c in range(3):
                    quickest = max(quickest, abs(state.v[i, c]))
            if quickest * SLOW < close:
                calm = CALM_STOPS
                break
        energy = 0.0
        for i in range(len(state.x)):
            energy += nodes[i].mass * (state.v[i, 0] ** 2 + state.v[i, 1] ** 2 + state.v[i, 2] ** 2)
        for b in range(len(model.bodies)):
            energy += 2.0 * energy_of(model.bodies[b], state.bodies[b])
        energy += spin_energy(model.mobility, state.omega)
        if energy < before:
            furthest = 0.0
            for i in range(len(state.x)):
                for c in range(3):
                    state.x[i, c] = x0[i, c]  # where the energy was highest; going on would overshoot fast modes
                    state.v[i, c] = 0.0
                    furthest = max(furthest, abs(state.x[i, c] - stopped[i, c]))
                    stopped[i, c] = state.x[i, c]
            for f in range(len(state.spin)):
                state.spin[f] = 0.0
            for s in range(len(state.omega)):
                for c in range(4):
                    state.q[s, c] = work.elastic.past[s, c]
                for c in range(3):
                    state.omega[s, c] = 0.0
            stop_bodies(model.welds, state, work.old)
            calm = calm + 1 if furthest * max(1.0, SLOW / since) ** 2 < close else 0
            if calm >= CALM_STOPS:
                break
            energy = since = 0.0
        before = energy
    lay_material_frames(model, state, work.elastic)
    return status, rod, calm


@kernel
def spin_energy(mobility: np.ndarray, omega: np.ndarray) -> float:
    """Twice the kinetic energy [J] of all directors."""
    energy = 0.0
    for s in range(len(omega)):
        across, about = mobility[s, 0], mobility[s, 1]
        if about > 0.0:
            energy += (omega[s, 0] ** 2 + omega[s, 1] ** 2) / across + omega[s, 2] ** 2 / about
    return energy


@kernel
def stop_bodies(welds: np.ndarray, state: State, old: OldState) -> None:
    """Bodies stand still where they were before the last step."""
    copy(old.bodies, state.bodies)
    for b in range(len(state.bodies)):
        for c in range(3):
            state.bodies[b].v[c] = state.bodies[b].l[c] = 0.0
    turn_welds(welds, state)
