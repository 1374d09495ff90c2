"""Where pins lead: the motion of objects and bones, sampled finely enough for a solver to follow."""

from dataclasses import dataclass

import numpy as np

from ..physics.scene import Pin
from ..physics.validate import SceneError
from .units import continuous, quaternion, to_object, to_world

PER_FRAME = 4  # samples at least: a target may turn once around in a frame
FINEST = 1.0 / 64.0  # frames; what jumps is spread over this long
MOST_TURN = np.cos(np.radians(90.0))


@dataclass(frozen=True)
class Tie:
    """A pin before its motion is known: the target's stand-in in the side scene, and where the rod is at the start.

    rod, vertex: in the scene; start (3,) [m]; influence: a function that gives it at the present frame.
    """

    name: str
    owner: str
    rod: int
    vertex: int
    mode: str
    max_force: float
    follower: object
    start: np.ndarray
    influence: object


def trajectories(aside, ties, units, last_frame, tolerance):
    """A Pin for each Tie from `units.first_frame` to `last_frame`, true to about `tolerance` [m] between samples.

    Position: target(t) · target(start)⁻¹ · start. Raises SceneError when a target is nowhere (NaN) or scaled to zero.
    """
    frames, matrices, influence = _sample(aside, ties, units, last_frame, tolerance)
    times = units.seconds(frames)
    return tuple(_pin(tie, times, matrices[:, i], influence[:, i], units) for i, tie in enumerate(ties))


def _sample(aside, ties, units, last_frame, tolerance):
    """Frames (k,), target matrices (k, p, 4, 4), influences (k, p), with samples added until all are close enough."""
    first = units.first_frame
    frames = np.linspace(first, last_frame, (last_frame - first) * PER_FRAME + 1)
    matrices, influence = _read(aside, ties, frames)
    while len(wide := _too_far_apart(frames, matrices, ties, units, tolerance)):
        between = 0.5 * (frames[wide] + frames[wide + 1])
        more_matrices, more_influence = _read(aside, ties, between)
        order = np.argsort(np.concatenate([frames, between]))
        frames = np.concatenate([frames, between])[order]
        matrices = np.concatenate([matrices, more_matrices])[order]
        influence = np.concatenate([influence, more_influence])[order]
    return frames, matrices, influence


def _read(aside, ties, frames):
    matrices, influence = np.empty((len(frames), len(ties), 4, 4)), np.empty((len(frames), len(ties)))
    for row, frame in enumerate(frames):
        aside.go(frame)
        for column, tie in enumerate(ties):
            matrices[row, column] = aside.matrix(tie.follower)
            influence[row, column] = tie.influence()
            _check(tie, matrices[row, column], frame)
    return matrices, influence


def _check(tie, matrix, frame):
    for trouble, found in (
        ("is not a number", not np.all(np.isfinite(matrix))),
        ("has a scale of 0", abs(np.linalg.det(matrix[:3, :3])) < 1e-12 * np.linalg.norm(matrix[:3, :3]) ** 3),
    ):
        if found:
            text = f"'{tie.owner}': the target of pin '{tie.name}' {trouble} at frame {frame:g}: change its animation."
            raise SceneError(tie.owner, text)


def _too_far_apart(frames, matrices, ties, units, tolerance):
    """Intervals, longer than the finest, in which some target turns more than 90° or strays from a straight way."""
    wide = np.zeros(len(frames) - 1, dtype=bool)
    for column, tie in enumerate(ties):
        position, turn = _follow(matrices[:, column], tie.start, units)
        cosine = 0.5 * (np.einsum("kij,kij->k", turn[1:], turn[:-1]) - 1.0)
        wide |= cosine < MOST_TURN
        share = ((frames[1:-1] - frames[:-2]) / (frames[2:] - frames[:-2]))[:, None]
        stray = np.linalg.norm(position[1:-1] - (1 - share) * position[:-2] - share * position[2:], axis=1) / 4.0
        wide[:-1] |= stray > tolerance
        wide[1:] |= stray > tolerance
    return np.flatnonzero(wide & (np.diff(frames) > 1.5 * FINEST))


def _follow(matrices, start, units):
    """Where target matrices (k, 4, 4) carry the place `start` (3,) [m], and their turn (k, 3, 3) since the first."""
    local = to_object(matrices[0], units.blender_units(start))
    position = units.metres(np.stack([to_world(matrix, local) for matrix in matrices]))
    u, _, vt = np.linalg.svd(matrices[:, :3, :3] @ np.linalg.inv(matrices[0, :3, :3]))
    u[..., -1] *= np.sign(np.linalg.det(u @ vt))[:, None]
    return position, u @ vt  # the rotation nearest to what may also stretch


def _pin(tie, times, matrices, influence, units):
    position, turn = _follow(matrices, tie.start, units)
    rotation = continuous(quaternion(turn))
    still = all(np.ptp(values, axis=0).max() < 1e-12 for values in (matrices.reshape(len(times), -1), influence))
    kept = slice(1) if still else slice(None)
    return Pin(
        tie.name, tie.rod, tie.vertex, tie.mode, times[kept], position[kept], rotation[kept],
        None if np.all(influence == 1.0) else influence[kept], tie.max_force or None,
    )  # fmt: skip
