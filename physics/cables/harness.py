"""`settle_harness`: cables and the rigid parts that they go with, at rest together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..arithmetic.quaternions import conjugate, exponential, logarithm, product, turned
from ..scene import Collider, Floor, InALine, Rod
from ..scenes.collision_filter import matrix
from ..schemes.static import Effort, Equilibrium
from ..validate.errors import SimulationError
from .equilibrium import (
    FARTHEST_TURN,
    GRAVITY,
    ON_THE_WAY,
    TOLERANCE,
    YIELDS,
    Allowance,
    SettledCable,
    State,
    brought_to_rest,
    come_up,
    in_si,
    laid_out,
    lead_on,
    ran,
    size_of,
    tables_of,
    turns_of,
    way_of,
)  # fmt: skip
from .handle import Handle
from .harness_system import HarnessSystem
from .mounts import POSE
from .own_length import OwnLength
from .pairs import Pairs, strand_of
from .part import Part
from .part_contacts import PartContacts
from .part_surroundings import check_apart, part_contacts, walls_of
from .parts import PART, carried_form
from .requirements import check, check_parts, no_rest
from .system import STIFFNESS, Mount
from .units import SOFTER, Units, units_of

# Times the effort of cables that do not touch each other: places of contacts between them follow one after the other.
MORE = 4.0
SHORT = 1e-9  # of a length: handles at one place
PUSHES = 40  # in which walls come to where they press on a part, each half of what is left: 1e-12 of it, and some more

Cables = Sequence[tuple[Rod, Sequence[Handle]]]
Frames = tuple[np.ndarray | None, ...]  # of a cable's handles


@dataclass(frozen=True, eq=False, repr=False)
class SettledHarness(InALine):
    """cables at rest, in the order they were given; position (p, 3) [m] and orientation (p, 4) of the parts;
    missing (p,) [m] from where they are to where they were led, which is nothing where strength does; hand_force
    (p, 3) [N] of what leads free ones; contact_force (p, 3) [N] and contact_torque (p, 3) [N m], about where they are,
    of what they touch.
    """

    cables: tuple[SettledCable, ...]
    position: np.ndarray
    orientation: np.ndarray
    missing: np.ndarray
    hand_force: np.ndarray
    contact_force: np.ndarray
    contact_torque: np.ndarray
    effort: Effort
    state: "Whole"


@dataclass(frozen=True, eq=False)
class Whole:
    """Where the next settling goes on: what is mounted on parts, free or held, and integral forces of their norms."""

    mounts: tuple[Mount, ...]
    swelling: np.ndarray
    pairs: Pairs
    shapes: PartContacts | None


@dataclass(frozen=True, eq=False)
class Begun:
    """Where cables go on: each where it rested, if it did, in `units_together`; pressed: PAIR (k,) of `Pairs.pressed`,
    with forces [N], of points of these numbers (n,), of so many; poses (p, 7): where parts were, [m] and quaternions.
    allowance: what it may take at most, from which what it takes is subtracted.
    """

    cables: Sequence[State | None]
    pressed: np.ndarray
    number: np.ndarray
    total: int
    poses: np.ndarray
    allowance: Allowance | None = None


def settle_harness(  # noqa: PLR0913 – each by its name
    cables: Cables,
    parts: Sequence[Part] = (),
    *,
    gravity: np.ndarray | Sequence[float] = GRAVITY,
    start: SettledHarness | Begun | None = None,
    colliders: Sequence[Collider | Floor] = (),
    time: float = 0.0,
    collision_filter: Sequence[tuple[int, int]] | None = None,
    tolerance: float = TOLERANCE,
    rubs: bool = False,
    loads: Sequence[np.ndarray] | None = None,
) -> SettledHarness:
    """Rods, each with its handles, at rest under gravity (3,) [m/s²] and loads (n, 3) [N] at its vertices with the
    parts that handles name. From the first settling on handles go with their parts as they were drawn there.

    Rods touch colliders as settle_cable has it and, where collision_filter is given, each other and themselves, but for
    groups that it names: see Scene. They rub on all of these, perhaps. Raises SceneError, and SimulationError where it
    finds no rest.
    """
    old = start if isinstance(start, SettledHarness) else None
    check_parts(cables, parts, None if old is None else len(old.position))
    pulled: Sequence[np.ndarray | None] = loads if loads is not None else [None for _ in cables]
    for (rod, handles), own_loads in zip(cables, pulled, strict=True):
        check(rod, handles, gravity, own_loads, time, tolerance)
    gravity = np.asarray(gravity, float)
    mounts = _mounts(cables, parts) if old is None else old.state.mounts
    cables = [(rod, _with_parts(k, handles, parts, mounts)) for k, (rod, handles) in enumerate(cables)]
    units = units_together([rod for rod, _ in cables], gravity, parts, pulled)
    begun: Sequence[State | None] = [None] * len(cables)
    if start is not None:
        begun = start.cables if isinstance(start, Begun) else [cable.state for cable in start.cables]
    groups = *(rod.group for rod, _ in cables), *(c.group for c in _meshes(colliders)), *(part.group for part in parts)
    apart = matrix(collision_filter or (), groups)
    here, drawn = [], []
    for k, (rod, handles) in enumerate(cables):
        own = [c for c in colliders if isinstance(c, Floor) or not (apart.size and apart[rod.group, c.group])]
        tables = tables_of(rod, handles, gravity, pulled[k], units)
        drawn.append(tables[0].length)
        here.append(laid_out(rod, handles, tables, own, time, begun[k], rubs))
        come_up(here[-1], handles, turns_of(here[-1], handles))
    free = [number for number, part in enumerate(parts) if not part.firm]
    whole = _system(here, parts, free, mounts, gravity)
    led_to = np.array([[*np.divide(p.position, units.length), *p.orientation] for p in parts]).reshape(-1, POSE)
    begin = led_to.copy()
    if old is not None:
        begin[free] = np.hstack([old.position / units.length, old.orientation])[free]
        whole.parts["swelling"] = old.state.swelling[free]
    elif isinstance(start, Begun) and free:
        begin[free] = (start.poses / [*[units.length] * 3, 1.0, 1.0, 1.0, 1.0])[free]
    y = whole.unknowns([state.y for state in here], begin[free])
    touch = None if collision_filter is None else apart
    pairs = whole.pairs = _pairs(whole, here, cables, units, touch, start, rubs, y)
    around = [state.system.contacts.around for state in here if state.system.contacts is not None]
    walls, those = walls_of(colliders, around, time, units), [parts[number] for number in free]
    whole.shapes = part_contacts(whole, cables, those, walls, units, apart, y)
    if whole.shapes is not None and old is not None:
        whole.shapes.begin_from(old.state.shapes, old.cables[0].state.units.force / units.force)
    elif whole.shapes is not None and not any(begun):
        check_apart(whole.shapes)
    y, frames, effort, left = _brought_to_rest(whole, here, cables, y, led_to[free], tolerance, start)
    y = ran(whole, y, [rod for rod, _ in cables], drawn, effort, left, tolerance)
    found = _found(whole, pairs, cables, y, frames, effort, units)
    begin[free] = y[whole.poses :].reshape(-1, POSE)
    swelling, missing, (hand, pressed, torque) = *np.zeros((2, len(parts))), np.zeros((3, len(parts), 3))
    off = units.length * np.linalg.norm(begin[free, :3] - led_to[free, :3], axis=1)
    swelling[free], missing[free] = whole.parts["swelling"], np.where(_behind(whole.parts), off, 0.0)
    hand[free] = -units.force * whole.parts["force"]
    _lacking(found, mounts, missing, hand)
    if whole.shapes is not None:
        push, moment = whole.shapes.on_parts(y)
        pressed[free], torque[free] = units.force * push, units.force * units.length * moment
    turns = begin[:, 3:] / np.linalg.norm(begin[:, 3:], axis=1, keepdims=True)
    state = Whole(tuple(mounts), swelling, pairs, whole.shapes)
    return SettledHarness(
        found, units.length * begin[:, :3], turns, missing, hand, pressed, torque, effort, state
    )  # fmt: skip


def _lacking(found: Sequence[SettledCable], mounts: Sequence[Mount], missing: np.ndarray, hand: np.ndarray) -> None:
    """Cables that keep a part behind its hand are too short by as much: those that bear half of what each would bear of
    the hand's force (p, 3) [N] if all did alike. There is one, but where weight or what the part touches bears most.
    """
    each = np.bincount([mount.part for mount in mounts], minlength=len(missing))
    for mount in mounts:
        cable, force = found[mount.cable], hand[mount.part]
        if missing[mount.part] and cable.handle_force[mount.handle] @ force >= 0.5 * (force @ force) / each[mount.part]:
            cable.missing[mount.handle] = missing[mount.part]


def _behind(parts: np.ndarray) -> np.ndarray:
    """(p,) of PART that are led with all their strength."""
    found: np.ndarray = np.linalg.norm(parts["force"], axis=1) >= (1.0 - YIELDS) * parts["strength"]
    return found & (parts["stiffness"] > 0.0)


def _pairs(
    whole: HarnessSystem,
    here: Sequence[State],
    cables: Cables,
    units: Units,
    apart: np.ndarray | None,
    start: SettledHarness | Begun | None,
    rubs: bool,
    y: np.ndarray,
) -> Pairs:
    """What may touch of its cables, and rub from y on; what pressed where it starts presses still."""
    strands = [
        strand_of(rod, state.system.arc, zip(state.handles, handles, strict=True), units.length)
        for state, (rod, handles) in zip(here, cables, strict=True)
    ]
    pairs = Pairs(strands, whole.points_begin(), apart, rubs)
    if isinstance(start, SettledHarness):
        pairs.begin_from(start.state.pairs, start.cables[0].state.units.force / units.force)
    elif isinstance(start, Begun):
        pairs.resume(start.pressed, units.force, start.number, start.total)
    pairs.begin(y, start is None or (isinstance(start, Begun) and not any(start.cables)))
    return pairs


def _system(
    here: Sequence[State], parts: Sequence[Part], free: list[int], mounts: Sequence[Mount], gravity: np.ndarray
) -> HarnessSystem:
    """The cables' systems with those parts that are free."""
    units, firm = here[0].units, here[0].system.stiffness * STIFFNESS
    own = [replace(m, part=free.index(m.part), arm=m.arm / units.length) for m in mounts if m.part in free]
    table = np.zeros(len(free), PART)
    table["norm"] = firm
    for row, number in zip(table, free, strict=True):
        part = parts[number]
        acting = [(part.weight * part.mass * gravity, part.centre), *part.forces]
        row["weight"] = sum(force for force, _ in acting) / units.force
        row["form"] = sum(
            carried_form(np.divide(force, units.force), np.divide(o, units.length)) for force, o in acting
        )
        if part.held:
            row["stiffness"] = row["turn_stiffness"] = firm
            row["strength"] = part.strength / units.force
            row["turn_strength"] = 2.0 * part.turn_strength / (units.force * units.length)
        there = [here[m.cable].system for m in own if free[m.part] == number]
        weight, *others = (float(np.linalg.norm(force)) / units.force for force, _ in acting)
        others += [float(np.linalg.norm(system.loads, axis=1).sum()) for system in there]
        for system in there:  # all that pulls at one pulls at all
            system.have_scale(max(system.scale, weight + SOFTER * sum(others)))
        row["norm"] *= min(1.0, sum(system.scale for system in there))
    return HarnessSystem([state.system for state in here], own, table)


def _found(
    whole: HarnessSystem, pairs: Pairs, cables: Cables, y: np.ndarray, frames: Sequence[Frames], effort: Effort,
    units: Units,
) -> tuple[SettledCable, ...]:  # fmt: skip
    """The cables at rest, their handles where parts have them."""
    found = []
    for k, ((rod, handles), system) in enumerate(zip(cables, whole.systems, strict=True)):
        own, led = whole.of_cable(y, k), system.handles
        system.take(own)
        there = tuple(
            handle if row["part"] < 0 else replace(handle, position=units.length * row["position"])
            for handle, row in zip(handles, led, strict=True)
        )
        turns = tuple(
            row["turn"].copy() if row["part"] >= 0 and frame is not None else frame
            for frame, row in zip(frames[k], led, strict=True)
        )
        system.mount(())
        rest = system, own[: system.poses]
        if isinstance(system, OwnLength):
            rest = system.kept(rest[1])
        state = State(there, turns, rest[0], units, rest[1])
        cable = in_si(rod, state, effort, (pairs, y, int(pairs.ends[k])))
        if whole.shapes is not None:
            pressed, touching = whole.shapes.on_cable(y, k)
            cable = replace(
                cable, contact_force=cable.contact_force + units.force * pressed, contacts=cable.contacts + touching
            )
        found.append(cable)
    return tuple(found)


def _brought_to_rest(
    whole: HarnessSystem, here: Sequence[State], cables: Cables, begin: np.ndarray, led_to: np.ndarray,
    tolerance: float, began: SettledHarness | Begun | None,
) -> tuple[np.ndarray, list[Frames], Effort, float]:  # fmt: skip
    """As _follow, in as many stages as it needs, parts to poses led_to (p, 7); and how many factorisations are left.
    Raises SimulationError.
    """
    ways = [np.array(turns_of(state, handles)).reshape(-1, 3) for state, (_, handles) in zip(here, cables, strict=True)]
    for system, way in zip(whole.systems, ways, strict=True):
        way[system.handles["part"] >= 0] = 0.0
    start = begin[whole.poses :].reshape(-1, POSE)
    hands = np.zeros((len(start), 6))
    for hand, held, a, b in zip(hands, whole.parts["stiffness"] > 0.0, start, led_to, strict=True):
        if held:
            hand[:3], hand[3:] = b[:3] - a[:3], logarithm(product(b[3:], conjugate(a[3:])))
    turn = max(float(np.linalg.norm(r, axis=1).max(initial=0.0)) for r in (hands[:, 3:], *ways))
    led_by = float(np.linalg.norm(hands[:, :3], axis=1).max(initial=0.0))
    far = max(way_of(state, handles, led_by) for state, (_, handles) in zip(here, cables, strict=True))
    stages = 2 ** int(np.ceil(np.log2(max(turn / FARTHEST_TURN, far, 1.0))))

    last = begin

    def follow(parts: int, at_once: bool, most: float) -> tuple[tuple[np.ndarray, list[Frames]], Effort, bool]:
        nonlocal last
        solver = Equilibrium(whole, at_once, most)
        there, led_there = _follow(solver, here, cables, ways, hands, begin, parts, tolerance)
        last = there[0]
        return there, solver.effort, led_there

    size = sum(size_of(system) for system in whole.systems)
    allowance = began.allowance if isinstance(began, Begun) else None
    rest = brought_to_rest(whole, follow, stages, size, MORE if whole.pairs and whole.pairs.touches else 1.0, allowance)
    if rest is None:
        for k, ((rod, _), system) in enumerate(zip(cables, whole.systems, strict=True)):
            if isinstance(system, OwnLength) and system.runs_away(own := whole.of_cable(last, k)):
                raise SimulationError(rod.name, system.no_rest(rod, own))
        first = cables[0][0]
        raise SimulationError(first.name, no_rest(first, max(turn, far, led_by) > 0.0, True))
    return *rest[0], *rest[1:]


def _mounts(cables: Cables, parts: Sequence[Part]) -> list[Mount]:
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


def units_together(
    rods: Sequence[Rod], gravity: np.ndarray, parts: Sequence[Part], loads: Sequence[np.ndarray | None]
) -> Units:
    """The longest cable's length and the largest force, with loads (n, 3) [N], what parts weigh, and what else acts on
    them.
    """
    own = [units_of(rod, gravity, 0.0 if pulls is None else pulls) for rod, pulls in zip(rods, loads, strict=True)]
    weight = float(np.linalg.norm(gravity)) * sum(abs(part.weight) * part.mass for part in parts)
    weight += sum(float(np.linalg.norm(force)) for part in parts for force, _ in part.forces)
    return Units(max(u.length for u in own), max(u.force for u in own) + weight)


def _follow(
    solver: Equilibrium, here: Sequence[State], cables: Cables, ways: Sequence[np.ndarray], hands: np.ndarray,
    begin: np.ndarray, stages: int, tolerance: float,
) -> tuple[tuple[np.ndarray, list[Frames]], bool]:  # fmt: skip
    """(unknowns, frames of each cable's handles) after handles have gone to their places, and parts their ways (p, 6),
    in so many stages; and whether they are there.
    """
    whole, y = solver.system, begin.copy()
    assert isinstance(whole, HarnessSystem)
    start = begin[whole.poses :].reshape(-1, POSE)
    frames: list[Frames] = []
    carried = _carried(here, cables, hands, whole.parts["stiffness"] > 0.0)
    stage = 0
    for stage in range(1, stages + 1):
        done = stage / stages
        if whole.shapes is not None and not _walls_led(solver, whole.shapes, y, done):
            break
        frames, before = [], y.copy()
        assert whole.pairs is not None
        lies = whole.pairs.lead()
        whole.parts["position"] = start[:, :3] + done * hands[:, :3]
        whole.parts["turn"] = product(exponential(done * hands[:, 3:]), start[:, 3:])
        for k, (state, (_, handles)) in enumerate(zip(here, cables, strict=True)):
            own = whole.of_cable(y, k)
            moves = carried[state.system.parts]
            frames.append(lead_on(state, handles, list(ways[k]), own, stage, stages, moves, lies[k]))
            y[whole.bands[k]] = own[: state.system.banded]
        _lead_parts(whole, y, hands, carried, stages)
        if not solver.at_once:  # whose first step does as much
            _let_follow(solver, before, y)
        if (part := whole.reach(before, y - before)) < 1.0:
            y[:] = before + part * (y - before)
        if not solver.settle(y, tolerance if stage == stages else max(tolerance, ON_THE_WAY)):
            break
    return (y, frames), stage == stages


def _lead_parts(whole: HarnessSystem, y: np.ndarray, hands: np.ndarray, carried: np.ndarray, stages: int) -> None:
    """Moves parts of y by one of so many stages of what they are carried by (p, 3), and turns those that are held."""
    poses, held = y[whole.poses :].reshape(-1, POSE), whole.parts["stiffness"] > 0.0
    poses[:, :3] += carried / stages
    poses[held, 3:] = product(exponential(hands[held, 3:] / stages), poses[held, 3:])


def _let_follow(solver: Equilibrium, before: np.ndarray, y: np.ndarray) -> None:
    """Cables of y become as they are at rest to the first order where parts are as in y, and handles where they are
    led to, if that takes less energy:

        A Δx = −g − Bᵀ Δs,

    g and the Hessian those of what was at rest before, A of the cables, B of these with Δs, which parts move by.
    """
    whole = solver.system
    assert isinstance(whole, HarnessSystem)
    solver.differentiate(before)
    factors, border = solver.factors_alone(), solver.border
    if factors.negative or border is None:
        return
    there, banded = y.copy(), whole.banded
    answer = -solver.gradient[None, :banded]
    for (rows, b), band in zip(border.blocks, whole.bands, strict=True):
        answer[0, band] -= (y - before)[banded + rows] @ b
    factors.solve(answer)
    there[:banded] = before[:banded] + answer[0]
    if whole.energy(there) < whole.energy(y):
        y[:] = there


def _walls_led(solver: Equilibrium, shapes: PartContacts, y: np.ndarray, done: float) -> bool:
    """Whether walls go to a part of their way, parts that are in it before them."""
    for _ in range(PUSHES):
        if shapes.lead(y, done):
            return True
        if not solver.settle(y, ON_THE_WAY):
            break
    return False


def _carried(here: Sequence[State], cables: Cables, hands: np.ndarray, held: np.ndarray) -> np.ndarray:
    """What parts (p, 3) move by where all that handles and hands move by is linear along cables in between: so much
    more of a handle the nearer it is.
    """
    moves = np.where(held[:, None], hands[:, :3], 0.0)
    near, right = np.diag(held.astype(float)), moves.copy()
    for state, (_, handles) in zip(here, cables, strict=True):
        system = state.system
        at = system.arc_of_handles(state.y)
        placed = [i for i in np.argsort(at) if handles[i].position is not None]
        for pair in pairwise(placed):
            weight = 1.0 / max(at[pair[1]] - at[pair[0]], SHORT)
            for i, j in (pair, pair[::-1]):
                own, other = (system.parts[p] if p >= 0 else -1 for p in system.handles["part"][[i, j]])
                if own < 0 or held[own]:
                    continue
                near[own, own] += weight
                if other >= 0:
                    near[own, other] -= weight
                else:
                    old = state.handles[j].position
                    way = np.subtract(handles[j].position, old) / state.units.length
                    right[own] += weight * way
    found: np.ndarray = np.linalg.lstsq(near, right, rcond=None)[0]  # the least, of what nothing leads
    return found


def _meshes(colliders: Sequence[Collider | Floor]) -> list[Collider]:
    return [c for c in colliders if isinstance(c, Collider)]
