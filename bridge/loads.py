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
        """The Load on a RigidBody."""
        arm = None if self.place is None else self.place - body.position
        torque = self.torque if np.any(self.torque) else None
        return Load(self.name, self.times, self.force, torque, arm=arm, follows=self.follows)

    def on_nodes(self, nodes):
        """The Load that these nodes (m,) share."""
        return Load(self.name, self.times, self.force, nodes=nodes)


@dataclass(frozen=True)
class _Leader:
    """What `check_places` says of a target."""

    owner: str
    what: str


def read_over_time(sources, aside, copies, units, last):
    """({source: [Push]}, {source: (times (k,) [s], pressures (k,) [Pa])}) of objects with forces, or soft bodies with
    pressure, as they are set at every frame to the last one; one that stays has one sample. Raises SceneError.
    """
    shown = dict(zip(sources, copies, strict=True))
    pushed = [(source, k) for source in sources for k in range(len(source.tendril.loads))]
    blown = [source for source in sources if source.tendril.is_soft and source.tendril.soft.use_pressure]
    if not (pushed or blown):
        return {}, {}
    followers = [_follower(source, aside, source.tendril.loads[k]) for source, k in pushed]
    frames = np.arange(units.first_frame, last + 1)
    numbers, pressures = np.empty((len(frames), len(pushed), 2)), np.empty((len(frames), len(blown)))
    axes, places = np.zeros((len(frames), len(pushed), 3)), [None] * len(pushed)
    for row, frame in enumerate(frames):
        aside.go(int(frame))
        for column, (source, k) in enumerate(pushed):
            load = aside.evaluated(shown[source]).tendril.loads[k]
            numbers[row, column] = load.force, load.torque
            axes[row, column] = 0.0, 0.0, 1.0
            if followers[column]:
                matrix = aside.matrix(followers[column])
                check_places([_Leader(source.name, f"the target of force '{load.name}'")], matrix[None, None], [frame])
                axes[row, column] = matrix[:3, 2] / np.linalg.norm(matrix[:3, 2])
                places[column] = units.metres(matrix[:3, 3]) if row == 0 else places[column]
        pressures[row] = [aside.evaluated(shown[source]).tendril.soft.pressure for source in blown]
    aside.go(units.first_frame)
    times, found = units.seconds(frames), {}
    for column, (source, k) in enumerate(pushed):
        load = source.tendril.loads[k]
        _check(source, f"force '{load.name}'", numbers[:, column], frames)
        vectors = numbers[:, column, :, None] * axes[:, column, None]
        kept = slice(1) if np.all(vectors == vectors[0]) else slice(None)
        own = Push(load.name, places[column], times[kept], vectors[kept, 0], vectors[kept, 1], load.follows, load.group)
        found.setdefault(source, []).append(own)
    for source, own in zip(blown, pressures.T, strict=True):
        _check(source, "pressure", own[:, None], frames)
    still = [slice(1) if np.all(own == own[0]) else slice(None) for own in pressures.T]
    return found, {
        source: (times[kept], own[kept]) for source, own, kept in zip(blown, pressures.T, still, strict=True)
    }


def on_rods(rods, pushes):
    """The Rods of an object with its Pushes: each on the vertex nearest to its target, or on all."""
    for push in pushes:
        away = [np.inf if push.place is None else np.linalg.norm(rod.x - push.place, axis=1) for rod in rods]
        nearest = int(np.argmin([np.min(own) for own in away]))
        for number, rod in enumerate(rods):
            if push.place is None or number == nearest:
                nodes = np.arange(len(rod.x)) if push.place is None else np.array([away[number].argmin()])
                rods[number] = replace(rod, loads=(*rod.loads, push.on_nodes(nodes)))
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
