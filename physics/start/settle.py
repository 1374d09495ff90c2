"""Settle: the equilibrium before the first frame, by kinetic damping. Pins are held where they start."""

from collections.abc import Callable

import numpy as np

from ..assemble.room import grown
from ..model import Model, State, changed, copied
from ..scene import Scene
from ..time_integration.kinetic_damping import AT_REST, CALM_STOPS, relax
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..time_integration.workspace import Workspace, workspace

MOST_STEPS = 400_000
MOST_TIME = 300.0  # s, of the motion that is stopped again and again
FALLEN = 5.0  # lengths of the longest rod: what has moved so far falls freely
CHUNK = 2_000  # steps between looks at the clock


def settled(
    scene: Scene, model: Model, state: State, work: Workspace, feel: Callable[[State], None]
) -> tuple[State, Workspace, bool]:
    """Bring the start to rest: (State, Workspace, whether it came to rest). What falls or fails stays as drawn.

    feel(state) lets the force fields of the start act. Bodies that are pushed at the start are so after they rested.
    """
    drawn = copied(state)
    pushed = state.bodies["v"].copy(), state.bodies["l"].copy()
    state.bodies["v"][:] = state.bodies["l"][:] = 0.0
    held = hold_start(model, windy=bool(scene.fields))
    longest = max(np.linalg.norm(rod.edges(), axis=1).sum() for rod in scene.rods)
    stopped, calm, close = state.x.copy(), 0, AT_REST * model.world["thinnest"][0]
    at_rest, time = np.full_like(state.x, np.nan), 0.0
    for _ in range(0, MOST_STEPS, CHUNK):
        if scene.fields:
            feel(state)
        before = copied(state)
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
    state.v[:] = state.spin[:] = 0.0
    state.bodies["v"][:], state.bodies["l"][:] = pushed
    state.clock["time"][0] = 0.0
    return state, work, calm >= CALM_STOPS


def hold_start(model: Model, windy: bool = False) -> Model:
    """The model with every pin held where it starts, and no damping but that of the method."""
    first, end = model.pins["first_sample"], model.pins["end_sample"]
    return model._replace(
        samples=np.repeat(model.samples[first], end - first, axis=0),
        rods=changed(model.rods, damped=False),
        world=model.world if windy else changed(model.world, air_density=0.0),
    )
