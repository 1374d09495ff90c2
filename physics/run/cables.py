"""The cables of a scene: at rest at each frame, from where they rested at the one before.

Handles are where pins and rigid bodies take them; cables move neither these nor anything else. Where a cable is taut,
what was moved stays behind.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..cables.equilibrium import SettledCable, settle_cable
from ..cables.handle import Handle
from ..cables.requirements import check_reach, missing_length
from ..cables.units import EULER
from ..collision_filter import touch
from ..fixed_order import norm
from ..quaternions import product, turned
from ..samples import between
from ..scene import Collider, Floor, Frame, Notice, Pin, Rod, Scene, Weld
from ..validate import CheckpointError, SceneError, SimulationError
from ..without_cables import cables_of, without_cables

Events = Iterable[Frame | Notice]
State = Mapping[str, np.ndarray]
PAST = "bodies_of_cables"  # in the state of a Frame: where rigid bodies were at each frame so far
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
        self.restless: list[int] = []  # frames,
        self.nearly: list[tuple[int, str]] = []  # and those at which it is not quite at rest, and what it says there
        self.tight: list[tuple[float, int]] = []  # radii [m] below what is allowed, and frames
        self.lacks: Notice | None = None
        self.most = 0.0

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
            self.restless.append(index)
        else:
            self._note(index, self.rest)
        return self.rest

    def notices(self) -> Iterator[Notice]:
        """What an artist should know of all frames so far."""
        if self.lacks:
            yield self.lacks
        if self.tight:
            radius, frame = min(self.tight)
            more = f" (and too tightly at {len(self.tight) - 1} more)" * (len(self.tight) > 1)
            text = (
                f"'{self.rod.name}' is bent to a radius of {radius:.3g} m at this frame{more}, where it may be to "
                f"{self.rod.bend_limit:.3g} m: {STRAIGHTER}."
            )
            yield Notice(self.rod.name, frame, text)
        if self.nearly:
            frame, text = self.nearly[0]
            more = f" (and at {len(self.nearly) - 1} more)" * (len(self.nearly) > 1)
            yield Notice(self.rod.name, frame, text.replace("rest after", f"rest at this frame{more} after"))
        if self.restless:
            more = f", as at {len(self.restless) - 1} more" * (len(self.restless) > 1)
            text = f"'{self.rod.name}' finds no rest at this frame{more}, and stays as it was: {CALM}."
            yield Notice(self.rod.name, self.restless[0], text)

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

    def _note(self, index: int, rest: SettledCable) -> None:
        if not rest.effort.arrived:
            self.nearly.append((index, rest.warning))
            return
        if rest.smallest_bending_radius < self.rod.bend_limit:
            self.tight.append((rest.smallest_bending_radius, index))
        if rest.missing_length > max(self.most, SEEN * self.arc[-1]):
            began = index if self.lacks is None else self.lacks.frame
            self.most, self.lacks = rest.missing_length, Notice(self.rod.name, began, f"{rest.warning[:-1]}: {CURE}.")


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
        """About those that are not quite at rest where they were settled last."""
        found = [(cable.rod.name, cable.rest) for cable in self.cables.values()]
        return [Notice(name, 0, rest.warning) for name, rest in found if rest and not rest.effort.arrived]

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
    before, cable.restless = cable.rest, []
    rest = cable.settle(0, np.zeros((0, 7)))
    if not cable.restless:
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


def with_cables(
    scene: Scene, state: State | None, in_time: Callable[[Scene, State | None], Events]
) -> Iterator[Frame | Notice]:
    """`in_time`, which simulates what is no cable, and the cables → the events of a scene that has some.

    Where `state` is gone on with, cables come to rest at all frames so far, and so to where they were. Raises
    CheckpointError: it is none of this scene.
    """
    cables = {number: Cable(scene, number) for number in cables_of(scene)}
    past = _past(scene, state)
    for index, bodies in enumerate(past):
        _settle(cables, index, bodies)
    for event in _others(scene, state, len(past), in_time):
        if isinstance(event, Notice):
            yield event
            continue
        past = [*past, event.bodies]
        found = _settle(cables, event.index, event.bodies)
        if event.index + 1 == scene.frame_count:
            for cable in cables.values():
                yield from cable.notices()
        x, m1 = _joined(scene, event, found)
        yield replace(event, x=x, m1=m1, state={**event.state, PAST: np.stack(past)}, cables=_measured(found))


def _others(scene: Scene, state: State | None, done: int, in_time: Callable[[Scene, State | None], Events]) -> Events:
    """What there is without the cables, from frame `done` on."""
    bare = without_cables(scene)
    if bare.deforming or bare.bodies:
        return in_time(bare, None if state is None else {name: own for name, own in state.items() if name != PAST})
    empty = np.zeros((0, 3))
    return (Frame(index, empty, empty, {}) for index in range(done, scene.frame_count))


def _past(scene: Scene, state: State | None) -> list[np.ndarray]:
    """Where rigid bodies (K, 7) were at each frame so far."""
    if state is None:
        return []
    past = state.get(PAST)
    if past is None or past.shape[1:] != (len(scene.bodies), 7) or not np.isfinite(past).all():
        raise CheckpointError("it has no cables, or others")
    return list(past)


def _settle(cables: Mapping[int, Cable], index: int, bodies: np.ndarray) -> dict[int, SettledCable]:
    return {number: cable.settle(index, bodies) for number, cable in cables.items()}


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
