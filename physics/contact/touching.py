"""How many pairs press on each other, and how deep they are in each other at most: what an artist is told of a bake."""

from math import sqrt

from .._jit import entry
from ..arithmetic.vectors import dot
from ..model import CAPSULES, FEATURES, SURFACES, Model, State
from .along_rod import nearest
from .carriers.led_surface import moment
from .carriers.wall import height
from .feature_contact import depth_of
from .surface_contact import overlap_of


@entry
def touching(model: Model, state: State) -> tuple[int, float]:
    """(how many pairs press on each other, the deepest overlap of these over the smaller radius, or what a body's
    overlaps are judged against).
    """
    count, deepest, x, nodes = 0, 0.0, state.x, model.nodes
    for p in range(max(state.listings[CAPSULES].count, 0)):
        if state.pairs[p].force[0] > 0.0:
            one, two = model.capsules[state.pairs[p].i], model.capsules[state.pairs[p].j]
            way = nearest(model.capsules, model.rods, state.pairs[p].i, state.pairs[p].j, x, 0.0)[0]
            depth = one.radius + two.radius - sqrt(dot(way, way))
            count, deepest = count + 1, max(deepest, depth / min(one.radius, two.radius))
    for p in range(len(state.plane_pairs)):
        if state.plane_pairs[p].force[0] > 0.0:
            i, wall = state.plane_pairs[p].i, model.planes[state.plane_pairs[p].j]
            count, deepest = count + 1, max(deepest, 1.0 - height(wall, x[i]) / nodes[i].radius)
    if state.listings[SURFACES].count > 0:
        touch, deep = touching_surfaces(model, state)
        count, deepest = count + touch, max(deepest, deep)
    if state.listings[FEATURES].count > 0 and len(model.shapes) > 0:
        touch, deep = touching_features(model, state)
        count, deepest = count + touch, max(deepest, deep)
    return count, deepest


@entry
def touching_surfaces(model: Model, state: State) -> tuple[int, float]:
    """What `touching` says of pairs with surfaces."""
    count, deepest, part = 0, 0.0, moment(model.surfaces, state.clock[0].time)
    for p in range(state.listings[SURFACES].count):
        if state.surface_pairs[p].force[0] > 0.0:
            count, deepest = count + 1, max(deepest, overlap_of(model, state.surface_pairs[p], state.x, part))
    return count, deepest


@entry
def touching_features(model: Model, state: State) -> tuple[int, float]:
    """What `touching` says of pairs with bodies."""
    count, deepest, part = 0, 0.0, moment(model.surfaces, state.clock[0].time)
    for p in range(state.listings[FEATURES].count):
        if state.feature_pairs[p].force[0] > 0.0:
            depth, scale = depth_of(model, state.feature_pairs[p], (state.x, state.bodies, (part, 1.0)))
            count, deepest = count + 1, max(deepest, depth / scale)
    return count, deepest
