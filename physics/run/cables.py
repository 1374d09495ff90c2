"""The cables of a scene, a part of it: at rest at each frame, from where they rested at the one before.

Handles are where pins and rigid bodies take them; cables move neither these nor anything else but bodies that are
suspended, so they come to rest when all else has come to the frame. What hangs on the same body comes to rest with it.
Where a cable is taut, what was moved stays behind.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import dot, norm
from ..arithmetic.quaternions import turned
from ..assemble import laid_out
from ..cables.contact_list import FLOOR
from ..cables.equilibrium import Allowance, SettledCable
from ..cables.equilibrium import State as CableState
from ..cables.frames import frames_along
from ..cables.handle import Handle
from ..cables.harness import Begun, SettledHarness, settle_harness, units_together
from ..cables.part import Part as Suspended
from ..cables.part import reach
from ..model import BODY, CABLE, COLUMNS, LISTS, PAIR, Model, State, Surfaces, blank, listed
from ..scene import Collider, Floor, Notice, RigidBody, Scene
from ..scenes.collision_filter import touch
from ..scenes.measured import MEASURED
from ..scenes.taut import STRENGTH
from ..scenes.without_cables import cables_last, cables_of, suspended_of
from ..time_integration.symplectic_euler import DONE, PAIRS_FULL
from ..validate import SceneError, SimulationError
from .cable import RESTLESS, THROUGH, Cable, note
from .cable_rows import Rows
from .company import Company, Group
from .felt_loads import at, pulls
from .frames import poses
from .part_run import Run
from .parts import Part
from .steps import Ended, RodSteps

ROOM = 4  # pairs a point
# Times as far as a shape reaches, cables settle with what it is of. 1 finds all that touches where a frame begins and
# ends; half more finds at once what comes to touch on its way, and misses what goes three times that far in a frame.
AROUND = 1.5

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
        self.shapes = {
            b: replace(shape, points=np.asarray(shape.points, float) - scene.bodies[b].position)
            for b in self.suspended for shape in (scene.bodies[b].shape,) if shape is not None and scene.contact
        }  # fmt: skip
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
        links = np.concatenate([self.company.pressing(pairs), self.joined, self._beside(x, {})])
        groups: list[Group] | None = None
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
            links = np.concatenate([links, self.company.met(x, there, handles), self._beside(there, used)])
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

    def _beside(self, x: Sequence[np.ndarray], groups: Mapping[Group, SettledHarness]) -> np.ndarray:
        """Links (k, 2) of cables, points of which are at x (n, 3), that are near shapes, or on which what is near
        hangs, with those that these hang on; groups: those at rest.
        """
        places = dict(zip(self.suspended, self.state.bodies["x"], strict=True))
        for group, rest in groups.items():
            places |= dict(zip(self._on(group), rest.position, strict=True))
        around = {b: AROUND * reach(shape) for b, shape in self.shapes.items()}
        links = []
        for b, far in around.items():
            own = next(k for k, one in enumerate(self.each) if b in one.hangs_on)
            for k, one in enumerate(self.each):
                near = _distance_to(x[k], places[b]) <= far + float(one.rod.radius.max())
                if k != own and (near and touch(self.scene, one.rod, self.scene.bodies[b])):
                    links.append((own, k))
                for c in one.hangs_on & around.keys() - {b}:
                    if float(norm(places[c] - places[b])) <= far + around[c]:
                        links.append((own, k))
        return np.array(links, np.int64).reshape(-1, 2)

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
                weight=1.0 if body.weights is None else float(body.weights[0]),
                shape=self.shapes.get(b), group=body.group, forces=_forces(body, time),
            )
            for b in self._on(own) for body in self.scene.bodies[b : b + 1]
        ]  # fmt: skip
        weight = float(norm(gravity)) * sum(abs(part.weight) * part.mass for part in parts)
        more = STRENGTH * (weight + sum(float(norm(force)) for part in parts for force, _ in part.forces))
        hand = more + sum(self.each[k].strength for k in own)
        parts = [replace(part, strength=hand) if part.held else part for part in parts]
        loads = [pulls(rod, time) for rod in rods]
        units = units_together(rods, gravity, parts, loads)
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
                collision_filter=apart, rubs=True, loads=loads,
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
            note(rows.own[0], RESTLESS, index)
            return rows.pressed
        if through:
            note(rows.own[0], THROUGH, index)
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


def _distance_to(x: np.ndarray, place: np.ndarray) -> float:
    """[m] from a place (3,) to lines between points x (n, 3)."""
    way, edges = place - x[:-1], np.diff(x, axis=0)
    share = np.clip(dot(way, edges) / dot(edges, edges), 0.0, 1.0)
    return float(norm(way - share[:, None] * edges).min())


def _forces(body: RigidBody, time: float) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Of its loads at a time [s], as a Part has them: its axes are those of the world where it is drawn."""
    arms = [np.zeros(3) if load.arm is None else np.asarray(load.arm, float) for load in body.loads]
    return tuple((at(load, load.force, time), arm) for load, arm in zip(body.loads, arms, strict=True))


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
            scene, rods=(), pins=(), welds=(), pulleys=(), bodies=(), solids=(), holds=(), ties=(), fields=(),
            solver="EXPLICIT",
        )  # fmt: skip
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
