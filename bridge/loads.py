"""Forces on rods, rigid and soft bodies, and pressures in these: numbers that may be keyed, read at every frame."""

from dataclasses import dataclass, replace

import numpy as np

from ..physics.scene import Load
from ..physics.validate import SceneError
from .motion import check_places


@dataclass(frozen=True)
class Push:
    """A force before it is known on what of a thing it acts.

    place (3,) [m] of its target at the first frame, or None; times (k,) [s], force (k, 3) [N] and torque (k, 3) [N m],
    world axes; group: a soft body's.
    """

    name: str
    place: np.ndarray | None
    times: np.ndarray
    force: np.ndarray
    torque: np.ndarray
    follows: bool
    group: str

    def on_body(self, body):
        """The Load on a RigidBody: on one that hangs on cables a force alone, which does not follow it."""
        arm = None if self.place is None else self.place - body.position
        torque = None if body.suspended else self._torque()
        return Load(self.name, self.times, self.force, torque, arm=arm, follows=self.follows and not body.suspended)

    def on_nodes(self, nodes, turns=False):
        """The Load that these nodes (m,) share; turns: its torque as well."""
        return Load(self.name, self.times, self.force, self._torque() if turns else None, nodes=nodes)

    def _torque(self):
        return self.torque if np.any(self.torque) else None


@dataclass(frozen=True)
class _Leader:
    """What `check_places` says of a target."""

    owner: str
    what: str


def is_blown(source):
    """Whether there is pressure in an object: a sheet, which may have been a soft body before, encloses nothing."""
    soft = source.tendril.soft
    return source.tendril.is_soft and soft.use_pressure and not soft.is_sheet


class OverTime:
    """Forces on objects, and pressures in them, as they are set at every frame to the last one."""

    def __init__(self, sources, copies, aside, first, last):
        """Raises SceneError: a force has a target that is in no scene."""
        shown = dict(zip(sources, copies, strict=True))
        pushed = [(source, k) for source in sources for k in range(len(source.tendril.loads))]
        self._pushed = [
            (source, shown[source], k, _follower(source, aside, source.tendril.loads[k])) for source, k in pushed
        ]
        self._blown = [(source, shown[source]) for source in sources if is_blown(source)]
        self.frames, self._aside = range(first, last + 1 if pushed or self._blown else first), aside
        count = len(self.frames)
        self._numbers, self._pressures = np.empty((count, len(pushed), 2)), np.empty((count, len(self._blown)))
        self._axes, self._places = np.empty((count, len(pushed), 3)), [None] * len(pushed)

    def look(self, frame):
        """As they are at a frame, at which the side scene is. Raises SceneError."""
        row, aside = self.frames.index(frame), self._aside
        for column, (source, copy, k, follower) in enumerate(self._pushed):
            load = aside.evaluated(copy).tendril.loads[k]
            self._numbers[row, column] = load.force, load.torque
            self._axes[row, column] = 0.0, 0.0, 1.0
            if follower:
                matrix = aside.matrix(follower)
                check_places([_Leader(source.name, f"the target of force '{load.name}'")], matrix[None, None], [frame])
                self._axes[row, column] = matrix[:3, 2] / np.linalg.norm(matrix[:3, 2])
                self._places[column] = matrix[:3, 3] if row == 0 else self._places[column]
        self._pressures[row] = [aside.evaluated(copy).tendril.soft.pressure for _, copy in self._blown]

    def found(self, units):
        """({source: [Push]}, {source: (times (k,) [s], pressures (k,) [Pa])}); what stays has one sample.

        Raises SceneError.
        """
        times, pushes = units.seconds(np.array(self.frames)), {}
        for column, (source, _, k, _) in enumerate(self._pushed):
            load, place = source.tendril.loads[k], self._places[column]
            _check(source, f"force '{load.name}'", self._numbers[:, column], self.frames)
            vectors = self._numbers[:, column, :, None] * self._axes[:, column, None]
            kept, place = _kept(vectors), None if place is None else units.metres(place)
            own = Push(load.name, place, times[kept], vectors[kept, 0], vectors[kept, 1], load.follows, load.group)
            pushes.setdefault(source, []).append(own)
        pressures = {}
        for (source, _), own in zip(self._blown, self._pressures.T, strict=True):
            _check(source, "pressure", own[:, None], self.frames)
            pressures[source] = times[_kept(own)], own[_kept(own)]
        return pushes, pressures


def _kept(rows):
    """Which samples (k, …) are needed: the first one where all are the same."""
    return slice(1) if np.all(rows == rows[0]) else slice(None)


def on_bodies(sources, things, pushes):
    """The RigidBodies of objects, each with its Pushes of {source: [Push]}."""
    return [
        replace(body, loads=tuple(push.on_body(body) for push in pushes.get(source, ())))
        for source, body in zip(sources, things, strict=True)
    ]


def on_rods(rods, pushes):
    """The Rods of an object with its Pushes: each on the vertex nearest to its target, or on all."""
    for push in pushes:
        away = [np.inf if push.place is None else np.linalg.norm(rod.x - push.place, axis=1) for rod in rods]
        nearest = int(np.argmin([np.min(own) for own in away]))
        for number, rod in enumerate(rods):
            if push.place is None or number == nearest:
                nodes = np.arange(len(rod.x)) if push.place is None else np.array([away[number].argmin()])
                rods[number] = replace(rod, loads=(*rod.loads, push.on_nodes(nodes, rod.model != "cable")))
    return rods


def _follower(source, aside, load):
    """The side scene's copy of a force's target, None where it has none. Raises SceneError."""
    if load.target is None:
        return None
    if not load.target.users_scene:
        raise SceneError(
            source.name, f"'{source.name}': force '{load.name}' acts along '{load.target.name}', which is in no scene "
            "any more: choose another target.",
        )  # fmt: skip
    return aside.follower(load.target)


def _check(source, what, numbers, frames):
    """Raises SceneError: one of them (k, m) is none."""
    for row in np.flatnonzero(~np.isfinite(numbers).all(axis=1))[:1]:
        raise SceneError(
            source.name, f"'{source.name}': its {what} is not a number at frame {frames[row]}: key it anew."
        )
