"""The cables of a scene, a part of it: at rest at each frame, from where they rested at the one before.

Handles are where pins and rigid bodies take them; cables move neither these nor anything else, so they come to rest
when all else has come to the frame. Where a cable is taut, what was moved stays behind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import product, turned
from ..assemble import laid_out
from ..cables.contact_list import FLOOR
from ..cables.equilibrium import SettledCable, held_sentence, nearly_sentence, settle_cable, short_sentence
from ..cables.equilibrium import State as CableState
from ..cables.handle import Handle
from ..cables.harness import Begun, SettledHarness, settle_harness, units_together
from ..cables.requirements import check_reach, missing_length
from ..cables.surroundings import Surroundings, surroundings
from ..cables.system import CableSystem
from ..cables.units import EULER, Units, cable_system
from ..geometry.samples import between
from ..model import CABLE, CABLE_NOTES, LISTS, PAIR, Model, State, Surfaces, blank, listed
from ..scene import Collider, Floor, Notice, Pin, Rod, Scene, Weld
from ..scenes.collision_filter import touch
from ..scenes.without_cables import cables_of
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..validate import SimulationError
from .cable_rows import Rows, read, write
from .company import Company, Group
from .part_run import Run
from .parts import Part
from .steps import Ended, RodSteps

LACKS, TIGHT, NEARLY, RESTLESS, HELD, THROUGH = range(CABLE_NOTES)  # what is noted of a frame
TAUT = 1e-5  # of a cable's length: with less to spare its tension is more than 100 times its weight, or endless
STRENGTH = 100.0  # times weight and buckling load: of what holds a taut cable, which then lacks 4e-6 of its length
SEEN = 1e-4  # of the length, that is missing: less is not told
ROOM = 4  # pairs a point
CURE = "lengthen it, or move what holds it by less"
STRAIGHTER = "lengthen it, or turn what holds it"
CALM = "move what holds it, or what it lies on, by less from frame to frame"


class Cable:
    """One of them."""

    def __init__(self, scene: Scene, number: int) -> None:
        self.scene, self.rod = scene, scene.rods[number]
        holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
        self.holders = [hold for hold in holds if hold.rod == number]
        self.drawn = [_drawn(self.rod, hold) for hold in self.holders]
        lengths = np.linalg.norm(self.rod.edges(), axis=1) * self.rod.rest_length_factor
        self.arc = np.concatenate([[0.0], np.cumsum(lengths)])
        weight = float(norm(scene.gravity) * self.rod.mass.sum())
        self.strength = STRENGTH * (weight + EULER * float(self.rod.bend_stiffness.mean()) / self.arc[-1] ** 2)
        self.rest: SettledCable | None = None  # as it was settled last, and what it touched there
        self.touched: Sequence[Collider | Floor] | None = None
        self._laid_out: dict[float, Surroundings] = {}
        self._tables: dict[Units | None, tuple[CableSystem, Units]] = {}
        self.meet(scene.colliders)

    def meet(self, colliders: Sequence[Collider]) -> None:
        """Let it touch those of the scene's, and the floor, that it may."""
        around: list[Collider | Floor] = [one for one in colliders if touch(self.scene, self.rod, one)]
        around += [self.scene.floor] if self.scene.floor else []
        self.colliders = around if self.scene.contact else []

    def led(self, time: float, bodies: np.ndarray, before: CableState | None) -> list[Handle]:
        """Its handles at a time [s], where the scene's rigid bodies are at bodies (K, 7). Raises SceneError."""
        handles = [
            self._pinned(hold, handle, time) if isinstance(hold, Pin) else self._welded(hold, handle, bodies[hold.body])
            for hold, handle in zip(self.holders, self.drawn, strict=True)
        ]
        if before is None:
            check_reach(self.rod, handles, self.arc)
        if missing_length(handles, (1.0 - TAUT) * self.arc):
            handles = self.limited(handles, before)
        return handles

    def settle(self, handles: Sequence[Handle], before: CableState | None, time: float) -> SettledCable | None:
        """By itself; None: it finds no rest from where it rested. Raises SceneError, SimulationError."""
        try:
            return settle_cable(
                self.rod, handles, gravity=self.scene.gravity, start=before, colliders=self.colliders, time=time
            )
        except SimulationError:
            if before is None:
                raise
            return None

    def keep(self, rest: SettledCable, index: int, rows: Rows) -> np.ndarray:
        """Rows become what it is at rest at a frame. Returns what presses on it, PAIR."""
        own, self.rest, self.touched = rows.own[0], rest, self.colliders
        own["frame"], own["curvature"], own["tension"] = index, rest.curvature.max(), rest.largest_tension
        missing, length = rest.missing_length, float(norm(np.diff(rest.points, axis=0)).sum())
        own["missing"] = missing if missing > SEEN * length else 0.0
        self._look_at(rest, own)
        return write(rest.state, rows)

    def before(self, rows: Rows, units: Units | None = None) -> CableState | None:
        """As it rested, if it did, in its own units or in others."""
        if rows.own["frame"][0] < 0:
            return None
        if units not in self._tables:
            self._tables[units] = cable_system(self.rod, self.drawn, self.scene.gravity, None, units)
        tables = self._tables[units]
        colliders, around = self.touched or self.colliders, None
        if colliders:
            length, time = tables[1].length, int(rows.own["frame"][0]) * self.scene.frame_duration
            drawn = self._laid_out[length] = surroundings(colliders, 0.0, length, self._laid_out.get(length))
            around = surroundings(colliders, time, length, drawn)
        return read(self.rod, self.drawn, tables, around, rows)

    def notices(self, own: np.ndarray) -> Iterator[Notice]:
        """What an artist should know of all frames so far; own: its CABLE_STATE."""
        for what in np.flatnonzero(own["noted"]):
            yield Notice(self.rod.name, int(own["first"][what]), self._told(what, own))

    def _told(self, what: int, own: np.ndarray) -> str:
        """The sentence about all that was noted of a kind."""
        name, count = self.rod.name, int(own["noted"][what]) - 1
        size, which = float(own["size"][what]), int(own["which"][what])
        if what == LACKS:
            return f"{short_sentence(name, size, self.holders[which % len(self.holders)].name)[:-1]}: {CURE}."
        if what == TIGHT:
            more = f" (and too tightly at {count} more)" * (count > 0)
            return (
                f"'{name}' is bent to a radius of {size:.3g} m at this frame{more}, where it may be to "
                f"{self.rod.bend_limit:.3g} m: {STRAIGHTER}."
            )
        more = f" (and at {count} more)" * (count > 0)
        if what == NEARLY:
            return nearly_sentence(name, which, size).replace("rest after", f"rest at this frame{more} after")
        if what == HELD:
            return held_sentence(name, f" at this frame{more}")
        more = f", as at {count} more" * (count > 0)
        if what == THROUGH:
            return f"'{name}' finds no rest beside what it touches at this frame{more}, and goes through it: {CALM}."
        return f"'{name}' finds no rest at this frame{more}, and stays as it was: {CALM}."

    def held_alike(self, other: "Cable") -> bool:
        """Whether the same holds it, by which one goes on where the other rests."""
        return [_kind(one) for one in self.holders] == [_kind(one) for one in other.holders]

    def _pinned(self, pin: Pin, drawn: Handle, time: float) -> Handle:
        low, high, s = between(pin.times, time)
        position = (1.0 - s) * pin.position[low] + s * pin.position[high]
        if pin.rotation is None:
            return replace(drawn, position=position)
        q = (1.0 - s) * pin.rotation[low] + s * pin.rotation[high]
        return _led(drawn, position, q / norm(q))

    def _welded(self, weld: Weld, drawn: Handle, pose: np.ndarray) -> Handle:
        assert drawn.position is not None
        arm = drawn.position - self.scene.bodies[weld.body].position
        return _led(drawn, pose[:3] + turned(pose[3:], arm), pose[3:])

    def limited(self, handles: Sequence[Handle], before: CableState | None) -> list[Handle]:
        """The same handles, all but the one that moved least of limited strength."""
        ways = [
            np.inf if old.position is None or new.position is None else float(norm(new.position - old.position))
            for old, new in zip(before.handles if before else self.drawn, handles, strict=True)
        ]
        held = int(np.argmin(ways))
        return [
            handle if number == held else replace(handle, strength=min(handle.strength, self.strength))
            for number, handle in enumerate(handles)
        ]

    def _look_at(self, rest: SettledCable, own: np.ndarray) -> None:
        index = int(own["frame"])
        if not rest.effort.arrived:
            _note(own, NEARLY, index, rest.off, rest.effort.steps)
            return
        if rest.smallest_bending_radius < self.rod.bend_limit:
            _note(own, TIGHT, index, rest.smallest_bending_radius)
        if rest.missing_length > SEEN * self.arc[-1]:
            _note(own, LACKS, index, rest.missing_length, int(rest.missing.argmax()))
        if rest.effort.cut:
            _note(own, HELD, index)


def _note(own: np.ndarray, what: int, index: int, size: float = 0.0, which: int = 0) -> None:
    """In its CABLE_STATE: the first frame, of bends the tightest one's, and of sizes the worst."""
    noted, worst = int(own["noted"][what]), float(own["size"][what])
    tighter = what == TIGHT and size < worst
    if not noted or tighter:
        own["first"][what] = index
    if not noted or tighter or (what == LACKS and size > worst):
        own["size"][what], own["which"][what] = size, which
    own["noted"][what] = noted + 1


class CableSteps(RodSteps):
    """Brings all cables of a scene to rest, where pins, bodies (K, 7) and colliders are at a frame."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.each = [Cable(scene, number) for number in cables_of(scene)]
        self.company = Company(scene, [cable.rod for cable in self.each])
        self.bodies = np.zeros((0, 7))
        self.colliders: Sequence[Collider] = scene.colliders

    def attempt(self, duration: float, smaller: float, explicit: bool) -> Ended:
        """See RodSteps. Raises SceneError, SimulationError."""
        index = round((self.state.clock["time"][0] + duration) / self.scene.frame_duration)
        status = DONE if self._settle(index) else PAIRS_FULL
        return status, -1, -1, 0.0

    def _settle(self, index: int) -> bool:
        """At a frame: what presses on each other, and what may meet on its way there, together, all else by itself.
        Returns whether there is room for all that presses.
        """
        rows, time, pairs = self.rows(), index * self.scene.frame_duration, listed(self.state, "pairs")
        before = [cable.before(own) for cable, own in zip(self.each, rows, strict=True)]
        handles = [one.led(time, self.bodies, was) for one, was in zip(self.each, before, strict=True)]
        x = [own.points["x"] if was else one.rod.x for one, was, own in zip(self.each, before, rows, strict=True)]
        alone, whole = dict[int, SettledCable | None](), dict[Group, SettledHarness | None]()
        links, groups = self.company.pressing(pairs), None
        while groups != (groups := self.company.groups(links)):
            for own in groups:
                if own not in whole:
                    whole[own] = self._together(own, rows, handles, time, pairs)
            found: dict[int, SettledCable | None] = {}
            for own in groups:
                found |= dict(zip(own, rest.cables, strict=True)) if (rest := whole[own]) else {}
            for k, one in enumerate(self.each):
                if k not in found:
                    if k not in alone:
                        alone[k] = one.settle(handles[k], before[k], time)
                    found[k] = alone[k]
            there = [was if (now := found[k]) is None else now.points for k, was in enumerate(x)]
            links = np.concatenate([links, self.company.met(x, there, handles)])
        through = {k for own in groups if not whole[own] for k in own}
        pressed = [self._keep(k, found[k], index, own, k in through) for k, own in enumerate(rows)]
        return self._list(pressed, {own: rest for own in groups if (rest := whole[own])})

    def _together(
        self, own: Group, rows: Sequence[Rows], handles: Sequence[Sequence[Handle]], time: float, pairs: np.ndarray
    ) -> SettledHarness | None:
        """Cables of a group at rest together; None: they find no rest."""
        gravity, rods = np.asarray(self.scene.gravity, float), [self.each[k].rod for k in own]
        units = units_together(rods, gravity)
        begun = [self.each[k].before(rows[k], units) for k in own]
        stiffest = max((state.system.stiffness for state in begun if state), default=1.0)
        for state in begun:
            if state:
                state.system.stiffness = stiffest  # integral forces hold all, whatever springs are
        around: list[Collider | Floor] = [*self.colliders, *([self.scene.floor] if self.scene.floor else [])]
        # What is taut over what it touches has no rest but with handles that yield; others are where they were to be.
        led = [self.each[k].limited(handles[k], was) for k, was in zip(own, begun, strict=True)]
        try:
            return settle_harness(
                [*zip(rods, led, strict=True)], gravity=gravity, colliders=around, time=time,
                start=Begun(begun, *self.company.own(own, pairs)), collision_filter=self.scene.collision_filter,
            )  # fmt: skip
        except SimulationError:
            return None

    def _keep(self, k: int, rest: SettledCable | None, index: int, rows: Rows, through: bool) -> np.ndarray:
        """PAIR of what presses on a cable."""
        if rest is None:
            _note(rows.own[0], RESTLESS, index)
            return rows.pressed
        if through:
            _note(rows.own[0], THROUGH, index)
        return self.each[k].keep(rest, index, rows)

    def rows(self) -> list[Rows]:
        """Of each cable."""
        state, points, handles, found = self.state, 0, 0, []
        pairs = listed(state, "surface_pairs")
        for k, (n, h) in enumerate(self.soft.cables.tolist()):
            own = pairs[(pairs["i"] >= points) & (pairs["i"] < points + n)].copy()
            own["i"] -= points
            own["j"][own["j"] == self._floor] = FLOOR
            ends = slice(points, points + n), slice(handles, handles + h)
            found.append(Rows(state.cables[k : k + 1], state.cable_points[ends[0]], state.handles[ends[1]], own))
            points, handles = points + n, handles + h
        return found

    @property
    def _floor(self) -> int:
        """Its number among features."""
        s = self.soft.surfaces
        return len(s.faces) + len(s.edges) + len(s.vertices)

    def _list(self, pressed: Sequence[np.ndarray], groups: Mapping[Group, SettledHarness]) -> bool:
        """What presses on each cable, PAIR, and on each other in groups, if there is room."""
        on_surfaces = np.concatenate([np.zeros(0, PAIR), *pressed])
        on_surfaces["i"] += np.repeat(self.company.first[:-1], [len(own) for own in pressed])
        on_surfaces["j"][on_surfaces["j"] == FLOOR] = self._floor
        on_others = [self.company.pressed(own, rest) for own, rest in groups.items()]
        fits = True
        for name, rows in (("surface_pairs", on_surfaces), ("pairs", np.concatenate([np.zeros(0, PAIR), *on_others]))):
            room, listing = getattr(self.state, name), self.state.listings[LISTS[name]]
            listing["asked"] = len(rows)
            fits = fits and len(rows) <= len(room)
            room[: len(rows)], listing["count"] = rows[: len(room)], min(len(rows), len(room))
        return fits

    def at_rest(self) -> tuple[np.ndarray, np.ndarray]:
        """x (N, 3) [m] and m1 (M, 3) of all."""
        points = self.state.cable_points
        edges = np.delete(points["q"], np.cumsum(self.soft.cables["points"]) - 1, axis=0)
        return points["x"], turned(edges / norm(edges)[:, None], np.array([1.0, 0.0, 0.0]))

    def measured(self) -> np.ndarray:
        """(C, 3): largest curvature [1/m], tension [N] and missing length [m] of each."""
        return np.stack([self.state.cables[name] for name in ("curvature", "tension", "missing")], axis=1)


def _as_drawn(part: Part, surfaces: Surfaces, each: Sequence[Cable]) -> tuple[Model, State]:
    """The Model and State of cables alone, before the first frame."""
    model, state = laid_out(part.scene, surfaces)
    model = model._replace(cables=np.array([(len(one.rod.x), len(one.holders)) for one in each], CABLE))
    own = blank(model)
    own["cables"]["frame"] = -1
    state.clock["time"] = -part.scene.frame_duration
    rows = {name: own[name] for name in ("cables", "cable_points", "handles")}
    room = np.zeros(ROOM * len(own["cable_points"]), PAIR)
    return model, state._replace(pairs=room, surface_pairs=room.copy(), **rows)


class CableRun(Run):
    """The cables of a scene on their way."""

    def __init__(self, scene: Scene, surfaces: Surfaces, vertex: int = 0, edge: int = 0) -> None:
        """As drawn. surfaces: of the scene's colliders; vertex, edge: their first ones' numbers in the whole."""
        self.steps, none = CableSteps(scene), np.zeros(0, np.int64)
        points = sum(len(cable.rod.x) for cable in self.steps.each)
        rest = replace(
            scene, rods=(), pins=(), welds=(), bodies=(), solids=(), holds=(), ties=(), fields=(), solver="EXPLICIT"
        )
        vertices, edges = vertex + np.arange(points), edge + np.arange(points - len(self.steps.each))
        part = Part(rest, none, none, none, none, vertices, edges)
        model, state = _as_drawn(part, surfaces, self.steps.each)
        super().__init__(part, (model,), (state,), none, steps=self.steps)

    @property
    def x(self) -> np.ndarray:
        """(N, 3) [m]."""
        return self.state.cable_points["x"]

    def settle(self) -> list[Notice]:
        """At the first frame. Raises SceneError, SimulationError."""
        self.advance(0)
        return self.finish(0)

    def finish(self, index: int) -> list[Notice]:
        """End frame `index`: what an artist should know of all frames, at the last one."""
        self.begun = ()
        if index + 1 < self.scene.frame_count:
            return []
        each = zip(self.steps.each, self.state.cables, strict=True)
        return [notice for cable, own in each for notice in cable.notices(own)]

    def material_axes(self, index: int) -> np.ndarray:
        """Those of its edges (E, 3)."""
        return self.steps.at_rest()[1]

    def take_over(self, before: "CableRun") -> None:
        """Go on from where those of other settings rest, or as drawn where other things hold them."""
        old, now = before.steps, self.steps
        for was, own, one, other in zip(old.rows(), now.rows(), old.each, now.each, strict=True):
            if other.held_alike(one):
                for name in ("own", "points", "handles"):
                    getattr(own, name)[:] = getattr(was, name)
                own.own["met"] = False


def _drawn(rod: Rod, hold: Pin | Weld) -> Handle:
    handle = Handle.drawn(rod, hold.name, vertex=hold.vertex, oriented=hold.mode == "TWIST")
    if isinstance(hold, Weld):
        return handle
    return replace(handle, slides=hold.slides, strength=np.inf if hold.max_force is None else hold.max_force)


def _led(drawn: Handle, position: np.ndarray, turn: np.ndarray) -> Handle:
    orientation = None if drawn.orientation is None else product(turn, drawn.orientation)
    return replace(drawn, position=position, orientation=orientation)


def _kind(hold: Pin | Weld) -> tuple[object, ...]:
    """By which one goes on where another held a cable."""
    return type(hold), hold.vertex, hold.mode, isinstance(hold, Pin) and hold.slides
