"""Friction of a cable at rest on what it touches: a spring at each point from the place where it was last in contact,
that holds no more than μ times what presses there (Coulomb).

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
        d = x - self.anchor - self.part * self.drift - self.run[:, None] * self.along
        d -= np.sum(d * self.normal, axis=1)[:, None] * self.normal
        return d, np.linalg.norm(d, axis=1)

    def energy(self, x: np.ndarray) -> float:
        """Σ E of points x (n, 3)."""
        if not self.limit.any():
            return 0.0
        _, way = self._gone(x)
        held = np.minimum(way, self.give)
        return float((self.limit * (0.5 * held * held / self.give + way - held)).sum())

    def forces(self, x: np.ndarray) -> np.ndarray:
        """(n, 3) on points."""
        d, way = self._gone(x)
        return -(self.limit / np.maximum(way, self.give))[:, None] * d

    def derivatives(
        self, x: np.ndarray, gradient: np.ndarray, band: np.ndarray, ahead: float = 0.0
    ) -> tuple[np.ndarray, ...]:
        """Adds those of Σ E. What slides curves no more than if it had slid as far as it may have yet, `ahead`: before
        that it is not known which way. Returns of points that rub, if any do, numbers (k,), t (k, 3), gradient
        (k, 3) and Hessian (k, 3, 3).
        """
        at = np.flatnonzero(self.limit)
        if not len(at):
            return ()
        d, way = (of[at] for of in self._gone(x))
        slides = way > SLIDES * self.give
        n, far = self.normal[at], np.maximum(way, self.give)
        u, k = d / far[:, None], self.limit[at] / np.where(slides, np.maximum(far, ahead), self.give)
        across = np.eye(3) - n[:, :, None] * n[:, None, :] - slides[:, None, None] * u[:, :, None] * u[:, None, :]
        slope, curve = self.limit[at, None] * u, k[:, None, None] * across
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
        d, way = self._gone(self.x)
        back = np.where(self.limit > 0.0, np.minimum(1.0, self.give / np.maximum(way, self.give)), 0.0)
        found: np.ndarray = self.x - back[:, None] * d
        return found
