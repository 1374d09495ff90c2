"""Settle: the equilibrium before the first frame, by implicit steps from rest. Pins are held where they start.

A step of h from rest goes to the least of the energy plus ½ |x − x₀|²_M/h² (a proximal point, Rockafellar 1976): what
would swing at ω is left with 1/(1 + ω²h²) of its way to the equilibrium. Steps double from rest to rest, so that stiff
rods and slow ones take alike few, and are halved where they go to and fro (drag goes by how a rod lies as a step
begins). Behind a step of h that moved δ, δ/ω²h² is left.

Explicit steps push out what overlaps by less than implicit ones see, and throw it: where they take over, that gives way
first, by kinetic damping.

Cosserat rods go as Kirchhoff's do first, which may touch anything as they come to rest, and from there by equations of
their own: their joints bend otherwise where they bend far, and their edges lean. These take implicit steps alike, and
what these do not bring to rest, kinetic damping.
"""

from collections.abc import Callable

import numpy as np

from ..assemble.chain_system import chain_system
from ..assemble.directors import lay_directors
from ..assemble.keyed import no_keyed_solids, no_keys, reeled_in
from ..assemble.room import asked, grown
from ..model import CLOCK, Model, State, changed, copied
from ..scene import REACHES, Scene
from ..time_integration.implicit_steps import implicit_steps
from ..time_integration.kinetic_damping import CALM_STOPS, relax
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..time_integration.workspace import Workspace, workspace

FIRST, LONGEST = 1.0 / 240.0, 1.0  # s
SLOW = 0.5 * np.pi  # rad/s, of a quarter period of 1 s: the slowest motion that has to have died
SHORTEST = FIRST * 2.0**-10  # s: what cannot take such a step from rest does not settle
MOST_STEPS = 4000
AT_REST = 1e-2  # of the smallest radius, by which the longest step may move anything
CALM_STEPS = 3
OUTDATED = -1.0  # m, s: no list is so narrow, nor of a time before the start
CALMING = 2000  # steps in which what overlaps or is still bent may come to rest
PATIENCE = 100  # times as many, in which what spins has to
FALLEN = 5.0  # lengths of the longest rod: what has moved so far falls freely


def settled(scene: Scene, model: Model, state: State, feel: Callable[[State], None]) -> tuple[State, Workspace, bool]:
    """Bring the start to rest: (State, Workspace, whether it came to rest). What falls or fails stays as drawn. The
    Workspace tells where vertices have been on the way.

    feel(state) lets the force fields and loads of the start act. Bodies that are pushed at the start are so after they
    rested.
    """
    drawn = copied(state)
    still = hold_start(model, windy=bool(scene.fields))
    low, high = state.x.copy(), state.x.copy()
    state, calm = rested(scene, implicit(still), state, feel, (low, high))
    if not calm:
        return drawn, workspace(model, drawn)._replace(low=low, high=high), False
    lay_directors(model, state)
    if model.rods["cosserat"].any():
        state = spun_to_rest(scene, still, state, feel, (low, high))
    if scene.solver == "EXPLICIT":
        state = calmed(still, state, workspace(model, state))[0]
    stop(state)
    for name in ("v", "l"):
        state.bodies[name] = drawn.bodies[name]
    return state, workspace(model, state)._replace(low=low, high=high), True


def rested(
    scene: Scene, held: Model, state: State, feel: Callable[[State], None], reached: tuple[np.ndarray, np.ndarray]
) -> tuple[State, bool]:
    """Go on by implicit steps from rest: (State, whether it came to rest, which is not near where it moved to if not).
    reached: the least and largest coordinates (N, 3) [m] on the way, kept up to date.
    """
    low, high = reached
    drawn = state.x.copy()
    work = workspace(held, state)._replace(low=low, high=high)
    longest = max(np.linalg.norm(rod.edges(), axis=1).sum() for rod in scene.rods)
    close = AT_REST * held.world["thinnest"][0]
    h, calm, way = FIRST, 0, np.zeros_like(state.x)
    for _ in range(MOST_STEPS):
        if calm == CALM_STEPS or h < SHORTEST:
            break
        stop(state)
        feel(state)
        before = copied(state)
        status, _, _, taken, _ = implicit_steps(held, state, work, h, h)
        if status == PAIRS_FULL:
            state, work = grown(held, before, asked(state))
            work = work._replace(low=low, high=high)
        elif status != DONE:
            state, h = before, 0.25 * h
        else:
            way, last = state.x - before.x, way
            calm = calm + 1 if np.abs(way).max() < close * min(1.0, (SLOW * h) ** 2) else 0
            h = min(2.0 * h, LONGEST) if taken == 1 and np.vdot(way, last) >= 0.0 else 0.5 * h
        if np.abs(state.x - drawn).max() > FALLEN * longest:
            break
    return state, calm == CALM_STEPS


def spun_to_rest(
    scene: Scene, still: Model, state: State, feel: Callable[[State], None], reached: tuple[np.ndarray, np.ndarray]
) -> State:
    """The State at rest by Cosserat rods' own equations, from near it, or as near as it came."""
    found, calm = rested(scene, implicit(still, spinning=True), copied(state), feel, reached)
    if calm:
        return found
    work = workspace(still, state)._replace(low=reached[0], high=reached[1])
    for _ in range(PATIENCE):
        state, calm = calmed(still, state, work)
        work = workspace(still, state)._replace(low=reached[0], high=reached[1])
        if calm:
            break
    return state


def calmed(model: Model, state: State, work: Workspace) -> tuple[State, bool]:
    """(the State after what is pressed or bent has given way by explicit steps, whether nothing is left to do); lengths
    are exact.
    """
    stop(state)
    stopped = state.x.copy()
    while True:
        before = copied(state)
        status, _, calm = relax(model, state, work, CALMING, stopped, 0)
        if status != PAIRS_FULL:
            return (state, calm >= CALM_STOPS) if status == DONE else (before, True)
        state, work = grown(model, before, asked(state))


def stop(state: State) -> None:
    """All motion ends; the next step looks back on none, and lists anew who is near whom."""
    state.v[:] = state.spin[:] = state.omega[:] = 0.0
    state.bodies["v"] = state.bodies["l"] = 0.0
    for name in CLOCK.names or ():
        if name not in ("rows", "entries"):  # room was asked for all the same
            state.clock[name] = 0
    unlist(state)


def unlist(state: State) -> None:
    """The next step lists anew who is near whom."""
    state.listings["skin"] = state.listings["time"] = OUTDATED


def hold_start(model: Model, windy: bool = False) -> Model:
    """The model with all that holds rods and soft bodies, and their numbers, as they are at the start; without damping
    of rods and sheets, nor drag in still air.
    """
    samples, solids = model.samples.copy(), model.solids
    for rows in (model.pins, solids.anchors, solids.constraints, solids.springs):
        for first, end in zip(rows["first_sample"], rows["end_sample"], strict=True):
            samples[first:end] = samples[first : first + 1]
    world = model.world if windy else changed(model.world, air_density=0.0)
    solids = solids._replace(plates=changed(solids.plates, relaxation=0.0), keyed=no_keyed_solids())
    rods, nodes = changed(model.rods, damped=False), model.nodes
    if model.rods["reeled"].any():
        nodes = changed(nodes, w=np.where(reeled_in(model.rods, len(nodes)), 0.0, nodes["w"]))
    return model._replace(samples=samples, rods=rods, nodes=nodes, world=world, keyed=no_keys(), solids=solids)


def implicit(model: Model, spinning: bool = False) -> Model:
    """The model for implicit steps as Good takes them, whatever takes those of the bake; spinning: of Cosserat rods by
    their own equations, else by Kirchhoff's.
    """
    world = changed(model.world, preview=False, springs=False, reach=REACHES["GOOD"])
    model = model._replace(world=world, rods=changed(model.rods, cosserat=model.rods["cosserat"] & spinning))
    return model._replace(chain_system=chain_system(model))
