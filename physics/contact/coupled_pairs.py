"""Pairs of rods or rigid bodies and soft bodies that may touch.

`model` is that of the rods and bodies, with the soft bodies' surface. For rods that stands in place of colliders': its
samples are where a step begins and where it leads, as a collider's are in a frame. So all that finds, and judges, what
touches colliders does so here. How pairs are numbered: `surface_pairs`, `contact_features`.
"""

import numpy as np

from .._jit import kernel
from ..model import FEATURES, SURFACES, Model, OldState, State
from .bounding_volumes import fit_boxes
from .contact_features import BODY, first_thing, second_thing
from .contact_filter import contains
from .feature_list import BEYOND, are_listed, coming, relist
from .room import forget
from .scratch import ContactScratch
from .surface_contact import collider_of
from .surface_pairs import SKIN, closed, expect, furthest, list_anew

SURPRISE = 0.5  # radii that a rod may get beyond BEYOND times the way that it is expected to go,
BESIDE = 0.1  # and this part of the way of the furthest
# Radii, and times what a step needs, that the list of rods' pairs is good for: shorter lists let what a soft body
# catches sink in too deep.
GOOD = 0.12, 1.5


@kernel
def come(model: Model, state: State, k: int, time: float, ahead: float) -> float:
    """How far [m] soft bodies have come at most since pairs were listed, where they are in sample k, at a `time` [s].
    Their speed becomes such that they are said to have, or `ahead` [m/s] where that is more.
    """
    way, passed = furthest(model.surfaces.samples[k], state.feature_listed), time - state.listings[SURFACES].time
    set_speed(model, max(ahead, way / passed if passed > 0.0 else 0.0))
    return way


@kernel
def set_speed(model: Model, speed: float) -> None:
    """Soft bodies are no faster [m/s]."""
    for s in range(len(model.surfaces.colliders)):
        model.surfaces.colliders[s].speed = speed


@kernel
def list_coupled_pairs(model: Model, state: State, old: OldState, work: ContactScratch, h: float) -> bool:
    """Keep both lists complete for a step of h [s] from `old` to about `state`. False when one has no room."""
    samples, time, gaps = model.surfaces.samples, state.clock[0].time, coming(model, state, old, h)
    forget(state)
    complete, ahead = are_listed(model, state, old, gaps), furthest(samples[1], samples[0]) / h
    if state.listings[SURFACES].count >= 0:
        come(model, state, 0, time, ahead)
    else:
        set_speed(model, ahead)
    if rods_are_listed(model, state, old.x, work, h) and complete:
        return True
    fit_boxes(model.surfaces)
    if not list_anew(model, state, old.x, work, (time, 1.0), 0.0, GOOD):
        return False
    drop_tied(model, state.surface_pairs, state.listings[SURFACES], True)
    if not relist(model, state, old, work, gaps[0], gaps[1]):
        return False
    drop_tied(model, state.feature_pairs, state.listings[FEATURES], False)
    return True


@kernel
def rods_are_listed(model: Model, state: State, x0: np.ndarray, work: ContactScratch, h: float) -> bool:
    """Whether the list of pairs with rods is complete: see `surface_pairs.list_surface_pairs`."""
    near, complete = work.near, True
    expect(model, state.x, x0, h, (SURPRISE, BEYOND - 1.0, BESIDE), work)
    for i in range(len(near)):
        near[i] = work.margin[i] + closed(model, state, x0, state.clock[0].time, i)
        complete = complete and near[i] <= state.surface_listed[i, SKIN]
    return complete


@kernel
def drop_tied(model: Model, pairs: np.ndarray, listing: np.record, of_rods: bool) -> None:
    """Take out of a list the pairs of what is tied: it does not touch there. See `tied_key`."""
    if len(model.rooted) == 0:
        return
    kept = 0
    for p in range(listing.count):
        i, j = pairs[p].i, pairs[p].j
        if of_rods:
            of, soft = i, collider_of(model.surfaces, j)
        else:
            one, other = first_thing(model, i), second_thing(model, j)
            of, soft = len(model.nodes) + (one if one[0] == BODY else other)[1], (other if one[0] == BODY else one)[1]
        if not contains(model.rooted, tied_key(model, of, soft)):
            pairs[kept] = pairs[p]
            kept += 1
    listing.count = kept


@kernel
def tied_key(model: Model, of: int, soft: int) -> int:
    """In Model.rooted: a rod's vertex with the edge that leaves it, or, counted on from there, a body, which does not
    touch a soft body.
    """
    return of * len(model.surfaces.colliders) + soft
