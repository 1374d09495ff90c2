"""Settle of soft bodies alone: their equilibrium before the first frame, by kinetic damping (Cundall 1976).

When the kinetic energy has passed a peak, an equilibrium has been passed too, and all motion is stopped. The way there
is stepped without viscosity, which would make it slow and which no equilibrium depends on. What moved δ in the time τ
between two stops would move δ (T/τ)² under the same force in a slow quarter period T; the bodies are at rest when that
stays below a hundredth of the smallest height of a tetrahedron for a few stops in a row.
"""

from collections.abc import Callable

import numpy as np

from ..assemble.room import grown
from ..model import Model, State, copied
from ..scene import FRACTIONS, Scene
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..time_integration.velocity_verlet import verlet_steps
from ..time_integration.workspace import workspace
from .settle import FALLEN, hold_start, unlist

SLOW = 1.0  # s, a quarter of the period of the slowest motion that has to have died
AT_REST = 1e-2  # of the smallest height
CALM_STOPS = 3
MOST_STEPS = 400_000
MOST_TIME = 300.0  # s, of the motion that is stopped again and again
LOOK = 2  # steps between looks at the energy: a jelly of 8³ cells rests after 1144 steps so, 2446 by 1, 3394 by 4
FIRST = 1e-2  # of a frame: the first look, before a step is known


def settled_solids(scene: Scene, model: Model, state: State, feel: Callable[[State], None]) -> tuple[State, bool]:
    """Bring soft bodies to rest that are stepped by VERLET: (State, whether they came to rest). What falls or tears
    stays as drawn. What was drawn with a velocity has it afterwards.

    model: with what holds them at the start; feel(state) lets the force fields and loads of the start act.
    """
    drawn, model = copied(state), hold_start(model, windy=bool(scene.fields))
    size = max(float(np.ptp(solid.x, axis=0).max()) for solid in scene.solids)
    free = state.w > 0.0
    mass = 1.0 / state.w[free]
    work = workspace(model, state)
    close = AT_REST * float(work.solids.height.min())
    state.v[:] = 0.0
    stopped, since, before, calm = state.x.copy(), 0.0, 0.0, 0
    duration, steps, time = FIRST * scene.frame_duration, 0, 0.0
    while calm < CALM_STOPS and steps < MOST_STEPS and time < MOST_TIME:
        feel(state)
        left, status, fastest, directors = duration, PAIRS_FULL, state.x.copy(), state.directors.copy()
        while status == PAIRS_FULL:
            status, taken, left = verlet_steps(
                model, state, work, False, left, FRACTIONS[scene.quality], scene.max_step
            )
            steps += taken
            if status == PAIRS_FULL:
                state, work = grown(model, state)
        state.clock["time"][0] = 0.0
        unlist(state)
        if status != DONE or np.abs(state.x - drawn.x).max() > FALLEN * size:
            return drawn, False
        since, time = since + duration, time + duration
        duration = LOOK * state.clock["step"][0]
        energy = float(mass @ np.sum(state.v[free] ** 2, axis=1))
        if since > SLOW and np.abs(state.v[free]).max(initial=0.0) * SLOW < close:
            calm = CALM_STOPS  # nothing has happened for long
        elif energy < before:
            furthest = np.abs(fastest - stopped).max() * max(1.0, SLOW / since) ** 2
            calm = calm + 1 if furthest < close else 0
            stopped, energy, since = fastest, 0.0, 0.0
            state.x[:], state.v[:], state.directors[:] = fastest, 0.0, directors
            state.directors["rate"] = 0.0
        before = energy
    state.v[:], state.directors["rate"] = drawn.v, 0.0
    return state, calm >= CALM_STOPS
