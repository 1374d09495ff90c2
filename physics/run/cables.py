"""The cables of a scene: at rest at each frame, from where they rested at the one before.

Handles are where pins and rigid bodies take them; cables move neither these nor anything else. Where a cable is taut,
what was moved stays behind. A checkpoint holds where cables rest, for from there they go on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import product, turned
from ..cables.equilibrium import SettledCable, held_sentence, in_si, nearly_sentence, settle_cable, short_sentence
from ..cables.equilibrium import State as CableState
from ..cables.handle import Handle
from ..cables.kept import arrays_of, begun, in_range, put_in_place, taken_over
from ..cables.requirements import check_reach, missing_length
from ..cables.units import EULER
from ..geometry.samples import between
from ..scene import Collider, Floor, Frame, Notice, Pin, Rod, Scene, Weld
from ..scenes.collision_filter import touch
from ..scenes.without_cables import cables_of
from ..schemes.static import Effort
from ..validate import CheckpointError, SceneError, SimulationError
from .checkpoint import alike, check_version

State = Mapping[str, np.ndarray]
PREFIX = "cables."
LACKS, TIGHT, NEARLY, RESTLESS, HELD = KINDS = range(5)  # what is noted of a frame
TAUT = 1e-5  # of a cable's length: with less to spare its tension is more than 100 times its weight, or endless
STRENGTH = 100.0  # times weight and buckling load: of what holds a taut cable, which then lacks 4e-6 of its length
SEEN = 1e-4  # of the length, that is missing: less is not told
CURE = "lengthen it, or move what holds it by less"
STRAIGHTER = "lengthen it, or turn what holds it"
CALM = "move what holds it, or what it lies on, by less from frame to frame"


class Cable:
    """One of them, and what there is to tell of it."""

    def __init__(self, scene: Scene, number: int) -> None:
        self.scene, self.rod = scene, scene.rods[number]
        holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
        self.holders = [hold for hold in holds if hold.rod == number]
        self.drawn = [_drawn(self.rod, hold) for hold in self.holders]
        lengths = np.linalg.norm(self.rod.edges(), axis=1) * self.rod.rest_length_factor
        self.arc = np.concatenate([[0.0], np.cumsum(lengths)])
        self.meet(scene.colliders)
        weight = float(norm(scene.gravity) * self.rod.mass.sum())
        self.strength = STRENGTH * (weight + EULER * float(self.rod.bend_stiffness.mean()) / self.arc[-1] ** 2)
        self.rest: SettledCable | None = None
        self.at = -1  # frame in which it came to rest
        self.notes = np.zeros((0, 4))  # what, frame, size, number

    def meet(self, colliders: Sequence[Collider]) -> None:
        """Let it touch those of the scene's, and the floor, that it may."""
        around: list[Collider | Floor] = [one for one in colliders if touch(self.scene, self.rod, one)]
        around += [self.scene.floor] if self.scene.floor else []
        self.colliders = around if self.scene.contact else []

    def settle(self, index: int, bodies: np.ndarray) -> SettledCable:
        """At a frame, where the scene's rigid bodies are at bodies (K, 7). Raises SceneError, SimulationError."""
        handles = [
            self._pinned(hold, handle, index * self.scene.frame_duration)
            if isinstance(hold, Pin)
            else self._welded(hold, handle, bodies[hold.body])
            for hold, handle in zip(self.holders, self.drawn, strict=True)
        ]
        if self.rest is None:
            check_reach(self.rod, handles, self.arc)
        if missing_length(handles, (1.0 - TAUT) * self.arc):
            handles = self._limited(handles)
        try:
            self.rest = settle_cable(
                self.rod, handles, gravity=self.scene.gravity, start=self.rest, colliders=self.colliders,
                time=index * self.scene.frame_duration,
            )  # fmt: skip
        except SimulationError:
            if self.rest is None:
                raise
            self._note(RESTLESS, index)
        else:
            self.at = index
            self._look_at(self.rest)
        return self.rest

    def notices(self) -> Iterator[Notice]:
        """What an artist should know of all frames so far."""
        for what in KINDS:
            own = self.notes[self.notes[:, 0] == what, 1:]
            if len(own):
                yield Notice(self.rod.name, *self._told(what, own))

    def _told(self, what: int, own: np.ndarray) -> tuple[int, str]:
        """(frame, sentence) about all (k, 3) that was noted of a kind."""
        name, count = self.rod.name, len(own) - 1
        frame, size, number = own[0]
        if what == LACKS:
            _, size, number = own[own[:, 1].argmax()]
            text = f"{short_sentence(name, size, self.holders[int(number) % len(self.holders)].name)[:-1]}: {CURE}."
        elif what == TIGHT:
            frame, size, _ = own[own[:, 1].argmin()]
            more = f" (and too tightly at {count} more)" * (count > 0)
            text = (
                f"'{name}' is bent to a radius of {size:.3g} m at this frame{more}, where it may be to "
                f"{self.rod.bend_limit:.3g} m: {STRAIGHTER}."
            )
        elif what == NEARLY:
            more = f" (and at {count} more)" * (count > 0)
            text = nearly_sentence(name, int(number), size).replace("rest after", f"rest at this frame{more} after")
        elif what == HELD:
            text = held_sentence(name, " at this frame" + f" (and at {count} more)" * (count > 0))
        else:
            more = f", as at {count} more" * (count > 0)
            text = f"'{name}' finds no rest at this frame{more}, and stays as it was: {CALM}."
        return int(frame), text

    def arrays(self) -> Iterator[tuple[str, np.ndarray]]:
        """(name, array) of all that it goes on from."""
        state = self.rest.state if self.rest else self._begun(-1)
        contacts = state.system.contacts
        count = -1 if contacts is None or contacts.listed is None else len(contacts.rows)
        yield "own", np.array([[self.at, count, len(self.notes), state.system.stiffness]])
        yield "notes", self.notes
        yield from arrays_of(state)

    def begin(self, own: np.ndarray) -> CableState:
        """What is to be filled of all that."""
        self.at, self.notes = int(own[0]), np.zeros((int(own[2]), 4))
        return self._begun(int(own[1]))

    def go_on(self, state: CableState) -> None:
        """From there."""
        self.rest = in_si(self.rod, state, Effort(arrived=True)) if self.at >= 0 else None

    def take_over(self, old: "Cable") -> None:
        """Go on from where a cable of other settings rests, or as drawn where other things hold it."""
        if old.rest and [_kind(one) for one in self.holders] == [_kind(one) for one in old.holders]:
            self.at, self.notes = old.at, old.notes
            self.go_on(taken_over(self.rod, old.rest.state, self._begun(-1)))

    def _begun(self, contacts: int) -> CableState:
        time = max(self.at, 0) * self.scene.frame_duration
        return begun(self.rod, self.drawn, self.scene.gravity, self.colliders, time, contacts)

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

    def _limited(self, handles: list[Handle]) -> list[Handle]:
        """The same handles, all but the one that moved least of limited strength."""
        before = self.rest.state.handles if self.rest else self.drawn
        ways = [
            np.inf if old.position is None or new.position is None else float(norm(new.position - old.position))
            for old, new in zip(before, handles, strict=True)
        ]
        held = int(np.argmin(ways))
        return [
            handle if number == held else replace(handle, strength=min(handle.strength, self.strength))
            for number, handle in enumerate(handles)
        ]

    def _look_at(self, rest: SettledCable) -> None:
        if not rest.effort.arrived:
            self._note(NEARLY, self.at, rest.off, rest.effort.steps)
            return
        if rest.smallest_bending_radius < self.rod.bend_limit:
            self._note(TIGHT, self.at, rest.smallest_bending_radius)
        if rest.missing_length > SEEN * self.arc[-1]:
            self._note(LACKS, self.at, rest.missing_length, int(rest.missing.argmax()))
        if rest.effort.cut:
            self._note(HELD, self.at)

    def _note(self, what: int, index: int, size: float = 0.0, number: int = 0) -> None:
        self.notes = np.vstack([self.notes, [what, index, size, number]])


class Cables:
    """All those of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.each = scene, {number: Cable(scene, number) for number in cables_of(scene)}

    def settled(self, frame: Frame) -> Frame:
        """The Frame of what is no cable with them, at rest. Raises SceneError, SimulationError."""
        found = {number: cable.settle(frame.index, frame.bodies) for number, cable in self.each.items()}
        x, m1 = _joined(self.scene, frame, found)
        return replace(frame, x=x, m1=m1, state={**frame.state, **self.kept()}, cables=_measured(found))

    def kept(self) -> State:
        """What a checkpoint holds of them."""
        arrays = _by_name(cable.arrays() for cable in self.each.values())
        return {PREFIX + name: np.concatenate(own) for name, own in arrays.items()}

    def resume(self, arrays: State) -> State:
        """Go on from what `kept` returned; returns the rest of a checkpoint. Raises CheckpointError."""
        check_version(arrays)
        own = {name.removeprefix(PREFIX): array for name, array in arrays.items() if name.startswith(PREFIX)}
        each, none = [*self.each.values()], np.zeros(0)
        rows = alike("own", own.get("own", none), np.zeros((len(each), 4)))
        there = [len(np.atleast_1d(own.get(name, none))) for name in ("contacts.n", "notes")]
        told = np.maximum(rows[:, 1:3], 0.0).sum(axis=0)  # all together: room is made by these
        if not (np.all(rows >= [-1, -1, 0, 0]) and np.all(rows[:, 0] <= arrays["index"]) and np.all(told == there)):
            raise CheckpointError("its numbers are out of range")
        states = [cable.begin(row) for cable, row in zip(each, rows, strict=True)]
        parts = _by_name((("notes", cable.notes), *arrays_of(state)) for cable, state in zip(each, states, strict=True))
        if own.keys() != {"own", *parts}:
            raise CheckpointError("it has other cables")
        for name, pieces in parts.items():
            whole = alike(name, own[name], np.concatenate(pieces))
            for piece, part in zip(pieces, np.split(whole, np.cumsum([*map(len, pieces)])[:-1]), strict=True):
                piece[...] = part
        for cable, state, row in zip(each, states, rows, strict=True):
            if not (in_range(state) and np.all((cable.notes >= 0) & (cable.notes[:, [0]] <= HELD))):
                raise CheckpointError("its numbers are out of range")
            put_in_place(state, row[3])
            cable.go_on(state)
        return {name: array for name, array in arrays.items() if not name.startswith(PREFIX)}

    def take_over(self, before: "Cables") -> None:
        """Go on from where those of other settings rest."""
        for cable, old in zip(self.each.values(), before.each.values(), strict=True):
            cable.take_over(old)

    def notices(self) -> Iterator[Notice]:
        """What an artist should know of all frames so far."""
        for cable in self.each.values():
            yield from cable.notices()


def _by_name(given: Iterable[Iterable[tuple[str, np.ndarray]]]) -> dict[str, list[np.ndarray]]:
    found: dict[str, list[np.ndarray]] = {}
    for pairs in given:
        for name, array in pairs:
            found.setdefault(name, []).append(array)
    return found


class LedCables:
    """The cables of a scene of such alone, led by hand: each time they come to rest from where they rested before."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.cables = scene, {number: Cable(scene, number) for number in cables_of(scene)}
        self.colliders, self.moved = list(scene.colliders), dict[int, bytes]()

    def _move(self, moved: np.ndarray) -> None:
        """Brings colliders to where they are now; those that stay are the same, which then need no check."""
        now = {int(row[0]): row[1:] for row in moved}
        for number, drawn in enumerate(self.scene.colliders):
            way = now.get(number)
            if (key := b"" if way is None else way.tobytes()) != self.moved.get(number, b""):
                a = np.eye(3, 4) if way is None else way.reshape(3, 4)
                self.colliders[number] = replace(drawn, points=drawn.points @ a[:, :3].T + a[:, 3])
                self.moved[number] = key

    def settle(self, pins: np.ndarray, moved: np.ndarray) -> Frame:
        """With the scene's pins at places [m] and turned by (P, 7), quaternions last, and colliders moved (k, 13), by
        number and a map (3, 4) [m] from where the scene has them. Raises SceneError and, where a cable finds no rest,
        which then stays as it was, SimulationError.
        """
        self._move(moved)
        led = [
            replace(pin, times=np.zeros(1), position=row[None, :3], rotation=row[None, 3:])
            for pin, row in zip(self.scene.pins, pins, strict=True)
        ]
        found = {}
        for number, cable in self.cables.items():
            cable.holders = [pin for pin in led if pin.rod == number]
            cable.meet(self.colliders)
            found[number] = _at_once(cable)
        empty = np.zeros((0, 3))
        x, m1 = _joined(self.scene, Frame(0, empty, empty, {}), found)
        return Frame(0, x, m1, {}, cables=_measured(found))

    def warnings(self) -> list[Notice]:
        """About those that are not quite at rest, or that edges may hold, where they were settled last."""
        found = [(cable.rod.name, cable.rest) for cable in self.cables.values()]
        return [
            Notice(name, 0, rest.warning)
            for name, rest in found
            if rest and (rest.effort.cut or not rest.effort.arrived)
        ]

    def along(self) -> np.ndarray:
        """(N, 3) at their vertices, as they were settled last: curvature [1/m], tension [N] and torsion [rad/m]."""
        found = []
        for cable in self.cables.values():
            assert cable.rest
            tension = np.pad(cable.rest.tension, 1, mode="edge")
            torsion = cable.rest.twisting_moment / cable.rod.twist_stiffness
            found.append(np.stack([cable.rest.curvature, 0.5 * (tension[1:] + tension[:-1]), torsion], axis=1))
        return np.concatenate(found)


def _at_once(cable: Cable) -> SettledCable:
    """A cable at rest from where it rested or, where that leads nowhere, from where it was drawn. Raises SceneError,
    SimulationError.
    """
    before, cable.notes = cable.rest, cable.notes[:0]
    rest = cable.settle(0, np.zeros((0, 7)))
    if not np.any(cable.notes[:, 0] == RESTLESS):
        return rest
    cable.rest = None
    try:
        return cable.settle(0, np.zeros((0, 7)))
    except SceneError:
        cable.rest = before
        raise


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


def _joined(scene: Scene, frame: Frame, cables: Mapping[int, SettledCable]) -> tuple[np.ndarray, np.ndarray]:
    """x and m1 of a Frame of the whole scene."""
    x, m1, vertex, edge = [], [], 0, 0
    for number, rod in enumerate(scene.rods):
        if cable := cables.get(number):
            x.append(cable.points)
            m1.append(turned(cable.frames, np.array([1.0, 0.0, 0.0])))
        else:
            x.append(frame.x[vertex : vertex + len(rod.x)])
            m1.append(frame.m1[edge : edge + rod.edge_count])
            vertex, edge = vertex + len(rod.x), edge + rod.edge_count
    return np.concatenate([*x, frame.x[vertex:]]), np.concatenate(m1)


def _measured(cables: Mapping[int, SettledCable]) -> np.ndarray:
    """(C, 3): largest curvature [1/m], tension [N] and missing length [m] of each."""
    found = []
    for own in cables.values():
        length = float(norm(np.diff(own.points, axis=0)).sum())
        missing = own.missing_length if own.missing_length > SEEN * length else 0.0
        found.append((float(own.curvature.max()), own.largest_tension, missing))
    return np.array(found).reshape(-1, 3)
