"""Straight rods to try, and equilibria and small vibrations of an inextensible rod from its public forces alone.

With C_j = (|e^j|² − l_j²)/2l_j, a centreline is at rest when f + g + Σ λ_j ∇C_j = 0, C = 0. Newton's method and small
vibrations both need the stiffness −∂f/∂x, taken by central differences, and the multipliers' Σ λ_j ∇²C_j.
"""

import numpy as np
from scipy.linalg import eig, eigh, qr
from solvers import forces
from tendril.physics.assemble import assemble
from tendril.physics.scene import Pin, Rod, Scene

DELTA = 1e-5  # of an edge, for differences
LONGEST = 0.3  # rad that an edge may turn in a Newton step


def straight_rod(n, length=1.0, bend=1.0, twist=1.0, line_density=1.0, radius=1e-3, **options):
    """A rod of n edges along x, m₁ along z: bend [N m²] (), (2,), (n, 1) or (n, 2), twist [N m²], density [kg/m]."""
    x = np.zeros((n + 1, 3))
    x[:, 0] = np.linspace(0.0, length, n + 1)
    mass = np.full(n + 1, line_density * length / n)
    mass[[0, -1]] *= 0.5
    bend = np.broadcast_to(bend, (n, 2)).copy()
    options = {"m1": np.array([0.0, 0.0, 1.0]), **options}
    return Rod(
        "rod", x, np.full(n + 1, radius), mass, bend, np.broadcast_to(twist, n + 1).copy(), np.ones(n), **options
    )


def held(rod, *modes, gravity=(0.0, 0.0, 0.0), **options):
    """The rod alone in a vacuum, its first end held in the first mode, its last end in the second."""
    pins = tuple(Pin.fixed(rod, end, mode, f"wall {end}", rod=0) for end, mode in zip((0, -1), modes, strict=False))
    options = {"frame_duration": 0.04, "frame_count": 1, "air_density": 0.0, "contact": False, **options}
    return Scene((rod,), pins=pins, gravity=np.array(gravity, dtype=float), **options)


class Statics:
    def __init__(self, scene, load=None, force=None):
        """load (n, 3) [N] acts besides gravity; force(x (n, 3)) → (n, 3) replaces the rod's own."""
        self.scene = scene
        self.model, self.state, self.work = assemble(scene)
        rods = self.model.rods
        assert len(rods) == 1
        self.own = slice(rods["first"][0], rods["last"][0] + 1)
        self.mass = self.model.nodes["mass"][self.own]
        self.load = self.mass[:, None] * self.model.world["gravity"][0] + (0.0 if load is None else load)
        n = len(self.mass)
        self.tail = np.arange(n if rods["closed"][0] else n - 1)
        self.head = (self.tail + 1) % n
        self.length = self.model.edges["length"][self.own][: len(self.tail)]
        self.free = np.ones((n, 3), dtype=bool)
        for led in (self.model.pins["node"], self.model.pins["second"]):
            self.free[led[led >= 0] - self.own.start] = False
        self.force = force or self.elastic
        self.x = self.state.x[self.own].copy()

    def elastic(self, x):
        """Elastic force (n, 3) [N] at vertices x (n, 3), frames at equilibrium."""
        self.state.x[self.own] = x
        return forces(self.scene, self.model, self.state, self.work)[self.own]

    def stiffness(self, multiplier):
        """K (3n, 3n): −∂f/∂x less the multipliers' share."""
        n, delta = len(self.x), DELTA * self.length.min()
        K = np.zeros((3 * n, 3 * n))
        for k in np.flatnonzero(self.free):
            shift = np.zeros(3 * n)
            shift[k] = delta
            shift = shift.reshape(n, 3)
            K[:, k] = (self.force(self.x - shift) - self.force(self.x + shift)).ravel() / (2.0 * delta)
        for j, (a, b) in enumerate(zip(self.tail, self.head, strict=True)):
            for c in range(3):
                p, q, k = 3 * a + c, 3 * b + c, multiplier[j] / self.length[j]
                K[p, p] -= k
                K[q, q] -= k
                K[p, q] += k
                K[q, p] += k
        return K

    def gradients(self):
        """∇C (m, 3n)."""
        edges = (self.x[self.head] - self.x[self.tail]) / self.length[:, None]
        J = np.zeros((len(self.tail), *self.x.shape))
        j = np.arange(len(self.tail))
        J[j, self.head] += edges
        J[j, self.tail] -= edges
        return J.reshape(len(self.tail), -1)

    def multipliers(self):
        """Those that balance the forces best (m,) [N]: minus the tensions."""
        free = self.free.ravel()
        total = (self.force(self.x) + self.load).ravel()[free]
        return np.linalg.lstsq(self.gradients()[:, free].T, -total, rcond=None)[0]

    def settle(self, tolerance=1e-10, rounds=60):
        """Newton's method from where the rod is; returns x (n, 3) [m]."""
        free, m = self.free.ravel(), len(self.tail)
        for _ in range(rounds):
            multiplier = self.multipliers()
            J = self.gradients()[:, free]
            K = self.stiffness(multiplier)[np.ix_(free, free)]
            total = (self.force(self.x) + self.load).ravel()[free] + J.T @ multiplier
            edges = self.x[self.head] - self.x[self.tail]
            C = 0.5 * (np.sum(edges**2, axis=1) - self.length**2) / self.length
            system = np.block([[K, -J.T], [J, np.zeros((m, m))]])
            step = np.linalg.solve(system, np.concatenate([total, -C]))
            move = np.zeros_like(self.x)
            move[self.free] = step[: free.sum()]
            turn = np.linalg.norm(move[self.head] - move[self.tail], axis=1) / self.length
            scale = min(1.0, LONGEST / turn.max())
            self.x += scale * move
            if np.abs(move).max() < tolerance * self.length.sum():
                return self.x
        raise AssertionError("no equilibrium found")

    def squares(self, multiplier=None, ignore=None):
        """ω² [1/s²] of the small vibrations that keep the lengths, in rising order; unstable ones are negative.

        multiplier (m,) [N] where statics leaves it open; ignore (k, n, 3): motions left out.
        """
        free = self.free.ravel()
        J = self.gradients()[:, free]
        if ignore is not None:
            J = np.vstack([J, ignore.reshape(len(ignore), -1)[:, free]])
        K = self.stiffness(self.multipliers() if multiplier is None else multiplier)[np.ix_(free, free)]
        rank = np.linalg.matrix_rank(J)
        Z = qr(J.T, pivoting=True)[0][:, rank:]
        A = Z.T @ K @ Z
        M = Z.T @ (np.repeat(self.mass, 3)[free, None] * Z)
        if np.abs(A - A.T).max() < 1e-6 * np.abs(A).max():
            return eigh(0.5 * (A + A.T), M, eigvals_only=True)
        return np.sort(eig(A, M, right=False).real)

    def rigid(self):
        """The six rigid motions (6, n, 3)."""
        turns = [np.cross(axis, self.x) for axis in np.eye(3)]
        return np.array([*(np.tile(axis, (len(self.x), 1)) for axis in np.eye(3)), *turns])
