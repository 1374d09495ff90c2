"""Pairs that may touch soft bodies: what of colliders, planes, other soft bodies and itself is near a soft body's
surface. The list is made anew only when something may have moved by half its skin; among pairs of one body, but for how
that moves as a whole. How pairs are numbered: `contact_features`.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.arrays import copy_rows
from ..model import Model, OldState, State
from .bounding_volumes import fit_boxes
from .carriers.led_surface import fastest, lay, moment, thinnest
from .contact_features import LED, SOFT, At
from .feature_pairs import planes_near, things_near
from .renewed_list import renew
from .rigid_motion import ways_of
from .scratch import ContactScratch

SPARE, OWN = 12.0, 6.0  # thicknesses of the thinnest body that a list is good for, OWN for pairs of one body,
WIDER = 4.0  # and times what a step needs
NARROWER = 2.0  # times, where a list is long
LONG, LONGEST = 32, 256  # pairs for each vertex; a step that needs more is too long
ENDLESS = 1e300  # m: no pair is nearer where there is none
FULL, CROWDED = -1, -2
BEYOND = 1.2  # times the way that things are expected to go, and
SURPRISE = 0.5  # thicknesses: so far they may get


@kernel
def ways(model: Model, x: np.ndarray, x0: np.ndarray) -> tuple[float, float]:
    """How far [m] nodes have come at most from x0 to x (N, 3), and but for how their body has moved as a whole."""
    far = within = 0.0
    for s in range(len(model.solids.bodies)):
        first, end = model.solids.bodies[s].node
        own = ways_of(x[first:end], x0[first:end])
        far, within = max(far, own[0]), max(within, own[1])
    return far, within


@kernel
def closed_by(model: Model, state: State, x: np.ndarray, time: float) -> tuple[float, float]:
    """By how much [m] gaps may have closed since pairs were listed, nodes being at x (N, 3) at a `time` [s]: of pairs,
    and of those of one body.
    """
    far, within = ways(model, x, state.soft_listed)
    return far + max(far, fastest(model.surfaces) * abs(time - state.soft_listing[0].time)), 2.0 * within


@kernel
def list_soft_pairs(model: Model, state: State, old: OldState, work: ContactScratch, h: float) -> int:
    """Keep the list complete for a step of h [s] from `old` to about `state`: near of both rows of the listing is how
    wide, when they were listed, gaps were at most that may close. Returns how many there are; or FULL, without room for
    it, or CROWDED, where the step is too long: then it is as it was.
    """
    listing, time, own, on_node = state.soft_listing, state.clock[0].time, model.solids.surface, model.solids.on_node
    least = thinnest(own)
    far, within = ways(model, state.x, old.x)
    coming = SURPRISE * least + fastest(model.surfaces) * h + 2.0 * BEYOND * far
    inside = SURPRISE * least + 2.0 * BEYOND * within
    lay(own, on_node, old.x, 0)
    if not coming < np.inf:
        return CROWDED
    if listing[0].count >= 0 and listing[0].time >= model.surfaces.span[0]:
        closed = closed_by(model, state, old.x, time)
        listing[0].near, listing[1].near = closed[0] + coming, closed[1] + inside
        if listing[0].near <= listing[0].skin and listing[1].near <= listing[1].skin:
            return listing[0].count
    lay(own, on_node, old.x, 1)
    fit_boxes(own)
    at = old.x, old.bodies, (moment(model.surfaces, time), 0.0)
    times = WIDER if listing[0].count <= LONG * len(own.vertices) else NARROWER
    while True:
        skins = max(SPARE * least, times * coming) if others(model) else ENDLESS, max(OWN * least, times * inside)
        count = soft_pairs_near(model, at, skins, work.found)
        if count <= LONG * len(own.vertices) or times == NARROWER:
            break
        times = NARROWER
    if count > LONGEST * len(own.vertices):
        return CROWDED
    if not renew(state.soft_pairs, listing[0], count, work):
        return FULL
    copy_rows(old.x, state.soft_listed)
    listing[0].skin, listing[0].near, listing[0].time = skins[0], coming, time
    listing[1].skin, listing[1].near = skins[1], inside
    return count


@kernel
def others(model: Model) -> bool:
    """Whether there is anything beside a single soft body."""
    return len(model.solids.surface.colliders) > 1 or len(model.surfaces.faces) > 0 or len(model.planes) > 0


@kernel
def soft_pairs_near(model: Model, at: At, skins: tuple[float, float], pairs: np.ndarray) -> int:
    """Fill `pairs` with all whose gaps are below skins[0] [m], or skins[1] where both are of one body. Returns how many
    there are, more than there is room for perhaps.
    """
    near = at, skins[0], skins[1]
    count = things_near(model, (SOFT, -1), (SOFT, -1), near, pairs, 0)
    if len(model.surfaces.faces) > 0:
        count = things_near(model, (SOFT, -1), (LED, -1), near, pairs, count)
    return planes_near(model, (SOFT, -1), near, pairs, count)
