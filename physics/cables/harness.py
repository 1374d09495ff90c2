"""`settle_harness`: cables and the rigid parts that they go with, at rest together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arithmetic.quaternions import conjugate, exponential, logarithm, product, turned
from ..scene import Collider, Floor, InALine, Rod
from ..scenes.collision_filter import matrix
from ..schemes.static import Effort, Equilibrium
from ..validate.errors import SimulationError
from .equilibrium import (
    BESIDE,
    FARTHEST_TURN,
    GRAVITY,
    MOST_PARTS,
    ON_THE_WAY,
    PARTS,
    TOLERANCE,
    WORK,
    YIELDS,
    SettledCable,
    State,
    contacts_of,
    continued,
    in_si,
    led,
    turns_of,
    undisturbed,
    way_of,
)  # fmt: skip
from .handle import Handle
from .harness_system import POSE, Hand, HarnessSystem, Mount
from .pairs import Pairs
from .part import Part
from .prediction import predict
from .requirements import check, check_parts, check_reach, check_surroundings
from .surroundings import surroundings
from .touching import Touching, strand_of
from .units import Units, cable_system

MORE = 4.0  # times the effort of a cable's settling: places of contacts between cables follow one after the other


@dataclass(frozen=True, eq=False, repr=False)
class SettledHarness(InALine):
    """cables at rest, in the order they were given; position (p, 3) [m] and orientation (p, 4) of the parts;
    missing (p,) [m] from where they are to where they were led, which is nothing where strength does.
    """

    cables: tuple[SettledCable, ...]
    position: np.ndarray
    orientation: np.ndarray
    missing: np.ndarray
    effort: Effort
    state: "Whole"


@dataclass(frozen=True, eq=False)
class Whole:
    """Where the next settling goes on: what is mounted on parts, free or held, and integral forces of their norms."""

    mounts: tuple[Mount, ...]
    swelling: np.ndarray
    pairs: Pairs


def settle_harness(
    cables: Sequence[tuple[Rod, Sequence[Handle]]],
    parts: Sequence[Part] = (),
    *,
    gravity: np.ndarray | Sequence[float] = GRAVITY,
    start: SettledHarness | None = None,
    colliders: Sequence[Collider | Floor] = (),
    time: float = 0.0,
    collision_filter: Sequence[tuple[int, int]] | None = None,
    tolerance: float = TOLERANCE,
) -> SettledHarness:
    """Rods, each with its handles, at rest under gravity (3,) [m/s²] with the parts that handles name. From the first
    settling on handles go with their parts as they were drawn there.

    Rods touch colliders as settle_cable has it and, where collision_filter is given, each other and themselves, but for
    groups that it names: see Scene. Raises SceneError, and SimulationError where it finds no rest.
    """
    check_parts(cables, parts, None if start is None else len(start.position))
    for rod, handles in cables:
        check(rod, handles, gravity, None, time, tolerance)
    gravity = np.asarray(gravity, float)
    mounts = _mounts(cables, parts) if start is None else start.state.mounts
    cables = [(rod, _with_parts(k, handles, parts, mounts)) for k, (rod, handles) in enumerate(cables)]
    units = _units(cables, parts, gravity)
    apart = matrix(collision_filter or (), [*(rod.group for rod, _ in cables), *(c.group for c in _meshes(colliders))])
    here = []
    for k, (rod, handles) in enumerate(cables):
        system, _ = cable_system(rod, handles, gravity, None, units)
        check_reach(rod, handles, units.length * system.arc)
        own = [c for c in colliders if isinstance(c, Floor) or not (apart.size and apart[rod.group, c.group])]
        if own:
            known = None if start is None else start.cables[k].state.system.contacts
            around = None if known is None else known.around
            check_surroundings(own, () if around is None else around.colliders)
            system.contacts = contacts_of(rod, handles, system, surroundings(own, time, units.length, around))
        empty = State((), (), system, units, np.empty(0))
        old = None if start is None else start.cables[k].state
        here.append(undisturbed(rod, handles, empty) if old is None else continued(rod, old, handles, empty))
    free = [number for number, part in enumerate(parts) if not part.firm]
    whole = _system(here, parts, free, mounts, gravity)
    places = np.array([part.position for part in parts], float).reshape(-1, 3)
    turns = np.array([part.orientation for part in parts], float).reshape(-1, 4)
    led_to = [(part.position / units.length, np.asarray(part.orientation, float)) for part in parts]
    if start is not None:
        places[free], turns[free] = start.position[free], start.orientation[free]
        whole.swelling[:] = start.state.swelling[free]
    begin = whole.unknowns([state.y for state in here], places[free] / units.length, turns[free])
    strands = [
        strand_of(rod, state.system.arc, zip(state.handles, handles, strict=True), units.length)
        for state, (rod, handles) in zip(here, cables, strict=True)
    ]
    pairs = Pairs(strands, whole.points_begin(), None if collision_filter is None else apart)
    if start is not None:
        pairs.begin_from(start.state.pairs, start.cables[0].state.units.force / units.force)
    touching = Touching(whole, pairs)
    y, frames, effort = _brought_to_rest(touching, here, cables, begin, [led_to[p] for p in free], tolerance)
    found = []
    for k, (rod, handles) in enumerate(cables):
        there = list(handles)
        for mount in whole.mounts:
            if mount.cable == k:
                place = units.length * whole.systems[k].handles[mount.handle]["position"]
                there[mount.handle] = replace(handles[mount.handle], position=place)
        state = State(tuple(there), frames[k], whole.systems[k], units, whole.of_cable(y, k))
        found.append(in_si(rod, state, effort, (pairs, y, int(pairs.ends[k]))))
    poses = y[whole.poses :].reshape(-1, POSE)
    places[free] = units.length * poses[:, :3]
    turns[free] = poses[:, 3:] / np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    swelling = np.zeros(len(parts))
    swelling[free] = whole.swelling
    missing = np.zeros(len(parts))
    for hand in whole.hands:
        number = free[hand.part]
        if np.linalg.norm(hand.force) >= (1.0 - YIELDS) * hand.strength:
            missing[number] = np.linalg.norm(parts[number].position - places[number])
    return SettledHarness(tuple(found), places, turns, missing, effort, Whole(tuple(mounts), swelling, pairs))


def _system(
    here: Sequence[State], parts: Sequence[Part], free: list[int], mounts: Sequence[Mount], gravity: np.ndarray
) -> HarnessSystem:
    """The cables' systems with those parts that are free."""
    units = here[0].units
    own = [replace(m, part=free.index(m.part), arm=m.arm / units.length) for m in mounts if m.part in free]
    hands = [
        Hand(k, parts[p].strength / units.force, np.zeros(3), np.zeros(4)) for k, p in enumerate(free) if parts[p].held
    ]
    weights = np.array([parts[p].mass * gravity / units.force for p in free]).reshape(-1, 3)
    centres = np.array([parts[p].centre / units.length for p in free]).reshape(-1, 3)
    return HarnessSystem([state.system for state in here], own, weights, centres, hands)


def _brought_to_rest(
    touching: Touching, here: Sequence[State], cables: Sequence[tuple[Rod, Sequence[Handle]]], begin: np.ndarray,
    led_to: Sequence[tuple[np.ndarray, np.ndarray]], tolerance: float,
) -> tuple[np.ndarray, list[tuple[np.ndarray | None, ...]], Effort]:  # fmt: skip
    """As _follow, in as many stages as it needs. Raises SimulationError."""
    whole = touching.system
    ways = [turns_of(state, handles) for state, (_, handles) in zip(here, cables, strict=True)]
    for mount in whole.mounts:
        ways[mount.cable][mount.handle] = np.zeros(3)
    most = max((float(np.linalg.norm(r)) for way in ways for r in way), default=0.0)
    ways_of_hands = []
    for hand in whole.hands:
        p, q = whole.pose(begin, hand.part)
        place, turn = led_to[hand.part]
        ways_of_hands.append((p, place - p, q, logarithm(product(turn, conjugate(q)))))
        most = max(most, float(np.linalg.norm(ways_of_hands[-1][3])))
    way = max((way_of(state, handles) for state, (_, handles) in zip(here, cables, strict=True)), default=0.0)
    stages = 2 ** int(np.ceil(np.log2(max(most / FARTHEST_TURN, way, 1.0))))
    kept, points = touching.memory(), sum(len(rod.x) for rod, _ in cables)
    left = MORE * WORK / (points + BESIDE) * max(1.0, stages / PARTS)
    while stages <= MOST_PARTS and left > 0.0:
        touching.recall(kept)
        solver = Equilibrium(touching, most=left)
        y, frames = _follow(solver, here, cables, ways, ways_of_hands, begin, stages, tolerance)
        effort = solver.effort
        left -= effort.factors
        if effort.arrived:
            return y, frames, effort
        stages *= 2
    name = cables[0][0].name
    raise SimulationError(name, f"'{name}' and what goes with it find no rest: move handles and parts by less at once.")


def _mounts(cables: Sequence[tuple[Rod, Sequence[Handle]]], parts: Sequence[Part]) -> list[Mount]:
    """Of all handles that name a part, as they are where it is."""
    number = {part.name: k for k, part in enumerate(parts)}
    mounts = []
    for k, (_, handles) in enumerate(cables):
        for row, h in enumerate(handles):
            if h.part is not None:
                part = parts[number[h.part]]
                back = conjugate(np.asarray(part.orientation, float))
                arm = turned(back, np.asarray(h.position, float) - part.position)
                frame = None if h.orientation is None else product(back, np.asarray(h.orientation, float))
                mounts.append(Mount(k, row, number[h.part], arm, frame))
    return mounts


def _with_parts(cable: int, handles: Sequence[Handle], parts: Sequence[Part], mounts: Sequence[Mount]) -> list[Handle]:
    """Handles, those of held parts where these are led to, which then are as any other."""
    found = list(handles)
    for mount in mounts:
        part = parts[mount.part]
        if mount.cable == cable and part.firm:
            q = np.asarray(part.orientation, float)
            frame = None if mount.frame is None else product(q, mount.frame)
            place = part.position + turned(q, mount.arm)
            found[mount.handle] = replace(found[mount.handle], position=place, orientation=frame, part=None)
    return found


def _units(cables: Sequence[tuple[Rod, Sequence[Handle]]], parts: Sequence[Part], gravity: np.ndarray) -> Units:
    """The longest cable's length and the largest force, with what parts weigh."""
    own = [cable_system(rod, handles, gravity, None)[1] for rod, handles in cables]
    weight = float(np.linalg.norm(gravity)) * sum(part.mass for part in parts)
    return Units(max(u.length for u in own), max(u.force for u in own) + weight)


def _follow(
    solver: Equilibrium, here: Sequence[State], cables: Sequence[tuple[Rod, Sequence[Handle]]],
    ways: Sequence[Sequence[np.ndarray]], ways_of_hands: Sequence[tuple[np.ndarray, ...]], begin: np.ndarray,
    stages: int, tolerance: float,
) -> tuple[np.ndarray, list[tuple[np.ndarray | None, ...]]]:  # fmt: skip
    """(unknowns, frames of each cable's handles) after handles have gone to their places in so many stages."""
    touching, y = solver.system, begin.copy()
    assert isinstance(touching, Touching)
    whole = touching.system
    frames: list[tuple[np.ndarray | None, ...]] = []
    for stage in range(1, stages + 1):
        frames, done, before = [], stage / stages, y.copy()
        for hand, (place, move, q, turn) in zip(whole.hands, ways_of_hands, strict=True):
            hand.place, hand.turn = place + done * move, product(exponential(done * turn), q)
        for k, (state, (_, handles)) in enumerate(zip(here, cables, strict=True)):
            free = {mount.handle for mount in whole.mounts if mount.cable == k}
            own = whole.of_cable(y, k)
            if state.system.contacts is not None:
                state.system.contacts.lead(own, state.system.points(own), done)
            there, moves, turns = led(state, handles, ways[k], done)
            frames.append(there)
            for row in free:
                moves[row] = turns[row] = 0.0
            predict(state.system, handles, own, moves / stages, turns / stages)
            y[whole.bands[k]] = own[: state.system.banded]
        if (part := touching.reach(before, y - before)) < 1.0:
            y[:] = before + part * (y - before)
        if not solver.settle(y, tolerance if stage == stages else max(tolerance, ON_THE_WAY)):
            break
    for mount in whole.mounts:  # frames go with the parts
        if mount.frame is not None:
            oriented = list(frames[mount.cable])
            oriented[mount.handle] = product(whole.pose(y, mount.part)[1], mount.frame)
            frames[mount.cable] = tuple(oriented)
    return y, frames


def _meshes(colliders: Sequence[Collider | Floor]) -> list[Collider]:
    return [c for c in colliders if isinstance(c, Collider)]
