"""Whether rods' centre lines have passed through surfaces in a step, anywhere and however fast.

What a pin holds goes where it is led, whatever is there, and takes the edges at it along.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..constraints.pins import is_held
from ..model import SURFACES, Model, State
from ..rods.chain import head_of
from .carriers.led_surface import moment
from .continuous_detection import motion_of
from .feature_passage import through_edge, through_face
from .scratch import ContactScratch
from .surface_contact import overlap_of, thickest


@kernel
def passed(model: Model, state: State, pairs: np.ndarray, x0: np.ndarray, h: float, gone: np.ndarray) -> int:
    """The vertex of the first of some pairs that has passed through each other in a step of h [s] from x0 (N, 3), or
    −1; gone (N,): how wide gaps [m] of an edge were at most, when listed, that may have closed.
    """
    surfaces, x, time = model.surfaces, state.x, state.clock[0].time
    begin = moment(surfaces, time)
    part = begin, moment(surfaces, time + h) - begin
    faces, last, most = len(surfaces.faces), -1, 0.0
    for p in range(len(pairs)):
        i, j = pairs[p].i, pairs[p].j
        if i != last:
            last, head = i, head_of(model, i)
            most = gone[i] - thickest(model, i, head)
        if pairs[p].gap > most:
            continue  # the centre line was further away
        if is_held(model, state, i):
            continue
        own, hit = motion_of(x, x0, i), False
        if j < faces:
            hit = through_face(surfaces, j, own, part)
        elif j < faces + len(surfaces.edges) and head >= 0 and not is_held(model, state, head):
            hit = through_edge(surfaces, j - faces, own, motion_of(x, x0, head), part)
        if hit:
            return i
    return -1


@kernel
def deepened(
    model: Model,
    state: State,
    pairs: np.ndarray,
    x0: np.ndarray,
    h: float,
    limits: tuple[float, float],
    work: ContactScratch,
) -> int:
    """The first of some pairs that overlaps by more than limits[0], and limits[1] more than at x0 (N, 3), a step of
    h [s] ago, where it touched then as well; or −1. Both over the rod's radius. work.gone and went (N,): at the end of
    the step.
    """
    time = state.clock[0].time
    begin, end = moment(model.surfaces, time), moment(model.surfaces, time + h)
    last, nearer = -1, 0.0
    for p in range(len(pairs)):
        i = pairs[p].i
        if i != last:
            last, head = i, head_of(model, i)
            nearer = work.gone[i] - limits[0] * model.nodes[i].radius
            if is_held(model, state, i) or (head >= 0 and is_held(model, state, head)):
                nearer = -inf
        if pairs[p].gap > nearer or max(pairs[p].wakes_beside, pairs[p].wakes_near) > work.went[i]:
            continue
        overlap = overlap_of(model, pairs[p], state.x, end)
        if overlap > limits[0]:
            before = overlap_of(model, pairs[p], x0, begin)
            if before == -inf:
                before = deepest_beside(model, state, x0, (i, head), begin, overlap)
            if overlap - before > limits[1]:
                return p
    return -1


@kernel
def deepest_beside(model: Model, state: State, x0: np.ndarray, ends: tuple[int, int], part: float, now: float) -> float:
    """How deep an edge, the one behind it or the one before it were in anything at x0 (N, 3), over the rod's radius:
    what slides comes to one feature as deep as it was at another. But `now` for what was drawn within a collider's
    thickness: what of that keeps it off changes from feature to feature.
    """
    pairs, nodes, (i, head) = state.surface_pairs, model.nodes, ends
    if nodes[i].padding > 0.0 or (head >= 0 and nodes[head].padding > 0.0):
        return now
    deepest = 0.0
    for p in range(max(state.listings[SURFACES].count, 0)):
        k = pairs[p].i
        if k in (i, head) or head_of(model, k) == i:
            deepest = max(deepest, overlap_of(model, pairs[p], x0, part))
    return deepest
