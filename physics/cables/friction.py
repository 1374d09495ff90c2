"""Friction of a cable at rest on what it touches: a spring at each point from the place where it was last in contact,
that holds no more than μ times what presses there (Coulomb). Between cables (pairs.py) there is one at each contact.

With d what the cable has gone along the surface at a point, which is what the point has, less t Δa where it runs
through that by an arc length Δa along its tangent t, and a spring that holds all it may after a small way g, the energy
is

    E(d) = μN d²/2g up to g, μN (|d| − g/2) beyond,

of N and normals as they were at the last step in which all forces were found, or when contacts were last looked at: so
they come to be those of the equilibrium, for what a point holds depends on those that it pulls at. What has slid goes
on from where its spring holds just so much: increments, from one rest to the next. What touches nothing has no spring,
and what comes to touch has one from where it was at the last rest, for on the way it slides; but what is drawn above a
surface slides to its first rest.
"""

import numpy as np

from .tables import STRIDE

SEEN = 3e-6  # of the unit of force, by which friction may be wrong at a point: of 1000 on a desk each has 1e-3
GIVES = 1e-2  # g, of the least radius: what holds gives by no more
SLIDES = 1.0 - 1e-8  # of g: what has slid rests there, and slides on where rounding has it holding: 7 factorisations of
# a move, or 25 with 1; with .999 what lies just below holds and is taken to slide, and a cable that nothing moves, 3500


def across(d: np.ndarray, normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """d (k, 3) but for what of it is along normals (k, 3), and |d| (k,)."""
    d = d - np.sum(d * normal, axis=1)[:, None] * normal
    return d, np.linalg.norm(d, axis=1)


def energy(way: np.ndarray, limit: np.ndarray, give: float) -> float:
    """Σ E of |d| (k,) and μN (k,)."""
    held = np.minimum(way, give)
    return float((limit * (0.5 * held * held / give + way - held)).sum())


def forces(d: np.ndarray, way: np.ndarray, limit: np.ndarray, give: float) -> np.ndarray:
    """−∂E/∂d (k, 3)."""
    found: np.ndarray = -(limit / np.maximum(way, give))[:, None] * d
    return found


def derivatives(
    d: np.ndarray, way: np.ndarray, limit: np.ndarray, normal: np.ndarray, give: float, ahead: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """∂E/∂d (k, 3) and ∂²E/∂d² (k, 3, 3). What slides curves no more than if it had slid as far as it may have yet,
    `ahead`: before that it is not known which way.
    """
    slides, far = way > SLIDES * give, np.maximum(way, give)
    u, k = d / far[:, None], limit / np.where(slides, np.maximum(far, ahead), give)
    curved = np.eye(3) - normal[:, :, None] * normal[:, None, :] - slides[:, None, None] * u[:, :, None] * u[:, None, :]
    return limit[:, None] * u, k[:, None, None] * curved


def held(d: np.ndarray, way: np.ndarray, limit: np.ndarray, give: float) -> np.ndarray:
    """d (k, 3) of which springs hold just what they do now: what has slid goes on from there."""
    found: np.ndarray = np.where(limit > 0.0, np.minimum(1.0, give / np.maximum(way, give)), 0.0)[:, None] * d
    return found


class Friction:
    """Of points of a cable at arc lengths (n,), as thin as `radius`, in units of its length."""

    def __init__(self, arc: np.ndarray, radius: float) -> None:
        count = len(arc)
        self.give = GIVES * radius
        self.anchor = np.zeros((count, 3))  # from where springs hold, before surfaces move,
        self.drift = np.zeros((count, 3))  # by so much in all,
        self.part = 0.0  # of which so much is over
        self.arc, self.run = arc, np.zeros(count)  # arc lengths at points then, and by how much they are more now
        self.along = np.zeros((count, 3))  # which way
        self.limit, self.normal = np.zeros(count), np.zeros((count, 3))  # μN, and across what it is
        self.x = self.anchor  # where points were when contacts were last looked at
        self.begun, self.which = False, np.zeros(count, bool)  # whether they were; which ones springs hold

    def begin(self, anchor: np.ndarray, which: np.ndarray | None = None) -> None:
        """Springs hold from there (n, 3), those of which (n,) points, else all."""
        self.x = self.anchor = anchor.copy()
        self.begun = True
        self.which = np.ones(len(anchor), bool) if which is None else which

    def _gone(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """d (n, 3) and |d| (n,)."""
        return across(x - self.anchor - self.part * self.drift - self.run[:, None] * self.along, self.normal)

    def energy(self, x: np.ndarray) -> float:
        """Σ E of points x (n, 3)."""
        return energy(self._gone(x)[1], self.limit, self.give) if self.limit.any() else 0.0

    def forces(self, x: np.ndarray) -> np.ndarray:
        """(n, 3) on points."""
        return forces(*self._gone(x), self.limit, self.give)

    def derivatives(
        self, x: np.ndarray, gradient: np.ndarray, band: np.ndarray, ahead: float = 0.0
    ) -> tuple[np.ndarray, ...]:
        """Adds those of Σ E, see `derivatives`. Returns of points that rub, if any do, numbers (k,), t (k, 3), gradient
        (k, 3) and Hessian (k, 3, 3).
        """
        at = np.flatnonzero(self.limit)
        if not len(at):
            return ()
        d, way = (of[at] for of in self._gone(x))
        slope, curve = derivatives(d, way, self.limit[at], self.normal[at], self.give, ahead)
        for r in range(3):
            gradient[STRIDE * at + r] += slope[:, r]
            for c in range(r, 3):
                band[STRIDE * at + r, c - r] += curve[:, r, c]
        return at, self.along[at], slope, curve

    def renew(self, x: np.ndarray, pushes: np.ndarray, limit: np.ndarray) -> float:
        """At x (n, 3) are pushes (n, 3), with friction `limit` (n,) at most. Returns by how much that changes."""
        size = np.linalg.norm(pushes, axis=1)
        limit = np.where(self.which & (size > 0.0), limit, 0.0)
        change = float(np.abs(limit - self.limit).max(initial=0.0))
        self.x = x.copy()
        if change < SEEN:
            return 0.0
        self.limit, self.normal = limit, pushes / np.maximum(size, np.finfo(float).tiny)[:, None]
        self.along = np.gradient(x, axis=0)
        self.along /= np.linalg.norm(self.along, axis=1)[:, None]
        return change

    def resting(self) -> np.ndarray:
        """From where springs hold (n, 3) after a rest."""
        return self.x - held(*self._gone(self.x), self.limit, self.give)
