"""What is welded to rigid bodies goes where its body goes: a slave at the arm p from the centre of mass is at r + p,
ghost edges and clamps turn with it.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import rotate
from ..model import Model, OldState, State
from .free_motion import free_turn
from .scratch import WeldedScratch


@kernel
def put_arms(slaves: np.ndarray, bodies: np.ndarray, out: np.ndarray) -> None:
    """out[s].arm [m] of all slaves in world axes; bodies as they are now, State.bodies."""
    for s in range(len(slaves)):
        rotate(bodies[slaves[s].body].q, slaves[s].arm, out[s].arm)


@kernel
def place_slaves(slaves: np.ndarray, now: np.record, x: np.ndarray) -> None:
    """Put the slaves of one body where it, as it is now, holds them: x (N, 3) in place."""
    for s in range(len(slaves)):
        i = slaves[s].node
        rotate(now.q, slaves[s].arm, x[i])
        for c in range(3):
            x[i, c] += now.x[c]


@kernel
def pose(model: Model, state: State, old: OldState, work: WeldedScratch, h: float) -> None:
    """Turn all bodies from their old poses by what their angular momentum does in h, and place their slaves."""
    bodies, slaves = model.bodies, model.slaves
    for b in range(len(bodies)):
        now = state.bodies[b]
        free_turn(old.bodies[b].q, now.l, bodies[b].inertia, h, work.spins[b].momentum, now.q)
        place_slaves(slaves[bodies[b].first_slave : bodies[b].end_slave], now, state.x)


@kernel
def turn_welds(welds: np.ndarray, state: State) -> None:
    """Turn ghost edges and first material axes as bodies are: state.ghosts and state.clamp_frame in place."""
    for k in range(len(welds)):
        q = state.bodies[welds[k].body].q
        if welds[k].ghost >= 0:
            rotate(q, welds[k].edge, state.ghosts[welds[k].ghost].edge)
        if welds[k].clamp >= 0:
            rotate(q, welds[k].m1, state.clamp_frame[welds[k].clamp])
