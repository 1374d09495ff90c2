"""Constraints of a cable, one after the other: segments' length, coherence and norm, handles' places and quaternions.

|d| − l,   d/|d| − d₃(q),   1/|q| − 1,   x − x_H,   q − q_H,    and by a step (δd, δq, δl),
u·δd − δl,   (δd − u u·δd)/|d| − (∂d₃/∂q) δq,   −q·δq/|q|³,   δx,   δq,    u = d/|d|.
"""

from typing import Any

import numpy as np


class CableConstraints:
    """Of a CableSystem."""

    def __init__(self, system: Any) -> None:
        self.system = system

    def violations(self, y: np.ndarray) -> np.ndarray:
        """See schemes/forces_at_once."""
        s = self.system
        s.take(y)
        d, q, h = np.diff(s.points(y), axis=0), s.quaternions(y), s.handles
        length = np.sqrt(np.sum(d * d, axis=1))
        coherence = d / length[:, None] - _third_axis(q, q)
        norm = 1.0 / np.sqrt(np.sum(q * q, axis=1)) - 1.0
        turn = q[h["segment"]] - h["turn"]
        return _row(length - s.segments["length"], coherence, norm, s.places_of_handles(y) - h["position"], turn)

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """See schemes/forces_at_once."""
        s = self.system
        d, q, dd, dq = np.diff(s.points(y), axis=0), s.quaternions(y), np.diff(s.points(p), axis=0), s.quaternions(p)
        length = np.sqrt(np.sum(d * d, axis=1))
        u = d / length[:, None]
        longer = np.sum(u * dd, axis=1)
        coherence = (dd - longer[:, None] * u) / length[:, None] - 2.0 * _third_axis(q, dq)
        norm = -np.sum(q * dq, axis=1) / np.sum(q * q, axis=1) ** 1.5
        return _row(longer - s.longer_segments(p), coherence, norm, s.places_of_handles(p), dq[s.handles["segment"]])

    def springs(self) -> np.ndarray:
        """See schemes/forces_at_once."""
        s, h = self.system.segments, self.system.handles
        three, four = np.ones((1, 3)), np.ones((1, 4))
        coherence, place = s["coherence"][:, None] * three, h["stiffness"][:, None] * three
        return _row(s["stretch"], coherence, s["norm"], place, h["turn_stiffness"][:, None] * four)

    def push(self, more: np.ndarray) -> None:
        """See schemes/forces_at_once."""
        s, h = self.system.segments, self.system.handles
        m, k = len(s), len(h)
        tension, shear, swelling, force, torque = np.split(more, np.cumsum([m, 3 * m, m, 3 * k]))
        s["tension"] += tension
        s["shear"] += shear.reshape(m, 3)
        s["swelling"] += swelling
        h["force"] += force.reshape(k, 3)
        h["torque"] += torque.reshape(k, 4)


def _row(*parts: np.ndarray) -> np.ndarray:
    return np.concatenate([part.ravel() for part in parts])


def _third_axis(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The bilinear form (m, 3) of quaternions (m, 4) that d₃(q) is of q and q."""
    (a0, a1, a2, a3), (b0, b1, b2, b3) = a.T, b.T
    first, second = a1 * b3 + a3 * b1 + a0 * b2 + a2 * b0, a2 * b3 + a3 * b2 - a0 * b1 - a1 * b0
    return np.stack([first, second, a0 * b0 - a1 * b1 - a2 * b2 + a3 * b3], axis=1)
