"""The start State, and the Workspace that goes with a state."""

from collections.abc import Mapping

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
    Model,
    State,
    Workspace,
    changed,
)
from .holds import start_frame
from .planes import plane_pairs


def start_state(
    model: Model,
    node: Mapping[str, np.ndarray],
    frames: dict[str, np.ndarray],
    fixed: np.ndarray,
    walls: np.ndarray,
    bodies: np.ndarray,
) -> State:
    """The State the rods are drawn in; fixed (M,): frames that clamps prescribe; walls: WALL (2R,), held are those that
    ever hold; bodies: BODY_STATE (B,).
    """
    n, c = len(model.nodes), len(model.capsules)
    holds, fixed, walls = _holds(model, fixed, walls)
    return State(
        clock=np.zeros(1, CLOCK),
        x=np.ascontiguousarray(node["x"]),
        v=np.ascontiguousarray(node["v"]),
        w=model.nodes["w"].copy(),
        t=frames["t"].copy(),
        u=frames["u"].copy(),
        theta=frames["theta"].copy(),
        fixed=fixed,
        tension=np.zeros(n),
        rods=changed(np.zeros(len(model.rods), ROD_STATE), turning=1.0),
        walls=walls,
        clamp_frame=np.array([start_frame(frames, number) for number in model.clamps["frame"]]).reshape(-1, 3),
        holds=holds,
        bodies=bodies,
        fields=np.zeros(n + len(bodies), FIELD_EFFECT),
        plane_pairs=plane_pairs(model),
        listing=changed(np.zeros(1, LISTING), count=-1),
        listed=np.full((n, 3), np.inf),
        pairs=np.zeros(PAIRS_PER_CAPSULE * c, PAIR),
    )


def _holds(model: Model, fixed: np.ndarray, walls: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(HOLD (P,), prescribed frames (M,), WALL (2R,)) as the influence of the start says."""
    pins, fixed, walls = model.pins, fixed.copy(), walls.copy()
    holds = np.zeros(len(pins), HOLD)
    holds["influence"], holds["gap"][:, 0] = model.samples[pins["first_sample"], 7], 1.0
    loose = pins[holds["influence"] <= 0.0]
    fixed[loose["frame"][loose["clamp"] >= 0]] = False
    walls["held"][loose["wall"][loose["wall"] >= 0]] = False
    return holds, fixed, walls


def workspace(model: Model, state: State) -> Workspace:
    """Scratch arrays for a state; made anew when the list of pairs has grown."""
    n, m, c, p = len(model.nodes), len(state.theta), len(model.capsules), len(state.pairs)
    slaves, unknowns = len(model.slaves), len(model.articulation.column) - 1
    return Workspace(
        x0=np.zeros((n, 3)),
        v0=np.zeros((n, 3)),
        low=state.x.copy(),
        high=state.x.copy(),
        w0=np.zeros(n),
        fixed0=np.zeros_like(state.fixed),
        walls0=np.zeros_like(state.walls),
        clamp_frame0=np.zeros_like(state.clamp_frame),
        holds0=np.zeros_like(state.holds),
        bodies0=np.zeros_like(state.bodies),
        f=np.zeros((n, 3)),
        e=np.zeros((m, 3)),
        g=np.zeros((m, 3)),
        rate=np.zeros((m, 3)),
        inverse_length=np.zeros(m),
        o=np.zeros((n, 3)),
        chi=np.zeros(n),
        k=np.zeros((n, 2)),
        multiplier=np.zeros(n),
        band=np.zeros(n, BAND),
        elimination=np.zeros(n, ELIMINATION),
        pushed=np.zeros((n, 3)),
        rows=np.zeros((6, m)),
        skin=np.zeros(c),
        boxes=room_for(c),
        first=np.zeros(c, np.int64),
        following=np.zeros(p, np.int64),
        old_pairs=np.zeros(p, PAIR),
        contacts=np.zeros(p + len(state.plane_pairs), CONTACT),
        body_pushes=np.zeros(len(model.bodies), BODY_PUSH),
        slaves=np.zeros(slaves, SLAVE_STATE),
        diagonal=np.zeros(unknowns),
        entries=np.zeros(len(model.articulation.below)),
        unknown=np.zeros(unknowns),
        before=np.zeros(8),
        target=np.zeros(8),
    )
