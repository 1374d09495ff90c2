"""One cable of a scene: where pins and bodies lead it, what it touches, what is kept and told of where it rests."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import product, turned
from ..cables.chafing import chafed
from ..cables.equilibrium import SettledCable, held_sentence, nearly_sentence, settle_cable, short_sentence
from ..cables.equilibrium import State as CableState
from ..cables.handle import Handle
from ..cables.requirements import check_reach, missing_length
from ..cables.surroundings import Surroundings, surroundings
from ..cables.system import CableSystem
from ..cables.units import Units, cable_system
from ..geometry.samples import between
from ..model import CABLE_NOTES
from ..scene import Collider, Floor, Notice, Pin, Rod, Scene, Weld
from ..scenes.collision_filter import touch
from ..scenes.taut import strength_of
from ..scenes.without_cables import suspended_of
from ..validate import SimulationError
from .cable_rows import Rows, read, write
from .felt_loads import pulls

LACKS, TIGHT, NEARLY, RESTLESS, HELD, THROUGH, PULLED, PRESSED = range(CABLE_NOTES)  # what is noted of a frame
TAUT = 1e-5  # of a cable's length: with less to spare its tension is more than 100 times its weight, or endless
SEEN = 1e-4  # of the length, that is missing: less is not told
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
        self.scene = scene
        self._tables: dict[bool, tuple[CableSystem, Units]] = {}  # by whether it is by itself
        self.take(scene.rods[number])
        holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
        self.holders = [hold for hold in holds if hold.rod == number]
        self.drawn = [_drawn(self.rod, hold) for hold in self.holders]
        self.hangs_on = {hold.body for hold in self.holders if isinstance(hold, Weld)} & {*suspended_of(scene)}
        self.rest: SettledCable | None = None  # as it was settled last, and what it touched there
        self.touched: Sequence[Collider | Floor] | None = None
        self._laid_out: dict[float, Surroundings] = {}
        self.meet(scene.colliders)

    def take(self, rod: Rod) -> None:
        """Let it be another rod of as many points, where it rests."""
        self.rod, self.arc = rod, arc_of(rod.x) * rod.rest_length_factor
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
                self.rod, firm, gravity=self.scene.gravity, loads=pulls(self.rod, time), start=before,
                colliders=self.colliders, time=time, rubs=True,
            )  # fmt: skip
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
        tables = self._tables.get(units is None)
        if tables is None or units not in (None, tables[1]):  # which go with forces from frame to frame
            handles = [
                replace(handle, part=self.scene.bodies[hold.body].name)
                if units and isinstance(hold, Weld) and hold.body in self.hangs_on
                else handle
                for hold, handle in zip(self.holders, self.drawn, strict=True)
            ]
            tables = self._tables[units is None] = cable_system(self.rod, handles, self.scene.gravity, None, units)
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
            note(own, NEARLY, index, rest.off, rest.effort.steps)
            return
        bent, pulled, pressed = own["at"].tolist()
        if rest.smallest_bending_radius < self.rod.bend_limit:
            note(own, TIGHT, index, rest.smallest_bending_radius, place=bent)
        # What holds a taut cable gives way by a strength of ours, which then is its tension, and tells nothing.
        gives_way = rest.missing_length > 0.0 and own["tension"] > 0.99 * self.strength
        if 0.0 < self.rod.tension_limit < own["tension"] and not gives_way:
            note(own, PULLED, index, float(own["tension"]), place=pulled)
        if 0.0 < self.rod.transverse_limit < own["transverse"]:
            note(own, PRESSED, index, float(own["transverse"]), place=pressed)
        if rest.missing_length > SEEN * self.arc[-1]:
            note(own, LACKS, index, rest.missing_length, int(rest.missing.argmax()))
        if rest.effort.cut:
            note(own, HELD, index)


def restless_sentence(name: str) -> str:
    """Of what did not come to rest as it was led by hand."""
    return f"'{name}' finds no rest, and stays as it was or goes through what it touches: {CALM}."


def note(own: np.ndarray, what: int, index: int, size: float = 0.0, which: int = 0, place: float = 0.0) -> None:
    """In its CABLE_STATE: the first frame, of what has a limit the worst one's, and of sizes the worst."""
    noted, worst = int(own["noted"][what]), float(own["size"][what])
    worse = (what == TIGHT and size < worst) or (what in (PULLED, PRESSED) and size > worst)
    if not noted or worse:
        own["first"][what] = index
    if not noted or worse or (what == LACKS and size > worst):
        own["size"][what], own["which"][what], own["place"][what] = size, which, place
    own["noted"][what] = noted + 1


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
