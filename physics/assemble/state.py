"""The start State, and the Workspace that goes with a state."""

import numpy as np

from ..contact.broad_phase import room_for
from ..contact.inequality_constraints import COLUMNS
from ..model import GAP, HELD, INFLUENCE, PAIRS_PER_CAPSULE, State, Workspace
from ..rods.chain import rod_at
from .holds import start_frame


def start_state(model, node, fixed, motion):
    """The State the rods are drawn in; fixed (N,): edges whose frames clamps prescribe; motion: the bodies' part of
    it.
    """
    rods, capsules = model.rods, model.capsules
    hold, fixed, loose = _holds(model, fixed)
    bodies = len(model.bodies.mass)
    n, c = len(rods.mass), len(capsules.tail)
    p = PAIRS_PER_CAPSULE * c
    return State(
        clock=np.zeros(3),
        x=np.ascontiguousarray(node["x"]),
        v=np.ascontiguousarray(node["v"]),
        t=node["t"].copy(),
        u=node["u"].copy(),
        theta=node["theta"].copy(),
        tension=np.zeros(n),
        torque=np.zeros(len(rods.first)),
        turning=np.ones(len(rods.first)),
        floor_force=np.zeros((n, 3)),
        pairs=np.zeros((p, 2), np.int64),
        pair_force=np.zeros((p, 4)),
        pair_count=np.full(1, -1),
        listed=np.full((n, 3), np.inf),
        w=rods.w.copy(),
        fixed=fixed,
        clamp_frame=_clamp_frames(rods, node),
        loose=loose,
        **motion,
        air=np.zeros((n + bodies, 3)),
        push=np.zeros((n + bodies, 3)),
        brake=np.zeros((n + bodies, 2)),
        hold=hold,
    )


def _holds(model, fixed):
    """(state of the pins (P, HELD), prescribed frames (N,), loose ends (R, 2)) as the influence of the start says."""
    rods, pins = model.rods, model.pins
    hold = np.zeros((len(pins.node), HELD))
    hold[:, INFLUENCE], hold[:, GAP] = pins.samples[pins.track[:-1], 7], 1.0
    fixed, loose = fixed.copy(), np.zeros((len(rods.first), 2), dtype=bool)
    for p in np.flatnonzero(hold[:, INFLUENCE] <= 0.0):
        if pins.clamp[p] >= 0:
            fixed[rods.clamp_edge[pins.clamp[p]]] = 0
        if pins.hinged[p]:
            loose[rod_at(rods, pins.node[p]), int(pins.ghost[p] > pins.node[p])] = True
    return hold, fixed, loose


def _clamp_frames(rods, node):
    """First material axes (K, 3) of all clamps as drawn."""
    return np.array([start_frame(node, edge) for edge in rods.clamp_edge]).reshape(-1, 3)


def workspace(model, state):
    """Scratch arrays for a state; made anew when the list of pairs has grown."""
    n, c, p = len(model.rods.mass), len(model.capsules.tail), len(state.pairs)
    bodies, slaves, unknowns = len(model.bodies.mass), len(model.bodies.grip), len(model.articulation.column) - 1
    return Workspace(
        x0=np.zeros((n, 3)),
        v0=np.zeros((n, 3)),
        w0=np.zeros(n),
        body_x0=np.zeros((bodies, 3)),
        body_q0=np.zeros((bodies, 4)),
        body_v0=np.zeros((bodies, 3)),
        body_l0=np.zeros((bodies, 3)),
        clamp_frame0=np.zeros((len(state.clamp_frame), 3)),
        hold0=state.hold.copy(),
        loose0=state.loose.copy(),
        fixed0=state.fixed.copy(),
        f=np.zeros((n, 3)),
        o=np.zeros((n, 3)),
        inverse_length=np.zeros(n),
        chi=np.zeros(n),
        k=np.zeros((n, 2)),
        multiplier=np.zeros(n),
        inverse=np.zeros(n),
        ratio=np.zeros(n),
        pivots=np.zeros(n),
        pushed=np.zeros((n, 3)),
        rows=np.zeros((5, n)),
        skin=np.zeros(c),
        boxes=room_for(c),
        old_pairs=np.zeros((p, 2), np.int64),
        old_force=np.zeros((p, 4)),
        first=np.zeros(c, np.int64),
        following=np.zeros(p, np.int64),
        touching=np.zeros(p, np.int64),
        contacts=np.zeros((p, COLUMNS)),
        impulse=np.zeros((n, 5)),
        arm=np.zeros((slaves, 3)),
        slave_v=np.zeros((slaves, 3)),
        diagonal=np.zeros(unknowns),
        entries=np.zeros(len(model.articulation.below)),
        unknown=np.zeros(unknowns),
        before=np.zeros(8),
        target=np.zeros(8),
    )
