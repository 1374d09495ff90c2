"""The motion of objects and bones, sampled finely enough for a solver to follow."""

from collections import namedtuple

import numpy as np

from ..physics.validate import SceneError
from .units import continuous, quaternion, to_object, to_world

PER_FRAME = 4  # samples at least: a target may turn once around in a frame
FINEST = 1.0 / 64.0  # frames; what jumps is spread over this long
FARTHEST = 1e9  # Blender units
MOST_TURN = np.cos(np.radians(90.0))

# times (k,) [s], position (k, 3) [m], turn since the start (k, 4) unit quaternion, influence (k,)
Motion = namedtuple("Motion", "times position turn influence")


def follow(aside, guides, units, last_frame, tolerance):
    """A Motion for each guide from `units.first_frame` to `last_frame`, true to `tolerance` [m] between samples.

    A guide has a `follower`, its stand-in in the side scene, carries the place `start` (3,) [m] along, knows its
    `influence()` at the present frame, and its `owner` and `what` it is, for SceneError: it is nowhere (NaN), far
    away or scaled to zero. Position: follower(t) · follower(start)⁻¹ · start.
    """
    frames, matrices, influence = _sample(aside, guides, units, last_frame, tolerance)
    times = units.seconds(frames)
    return [_motion(guide, times, matrices[:, i], influence[:, i], units) for i, guide in enumerate(guides)]


def _sample(aside, guides, units, last_frame, tolerance):
    """Frames (k,), target matrices (k, p, 4, 4), influences (k, p), with samples added until all are close enough."""
    first = units.first_frame
    frames = np.linspace(first, last_frame, (last_frame - first) * PER_FRAME + 1)
    matrices, influence = _read(aside, guides, frames)
    while len(wide := _too_far_apart(frames, matrices, guides, units, tolerance)):
        between = 0.5 * (frames[wide] + frames[wide + 1])
        more_matrices, more_influence = _read(aside, guides, between)
        order = np.argsort(np.concatenate([frames, between]))
        frames = np.concatenate([frames, between])[order]
        matrices = np.concatenate([matrices, more_matrices])[order]
        influence = np.concatenate([influence, more_influence])[order]
    return frames, matrices, influence


def _read(aside, guides, frames):
    matrices, influence = np.empty((len(frames), len(guides), 4, 4)), np.empty((len(frames), len(guides)))
    for row, frame in enumerate(frames):
        aside.go(frame)
        for column, guide in enumerate(guides):
            matrices[row, column] = aside.matrix(guide.follower)
            influence[row, column] = guide.influence()
            _check(guide, matrices[row, column], influence[row, column], frame)
    return matrices, influence


def _check(guide, matrix, influence, frame):
    if np.isnan(influence):
        text = f"'{guide.owner}': the influence of pin '{guide.name}' is not a number at frame {frame:g}: key it anew."
        raise SceneError(guide.owner, text)
    for trouble, found in (
        ("is not a number", not np.all(np.isfinite(matrix))),
        ("is far away from everything", np.abs(matrix[:3, 3]).max() > FARTHEST),
        ("has a scale of 0", abs(np.linalg.det(matrix[:3, :3])) <= 1e-12 * np.linalg.norm(matrix[:3, :3]) ** 3),
    ):
        if found:
            text = f"'{guide.owner}': {guide.what} {trouble} at frame {frame:g}: change its animation."
            raise SceneError(guide.owner, text)


def _too_far_apart(frames, matrices, guides, units, tolerance):
    """Intervals, longer than the finest, in which some target turns more than 90° or strays from a straight way."""
    wide = np.zeros(len(frames) - 1, dtype=bool)
    for column, guide in enumerate(guides):
        position, turn = _carry(matrices[:, column], guide.start, units)
        cosine = 0.5 * (np.einsum("kij,kij->k", turn[1:], turn[:-1]) - 1.0)
        wide |= cosine < MOST_TURN
        share = ((frames[1:-1] - frames[:-2]) / (frames[2:] - frames[:-2]))[:, None]
        stray = np.linalg.norm(position[1:-1] - (1 - share) * position[:-2] - share * position[2:], axis=1) / 4.0
        wide[:-1] |= stray > tolerance
        wide[1:] |= stray > tolerance
    return np.flatnonzero(wide & (np.diff(frames) > 1.5 * FINEST))


def _carry(matrices, start, units):
    """Where target matrices (k, 4, 4) carry the place `start` (3,) [m], and their turn (k, 3, 3) since the first."""
    local = to_object(matrices[0], units.blender_units(start))
    position = units.metres(np.stack([to_world(matrix, local) for matrix in matrices]))
    u, _, vt = np.linalg.svd(matrices[:, :3, :3] @ np.linalg.inv(matrices[0, :3, :3]))
    u[..., -1] *= np.sign(np.linalg.det(u @ vt))[:, None]
    return position, u @ vt  # the rotation nearest to what may also stretch


def _motion(guide, times, matrices, influence, units):
    position, turn = _carry(matrices, guide.start, units)
    rotation = continuous(quaternion(turn))
    still = all(np.ptp(values, axis=0).max() < 1e-12 for values in (matrices.reshape(len(times), -1), influence))
    kept = slice(1) if still else slice(None)
    return Motion(times[kept], position[kept], rotation[kept], influence[kept])
