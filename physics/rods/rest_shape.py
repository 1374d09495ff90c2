"""Rest shape of a rod: lengths, material curvatures ω̄ and twist m̄ it is free of stress at (Bergou 2008, eqs. 2 and
3).
"""

from dataclasses import dataclass

import numpy as np

from .curvature import bishop_curvature
from .frames import adapt, any_normal, tangents, transport


@dataclass(frozen=True)
class Chain:
    """A rod as an open chain of nodes: ghost nodes one edge beyond clamped ends; a closed rod's first two nodes met
    again.

    first is the node of vertex 0; nodes (k,) tells each node's vertex, ghosts having that of their end.
    """

    nodes: np.ndarray
    first: int
    closed: bool
    ghost_start: bool
    ghost_end: bool

    @classmethod
    def of(cls, rod, ghost_start, ghost_end):
        n = len(rod.x)
        own = np.arange(n)
        if rod.closed:
            return cls(np.concatenate([own, [0, 1]]), 0, True, False, False)
        return cls(
            np.concatenate([own[:1][: int(ghost_start)], own, own[-1:][: int(ghost_end)]]),
            int(ghost_start),
            False,
            ghost_start,
            ghost_end,
        )

    def positions(self, x):
        """Node positions (k, 3) [m] of vertices x (n, 3): ghost edges lie along the tangents of the ends."""
        chain = x[self.nodes].astype(np.float64)
        if self.ghost_start:
            chain[0] = _ghost(chain[1:4])
        if self.ghost_end:
            chain[-1] = _ghost(chain[-2:-5:-1])
        return chain


def _ghost(x):
    """The point (3,) before x (3, 3): the curve has turned by half as much on its first vertex as it turns on the
    next.
    """
    near, far = x[1] - x[0], x[2] - x[1]
    length = np.linalg.norm(near)
    t = near / length
    between = t + far / np.linalg.norm(far)
    between /= np.linalg.norm(between)
    return x[0] - length * (2.0 * (between @ t) * t - between)


def frame_angles(chain_twist, closing):
    """Angles θ (m,) [rad] from integrated twists (k,) at the nodes; the last of a closed chain turns the frame by
    `closing` more.
    """
    theta = np.concatenate([[0.0], np.cumsum(chain_twist[1:-1])])
    if closing is not None:
        theta[-1] = closing
    return theta


def bishop(chain_x, m1, first=0):
    """(t, u, k) of the chain: tangents and Bishop vectors (m, 3), curvature components (k, 2); u along m1 (None: any)
    on the edge `first`.
    """
    k = len(chain_x)
    t, u = np.zeros((k - 1, 3)), np.zeros((k - 1, 3))
    tangents(chain_x[: first + 2], t)
    u[first] = any_normal(t[first]) if m1 is None else m1
    adapt(u[first], t[first])
    for j in range(first, 0, -1):
        transport(u[j], t[j], t[j - 1], u[j - 1])
    components = np.zeros((k, 2))
    bishop_curvature(chain_x, u, t, np.zeros(k - 1), np.zeros(k), components)
    return t, u, components


def material_curvatures(components, theta):
    """ω (k, 4) at inner nodes, (ω₁, ω₂) in the frames of the edge before and the edge behind (eq. 2)."""
    omega = np.zeros((len(components), 4))
    ku, kv = components[1:-1, 0], components[1:-1, 1]
    for side, angle in ((0, theta[:-1]), (2, theta[1:])):
        omega[1:-1, side] = -ku * np.sin(angle) + kv * np.cos(angle)
        omega[1:-1, side + 1] = -ku * np.cos(angle) - kv * np.sin(angle)
    return omega
