"""Rest shape of a rod: lengths, material curvatures ω̄ and twist m̄ it is free of stress at (Bergou 2008, eqs. 2 and
3).

All arrays are of its chain: a hinge at each of n vertices, between n + 1 edges, the ghost edges of an open rod or the
last edge of a closed one, met twice, among them.
"""

import numpy as np

from .._jit import entry
from ..arithmetic.fixed_order import dot, norm
from .curvature import bishop_curvature
from .frames import adapt, any_normal, signed_angle, tangents, transport, unwrap


def edges_with_ghosts(x: np.ndarray, closed: bool) -> np.ndarray:
    """Edges (n + 1, 3) [m] of vertices x (n, 3): the ghost edges lie along the tangents of the ends."""
    inner = np.diff(x, axis=0)
    if closed:
        last = x[:1] - x[-1:]
        return np.vstack([last, inner, last])
    return np.vstack([_wall(inner[0], inner[1]), inner, _wall(inner[-1], inner[-2])])


def _wall(near: np.ndarray, far: np.ndarray) -> np.ndarray:
    """The edge (3,) beyond `near`: the curve has turned by half as much at its end as it turns on to the edge `far`."""
    length = norm(near)
    t = near / length
    between = t + far / norm(far)
    between /= norm(between)
    return length * (2.0 * dot(between, t) * t - between)


def bishop(e: np.ndarray, m1: np.ndarray | None, first: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(t, u, k) along the edges e (n + 1, 3): tangents and Bishop vectors (n + 1, 3), curvature components (n, 2); u
    along m1 (None: any) on the edge `first`.
    """
    n = len(e) - 1
    t, u, components = np.zeros((n + 1, 3)), np.zeros((n + 1, 3)), np.zeros((n, 2))
    u[first] = any_normal(e[first]) if m1 is None else m1
    _lay(e, first, t, u, np.zeros((2, n + 1)), components)
    return t, u, components


@entry
def _lay(e: np.ndarray, first: int, t: np.ndarray, u: np.ndarray, scratch: np.ndarray, components: np.ndarray) -> None:
    """What `bishop` fills, given u along m1 on the edge `first`."""
    tangents(e, t)
    adapt(u[first], t[first])
    for j in range(first, 0, -1):
        transport(u[j], t[j], t[j - 1], u[j - 1])
    bishop_curvature(e, u, t, scratch[0], scratch[1], components)


def frame_angles(twist: np.ndarray, t: np.ndarray, u: np.ndarray, closed: bool) -> np.ndarray:
    """Angles θ (n + 1,) [rad] from integrated twists (n,) at the vertices, none on the first edge; where a closed rod's
    last edge is met before it, what makes it the same frame.
    """
    theta = np.concatenate([[0.0], np.cumsum(twist)]) - twist[0]
    if closed:
        theta[0] = unwrap(theta[-1] + signed_angle(u[0], u[-1], t[0]), theta[0])
    return theta


def material_curvatures(components: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """ω (n, 4) at hinges, (ω₁, ω₂) in the frames of the edge before and the edge behind (eq. 2)."""
    omega = np.zeros((len(components), 4))
    ku, kv = components.T
    for side, angle in ((0, theta[:-1]), (2, theta[1:])):
        omega[:, side] = -ku * np.sin(angle) + kv * np.cos(angle)
        omega[:, side + 1] = -ku * np.cos(angle) - kv * np.sin(angle)
    return omega
