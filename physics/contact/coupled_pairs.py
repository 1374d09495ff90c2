"""Pairs of rods or rigid bodies and soft bodies that may touch.

`model` is that of the rods and bodies, with the soft bodies' surface. For rods that stands in place of colliders': its
samples are where a step begins and where it leads, as a collider's are in a frame. So all that finds, and judges, what
touches colliders does so here. How pairs are numbered: `surface_pairs`, `contact_features`.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.arrays import copy, copy_rows
from ..model import Model, OldState, State
from .bounding_volumes import fit_boxes
from .carriers.led_surface import thinnest
from .contact_features import BODY, SOFT, first_thing, second_thing
from .contact_filter import contains
from .feature_pairs import things_near
from .renewed_list import renew
from .scratch import ContactScratch
from .shape_pairs import way_of_bodies
from .surface_contact import collider_of
from .surface_pairs import SKIN, closed, expect, furthest, list_anew

SPARE, WIDER = 4.0, 4.0  # thicknesses of the thinnest soft body, and times what a step needs, that a list is good for
BEYOND = 1.2  # times the way that things are expected to go, and
SURPRISE = 0.5  # thicknesses, or radii of a rod: so far they may get,
BESIDE = 0.1  # a rod also by this part of the way of the furthest
GOOD = 0.12, 1.5  # the same of rods' pairs, in radii: shorter lists let what a soft body catches sink in too deep


@kernel
def come(model: Model, state: State, k: int, time: float, ahead: float) -> float:
    """How far [m] soft bodies have come at most since pairs were listed, where they are in sample k, at a `time` [s].
    Their speed becomes such that they are said to have, or `ahead` [m/s] where that is more.
    """
    way, passed = furthest(model.surfaces.samples[k], state.soft_listed), time - state.surface_listing[0].time
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
    samples, listing, least = model.surfaces.samples, state.shape_listing[0], thinnest(model.surfaces)
    listing.asked = state.surface_listing[0].asked = 0
    ahead = furthest(samples[1], samples[0])
    coming = SURPRISE * least + BEYOND * (ahead + way_of_bodies(model, old.bodies, state.bodies))
    if listing.count >= 0:
        listing.near = come(model, state, 0, state.clock[0].time, ahead / h) + coming
        listing.near += way_of_bodies(model, state.listed_bodies, old.bodies)
        if rods_are_listed(model, state, old.x, work, h) and listing.near <= listing.skin:
            return True
    else:
        set_speed(model, ahead / h)
        rods_are_listed(model, state, old.x, work, h)
    fit_boxes(model.surfaces)
    if not list_anew(model, state, old.x, work, (state.clock[0].time, 1.0), 0.0, GOOD):
        return False
    drop_tied(model, state.surface_pairs, state.surface_listing[0], True)
    return list_near_bodies(model, state, old, work, (SPARE * least + WIDER * coming, coming))


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
def list_near_bodies(
    model: Model, state: State, old: OldState, work: ContactScratch, margins: tuple[float, float]
) -> bool:
    """Make the list of pairs with bodies anew: margins [m] are how far apart what is listed may be, and what of it may
    close in this step.
    """
    listing, count, at = state.shape_listing[0], 0, (old.x, old.bodies, (0.0, 0.0))
    for b in range(len(model.shapes)):
        if model.shapes[b].face[0] < model.shapes[b].face[1]:
            count = things_near(model, (BODY, b), (SOFT, -1), (at, margins[0], 0.0), work.found, count)
    if not renew(state.shape_pairs, listing, count, work):
        return False
    copy(old.bodies, state.listed_bodies)
    copy_rows(model.surfaces.samples[0], state.soft_listed)
    listing.skin, listing.near, listing.time = margins[0], margins[1], state.clock[0].time
    drop_tied(model, state.shape_pairs, listing, False)
    return True


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


@kernel
def bodies_came(model: Model, state: State, k: int) -> float:
    """By how much [m] gaps of bodies and soft bodies, where these are in sample k, may have closed since they were
    listed.
    """
    way = furthest(model.surfaces.samples[k], state.soft_listed)
    return way + way_of_bodies(model, state.listed_bodies, state.bodies)
