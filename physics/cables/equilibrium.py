"""`settle_cable`: the shape in which a rod between handles is at rest, and what it exerts there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ..arithmetic.quaternions import conjugate, exponential, logarithm, product, turned
from ..scene import Collider, Floor, InALine, Rod
from ..schemes.static import Effort, Equilibrium, System
from ..validate.errors import SceneError, SimulationError
from .contact import Contacts
from .frames import frames_along
from .handle import Handle
from .harness_system import HarnessSystem
from .own_length import OwnLength, pull_of
from .pairs import Pairs
from .prediction import predict
from .requirements import check, check_reach, check_surroundings, is_even, no_rest, taut_sentence
from .running import run
from .surroundings import Surroundings, surroundings
from .system import CableSystem
from .units import Units, cable_system
from .yielding import stretching

GRAVITY = np.array([0.0, 0.0, -9.81])
TOLERANCE = 1e-9  # of constraints and forces, in the system's units
FARTHEST_TURN = 1.0  # [rad] that a handle turns by at once
MOST_PARTS = 64  # of the handles' way
ON_THE_WAY = 1e-4  # tolerance before they are there
YIELDS = 1e-9  # of its strength: a handle that exerts so nearly all of it is not where it was to be
# Factorisations of a settling times points, and so many besides for each cable, and more where it may touch something,
# for what it is near is listed as often: 2 s of a processor (.3 to .5 ms each at 51 to 191 points that touch, .6 ms at
# 360, 2 ms at 19 cables of 330 that do not); a way of more than so many parts may take as much again for so many.
WORK, BESIDE, NEAR_BY, PARTS = 2.4e6, 115, 245, 4
FEWEST = 200  # whatever it costs: many cables that are drawn anyhow take as many as a few
# Of these, what is tried with all kinds of forces at once may take: where that finds rest it takes two thirds of what
# the surer way does, so either is given what it needs where both could; of cables that rub on each other it takes a few
# where it does, so they get no more for it than others.
AT_ONCE = 0.4
# Of what is left may be spent on running over edges: it is at rest without. What runs makes a border of the Hessian,
# which takes as much longer as so many points do.
RUNNING, BORDER = 0.4, 190
NEARLY = 1e-4  # of the length, by which what is not quite at rest is off
SHORTEST = 0.05  # of what was drawn between two handles: less has slid off

FRAME = 5.0 * WORK  # what all settlings of a group may take for one frame: some 10 s

There = TypeVar("There")


@dataclass
class Allowance:
    """What several settlings may take together."""

    left: float = FRAME  # factorisations times points, as WORK


@dataclass(frozen=True, eq=False, repr=False)
class SettledCable(InALine):
    """A rod of n vertices and m edges at rest between h handles.

    points (n, 3) [m]; frames (m, 4), unit quaternions that turn the world's axes to (m₁, m₂, t) of edges; force (m, 3)
    [N] and moment (n, 3) [N m] that what is behind exerts on what is before; twisting_moment (n,) [N m] of it, about
    the rod; curvature (n,) [1/m]. arc_length (h,) [m] of the rod before each handle; handle_force (h, 3) [N] and
    handle_torque (h, 3) [N m], what handles exert on the rod; missing (h,) [m] from where they hold it to where they
    were to, which is nothing where their strength does; contact_force (n, 3) [N] what surfaces, the floor, other cables
    and other places of the rod exert, by so many contacts.
    """

    name: str
    points: np.ndarray
    frames: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    twisting_moment: np.ndarray
    curvature: np.ndarray
    arc_length: np.ndarray
    handle_force: np.ndarray
    handle_torque: np.ndarray
    missing: np.ndarray
    contact_force: np.ndarray
    contacts: int
    stable: bool  # False: it rests on a saddle, which the least push leaves
    effort: Effort
    state: "State"

    @property
    def tension(self) -> np.ndarray:
        """(m,) [N] along edges; negative: compression."""
        return np.sum(self.force * turned(self.frames, np.array([0.0, 0.0, 1.0])), axis=1)

    @property
    def largest_tension(self) -> float:
        """[N]."""
        return float(self.tension.max())

    @property
    def across(self) -> np.ndarray:
        """(n,) [N] across the rod, of what it touches and of handles at each vertex."""
        total = self.contact_force.copy()
        for h, force in zip(self.state.handles, self.handle_force, strict=True):
            for vertex in h.vertices:
                total[vertex] += force / len(h.vertices)
        along = np.gradient(self.points, axis=0)
        along /= np.linalg.norm(along, axis=1)[:, None]
        total -= np.sum(total * along, axis=1)[:, None] * along
        return np.asarray(np.linalg.norm(total, axis=1))

    @property
    def missing_length(self) -> float:
        """[m] that the rod lacks for a handle to be where it was to."""
        return float(self.missing.max())

    @property
    def warning(self) -> str:
        """A sentence, where it is not quite at rest, a handle is not where it was to be, or edges may hold it; else
        nothing.
        """
        if not self.effort.arrived:
            return nearly_sentence(self.name, self.effort.steps, self.off)
        if not self.missing_length:
            return held_sentence(self.name) if self.effort.cut else ""
        return short_sentence(self.name, self.missing_length, self.state.handles[int(self.missing.argmax())].name)

    @property
    def off(self) -> float:
        """[m] by which it may be off, where it is not quite at rest."""
        return self.effort.off * self.state.units.length

    @property
    def smallest_bending_radius(self) -> float:
        """[m]; infinity: it is straight."""
        most = float(self.curvature.max())
        return 1.0 / most if most > 0.0 else np.inf


def nearly_sentence(name: str, steps: int, off: float) -> str:
    """Of what is not quite at rest after so many steps, but may be off [m]."""
    return (
        f"'{name}' is not quite at rest after {steps} steps, and may be {off:.1g} m off: move what holds it, or what "
        "it lies on, by less at once."
    )


def held_sentence(name: str, when: str = "") -> str:
    """Of what did not get to run over edges."""
    return (
        f"'{name}' may be held{when} by edges that it would run over, for that takes too long: move what holds it by "
        "less at once, or draw it with fewer points."
    )


def short_sentence(name: str, missing: float, handle: str) -> str:
    """Of what lacks so much [m] for a handle."""
    return f"'{name}' is {missing:.3g} m too short for '{handle}', which stays behind."


@dataclass(frozen=True, eq=False)
class State:
    """Where the next settling goes on: handles and what they hold, unknowns and integral forces."""

    handles: tuple[Handle, ...]
    frames: tuple[np.ndarray | None, ...]  # of handles: orientations, each in the hemisphere of its neighbours
    system: CableSystem
    units: Units
    y: np.ndarray


def settle_cable(  # noqa: PLR0913 – each by its name
    rod: Rod,
    handles: Sequence[Handle],
    *,
    gravity: np.ndarray | Sequence[float] = GRAVITY,
    loads: np.ndarray | None = None,
    start: "SettledCable | State | None" = None,
    colliders: Sequence[Collider | Floor] = (),
    time: float = 0.0,
    tolerance: float = TOLERANCE,
    rubs: bool = False,
) -> SettledCable:
    """The rod at rest between handles, under gravity (3,) [m/s²] and loads (n, 3) [N] at its vertices. It begins where
    the rod is drawn or, of the same rod with handles at the same places of it, where `start` is; from there handles go
    straight, in as many parts as it needs.

    It touches colliders, a floor among them perhaps, where they are at `time` [s], with friction if it rubs, and comes
    out of what it is drawn into, but where handles hold it there. Colliders go from where they were in `start` to where
    they are. Raises SceneError, and SimulationError where it finds no rest.
    """
    check(rod, handles, gravity, loads, time, tolerance)
    tables = tables_of(rod, handles, np.asarray(gravity, float), loads)
    return settle_tables(rod, handles, tables, start, colliders, time, tolerance, rubs)


def tables_of(
    rod: Rod, handles: Sequence[Handle], gravity: np.ndarray, loads: np.ndarray | None, units: Units | None = None
) -> tuple[CableSystem, Units]:
    """As `cable_system`, of what finds its own length or stretches, too. Raises SceneError."""
    tables = cable_system(rod, handles, gravity, loads, units)
    if rod.tautness:
        return OwnLength(tables[0], pull_of(rod) / tables[1].force), tables[1]
    return stretching(rod, tables) if rod.stretchable else tables


def settle_tables(
    rod: Rod, handles: Sequence[Handle], tables: tuple[CableSystem, Units], start: "SettledCable | State | None",
    colliders: Sequence[Collider | Floor], time: float, tolerance: float, rubs: bool = False,
) -> SettledCable:  # fmt: skip
    """As `settle_cable`, by its tables. Raises SceneError, SimulationError."""
    drawn = tables[0].length
    before = start.state if isinstance(start, SettledCable) else start
    here = laid_out(rod, handles, tables, colliders, time, before, rubs)
    system, units = here.system, here.units
    turns = turns_of(here, handles)
    come_up(here, handles, turns)
    turn = max((np.linalg.norm(r) for r in turns), default=0.0)
    parts = 2 ** int(np.ceil(np.log2(max(turn / FARTHEST_TURN, way_of(here, handles), 1.0))))

    last = here.y

    def follow(stages: int, at_once: bool, most: float) -> tuple[State, Effort, bool]:
        nonlocal last
        there, effort, led_there = _follow(here, handles, turns, stages, tolerance, at_once, most)
        last = there.y
        if system.firm and system.slack(there.y) < SHORTEST:
            raise SceneError(rod.name, f"'{rod.name}' slides off its end: move the handles, or fix one that slides.")
        return there, effort, led_there

    rest = brought_to_rest(system, follow, parts, size_of(system))
    if rest is None or not rest[1].arrived:
        if isinstance(system, OwnLength):
            raise SimulationError(rod.name, system.no_rest(rod, last))
        taut = taut_sentence(rod, handles, units.length * system.arc, float(system.segments["tension"].max()))
        if name := _drawn_through(here) if before is None else "":
            taut = f"'{rod.name}' is drawn through '{name}', which has two sides: draw it on one of them."
        if taut or rest is None:
            raise SimulationError(rod.name, taut or no_rest(rod, bool(turn) or way_of(here, handles) > 0.0))
    there, effort, left = rest
    if isinstance(system, OwnLength):
        kept, y = system.kept(there.y)
        there = replace(there, system=kept, y=y)
    else:
        there = replace(there, y=ran(HarnessSystem([system]), there.y, [rod], [drawn], effort, left, tolerance))
    return in_si(rod, there, effort)


def ran(
    whole: HarnessSystem, y: np.ndarray, rods: Sequence[Rod], drawn: Sequence[np.ndarray], effort: Effort, left: float,
    tolerance: float,
) -> np.ndarray:  # fmt: skip
    """The unknowns where cables at rest have run over edges, but for those that rub on each other, by what is left of
    the factorisations; drawn: lengths (m,) of their segments.
    """
    if not effort.arrived:
        return y
    lies = np.zeros(len(rods), bool) if whole.pairs is None else whole.pairs.lies.any(axis=1)
    may = [
        system.firm and is_even(rod) and not rests for rod, system, rests in zip(rods, whole.systems, lies, strict=True)
    ]
    size = sum(size_of(system) for system in whole.systems)
    y, more, effort.cut = run(whole, y, drawn, may, tolerance, RUNNING * left / (1.0 + BORDER / size))
    effort.factors += more
    return y


def _drawn_through(here: State) -> str:
    """The surface, if there is one, that a cable as it is drawn goes through."""
    contacts = here.system.contacts
    if contacts is None:
        return ""
    x, surfaces = here.system.points(here.y), contacts.around.surfaces
    through, _ = contacts.sides.through(x[:-1], x[1:])
    through = through[through >= 0]
    return contacts.around.colliders[surfaces.faces["collider"][through[0]]].name if len(through) else ""


def come_up(here: State, handles: Sequence[Handle], turns: Sequence[np.ndarray]) -> None:
    """Lets one that finds its own length begin no lower than it can hang."""
    if isinstance(here.system, OwnLength):
        led(here, handles, turns, 0.0)
        here.system.come_up(here.y)


def brought_to_rest(
    system: System, follow: Callable[[int, bool, float], tuple[There, Effort, bool]], parts: int, size: float,
    usual: float = 1.0, allowance: Allowance | None = None,
) -> tuple[There, Effort, float] | None:  # fmt: skip
    """What `follow` has come to, in that many parts of a way or as many as it needs, and how many factorisations are
    left; where it came nearest, if that is near, once there are none, for a system of that size; else None. There are
    `usual` times as many as for a cable, and no more than an allowance has.

    follow(parts, at_once, most): (where it came to, what it took, of so many factorisations, whether all was led
    there).
    """
    memory, at_once, touches = system.memory(), system.at_once, system.contacts is not None
    best, left = None, max(usual * WORK / size, FEWEST) * max(1.0, parts / PARTS)
    allowance = allowance or Allowance(np.inf)
    left = min(left, allowance.left / size)
    while parts <= MOST_PARTS and left > 0.0:
        system.recall(memory)
        again = touches and at_once
        there, effort, led_there = follow(parts, at_once, AT_ONCE * left / usual if again else left)
        left -= effort.work
        allowance.left -= size * effort.work
        if effort.arrived:
            return there, effort, left
        if led_there and effort.off < min(NEARLY, np.inf if best is None else best[1].off):
            best = there, effort, system.memory()
        parts *= 1 if again else 2
        at_once = at_once and not touches  # each kind of forces by itself is slower, and surer
    if best is None:
        return None
    system.recall(best[2])
    return best[0], best[1], 0.0


def size_of(system: CableSystem) -> int:
    """What a factorisation takes with all that goes with it, in points."""
    return len(system.segments) + 1 + BESIDE + (0 if system.contacts is None else NEAR_BY)


def laid_out(
    rod: Rod, handles: Sequence[Handle], tables: tuple[CableSystem, Units], colliders: Sequence[Collider | Floor],
    time: float, before: State | None, rubs: bool = False,
) -> State:  # fmt: skip
    """A cable as it is drawn or, as it was at rest before, with what it may touch at a time [s], and perhaps rubs on.
    Raises SceneError.
    """
    system, units = tables
    if system.firm:
        check_reach(rod, handles, units.length * system.arc)
    if len(colliders):
        old = None if before is None or before.system.contacts is None else before.system.contacts.around
        check_surroundings(colliders, () if old is None else old.colliders)
        system.contacts = contacts_of(rod, handles, system, surroundings(colliders, time, units.length, old), rubs)
    empty = State((), (), system, units, np.empty(0))
    return undisturbed(rod, handles, empty) if before is None else continued(rod, before, handles, empty)


def undisturbed(rod: Rod, handles: Sequence[Handle], empty: State) -> State:
    """The rod as it is drawn, and handles there."""
    system, units = empty.system, empty.units
    q = frames_along(rod.x, rod.m1, rod.twist)
    drawn = []
    for h in handles:
        oriented = h.orientation is not None
        there = Handle.drawn(rod, h.name, vertex=h.vertex, edge=h.edge, oriented=oriented, slides=h.slides)
        drawn.append(there if h.position is not None else replace(there, position=None))
    frames = tuple(h.orientation for h in drawn)
    return State(tuple(drawn), frames, system, units, system.unknowns(rod.x / units.length, q[1:-1]))


def continued(rod: Rod, before: State, handles: Sequence[Handle], empty: State) -> State:
    """What was at rest, with its integral forces."""
    system, units = empty.system, empty.units
    old = before.system
    if len(old.segments) != len(system.segments) or [_kind(h) for h in handles] != [_kind(h) for h in before.handles]:
        raise SceneError(rod.name, f"'{rod.name}' starts from one with other handles: keep their vertices and edges.")
    scale, size = before.units.force / units.force, before.units.length / units.length
    system.segments["tension"] = scale * system.bears * old.segments["tension"]
    for name in ("shear", "swelling"):
        system.segments[name] = scale * size * old.segments[name]
    system.handles["force"], system.handles["torque"] = (
        scale * old.handles["force"],
        scale * size * old.handles["torque"],
    )
    y = before.y
    if isinstance(system, OwnLength):
        system.have_run(size * old.segments["length"])
        y = np.concatenate([y[: system.banded], system.arc[system.anchors[system.sliding]]])
    y = y if size == 1.0 else system.resized(y, size)
    if system.contacts is not None:
        if not system.bordering:  # where it has run over edges
            ends = system.anchors[:-1]
            longer = np.add.reduceat(system.length, ends) / np.add.reduceat(old.segments["length"], ends)
            system.have_run(old.segments["length"] * np.repeat(longer, np.diff(system.anchors)))
        system.contacts.begin_from(old.contacts, scale, system.arc_of_points(y))
    system.stiffen(old.stiffness)
    system.have_scale(max(system.scale, min(scale * old.scale, 1.0)))
    return State(before.handles, before.frames, system, units, y)


def contacts_of(rod: Rod, handles: Sequence[Handle], system: CableSystem, around: Surroundings, rubs: bool) -> Contacts:
    """What the cable may touch, and perhaps rubs on."""
    held, firm = np.zeros((2, len(rod.x)), bool)
    for h in handles:
        if h.position is not None and h.part is None:  # what goes with a part comes out with it
            held[list(h.vertices)] = True
            firm[list(h.vertices)] = h.edge is None and np.isinf(h.strength)
    return Contacts(
        around, np.asarray(rod.radius, float) / around.length, system.length, held, firm, rubs * rod.friction
    )


def way_of(here: State, handles: Sequence[Handle], other: float = 0.0) -> float:
    """How far handles that no part leads and surfaces go, and others, over what they may at once where there is
    something to touch.
    """
    contacts = here.system.contacts
    if contacts is None:
        return 0.0
    ways = [
        float(np.linalg.norm(np.asarray(h.position) - old.position)) / here.units.length
        for old, h in zip(here.handles, handles, strict=True)
        if h.position is not None and h.part is None
    ]
    return max(0.5 * max([other, *ways]) / contacts.furthest, contacts.around.moves / contacts.skin)


def _kind(handle: Handle) -> tuple[int | None, int | None, bool, bool, bool]:
    return handle.vertex, handle.edge, handle.slides, handle.position is None, handle.orientation is None


def turns_of(here: State, handles: Sequence[Handle]) -> list[np.ndarray]:
    """Rotation vectors (3,) [rad] from each handle's frame to its orientation, by the shorter way."""
    turns = []
    for frame, h in zip(here.frames, handles, strict=True):
        turns.append(np.zeros(3) if frame is None else logarithm(product(_unit(h.orientation), conjugate(frame))))
    return turns


def _unit(q: np.ndarray | None) -> np.ndarray:
    a = np.asarray(q, float)
    return a / np.linalg.norm(a)


def led(
    here: State, handles: Sequence[Handle], turns: Sequence[np.ndarray], part: float
) -> tuple[tuple[np.ndarray | None, ...], np.ndarray, np.ndarray]:
    """Leads handles a part of their way. Returns their frames, all that they move by (h, 3) in the system's units, and
    turn by (h, 3) [rad].
    """
    frames = tuple(
        None if f is None else product(exponential(part * r), f) for f, r in zip(here.frames, turns, strict=True)
    )
    moves = np.zeros((len(handles), 3))
    for i, (old, h) in enumerate(zip(here.handles, handles, strict=True)):
        begin = np.zeros(3) if old.position is None else old.position / here.units.length
        if h.position is not None:
            moves[i] = np.asarray(h.position) / here.units.length - begin
        here.system.place(i, begin + part * moves[i], frames[i])
    return frames, moves, np.array(turns)


def lead_on(
    here: State, handles: Sequence[Handle], turns: Sequence[np.ndarray], y: np.ndarray, stage: int, stages: int,
    carried: np.ndarray | None = None, lies: bool = False,
) -> tuple[np.ndarray | None, ...]:  # fmt: skip
    """Leads surfaces and handles on by one of so many stages and, where nothing presses, y to where it may be then, if
    parts that lead them move by `carried` (p, 3): what lies on something stays there, rather. lies: on another cable.
    Returns frames.
    """
    system, done = here.system, stage / stages
    if system.contacts is not None:
        system.contacts.lead(y, system.points(y), done)
    frames, moves, way = led(here, handles, turns, done)
    led_by = system.handles["part"]
    if carried is not None:
        moves[led_by >= 0] = carried[led_by[led_by >= 0]]
    if not lies and (system.contacts is None or not system.contacts.press):
        predict(system, handles, y, moves / stages, way / stages)
    return frames


def _follow(
    here: State, handles: Sequence[Handle], turns: list[np.ndarray], parts: int, tolerance: float, at_once: bool,
    most: float,
) -> tuple[State, Effort, bool]:  # fmt: skip
    """The equilibrium after handles have gone to their places in so many parts, or how far it got; and whether they are
    there. most: factorisations.
    """
    system, y = here.system, here.y.copy()
    solver = Equilibrium(system, at_once, most)
    frames = here.frames
    for k in range(1, parts + 1):
        before = y.copy()
        frames = lead_on(here, handles, turns, y, k, parts)
        if (part := system.reach(before, y - before)) < 1.0:
            y[:] = before + part * (y - before)
        if not solver.settle(y, tolerance if k == parts else max(tolerance, ON_THE_WAY)):
            break
    return State(tuple(handles), frames, system, here.units, y), solver.effort, k == parts


def in_si(rod: Rod, state: State, effort: Effort, among: tuple[Pairs, np.ndarray, int] | None = None) -> SettledCable:
    """In SI units. among: pairs, all unknowns that they are of, and the number of the rod's first point there."""
    system, y, units = state.system, state.y, state.units
    x, q, n = system.points(y), system.quaternions(y), len(rod.x)
    force = units.force * system.internal_force(y)
    kappa, local = system.bent(y)
    local *= units.force * units.length
    before = system.joints["before"]
    a = np.where(before[:, None] >= 0, q[before], system.handles["turn"][system.joints["handle"]])
    world = turned(a / np.linalg.norm(a, axis=1, keepdims=True), local)
    moment, twisting, curvature = np.zeros((n, 3)), np.zeros(n), np.zeros(n)
    vertex = system.joints["vertex"]
    moment[vertex[::-1]], twisting[vertex[::-1]] = world[::-1], local[::-1, 2]  # of two halves the first
    np.maximum.at(curvature, vertex, np.linalg.norm(kappa[:, :2], axis=1) / units.length)
    torque = np.zeros((len(state.handles), 3))
    pulls = -system.handles["force"]
    given = np.linalg.norm(pulls, axis=1) < (1.0 - YIELDS) * system.handles["strength"]
    places = system.places_of_handles(y)
    missing = units.length * np.linalg.norm(places - system.handles["position"], axis=1)
    missing[given | (system.handles["stiffness"] == 0.0)] = 0.0
    held = [  # from where the next settling leads them
        replace(h, position=units.length * place) if lacks else h
        for h, place, lacks in zip(state.handles, places, missing, strict=True)
    ]
    for i, h in enumerate(state.handles):
        if h.orientation is not None and h.vertex is not None:
            rows = np.flatnonzero(vertex == h.vertex)
            for row in rows:
                torque[i] += world[row] if system.joints["before"][row] >= 0 else -world[row]
        elif h.orientation is not None:
            torque[i] = units.force * units.length * system.torque_of_handle(y, i)
    touching, pressed = 0, np.zeros((n, 3))
    if system.contacts is not None:
        pushes = system.contacts.pushes(y)
        pressed = units.force * (system.contacts.at_points(y, pushes) + system.contacts.rubbing(y))
        touching = int(np.count_nonzero(pushes))
    if among is not None:
        pairs, whole, first = among
        pushes = pairs.pushes(whole)
        own = (pairs.rows["point"] >= first) & (pairs.rows["point"] < first + n)
        touching += int(np.count_nonzero(pushes[own.any(axis=1)]))
        pressed = pressed + units.force * (pairs.at_points(whole, pushes) + pairs.rubbing(whole))[first : first + n]
    return SettledCable(
        rod.name, units.length * x, q / np.linalg.norm(q, axis=1, keepdims=True), force, moment, twisting, curvature,
        units.length * system.arc_of_handles(y), units.force * pulls, torque, missing, pressed, touching,
        effort.stable, effort, replace(state, handles=tuple(held)),
    )  # fmt: skip
