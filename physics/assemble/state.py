"""The start State, and the Workspace that goes with a state."""

import numpy as np

from ..contact.broad_phase import room_for
from ..model import (
    BAND,
    BODY_PUSH,
    CLOCK,
    CONTACT,
    ELIMINATION,
    FIELD_EFFECT,
    HOLD,
    LISTING,
    PAIR,
    PAIRS_PER_CAPSULE,
    ROD_STATE,
    SLAVE_STATE,
    State,
    Workspace,
    changed,
)
from ..rods.chain import rod_at
from .holds import start_frame
from .walls import wall_pairs


def start_state(model, node, fixed, bodies):
    """The State the rods are drawn in; fixed (N,): edges whose frames clamps prescribe; bodies: BODY_STATE (B,)."""
    n, c = len(model.nodes), len(model.capsules)
    holds, fixed, rods = _holds(model, fixed)
    return State(
        clock=np.zeros(1, CLOCK),
        x=np.ascontiguousarray(node["x"]),
        v=np.ascontiguousarray(node["v"]),
        w=model.nodes["w"].copy(),
        t=node["t"].copy(),
        u=node["u"].copy(),
        theta=node["theta"].copy(),
        fixed=fixed,
        tension=np.zeros(n),
        rods=rods,
        clamp_frame=np.array([start_frame(node, edge) for edge in model.clamps["edge"]]).reshape(-1, 3),
        holds=holds,
        bodies=bodies,
        fields=np.zeros(n + len(bodies), FIELD_EFFECT),
        wall_pairs=wall_pairs(model),
        listing=changed(np.zeros(1, LISTING), count=-1),
        listed=np.full((n, 3), np.inf),
        pairs=np.zeros(PAIRS_PER_CAPSULE * c, PAIR),
    )


def _holds(model, fixed):
    """(HOLD (P,), prescribed frames (N,), ROD_STATE (R,)) as the influence of the start says."""
    rods, pins, clamps = model.rods, model.pins, model.clamps
    holds = np.zeros(len(pins), HOLD)
    holds["influence"], holds["gap"][:, 0] = model.samples[pins["first_sample"], 7], 1.0
    fixed, now = fixed.copy(), changed(np.zeros(len(rods), ROD_STATE), turning=1.0)
    for p in np.flatnonzero(holds["influence"] <= 0.0):
        if pins["clamp"][p] >= 0:
            fixed[clamps["edge"][pins["clamp"][p]]] = False
        if pins["hinged"][p]:
            side = "loose_end" if pins["ghost"][p] > pins["node"][p] else "loose_start"
            now[side][rod_at(rods, pins["node"][p])] = True
    return holds, fixed, now


def workspace(model, state):
    """Scratch arrays for a state; made anew when the list of pairs has grown."""
    n, c, p = len(model.nodes), len(model.capsules), len(state.pairs)
    slaves, unknowns = len(model.slaves), len(model.articulation.column) - 1
    return Workspace(
        x0=np.zeros((n, 3)),
        v0=np.zeros((n, 3)),
        w0=np.zeros(n),
        fixed0=np.zeros_like(state.fixed),
        rods0=np.zeros_like(state.rods),
        clamp_frame0=np.zeros_like(state.clamp_frame),
        holds0=np.zeros_like(state.holds),
        bodies0=np.zeros_like(state.bodies),
        f=np.zeros((n, 3)),
        o=np.zeros((n, 3)),
        inverse_length=np.zeros(n),
        chi=np.zeros(n),
        k=np.zeros((n, 2)),
        multiplier=np.zeros(n),
        band=np.zeros(n, BAND),
        elimination=np.zeros(n, ELIMINATION),
        pushed=np.zeros((n, 3)),
        rows=np.zeros((5, n)),
        skin=np.zeros(c),
        boxes=room_for(c),
        first=np.zeros(c, np.int64),
        following=np.zeros(p, np.int64),
        old_pairs=np.zeros(p, PAIR),
        contacts=np.zeros(p + len(state.wall_pairs), CONTACT),
        body_pushes=np.zeros(len(model.bodies), BODY_PUSH),
        slaves=np.zeros(slaves, SLAVE_STATE),
        diagonal=np.zeros(unknowns),
        entries=np.zeros(len(model.articulation.below)),
        unknown=np.zeros(unknowns),
        before=np.zeros(8),
        target=np.zeros(8),
    )
