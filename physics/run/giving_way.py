"""Colliders that stand for what moved as it was baked give way to what cannot give way to them.

Such a thing would have gone elsewhere, had it met what is simulated now; as it is led, it would press with any force.
Where an island finds no end of a frame, those of them that it may meet stay where they were for the frame, and come
after. Where that does not help, or did not a frame ago, things go through them until they are apart.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..assemble.surfaces import fit_motion
from ..contact.surface_pairs import pairs_near
from ..model import PAIR, Model, State, Surfaces
from ..scene import Notice, Scene
from ..validate import CheckpointError
from .lagging import listed
from .part_run import Run
from .yielding import Yielding, colliders_of

NAMES = ("passed", "stayed")  # of what a checkpoint holds
Box = tuple[np.ndarray, np.ndarray]


class GivingWay:
    """Which colliders let things through, since which frame, for what; and which stayed behind in the last frame."""

    def __init__(self, scene: Scene, surfaces: Surfaces, yielding: Yielding) -> None:
        self.scene, self.surfaces, self.yielding = scene, surfaces, yielding
        self.own = [c for c, collider in enumerate(scene.colliders) if collider.aside >= 0]
        self.passed: dict[int, tuple[int, dict[str, None]]] = {}
        self.stayed: set[int] = set()
        self._stay: set[int] = set()

    def lead(self, runs: Iterable[Run], index: int) -> list[Notice]:
        """To the frame `index`: what is apart meets again, which an artist is told."""
        self._stay, told = set(), list[Notice]()
        for collider in [*self.passed]:
            if all(self._apart(run, collider) for run in runs):
                told.append(self._notice(collider, index))
                del self.passed[collider]
                self.surfaces.colliders["group"][collider] = self.scene.colliders[collider].group
        return told

    def give_way(self, stuck: Sequence[Run], index: int) -> bool:
        """Have what these islands may meet give way in the frame to `index`, more than it did → whether any could."""
        found = False
        for collider in self.own:
            names = dict.fromkeys(name for run in stuck for name in self._names(run, collider))
            if not names or collider in self.passed:
                continue
            found = True
            a, b = self.surfaces.colliders["vertex"][collider]
            way = self.surfaces.samples[0, a:b] - self.surfaces.samples[1, a:b]
            if way.any() and collider not in self.stayed:
                self.yielding.lag[a:b] += way
                self.surfaces.samples[1, a:b] += way
                self._stay.add(collider)
            else:
                self.passed[collider] = index, names
                self.surfaces.colliders["group"][collider] = self.scene.colliders[collider].aside
        if found:
            fit_motion(self.surfaces)
        return found

    def finish(self, index: int) -> list[Notice]:
        """End frame `index`: what an artist is told at the last one."""
        self.stayed = self._stay
        return [self._notice(c, index + 1) for c in self.passed] if index + 1 >= self.scene.frame_count else []

    def _notice(self, collider: int, end: int) -> Notice:
        since, names = self.passed[collider]
        other, things = self.scene.colliders[collider].name, [*names]
        text = f"{listed(things)} cannot give way to '{other}', which moves as it was baked, for {end - since} frames: "
        return Notice(things[0], since, f"{text}they go through each other there.")

    def _names(self, run: Run, collider: int) -> Iterable[str]:
        """Of the things of an island that come near a collider in the frame."""
        box = self._box(collider)
        duration = self.scene.frame_duration
        return [name for name, (low, high) in _boxes(run, duration) if np.all(low <= box[1]) and np.all(high >= box[0])]

    def _box(self, collider: int) -> Box:
        """Around a collider in the present frame."""
        a, b = self.surfaces.colliders["vertex"][collider]
        points, thickness = self.surfaces.samples[:, a:b], self.surfaces.colliders["thickness"][collider]
        return points.min(axis=(0, 1)) - thickness, points.max(axis=(0, 1)) + thickness

    def _apart(self, run: Run, collider: int) -> bool:
        """Whether nothing of an island overlaps with a collider, or with the box around one that has an inside."""
        if not self._names(run, collider):
            return True
        triangles = self.scene.colliders[collider].triangles
        if run.scene.solids or run.scene.bodies:
            return False
        if np.any(triangles[:, 1] != triangles[:, 2]):
            return False
        groups, own = self.surfaces.colliders["group"], self.scene.colliders[collider]
        groups[collider] = own.group
        pairs = _touching(run.model, run.state)
        groups[collider] = own.aside
        return not np.any(colliders_of(self.surfaces)[pairs["j"]] == collider)

    def kept(self) -> dict[str, np.ndarray]:
        """What a checkpoint holds of it: (collider, since which frame, number of a thing, of all in their order) each,
        and which stayed.
        """
        number = {name: k for k, name in enumerate(_all_names(self.scene))}
        rows = [(c, since, number[name]) for c, (since, names) in self.passed.items() for name in names]
        passed, stayed = np.array(rows, np.int64).reshape(-1, 3), np.array(sorted(self.stayed), np.int64)
        return dict(zip(NAMES, (passed, stayed), strict=True))

    def resume(self, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Go on from what `kept` returned; returns the rest of a checkpoint. Raises CheckpointError."""
        if not arrays.keys() >= {*NAMES}:
            raise CheckpointError("it is of another version or scene")
        (passed, stayed), names = (arrays[name] for name in NAMES), _all_names(self.scene)
        fits = passed.dtype == stayed.dtype == np.int64 and passed.ndim == 2 and passed.shape[1] == 3
        fits = fits and stayed.ndim == 1 and {*passed[:, 0].tolist(), *stayed.tolist()} <= {*self.own}
        if not (fits and np.all((passed[:, 2] >= 0) & (passed[:, 2] < len(names)))):
            raise CheckpointError("its numbers are out of range")
        for collider, since, thing in passed.tolist():
            self.passed.setdefault(collider, (since, {}))[1][names[thing]] = None
            self.surfaces.colliders["group"][collider] = self.scene.colliders[collider].aside
        self.stayed = {*stayed.tolist()}
        return {name: array for name, array in arrays.items() if name not in NAMES}


def _all_names(scene: Scene) -> list[str]:
    return [thing.name for things in (scene.rods, scene.bodies, scene.solids) for thing in things]


def _touching(model: Model, state: State) -> np.ndarray:
    """PAIR of rods and what they overlap with of surfaces as the frame begins."""
    rows = np.zeros(4 * len(model.nodes), PAIR)
    while (count := pairs_near(model, state.x, np.zeros(len(model.nodes)), 0.0, rows)) > len(rows):
        rows = np.zeros(count, PAIR)
    return rows[:count]


def _boxes(run: Run, duration: float) -> Iterable[tuple[str, Box]]:
    """(name, box) of each thing of an island as it is now, and goes in so long [s]."""
    scene, model, state = run.part.scene, run.model, run.state
    for rod, first, last in zip(scene.rods, model.rods["first"], model.rods["last"], strict=True):
        own = slice(first, last + 1)
        yield rod.name, _around(state.x[own], duration * state.v[own], model.nodes["radius"][own].max())
    for body, row in zip(scene.bodies, state.bodies, strict=True):
        size = 0.0
        if body.shape:
            size = float(np.linalg.norm(body.shape.points - body.position, axis=1).max()) + body.shape.radius
        yield body.name, _around(row["x"][None], duration * row["v"], size)
    end = len(run.x)
    for solid in reversed(scene.solids):
        begin = end - len(solid.x)
        yield solid.name, _around(run.x[begin:end], np.zeros(3), solid.thickness)
        end = begin


def _around(points: np.ndarray, way: np.ndarray, reach: float) -> Box:
    both = np.concatenate([points, points + way])
    return both.min(axis=0) - reach, both.max(axis=0) + reach
