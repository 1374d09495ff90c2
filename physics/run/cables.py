"""The cables of a scene, a part of it: at rest at each frame, from where they rested at the one before.

Handles are where pins and rigid bodies take them; cables move neither these nor anything else but bodies that are
suspended, so they come to rest when all else has come to the frame. What hangs on the same body comes to rest with it.
Where a cable is taut, what was moved stays behind.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import product, turned
from ..assemble import laid_out
from ..cables.chafing import chafed
from ..cables.contact_list import FLOOR
from ..cables.equilibrium import Allowance, SettledCable, held_sentence, nearly_sentence, settle_cable, short_sentence
from ..cables.equilibrium import State as CableState
from ..cables.frames import frames_along
from ..cables.handle import Handle
from ..cables.harness import Begun, SettledHarness, settle_harness, units_together
from ..cables.part import Part as Suspended
from ..cables.requirements import check_reach, missing_length
from ..cables.surroundings import Surroundings, surroundings
from ..cables.system import CableSystem
from ..cables.units import Units, cable_system
from ..geometry.samples import between
from ..model import BODY, CABLE, CABLE_NOTES, COLUMNS, LISTS, PAIR, Model, State, Surfaces, blank, listed
from ..scene import Collider, Floor, Notice, Pin, RigidBody, Rod, Scene, Weld
from ..scenes.collision_filter import touch
from ..scenes.measured import MEASURED
from ..scenes.taut import STRENGTH, strength_of
from ..scenes.without_cables import cables_last, cables_of, suspended_of
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..validate import SceneError, SimulationError
from .cable_rows import Rows, read, write
from .company import Company, Group
from .frames import poses
from .part_run import Run
from .parts import Part
from .steps import Ended, RodSteps

LACKS, TIGHT, NEARLY, RESTLESS, HELD, THROUGH, PULLED, PRESSED = range(CABLE_NOTES)  # what is noted of a frame
TAUT = 1e-5  # of a cable's length: with less to spare its tension is more than 100 times its weight, or endless
SEEN = 1e-4  # of the length, that is missing: less is not told
ROOM = 4  # pairs a point
CURE = "lengthen it, or move what holds it by less"
STRAIGHTER = "lengthen it, or turn what holds it"
EASED = "lengthen it, or hold it at more places"
CALM = "move what holds it, or what it lies on, by less from frame to frame"


def arc_of(x: np.ndarray) -> np.ndarray:
    """Arc lengths (n,) [m] of points (n, 3)."""
    return np.concatenate([[0.0], np.cumsum(norm(np.diff(x, axis=0)))])


class Cable:
    """One of them."""

    def __init__(self, scene: Scene, number: int) -> None:
        self.scene, self.rod = scene, scene.rods[number]
        holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
        self.holders = [hold for hold in holds if hold.rod == number]
        self.drawn = [_drawn(self.rod, hold) for hold in self.holders]
        self.hangs_on = {hold.body for hold in self.holders if isinstance(hold, Weld)} & {*suspended_of(scene)}
        lengths = np.linalg.norm(self.rod.edges(), axis=1) * self.rod.rest_length_factor
        self.arc = np.concatenate([[0.0], np.cumsum(lengths)])
        self.strength = strength_of(self.rod, scene.gravity)
        self.rest: SettledCable | None = None  # as it was settled last, and what it touched there
        self.touched: Sequence[Collider | Floor] | None = None
        self._laid_out: dict[float, Surroundings] = {}
        self._tables: dict[Units | None, tuple[CableSystem, Units]] = {}
        self.meet(scene.colliders)

    def take(self, rod: Rod) -> None:
        """Let it be another rod of as many points, where it rests."""
        lengths = norm(rod.edges()) * rod.rest_length_factor
        self.rod, self.arc = rod, np.concatenate([[0.0], np.cumsum(lengths)])
        self.strength = strength_of(rod, self.scene.gravity)
        self._tables.clear()

    @property
    def gives(self) -> bool:
        """Whether it is as long as it has to be."""
        return self.rod.stretchable or self.rod.tautness > 0.0

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
        if self.gives:
            return handles
        if before is None:
            check_reach(self.rod, handles, self.arc)
        if missing_length(handles, (1.0 - TAUT) * self.arc):
            handles = self.limited(handles, before)
        return handles

    def settle(self, handles: Sequence[Handle], before: CableState | None, time: float) -> SettledCable | None:
        """By itself, what hangs on it where that is; None: it finds no rest from where it rested. Raises SceneError,
        SimulationError.
        """
        firm = [replace(handle, part=None) for handle in handles]
        try:
            return settle_cable(
                self.rod, firm, gravity=self.scene.gravity, start=before, colliders=self.colliders, time=time, rubs=True
            )
        except SimulationError:
            if before is None:
                raise
            return None

    def keep(self, rest: SettledCable, index: int, rows: Rows) -> np.ndarray:
        """Rows become what it is at rest at a frame. Returns what presses on it, PAIR."""
        own, self.rest, self.touched = rows.own[0], rest, self.colliders
        if own["frame"] >= 0:
            points = rows.points
            points["chafing"] += chafed(points["x"], points["length"][:-1], rest)
        arc, edges = arc_of(rest.points), rest.tension
        along = (rest.curvature, arc), (edges, 0.5 * (arc[1:] + arc[:-1])), (rest.across, arc)
        for k, (name, (values, places)) in enumerate(zip(("curvature", "tension", "transverse"), along, strict=True)):
            own[name], own["at"][k] = values.max(), places[values.argmax()]
        own["frame"], own["chafing"] = index, rows.points["chafing"].sum()
        missing, own["length"] = rest.missing_length, arc[-1]
        own["missing"] = missing if missing > SEEN * arc[-1] else 0.0
        self._look_at(rest, own)
        return write(rest.state, rows)

    def before(self, rows: Rows, units: Units | None = None) -> CableState | None:
        """As it rested, if it did, in its own units or in others."""
        if rows.own["frame"][0] < 0:
            return None
        if units not in self._tables:
            handles = [
                replace(handle, part=self.scene.bodies[hold.body].name)
                if units and isinstance(hold, Weld) and hold.body in self.hangs_on
                else handle
                for hold, handle in zip(self.holders, self.drawn, strict=True)
            ]
            self._tables[units] = cable_system(self.rod, handles, self.scene.gravity, None, units)
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
        place = f"{float(own['place'][what]):.3g} m from its start"
        if what == LACKS:
            return f"{short_sentence(name, size, self.holders[which % len(self.holders)].name)[:-1]}: {CURE}."
        if what == TIGHT:
            more = f" (and too tightly at {count} more)" * (count > 0)
            return (
                f"'{name}' is bent to a radius of {size:.3g} m at this frame{more}, {place}, where it may "
                f"be to {self.rod.bend_limit:.3g} m: {STRAIGHTER}."
            )
        if what in (PULLED, PRESSED):
            done, limit = (
                ("pulled", self.rod.tension_limit) if what == PULLED else ("pressed", self.rod.transverse_limit)
            )
            more = f" (and too hard at {count} more)" * (count > 0)
            return (
                f"'{name}' is {done} by {size:.3g} N at this frame{more}, {place}, where it may be by "
                f"{limit:.3g} N: {EASED}."
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
        body = self.scene.bodies[weld.body]
        place = drawn.position if weld.place is None else np.asarray(weld.place, float)
        turn = pose[3:] if weld.turn is None else product(pose[3:], np.asarray(weld.turn, float))
        led = _led(drawn, pose[:3] + turned(pose[3:], place - body.position), turn)
        return replace(led, part=body.name) if body.suspended else led

    def ways(self, handles: Sequence[Handle], before: CableState | None) -> list[float]:
        """[m] that handles have moved; endless for those of what hangs on the cable."""
        return [
            np.inf
            if new.part or old.position is None or new.position is None
            else float(norm(new.position - old.position))
            for old, new in zip(before.handles if before else self.drawn, handles, strict=True)
        ]

    def limited(
        self, handles: Sequence[Handle], before: CableState | None, least: float = np.inf, more: float = 0.0
    ) -> list[Handle]:
        """The same handles, all but the one that moved least, and what hangs on the cable, of limited strength; so all
        are that moved further than the least of a harness [m]. more: than its own [N].
        """
        ways, strength = self.ways(handles, before), self.strength + more
        held = int(np.argmin(ways)) if min(ways) <= least else -1
        return [
            handle if number == held or handle.part else replace(handle, strength=min(handle.strength, strength))
            for number, handle in enumerate(handles)
        ]

    def _look_at(self, rest: SettledCable, own: np.ndarray) -> None:
        index = int(own["frame"])
        if not rest.effort.arrived:
            _note(own, NEARLY, index, rest.off, rest.effort.steps)
            return
        bent, pulled, pressed = own["at"].tolist()
        if rest.smallest_bending_radius < self.rod.bend_limit:
            _note(own, TIGHT, index, rest.smallest_bending_radius, place=bent)
        # What holds a taut cable gives way by a strength of ours, which then is its tension, and tells nothing.
        gives_way = rest.missing_length > 0.0 and own["tension"] > 0.99 * self.strength
        if 0.0 < self.rod.tension_limit < own["tension"] and not gives_way:
            _note(own, PULLED, index, float(own["tension"]), place=pulled)
        if 0.0 < self.rod.transverse_limit < own["transverse"]:
            _note(own, PRESSED, index, float(own["transverse"]), place=pressed)
        if rest.missing_length > SEEN * self.arc[-1]:
            _note(own, LACKS, index, rest.missing_length, int(rest.missing.argmax()))
        if rest.effort.cut:
            _note(own, HELD, index)


def restless_sentence(name: str) -> str:
    """Of what did not come to rest as it was led by hand."""
    return f"'{name}' finds no rest, and stays as it was or goes through what it touches: {CALM}."


def _note(own: np.ndarray, what: int, index: int, size: float = 0.0, which: int = 0, place: float = 0.0) -> None:
    """In its CABLE_STATE: the first frame, of what has a limit the worst one's, and of sizes the worst."""
    noted, worst = int(own["noted"][what]), float(own["size"][what])
    worse = (what == TIGHT and size < worst) or (what in (PULLED, PRESSED) and size > worst)
    if not noted or worse:
        own["first"][what] = index
    if not noted or worse or (what == LACKS and size > worst):
        own["size"][what], own["which"][what], own["place"][what] = size, which, place
    own["noted"][what] = noted + 1


Rest = SettledCable | SettledHarness | SceneError


class CableSteps(RodSteps):
    """Brings all cables of a scene to rest, and what hangs on them, where pins, bodies and colliders are at a frame."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.each = [Cable(scene, number) for number in cables_of(scene)]
        self.company = Company(scene, [cable.rod for cable in self.each])
        self.order, self.suspended = cables_last(scene)[2], suspended_of(scene)
        on = [[k for k, one in enumerate(self.each) if b in one.hangs_on] for b in self.suspended]
        self.joined = np.array([(own[0], k) for own in on for k in own], np.int64).reshape(-1, 2)
        self.bodies, self.held = np.zeros((len(scene.bodies), 7)), set[int]()  # numbers of those that are led by hand
        self.colliders: Sequence[Collider] = scene.colliders
        self.refused: dict[int, SceneError] | None = None  # of cables that stay as they were, why; None: it is raised
        self.still = False  # whether what stays held as it was rests as it did: what it touches has not moved
        self.known = dict[Group, tuple[bytes, Rest | None]]()  # by what it was held there, and what was found
        self.allowances: list[Allowance] = []  # of each cable, what groups that it is of may still take at a frame

    def lead(self, bodies: np.ndarray) -> None:
        """Lets the scene's bodies be at bodies (K, 7), those that are suspended behind all others."""
        self.bodies[self.order] = bodies

    def attempt(self, duration: float, smaller: float) -> Ended:
        """See RodSteps. Raises SceneError, SimulationError."""
        index = round((self.state.clock["time"][0] + duration) / self.scene.frame_duration)
        status = DONE if self._settle(index) else PAIRS_FULL
        return status, -1, -1, 0.0

    def _settle(self, index: int) -> bool:
        """At a frame: what presses on each other, and what may meet on its way there, together, all else by itself.
        Returns whether there is room for all that presses.
        """
        self.allowances = [Allowance() for _ in self.each]
        rows, time, pairs = self.rows(), index * self.scene.frame_duration, listed(self.state, "pairs")
        before = [cable.before(own) for cable, own in zip(self.each, rows, strict=True)]
        handles = [self._led(k, before[k], time) for k in range(len(self.each))]
        x = [own.points["x"] if was else one.rod.x for one, was, own in zip(self.each, before, rows, strict=True)]
        alone, whole = dict[int, SettledCable | None](), dict[Group, SettledHarness | None]()
        links, groups = np.concatenate([self.company.pressing(pairs), self.joined]), None
        while groups != (groups := self.company.groups(links)):
            for own in groups:
                if own not in whole:
                    whole[own] = self._together(own, rows, handles, time, pairs)
            found: dict[int, SettledCable | None] = dict.fromkeys(self.refused or ())
            used = dict[Group, SettledHarness]()
            for own in groups:
                for part in (own,) if whole[own] else self._hanging(own):  # by themselves they would leave what hangs
                    if part not in whole:
                        whole[part] = self._together(part, rows, handles, time, pairs)
                    if rest := whole[part]:
                        used[part] = rest
                    found |= dict(zip(part, rest.cables, strict=True)) if rest else dict.fromkeys(part)
            for k in range(len(self.each)):
                if k not in found:
                    if k not in alone:
                        alone[k] = self._alone(k, handles[k], before[k], time)
                    found[k] = alone[k]
            there = [was if (now := found[k]) is None else now.points for k, was in enumerate(x)]
            links = np.concatenate([links, self.company.met(x, there, handles)])
        through = {k for own in groups if not whole[own] for k in own}  # but where they stay as they were
        for own, rest in used.items():
            self._hang(own, rest)
        self.known = {}
        results: list[tuple[Group, Rest | None]] = [*(((k,), rest) for k, rest in alone.items()), *whole.items()]
        for own, result in results:
            why = (self.refused or {}).get(own[0])
            self.known[own] = self._held_by(handles[k] for k in own), result or why
        pressed = [self._keep(k, found[k], index, own, k in through) for k, own in enumerate(rows)]
        return self._list(pressed, used)

    def _hanging(self, group: Group) -> list[Group]:
        """Of a group, cables that hang together."""
        return [own for own in self.company.groups(self.joined) if {*own} <= {*group}]

    def _led(self, k: int, before: CableState | None, time: float) -> list[Handle]:
        """Handles of a cable at a time [s]. Raises SceneError."""
        try:
            return self.each[k].led(time, self.bodies, before)
        except SceneError as error:
            self._refuse(k, error)
            return self.each[k].drawn

    def _refuse(self, k: int, error: SceneError) -> None:
        """Lets a cable stay as it was, for that reason, which is raised where nobody asks for reasons."""
        if self.refused is None:
            raise error
        self.refused.setdefault(k, error)

    def _held_by(self, handles: Iterable[Sequence[Handle]]) -> bytes:
        """Where handles of cables hold them; not where what hangs on them does."""
        hand = {self.scene.bodies[b].name for b in self.held}
        own = [h for each in handles for h in each if h.part is None or h.part in hand]
        rows = [np.zeros(0) if held is None else held for h in own for held in (h.position, h.orientation)]
        return np.concatenate([np.zeros(0), *rows]).tobytes()

    def _as_before(self, own: Group, handles: Sequence[Sequence[Handle]], hung: bool) -> Rest | None:
        """What was found of cables when they were held as they are now; None: they have to be settled."""
        held_by, known = self.known.get(own, (b"", None))
        same = self.still and held_by == self._held_by(handles)
        return known if same and (hung or isinstance(known, SceneError)) else None

    def _alone(self, k: int, handles: Sequence[Handle], before: CableState | None, time: float) -> SettledCable | None:
        """A cable at rest by itself; None: it finds no rest. Raises SceneError, SimulationError."""
        known = self._as_before((k,), [handles], before is not None)
        if isinstance(known, SettledCable):
            return known
        try:
            if isinstance(known, SceneError):
                raise known
            return self.each[k].settle(handles, before, time)
        except SceneError as error:
            self._refuse(k, error)
            return None

    def _together(
        self, own: Group, rows: Sequence[Rows], handles: Sequence[Sequence[Handle]], time: float, pairs: np.ndarray
    ) -> SettledHarness | None:
        """Cables of a group at rest together; None: they find no rest. Raises SimulationError where something hangs on
        them that has not hung before.
        """
        if any(k in (self.refused or ()) for k in own):
            return None
        hung = all(rows[k].own["frame"][0] >= 0 for k in own)
        known = self._as_before(own, [handles[k] for k in own], hung)
        if isinstance(known, SettledHarness):
            return known
        gravity, (rods, apart) = np.asarray(self.scene.gravity, float), self.company.filtered(own)
        parts = [
            Suspended(
                body.name, self.bodies[b, :3], self.bodies[b, 3:], held=b in self.held, mass=body.mass,
                strength=sum(self.each[k].strength for k in own) if b in self.held else np.inf,
                weight=1.0 if body.weights is None else float(body.weights[0]),
            )
            for b in self._on(own) for body in self.scene.bodies[b : b + 1]
        ]  # fmt: skip
        units = units_together(rods, gravity, parts)
        begun = [self.each[k].before(rows[k], units) if hung or not parts else None for k in own]
        stiffest = max((state.system.stiffness for state in begun if state), default=1.0)
        for state in begun:
            if state:
                state.system.stiffness = stiffest  # integral forces hold all, whatever springs are
        around: list[Collider | Floor] = [*self.colliders, *([self.scene.floor] if self.scene.floor else [])]
        around = around if self.scene.contact else []
        # What is taut over what it touches has no rest but with handles that yield; others are where they were to be.
        least = {k: min(self.each[k].ways(handles[k], was)) for k, was in zip(own, begun, strict=True)}
        hangs = min((least[k] for k in own if self.each[k].hangs_on), default=np.inf)  # one of all of a harness is firm
        more = STRENGTH * float(norm(gravity)) * sum(abs(part.weight) * part.mass for part in parts)
        led = [
            handles[k]
            if self.each[k].gives
            else self.each[k].limited(handles[k], was, hangs if self.each[k].hangs_on else np.inf, more)
            for k, was in zip(own, begun, strict=True)
        ]
        joined = own in self._hanging(own)  # by themselves they would leave what hangs: they may always take some
        allowance = Allowance() if joined else Allowance(min(self.allowances[k].left for k in own))
        try:
            if isinstance(known, SceneError):
                raise known
            return settle_harness(
                [*zip(rods, led, strict=True)], parts=parts, gravity=gravity, colliders=around, time=time,
                start=Begun(begun, *self.company.own(own, pairs), self._places(own, hung), allowance),
                collision_filter=apart, rubs=True,
            )  # fmt: skip
        except SceneError as error:
            if not isinstance(error, SimulationError) and self.refused is None:
                raise
            for k in own if joined and not hung else ():
                self._refuse(k, error)
            return None
        finally:
            for k in own:
                self.allowances[k] = allowance

    def _on(self, group: Group) -> list[int]:
        """The bodies that hang on cables of a group."""
        return [b for b in self.suspended if any(b in self.each[k].hangs_on for k in group)]

    def _places(self, group: Group, hung: bool) -> np.ndarray:
        """Where these were or, where they have not hung before, are drawn: (p, 7)."""
        rows = self.state.bodies[[self.suspended.index(b) for b in self._on(group)]]
        drawn = [[*self.scene.bodies[b].position, 1.0, 0.0, 0.0, 0.0] for b in self._on(group)]
        return np.hstack([rows["x"], rows["q"]]) if hung else np.reshape(drawn, (-1, 7))

    def _hang(self, group: Group, rest: SettledHarness) -> None:
        """Bodies that hang on a group, where they are at rest."""
        for b, place, turn in zip(self._on(group), rest.position, rest.orientation, strict=True):
            row = self.state.bodies[self.suspended.index(b)]
            row["x"], row["q"] = place, turn

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
        """(C, M) of each: see scenes/measured.py."""
        own = self.state.cables
        places = {f"{name}_at": own["at"][:, k] for k, name in enumerate(("curvature", "tension", "transverse"))}
        return np.stack([places[name] if name in places else own[name] for name in MEASURED], axis=1)


def _as_drawn(part: Part, surfaces: Surfaces, each: Sequence[Cable], hang: Sequence[RigidBody]) -> tuple[Model, State]:
    """The Model and State of cables alone, and bodies that hang on them, before the first frame."""
    model, state = laid_out(part.scene, surfaces)
    model = model._replace(
        cables=np.array([(len(one.rod.x), len(one.holders)) for one in each], CABLE), bodies=np.zeros(len(hang), BODY)
    )
    own = blank(model)
    own["cables"]["frame"] = -1
    own["cable_points"]["x"] = np.concatenate([one.rod.x for one in each])
    own["cable_points"]["q"] = np.concatenate([frames_along(one.rod.x, one.rod.m1, one.rod.twist)[1:] for one in each])
    for row, body in zip(own["bodies"], hang, strict=True):
        row["x"], row["q"] = body.position, [1.0, 0.0, 0.0, 0.0]
    state.clock["time"] = -part.scene.frame_duration
    of = {name: {*one.of.split()} for name, one in COLUMNS.items()}
    rows = {name: own[name] for name in own if of[name] & {"bodies", "cables", "cable_points", "handles"}}
    room = np.zeros(ROOM * len(own["cable_points"]), PAIR)
    return model, state._replace(pairs=room, surface_pairs=room.copy(), **rows)


class CableRun(Run):
    """The cables of a scene, and what hangs on them, on their way."""

    def __init__(self, scene: Scene, surfaces: Surfaces, vertex: int = 0, edge: int = 0, body: int = 0) -> None:
        """As drawn. surfaces: of the scene's colliders; vertex, edge, body: their first ones' numbers in the whole."""
        self.steps, none = CableSteps(scene), np.zeros(0, np.int64)
        points = sum(len(cable.rod.x) for cable in self.steps.each)
        rest = replace(
            scene, rods=(), pins=(), welds=(), bodies=(), solids=(), holds=(), ties=(), fields=(), solver="EXPLICIT"
        )
        vertices, edges = vertex + np.arange(points), edge + np.arange(points - len(self.steps.each))
        hang = tuple(scene.bodies[b] for b in self.steps.suspended)
        part = Part(rest, none, body + np.arange(len(hang)), none, none, vertices, edges)
        self.hanging = replace(rest, bodies=hang)
        model, state = _as_drawn(part, surfaces, self.steps.each, hang)
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

    def poses(self, start: np.ndarray) -> np.ndarray:
        """Those of bodies that hang on its cables: see `frames`."""
        return poses(self.hanging, self.state.bodies, start)

    def take_over(self, before: "CableRun") -> None:
        """Go on from where those of other settings rest, or as drawn where other things hold them."""
        old, now = before.steps, self.steps
        for was, own, one, other in zip(old.rows(), now.rows(), old.each, now.each, strict=True):
            if other.held_alike(one):
                for name in ("own", "points", "handles"):
                    getattr(own, name)[:] = getattr(was, name)
                own.own["met"] = False
        self.state.bodies[:] = before.state.bodies


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
