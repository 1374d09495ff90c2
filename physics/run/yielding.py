"""Colliders yield to what they squeeze: what has no room between two of them, or between one and the floor, gets what
it lacks from them, opposite ones alike, and overlaps what is seen of them by so much.

Before each frame it is foreseen how short room will be at its end (see contact/squeezed). The faces and edges that
would take it stay behind by that, and come after as there is room. So what touches meets surfaces that leave it room,
whatever solves it: nothing is pressed through them, and it is free when they part.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from ..assemble.solids import node_order
from ..assemble.surfaces import fit_motion, move_on
from ..contact.feature_pairs import features_near
from ..contact.scratch import CONTACT
from ..contact.soft_squeezed import lay_solids, rows_of_solids, touches_of_solids, ways_of_held
from ..contact.squeezed import SQUEEZE, rows_of_bodies, rows_of_rods, yield_alike, yield_least
from ..contact.surface_contact import collider_of
from ..contact.surface_pairs import pairs_near
from ..model import PAIR, Model, State, Surfaces
from ..scene import Notice, Scene
from ..validate import CheckpointError
from .lagging import listed
from .part_run import Run
from .parts import Part

SLOWLY = 0.5  # of its lag a vertex keeps from frame to frame that needs none: walls that twitch throw what they hold
SEEN = 0.02  # radii: what overlaps less needs no room; contact itself may lack .05 (time_integration/verify)
PRESSED = 0.01  # scales by which a body is left too little room, so that friction holds it; a rod bends out of that
ROOMIER = 0.05  # radii more that what only stands for another thing leaves rods and bodies: as much as contact may have
# lacked where that thing was baked
NAMES = ("lag.vertex", "lag.way", "squeezed")  # of what a checkpoint holds


@dataclass
class Squeezed:
    """What the same colliders squeeze: since which frame, how deep [m] at most, and what, by number in the scene: rods,
    and bodies and soft bodies counted on from there.
    """

    since: int
    depth: float = 0.0
    things: dict[int, None] = field(default_factory=dict)


class Yielding:
    """How far colliders' vertices lag (V, 3) [m], and what they squeeze now, by the colliders' numbers."""

    def __init__(self, scene: Scene, surfaces: Surfaces) -> None:
        self.scene, self.surfaces = scene, surfaces
        self.lag = np.zeros_like(surfaces.samples[0])
        stand_in = np.array([collider.aside >= 0 for collider in scene.colliders], dtype=bool)
        self.more = ROOMIER * np.append(stand_in[colliders_of(surfaces)], False)
        self.now: dict[tuple[int, ...], Squeezed] = {}
        self.found: dict[tuple[int, ...], Squeezed] = {}

    def lead(self, runs: Iterable[Run], index: int) -> None:
        """Lead surfaces to where they are at frame `index`, or as far as what is between them leaves them room."""
        frame, self.found = self.scene.frame_duration, {}
        parts = [(run.part, *of) for run in runs for of in zip(run.models[:2], run.states[:2], strict=True)]
        held = [_ways_of_held(model, state, index * frame) for _, model, state in parts]
        yields = bool(self.lag.any()) or any(way.any() for way in held)
        if not move_on(self.scene, self.surfaces, (index - 1) * frame, index * frame, self.lag, yields):
            return
        lag, way = SLOWLY * self.lag, self.surfaces.samples[1] - self.surfaces.samples[0]
        if self.scene.floor is not None:
            way = np.append(way, np.zeros((1, 3)), axis=0)
        for (part, model, state), its in zip(parts, held, strict=True):
            both = np.append(way, its, axis=0)
            closing = 2.0 * float(np.linalg.norm(both - 0.5 * (both.min(axis=0) + both.max(axis=0)), axis=1).max())
            if closing > 0.0:
                self._yield(part, model, squeezed(part.scene, model, state, its, closing, self.more), lag, index)
        if lag.any():
            self._come_slowly(lag)
            for own in self.surfaces.colliders[self.surfaces.colliders["rim"] >= 0]:  # else a bar that yields turns
                first = own["vertex"][0]
                lag[first + own["rim"]] = 0.5 * (lag[first] + lag[first + 1])
            self.surfaces.samples[1] += lag
            fit_motion(self.surfaces)
        self.lag = lag

    def _come_slowly(self, lag: np.ndarray) -> None:
        """Have vertices keep of what they lagged by as much as if nothing asked them to go: what two sides of a surface
        ask of a vertex that both have may be opposite ways, of which the last would be met by running over the first.
        """
        size = np.linalg.norm(self.lag, axis=1, keepdims=True)
        way = self.lag / np.maximum(size, 1e-300)
        lag += np.maximum(0.0, SLOWLY * size - np.sum(lag * way, axis=1, keepdims=True)) * way

    def _yield(self, part: Part, model: Model, rows: np.ndarray, lag: np.ndarray, index: int) -> None:
        """Have vertices lag by what rows, SQUEEZE, are short of, and note what is squeezed."""
        surfaces, rods, bodies = self.surfaces, len(self.scene.rods), len(self.scene.bodies)
        by: dict[int, list[tuple[int, float]]] = {}
        roomier = self.more[rows["feature"]]
        short = (rows["feature"] >= 0) & (rows["short"] > np.where(roomier > 0.0, 0.0, SEEN) * rows["radius"])
        for row, more in zip(rows[short], roomier[short], strict=True):
            part_of, short, away = int(row["part"][0]), float(row["short"]), -row["n"]
            if len(model.solids.bodies):
                face = model.solids.surface.faces[row["part"][1]]
                thing = rods + bodies + int(part.solids[face["collider"]])
            elif part_of < len(model.nodes):
                thing = int(part.rods[model.nodes["rod"][part_of]])
            else:
                thing = rods + int(part.bodies[(part_of - len(model.nodes)) // 2])
                short -= (PRESSED if more == 0.0 else 0.0) * float(row["radius"])
            for vertex in vertices_of(surfaces, row["feature"]):
                lag[vertex] += max(0.0, short - lag[vertex] @ away) * away
            short -= more * float(row["radius"])
            if more > 0.0 and short <= SEEN * row["radius"]:
                continue
            by.setdefault(thing, []).append((int(collider_of(surfaces, row["feature"])), short))
        for thing, found in by.items():
            own = tuple(sorted({collider for collider, _ in found}))
            squeeze = self.found.setdefault(own, self.now.get(own) or Squeezed(index))
            squeeze.depth = max(squeeze.depth, *(short for _, short in found))
            squeeze.things[thing] = None

    def finish(self, index: int) -> list[Notice]:
        """What an artist is told of what has come free by frame `index`, or of all that is squeezed at the last one."""
        last = index + 1 >= self.scene.frame_count
        over = [own for own in self.now if own not in self.found]
        told = [self._notice(own, self.now[own], index - 1) for own in over]
        told += [self._notice(own, squeeze, index) for own, squeeze in self.found.items() if last]
        self.now = self.found
        return told

    def _notice(self, colliders: Sequence[int], squeeze: Squeezed, end: int) -> Notice:
        names = [*(rod.name for rod in self.scene.rods), *(body.name for body in self.scene.bodies)]
        names += [solid.name for solid in self.scene.solids]
        things = [names[k] for k in squeeze.things]
        where = "between" if len(colliders) > 1 else "at"
        text = f"{listed(things)} {'have' if len(set(things)) > 1 else 'has'} too little room {where} "
        text += (
            f"{listed([self.scene.colliders[k].name for k in colliders])} for {end + 1 - squeeze.since} frames: they "
        )
        text += f"overlap by up to {1e3 * squeeze.depth:.3g} mm there."
        return Notice(things[0], squeeze.since, text)

    def kept(self) -> dict[str, np.ndarray]:
        """What a checkpoint holds of it: of each collider and thing of a squeeze (its number, since, depth, the
        collider or −1, the thing or −1).
        """
        vertex = np.flatnonzero(self.lag.any(axis=1))
        rows = [
            [k, own.since, own.depth, *pair]
            for k, (colliders, own) in enumerate(self.now.items())
            for pair in chain(((c, -1) for c in colliders), ((-1, thing) for thing in own.things))
        ]
        return dict(zip(NAMES, (vertex, self.lag[vertex], np.array(rows, float).reshape(-1, 5)), strict=True))

    def resume(self, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Go on from what `kept` returned; returns the rest of a checkpoint. Raises CheckpointError."""
        rest = {name: array for name, array in arrays.items() if name not in NAMES}
        if len(rest) + len(NAMES) != len(arrays):
            raise CheckpointError("it is of another version or scene")
        vertex, way, rows = (arrays[name] for name in NAMES)
        things = len(self.scene.rods) + len(self.scene.bodies) + len(self.scene.solids)
        fits = vertex.dtype == np.int64 and vertex.ndim == 1 and way.dtype == float and way.shape == (len(vertex), 3)
        fits = fits and rows.dtype == float and rows.ndim == 2 and rows.shape[1] == 5
        fits = fits and bool(np.isfinite(way).all() and np.isfinite(rows).all())
        fits = fits and bool(np.all((vertex >= 0) & (vertex < len(self.lag))))
        fits = fits and bool(np.all((rows[:, 3:] >= -1) & (rows[:, 3:] < [len(self.scene.colliders), things])))
        if not fits:
            raise CheckpointError("its numbers are out of range")
        self.lag[vertex] = way
        for k in dict.fromkeys(rows[:, 0]):
            own = rows[rows[:, 0] == k]
            colliders = tuple(int(c) for c in own[:, 3] if c >= 0)
            found = {int(thing): None for thing in own[:, 4] if thing >= 0}
            if not (colliders and found):
                raise CheckpointError("its numbers are out of range")
            self.now[colliders] = Squeezed(int(own[0, 1]), float(own[0, 2]), found)
        return rest


def _ways_of_held(model: Model, state: State, end: float) -> np.ndarray:
    """(N, 3) [m] that nodes of soft bodies which are held go until the time `end` [s], or none."""
    way = np.zeros((len(model.nodes) if len(model.solids.bodies) else 0, 3))
    if len(way):
        ways_of_held(model, state, end, way)
    return way


def _relaxed(scene: Scene) -> np.ndarray:
    """Soft bodies' nodes (N, 3) [m], relaxed as far as they have one place, else as drawn."""
    rest = [one.x if one.rest_x is None or np.ndim(one.rest_x) == 3 else one.rest_x for one in scene.solids]
    return np.concatenate(rest).astype(np.float64)[node_order(scene)]


def squeezed(scene: Scene, model: Model, state: State, way: np.ndarray, closing: float, more: np.ndarray) -> np.ndarray:
    """SQUEEZE of what colliders may press on, which come nearer to each other, to planes or to what is held of soft
    bodies by `closing` [m] in the present frame at most; scene: of this part; way (N, 3) [m]: of nodes that are held;
    more: radii that each feature of colliders leaves beside, and a 0 behind them.
    """
    faces = len(model.solids.surface.faces)
    parts, skin = faces or len(model.nodes) + 2 * len(model.shapes), closing
    u, asked, found, at = np.zeros((parts, 3)), np.zeros(parts), [], (state.x, state.bodies, (0.0, 0.0))
    if len(model.rods):
        near = np.full(len(model.nodes), skin)
        pairs = _filled(lambda room: pairs_near(model, state.x, near, 0.0, room), 4 * len(model.nodes))
        rows = np.zeros(len(pairs) + len(state.plane_pairs), SQUEEZE)
        found.append(rows[: rows_of_rods(model, state, pairs, skin, rows)])
    if faces:
        lay_solids(model, state)
        pairs = _filled(lambda room: features_near(model, at, (skin, 0.0), room), 16 * len(model.nodes))
        first, contact, touches = np.empty(len(way), np.int64), np.zeros(1, CONTACT)[0], np.zeros(len(pairs), SQUEEZE)
        touches_of_solids(model, state, pairs, first, contact, touches)
        places = way, _relaxed(scene)
        found.append(
            _filled(lambda room: rows_of_solids(model, state, touches, first, places, closing, room), 0, SQUEEZE)
        )
    if (model.shapes["face"][:, 0] < model.shapes["face"][:, 1]).any():
        pairs = _filled(lambda room: features_near(model, at, (skin, 0.0), room), 64 * len(model.shapes))
        rows = np.zeros(len(pairs), SQUEEZE)
        found.append(rows[: rows_of_bodies(model, state, pairs, rows)])
    if not found:
        return np.zeros(0, SQUEEZE)
    whole = np.concatenate(found)
    if not faces:
        whole["gap"] -= more[whole["feature"]] * whole["radius"]
    yield_least(whole, u, asked)
    pressed = (whole["feature"] >= 0) & (whole["gap"] < 0.0) & (whole["part"][:, 0] >= len(model.nodes))
    for body in np.unique(whole["part"][pressed, 0]) if not faces else ():
        own = whole["part"][:, 0] == body
        alike = whole[own]
        yield_alike(alike)
        whole[own] = alike
    return whole


def _filled(fill: Callable[[np.ndarray], int], room: int, kind: np.dtype = PAIR) -> np.ndarray:
    """PAIR, or another kind, that are filled in, which returns how many there are, where there is room."""
    rows = np.zeros(room, kind)
    while (count := fill(rows)) > len(rows):
        rows = np.zeros(count, kind)
    return rows[:count]


def colliders_of(surfaces: Surfaces) -> np.ndarray:
    """Which collider each feature is of."""
    return np.concatenate([part["collider"] for part in (surfaces.faces, surfaces.edges, surfaces.vertices)])


def vertices_of(surfaces: Surfaces, feature: int) -> np.ndarray:
    """Numbers of the vertices of a feature."""
    faces, edges = len(surfaces.faces), len(surfaces.edges)
    if feature < faces:
        return surfaces.faces["corner"][feature]
    return surfaces.edges["end"][feature - faces] if feature < faces + edges else np.array([feature - faces - edges])
