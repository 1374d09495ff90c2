"""The start State."""

from collections.abc import Mapping

import numpy as np

from ..contact.surface_pairs import SURFACE_LISTED
from ..model import (
    CLOCK,
    FIELD_EFFECT,
    FRAME_PAST,
    LISTING,
    PAIR,
    ROD_STATE,
    SEGMENT_PAST,
    Model,
    State,
    changed,
)
from .holds import in_force, start_frame, start_holds
from .planes import plane_pairs

PAIRS_PER_CAPSULE = 12  # at the start; lists grow when they are full
PAIRS_PER_VERTEX = 24  # with surfaces
PAIRS_PER_SHAPE_VERTEX = 16
PAIRS_PER_SOFT_VERTEX = 16


def start_state(
    model: Model,
    node: Mapping[str, np.ndarray],
    frames: dict[str, np.ndarray],
    ghosts: np.ndarray,
    bodies: np.ndarray,
) -> State:
    """The State the rods are drawn in; ghosts: GHOST (2R,), held are those that ever hold; bodies: BODY_STATE (B,)."""
    n, c = len(model.nodes), len(model.capsules)
    holds = start_holds(model)
    fixed, held = in_force(model, holds)
    return State(
        clock=np.zeros(1, CLOCK),
        x=np.ascontiguousarray(node["x"]),
        v=np.ascontiguousarray(node["v"]),
        before_x=node["x"].copy(),
        before_v=node["v"].copy(),
        earlier_x=node["x"].copy(),
        earlier_v=node["v"].copy(),
        before_bend=np.zeros((n, 3)),
        earlier_bend=np.zeros((n, 3)),
        w=model.nodes["w"].copy(),
        t=frames["t"].copy(),
        u=frames["u"].copy(),
        theta=frames["theta"].copy(),
        fixed=fixed,
        moment=np.zeros(len(fixed)),
        torque=np.zeros(len(fixed)),
        spin=np.zeros(len(fixed)),
        spun=np.zeros(len(fixed), FRAME_PAST),
        q=np.zeros((len(model.segments), 4)),
        omega=np.zeros((len(model.segments), 3)),
        turns=np.zeros(len(model.segments), SEGMENT_PAST),
        tension=np.zeros(n),
        rods=changed(np.zeros(len(model.rods), ROD_STATE), turning=1.0),
        ghosts=changed(ghosts, held=held),
        clamp_frame=np.array([start_frame(frames, number) for number in model.clamps["frame"]]).reshape(-1, 3),
        holds=holds,
        bodies=bodies,
        before_bodies=bodies.copy(),
        earlier_bodies=bodies.copy(),
        fields=np.zeros(n + len(bodies), FIELD_EFFECT),
        plane_pairs=plane_pairs(model, node["x"]),
        listing=changed(np.zeros(1, LISTING), count=-1),
        listed=np.full((n, 6), np.inf),
        pairs=np.zeros(PAIRS_PER_CAPSULE * c, PAIR),
        surface_listing=changed(np.zeros(1, LISTING), count=-1),
        surface_listed=np.zeros((n, SURFACE_LISTED)),
        shape_listing=changed(np.zeros(1, LISTING), count=-1),
        shape_listed=np.zeros((n, 3)),
        listed_bodies=bodies.copy(),
        shape_pairs=np.zeros(PAIRS_PER_SHAPE_VERTEX * len(model.skins.vertices), PAIR),
        soft_listing=changed(np.zeros(2, LISTING), count=-1),
        soft_listed=np.zeros((n if len(model.solids.bodies) else 0, 3)),
        soft_pairs=np.zeros(PAIRS_PER_SOFT_VERTEX * len(model.solids.on_node), PAIR),
        surface_pairs=np.zeros(PAIRS_PER_VERTEX * n if len(model.surfaces.faces) else 0, PAIR),
        tied=np.zeros((len(model.solids.ties), 3)),
        mode=any_mode(n if len(model.solids.bodies) else 0),
    )


def any_mode(count: int) -> np.ndarray:
    """(count, 3) a vibration in which every other one has part: from there it is improved."""
    return np.cos(np.arange(3.0 * count) ** 2).reshape(count, 3)
