"""What a Frame shows of the bodies of an island: their poses."""

import numpy as np

from ..scene import Scene


def poses(scene: Scene, bodies: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Centre of mass [m], as described, and turn since the start (w, x, y, z) of each body: (B, 7).

    bodies, start: BODY_STATE (B,) now and at the start.
    """
    poses = np.zeros((len(scene.bodies), 7))
    if len(poses) == 0:
        return poses
    size = np.linalg.norm(bodies["q"], axis=1)
    there = size > 0.0  # else it has left all bounds, as its frame shall say
    poses[~there] = np.nan
    turn = turn_between(start["q"][there], bodies["q"][there] / size[there, None])
    arm = np.array([body.position for body in scene.bodies])[there] - start["x"][there]
    w, axis = turn[:, :1], turn[:, 1:]
    poses[there, :3] = bodies["x"][there] + arm + 2.0 * np.cross(axis, np.cross(axis, arm) + w * arm)
    poses[there, 3:] = turn
    return poses


def turn_between(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """q p* of unit quaternions (k, 4): the turn that brings p to q."""
    (pw, p), (qw, q) = (p[:, :1], p[:, 1:]), (q[:, :1], q[:, 1:])
    return np.hstack([pw * qw + (p * q).sum(axis=1, keepdims=True), pw * q - qw * p - np.cross(q, p)])


def turned_after(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """p q of unit quaternions (k, 4): first the turn q, then p."""
    return turn_between(q * [1.0, -1.0, -1.0, -1.0], p)
