"""Before the first step: bring rods whose rest lengths differ from what is drawn to their lengths, little by little and
without velocity. They go the smoothest way (see smooth_growth), each bit of it a step from rest with its motion
prescribed: so floor, rods and pins are obeyed, and what bends a rod more than it is drawn is let out on the way. Pins
that yield may be drawn along; they go back under their own force. Rigid bodies are drawn along by the rods they hang
on. What has its length already stays where it is.
"""

from dataclasses import replace
from itertools import pairwise
from typing import NoReturn

import numpy as np

from ..arithmetic.fixed_order import norm
from ..assemble.directors import lay_directors
from ..assemble.room import asked, grown
from ..constraints.fast_projection import TOLERANCE
from ..model import FREE, HELD, Model, State, changed, copied
from ..rods.chain import edges_of, heads, rod_of
from ..rods.elastic_forces import elastic_forces
from ..rods.moment_loads import bent, hinges_of_rods
from ..rods.scratch import elastic_scratch
from ..scene import Scene
from ..time_integration.advance import take_steps
from ..time_integration.step_limit import motion_step, stable_step
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..time_integration.workspace import Workspace, workspace
from ..validate import SimulationError
from ..validate.overlap import deepest
from .imperfection import imperfect, straighten
from .settle import calmed, hold_start
from .smooth_growth import Growth

PORTION = 0.05  # largest relative change of an edge at once
FRACTION = 0.4  # of the stable step
FITTED = 1e-6  # relative error of the lengths that the last steps undo
NEARLY = 1e-3  # the same where it cannot be had smaller
PROGRESS = 0.999  # of the error: a portion that leaves more has not come on
WEAK = 1e-300  # N, of pins that yield: the motion itself goes back to them
TIMID = 1e-2  # of what motion allows: where less than that fails, nothing goes
OVERLAP = 0.05  # of the smaller radius: how much deeper than drawn two rods may be in each other at the end


def fit_lengths(scene: Scene, model: Model, state: State) -> None:
    """Fit all inextensible rods, state in place; SimulationError when pins hold one too far apart or it has no room."""
    rods = model.rods
    if not len(rods):
        return
    tail, head = edges_of(rods, len(state.x))
    fits = ~rods["stretchable"][rod_of(rods, tail)] & ~_inside_a_body(model, tail)
    tail, head = tail[fits], head[fits]
    drawn = np.linalg.norm(state.x[head] - state.x[tail], axis=1)
    off = np.abs(drawn / model.edges["length"][tail] - 1.0) > TOLERANCE
    if not off.any():
        return
    own = np.zeros(len(rods), bool)
    own[rod_of(rods, tail[off])] = True
    own |= rods["welded"]  # bodies may be pushed, and take what is welded to them along
    tail = tail[own[rod_of(rods, tail)]]
    _check_reach(scene, model, state, tail)
    stuck = own & _stuck(model, state)
    try:
        fitted = _from(scene, model, state, own, tail, stuck)
    except SimulationError:
        if not stuck.any():
            raise
        fitted = _from(scene, model, state, own, tail, stuck, beside=True)  # what lies on something cannot sag
    _take_over(model, fitted, state, own)
    lay_directors(model, state)


def _from(
    scene: Scene,
    model: Model,
    drawn: State,
    own: np.ndarray,
    tail: np.ndarray,
    stuck: np.ndarray,
    *,
    beside: bool = False,
) -> State:
    """The State in which rods `own` (R,) have their lengths; beside: how `stuck` (R,) ones give way, see imperfect."""
    state = copied(drawn)
    straighten(model, state, stuck)
    imperfect(model, state, always=stuck, beside=beside)
    fitted = _fitted(scene, _at_ease(model, state, own), state, tail)
    _check_room(scene, model, fitted)
    return fitted


def _inside_a_body(model: Model, tail: np.ndarray) -> np.ndarray:
    """Of edges, by the node they leave, whether a rigid body holds both ends."""
    body = np.full(len(model.nodes), -1)
    body[model.slaves["node"]] = model.slaves["body"]
    return (body[tail] >= 0) & (body[tail] == body[heads(model.rods, tail)])


def _check_reach(scene: Scene, model: Model, state: State, tail: np.ndarray) -> None:
    """Each rod has to reach from one exact pin to the next."""
    rods, pins, edges = model.rods, model.pins, model.edges
    exact = np.flatnonzero(state.holds["state"] == HELD)
    of = rod_of(rods, pins["node"])
    for r in np.unique(rod_of(rods, tail)):
        own = sorted((p for p in exact if of[p] == r), key=lambda p: pins["node"][p])
        for one, two in pairwise(own):
            a, b = pins["node"][one], pins["node"][two]
            length, distance = edges["length"][a:b].sum(), norm(state.x[b] - state.x[a])
            if length < (1.0 - FITTED) * distance:
                name, (first, second) = scene.rods[r].name, (scene.pins[p].name for p in (one, two))
                raise SimulationError(
                    name,
                    f"'{name}' is to be {length:.4g} m long between '{first}' and '{second}', which are {distance:.4g} "
                    "m apart: raise its Rest Length, move them closer or give them a largest force.",
                )


def _stuck(model: Model, state: State) -> np.ndarray:
    """(R,) bool: rods held at two places or more that are to be longer: straight ones can but buckle."""
    rods, pins = model.rods, model.pins
    held = pins["node"][state.holds["state"] != FREE]
    longer = [
        model.edges["length"][a:b].sum() > np.linalg.norm(np.diff(state.x[a : b + 1], axis=0), axis=1).sum()
        for a, b in zip(rods["first"], rods["last"], strict=True)
    ]
    return (np.bincount(rod_of(rods, held), minlength=len(longer)) > 1) & longer


def _at_ease(model: Model, state: State, own: np.ndarray) -> Model:
    """The model without weight, friction and damping, pins where they start, in which the rods `own` (R,) are at ease
    as they are drawn and all others stand still.
    """
    rods, nodes = model.rods, model.nodes
    drawn = copied(state)
    inner = hinges_of_rods(model, state, own)
    moving = own[rod_of(rods, np.arange(len(nodes)))]
    eased = model._replace(
        world=changed(model.world, gravity=0.0),
        rods=changed(rods, general=rods["general"] | own, twisted=rods["twisted"] & ~own),
        nodes=changed(nodes, w=np.where(moving, nodes["w"], 0.0), friction=0.0),
        hinges=model.hinges.copy(),
        capsules=changed(model.capsules, friction=0.0),
    )
    elastic_forces(eased, drawn, elastic_scratch(model))  # carries the frames along each rod
    at = bent(model, drawn, inner)
    eased.hinges["rest_curvature"][inner], eased.hinges["rest_twist"][inner] = at.strain[:, :4], at.strain[:, 4]
    eased.hinges["bent"][inner], eased.hinges["rest_share"][inner] = 0.0, 1.0  # at rest where they are, however drawn
    return hold_start(eased)


def _fitted(scene: Scene, model: Model, state: State, tail: np.ndarray) -> State:
    """The State in which the edges that leave the nodes `tail` have their lengths."""
    edges = model.edges
    state = copied(state)
    state.w[:] = model.nodes["w"]
    state.v[:] = state.bodies["v"][:] = state.bodies["l"][:] = 0.0
    work, growth, nearest = workspace(model, state), Growth(model, state, tail), np.inf
    tail, head = growth.tail, growth.head  # what is held at both ends is as those want it
    while True:
        length = edges["length"].copy()
        now = np.linalg.norm(state.x[head] - state.x[tail], axis=1)
        change = np.log(edges["length"][tail] / now)
        furthest = np.abs(change).max()
        if furthest < FITTED or (furthest < NEARLY and furthest > PROGRESS * nearest):
            return calmed(model, state, work)[0]
        if furthest > PROGRESS * nearest:
            _refuse(scene, model, state, tail)
        nearest = min(nearest, furthest)
        length[tail] = now * np.exp(min(1.0, PORTION / furthest) * change)
        motion = growth.toward(state, length)
        state, work = _follow(scene, model, state, work, motion, tail)


def _follow(
    scene: Scene, model: Model, state: State, work: Workspace, motion: np.ndarray, tail: np.ndarray
) -> tuple[State, Workspace]:
    """Move the nodes and bodies by the motion (N + B, 3) [m], as far at once as contact allows."""
    pins = changed(model.pins, max_force=WEAK)
    edges, n, head, left, timid = model.edges, len(state.x), heads(model.rods, tail), 1.0, 1.0
    while left > 0.0:
        for pairs in (state.pairs, state.plane_pairs, state.surface_pairs):
            pairs["force"] = 0.0  # a prescribed motion has none to begin the next with
        state.rods["pressed"] = state.tension[:] = 0.0
        state.v[:], state.bodies["v"][:] = motion[:n], motion[n:]
        part = min(left, timid * motion_step(model, state))
        length = edges["length"].copy()
        length[tail] = np.linalg.norm(
            state.x[head] - state.x[tail] + part * (motion[head] - motion[tail]), axis=1
        )  # fmt: skip
        pressed = min(1.0, (length[tail] / edges["length"][tail]).min())
        h = FRACTION * pressed * stable_step(model, state)
        state.bodies["l"][:] = 0.0
        state.v[:], state.bodies["v"][:] = part / h * motion[:n], part / h * motion[n:]
        before = copied(state)
        status, rod = take_steps(model._replace(edges=changed(edges, length=length), pins=pins), state, work, h, 1)
        if status == PAIRS_FULL:
            state, work = grown(model, before, asked(state))
            continue
        if status == DONE:
            left -= part
        elif timid > TIMID:
            state, timid = before, 0.25 * timid
        else:
            _refuse(scene, model, before, tail, rod)
    return state, work


def _refuse(scene: Scene, model: Model, state: State, tail: np.ndarray, rod: int | None = None) -> NoReturn:
    """Raise SimulationError about a rod, by default the one that lacks most."""
    rods, of = model.rods, rod_of(model.rods, tail)
    now = np.linalg.norm(state.x[heads(rods, tail)] - state.x[tail], axis=1)
    if rod is None:
        rod = of[np.argmax(np.abs(np.log(model.edges["length"][tail] / now)))]
    name, own = scene.rods[rod].name, of == rod
    asked, reached = model.edges["length"][tail[own]].sum(), now[own].sum()
    raise SimulationError(
        name,
        f"'{name}' is to be {asked:.4g} m long, but where it is it gets only to {reached:.4g} m: set its Rest Length "
        "nearer to 1, or give it more room between what holds it.",
    )


def _check_room(scene: Scene, model: Model, fitted: State) -> None:
    """Nothing may be deeper in anything than it was drawn."""
    places = [fitted.x[a : b + 1] for a, b in zip(model.rods["first"], model.rods["last"], strict=True)]
    after = replace(scene, rods=tuple(replace(rod, x=x) for rod, x in zip(scene.rods, places, strict=True)))
    depth, rod = deepest(after)
    if depth > deepest(scene)[0] + OVERLAP:
        name = scene.rods[rod].name
        raise SimulationError(
            name,
            f"'{name}' has no room for its rest length: it would be in itself or in another rod by {depth:.2g} of its "
            "radius. Set its Rest Length nearer to 1, or make it thinner.",
        )


def _take_over(model: Model, fitted: State, state: State, own: np.ndarray) -> None:
    """Rods `own` (R,) and the bodies they hang on stand where they were fitted, with their frames."""
    rods = model.rods
    count = rods["last"] - rods["first"] + 1
    for names, rows in ((("x",), count), (("t", "u", "theta"), count + 1), (("ghosts",), np.full(len(rods), 2))):
        for name in names:
            getattr(state, name)[np.repeat(own, rows)] = getattr(fitted, name)[np.repeat(own, rows)]
    for name in ("x", "q"):
        state.bodies[name] = fitted.bodies[name]
    state.clamp_frame[:] = fitted.clamp_frame
