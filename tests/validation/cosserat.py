"""A Cosserat rod alone, for its laws: the elements and a loop over steps, without the rest of the simulation."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.spatial.transform import Rotation
from tendril.physics._jit import entry
from tendril.physics.arithmetic.turns import quaternion
from tendril.physics.arithmetic.vectors import plus, vector
from tendril.physics.elements.bending_and_torsion import JOINT_LANES, bend_and_twist, joint_hessian, rodrigues
from tendril.physics.elements.rod_dissipation import damp_bending, damp_stretching, dissipation
from tendril.physics.elements.spinning_segment import SEGMENT_LANES, segment_hessian, stretch_and_align
from tendril.physics.model import BEND, SEGMENT
from tendril.physics.rods.director_inertia import (
    TURN_LANES,
    kick_directors,
    kinetic_energy,
    turn_directors,
)
from tendril.physics.rods.directors import director_inertia, parallel_stiffness
from tendril.physics.rods.spinning_step_limit import vibrations

ALONG_X = Rotation.from_matrix([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])  # d₃ along x, d₁ along z

State = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # x, v, q, spin
Laid = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # inverse mass, mobility, segments, joints
Lanes = tuple[np.ndarray, np.ndarray, np.ndarray]
Scratch = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Lanes]  # f, torque, rows, gain, lanes
LANES = np.zeros(1, SEGMENT_LANES), np.zeros(1, JOINT_LANES), np.zeros(1, TURN_LANES)


@dataclass(frozen=True)
class Laws:
    """Of a rod with the same section all along: bend (2,) or one [N m²], twist [N m²], stretch [N], density [kg/m],
    gyration I_p/A [m²], viscosity [s] of bending and torsion, or γ (3,) [N m² s], pull γ_t [N s]; parallel κ [N] and
    inertia (I₁, I₃) [kg m] a length, where they are not those that serve."""

    bend: object
    twist: float
    stretch: float
    density: float
    gyration: float
    viscosity: object = 0.0
    pull: float = 0.0
    parallel: float | None = None
    inertia: object = None


@entry
def forces(
    x: np.ndarray,
    q: np.ndarray,
    segments: np.ndarray,
    joints: np.ndarray,
    f: np.ndarray,
    torque: np.ndarray,
    lanes: Lanes,
) -> tuple[float, float]:
    """f (N, 3) and torque (Q, 3) anew; returns (energy, largest σ²)."""
    f[:] = 0.0
    torque[:] = 0.0
    energy = stretch_and_align(x, q, segments, f, torque, lanes[0][0])
    bent, turning = bend_and_twist(q, joints, torque, lanes[1][0])
    return energy + bent, turning


@entry
def advance(
    steps: int,
    h: float,
    damped: bool,
    closed: bool,
    gravity: np.ndarray,
    state: State,
    rod: Laid,
    scratch: Scratch,
) -> None:
    """Semi-implicit Euler."""
    x, v, q, spin = state
    w, mobility, segments, joints = rod
    f, torque, rows, gain, lanes = scratch
    for _ in range(steps):
        if damped:
            damp_stretching(x, w, segments, closed, h, h, rows, v)
        f[:] = 0.0
        torque[:] = 0.0
        stretch_and_align(x, q, segments, f, torque, lanes[0][0])
        bend_and_twist(q, joints, torque, lanes[1][0])
        for i in range(len(x)):
            for c in range(3):
                if w[i] > 0.0:
                    v[i, c] += h * (f[i, c] * w[i] + gravity[c])
                x[i, c] += h * v[i, c]
        kick_directors(torque, mobility, h, spin)
        if damped:
            damp_bending(q, mobility, joints, closed, h, gain, spin)
        turn_directors(q, spin, mobility, h, lanes[2][0])


@entry
def hessian(x: np.ndarray, q: np.ndarray, segments: np.ndarray, joints: np.ndarray, own: np.ndarray) -> None:
    """Add the Hessian by positions (3N) and turns of the directors about their own axes (3Q)."""
    t = 3 * len(x)
    for j in range(len(segments)):
        one = segments[j]
        a, b = 3 * one.tail, 3 * one.head
        e = plus(vector(x[one.head]), -1.0, vector(x[one.tail]))
        ee, turning, turns = segment_hessian(e, quaternion(q[j]), one.length, one.stretch, one.parallel)
        for r in range(3):
            for c in range(3):
                for i, k in ((a, -1.0), (b, 1.0)):
                    own[i + r, a + c] -= k * ee[r][c]
                    own[i + r, b + c] += k * ee[r][c]
                    own[i + r, t + 3 * j + c] += k * turning[r][c]
                    own[t + 3 * j + c, i + r] += k * turning[r][c]
                own[t + 3 * j + r, t + 3 * j + c] += turns[r][c]
    for j in range(len(joints)):
        one = joints[j]
        a, b = t + 3 * one.before, t + 3 * one.behind
        s = rodrigues(quaternion(q[one.before]), quaternion(q[one.behind]), one.sign)
        aa, bb, ab = joint_hessian(s, one.length, one.rest, one.stiffness)
        for r in range(3):
            for c in range(3):
                own[a + r, a + c] += aa[r][c]
                own[b + r, b + c] += bb[r][c]
                own[a + r, b + c] += ab[r][c]
                own[b + c, a + r] += ab[r][c]


def quaternions(rotations):
    """(k, 4) as (w, x, y, z), each nearest to the one before it."""
    q = np.roll(np.atleast_2d(rotations.as_quat()), 1, axis=1)
    for j in range(1, len(q)):
        if q[j] @ q[j - 1] < 0.0:
            q[j] *= -1.0
    return q


def rotations(q):
    return Rotation.from_quat(np.roll(q, -1, axis=1))


def frames_along(x, closed=False, m1=(0.0, 0.0, 1.0)):
    """Rotations of the directors along the edges of x, the first axis carried on from m1 by parallel transport."""
    e = np.roll(x, -1, axis=0) - x if closed else np.diff(x, axis=0)
    t = e / np.linalg.norm(e, axis=1)[:, None]
    u = np.asarray(m1) - (np.asarray(m1) @ t[0]) * t[0]
    u /= np.linalg.norm(u)
    found = []
    for j in range(len(t)):
        if j > 0:
            u = u - (u @ t[j]) / (1.0 + t[j - 1] @ t[j]) * (t[j - 1] + t[j])
            u -= (u @ t[j]) * t[j]
            u /= np.linalg.norm(u)
        found.append(np.stack([u, np.cross(t[j], u), t[j]], axis=1))
    return Rotation.from_matrix(np.array(found))


def strains(q, joints):
    """u (k, 3) of joints that are turned by less than half a turn."""
    a, b = rotations(q[joints["before"]]), rotations(q[joints["behind"]])
    return (a.inv() * b).as_rotvec() / joints["length"][:, None]


class CosseratRod:
    """One rod through x (n, 3) [m], with walls (Rotation) where its ends are clamped; at rest as it lies, or straight
    and untwisted."""

    def __init__(self, x, laws, closed=False, frames=None, walls=(None, None), straight=False):
        self.x, n = np.array(x, dtype=float), len(x)
        self.closed = closed
        self.v = np.zeros((n, 3))
        m = n if closed else n - 1
        tail = np.arange(m)
        head = (tail + 1) % n
        length = np.linalg.norm(self.x[head] - self.x[tail], axis=1)
        frames = frames_along(self.x, closed) if frames is None else frames
        held = [k for k in (0, 1) if walls[k] is not None]
        laid = quaternions(frames)
        for k in held:
            own = quaternions(walls[k])[0]
            laid = np.vstack([laid, own * np.sign(own @ laid[0 if k == 0 else m - 1])])
        self.q, self.spin = laid, np.zeros((len(laid), 3))
        bend = np.broadcast_to(np.asarray(laws.bend, dtype=float), (2,))
        stiffness = np.array([*bend, laws.twist])
        before, behind = list(tail[:-1]), list(tail[1:])
        cell = list(0.5 * (length[:-1] + length[1:]))
        for row, k in enumerate(held):
            if k == 0:
                before, behind, cell = [m + row, *before], [0, *behind], [0.5 * length[0], *cell]
            else:
                before, behind, cell = [*before, m - 1], [*behind, m + row], [*cell, 0.5 * length[-1]]
        if closed:
            before, behind, cell = [*before, m - 1], [*behind, 0], [*cell, 0.5 * (length[-1] + length[0])]
        self.joints = np.zeros(len(before), BEND)
        self.joints["before"], self.joints["behind"], self.joints["length"] = before, behind, cell
        self.joints["sign"] = np.sign(np.sum(self.q[before] * self.q[behind], axis=1))
        self.joints["stiffness"] = stiffness
        self.joints["viscosity"] = laws.viscosity * (stiffness if np.ndim(laws.viscosity) == 0 else 1.0)
        self.joints["rest"] = 0.0 if straight else strains(self.q, self.joints)
        self.segments = np.zeros(m, SEGMENT)
        self.segments["tail"], self.segments["head"], self.segments["length"] = tail, head, length
        self.segments["stretch"], self.segments["viscosity"] = laws.stretch, laws.pull
        stiffest = np.broadcast_to(bend, (m, 2))
        self.segments["parallel"] = parallel_stiffness(stiffest, length) if laws.parallel is None else laws.parallel
        self.edge_mass = laws.density * length
        self.mass = np.zeros(n)
        np.add.at(self.mass, tail, 0.5 * self.edge_mass)
        np.add.at(self.mass, head, 0.5 * self.edge_mass)
        self.w = 1.0 / self.mass
        own = director_inertia(self.edge_mass, np.full(m, laws.gyration), length)
        if laws.inertia is not None:
            own = length[:, None] * np.asarray(laws.inertia)
        self.mobility = np.zeros((len(self.q), 2))
        self.mobility[:m] = 1.0 / own
        self.gravity = np.zeros(3)
        self.damped = bool(laws.pull > 0.0 or np.any(self.joints["viscosity"] > 0.0))
        self.f, self.torque = np.zeros((n, 3)), np.zeros((len(self.q), 3))
        self._rows, self._gain = np.zeros((2, m)), np.zeros((len(self.q), 3, 3))

    @property
    def edges(self):
        """Number of edges."""
        return len(self.segments)

    @property
    def directors(self):
        """Rotations of the edges."""
        return rotations(self.q[: self.edges])

    def hold(self, *nodes):
        self.w[list(nodes)] = 0.0

    def step(self):
        """Largest stable step."""
        return 2.0 / float(np.sqrt(vibrations(self.segments, self.joints, self.edge_mass, self.mobility).max()))

    def advance(self, steps, h):
        state, rod = (self.x, self.v, self.q, self.spin), (self.w, self.mobility, self.segments, self.joints)
        scratch = self.f, self.torque, self._rows, self._gain, LANES
        advance(int(steps), float(h), self.damped, self.closed, self.gravity, state, rod, scratch)

    def potential(self):
        """Energy; forces stay in f and torque."""
        return forces(self.x, self.q, self.segments, self.joints, self.f, self.torque, LANES)[0]

    def hessian(self):
        """Dense (3N + 3Q, 3N + 3Q)."""
        count = 3 * len(self.x) + 3 * len(self.q)
        own = np.zeros((count, count))
        hessian(self.x, self.q, self.segments, self.joints, own)
        return own

    def inverse_masses(self):
        """(3N + 3Q,), 0 of what is held."""
        return np.concatenate([np.repeat(self.w, 3), self.mobility[:, [0, 0, 1]].ravel()])

    def kinetic(self):
        return 0.5 * np.sum(self.mass[:, None] * self.v**2) + kinetic_energy(self.spin, self.mobility)

    def energy(self):
        return self.potential() + self.kinetic() - np.sum(self.mass[:, None] * self.gravity * self.x)

    def lost(self):
        """Power of internal friction [W]."""
        return 2.0 * dissipation(self.x, self.v, self.q, self.spin, self.segments, self.joints)

    def momentum(self):
        return self.mass @ self.v

    def angular_momentum(self):
        free = self.mobility[:, 1] > 0.0
        own = self.spin[free] / self.mobility[free][:, [0, 0, 1]]
        return np.cross(self.x, self.mass[:, None] * self.v).sum(axis=0) + rotations(self.q[free]).apply(own).sum(
            axis=0
        )

    def residual(self, load):
        """Gradient (3N + 3Q,) of the potential less the work of forces `load` (N, 3) [N]."""
        self.potential()
        return -np.concatenate([(self.f + load).ravel(), self.torque.ravel()])

    def relax(self, load=0.0, held=(), rounds=200):
        """To rest by Newton's method, made definite and shortened where it does not lower the potential; `held`:
        unknowns (of 3N + 3Q) that stay besides those of what has no mobility.
        """
        free = self.inverse_masses() > 0.0
        free[list(held)] = False
        scale = np.abs(self.hessian()).max()
        for _ in range(rounds):
            slope = self.residual(load)[free]
            own = self.hessian()[np.ix_(free, free)]
            way, shift = None, 0.0
            while way is None:
                try:
                    way = -cho_solve(cho_factor(own + shift * np.eye(len(own))), slope)
                except LinAlgError:
                    shift = max(4.0 * shift, 1e-8 * scale)
            moved = np.zeros(len(free))
            moved[free] = way
            x, q, before = self.x.copy(), self.q.copy(), self.potential() - np.sum(load * self.x)
            part = min(1.0, 0.5 / np.abs(moved[x.size :]).max())
            while True:
                self.x = x + part * moved[: x.size].reshape(-1, 3)
                self.q = q
                self.turn(part * moved[x.size :].reshape(-1, 3))
                gained = self.potential() - np.sum(load * self.x) - before
                if gained <= 1e-4 * part * (slope @ way) or part < 1e-6:
                    break
                part *= 0.5
            if -(slope @ way) <= 1e-20 * scale or (part < 1e-6 and np.abs(slope).max() < 1e-9 * scale):
                return
        raise AssertionError("it does not come to rest")

    def turn(self, delta):
        """Turn all directors (Q, 3) [rad] about their own axes."""
        self.q = quaternions_along(self.q, rotations(self.q) * Rotation.from_rotvec(delta))


def quaternions_along(q, turned):
    """Quaternions of rotations, with the signs of q."""
    new = np.roll(turned.as_quat(), 1, axis=1)
    return new * np.sign(np.sum(new * q, axis=1))[:, None]


def round_laws(radius=0.01, young=1e8, poisson=0.5, density=1000.0, stretch=1.0, **rest):
    """Laws of a solid round section; `stretch` of EA."""
    area, second = np.pi * radius**2, 0.25 * np.pi * radius**4
    shear = young / (2.0 * (1.0 + poisson))
    return Laws(young * second, 2.0 * shear * second, stretch * young * area, density * area, 0.5 * radius**2, **rest)


def along_x(edges, length=1.0):
    """Nodes (edges + 1, 3) from the origin."""
    x = np.zeros((edges + 1, 3))
    x[:, 0] = np.linspace(0.0, length, edges + 1)
    return x


def slaved(laws, length):
    """The laws with κ and I₁ as rods in scenes take them, of edges [m] alike."""
    bend, stretch, gyration = np.full((1, 2), laws.bend), np.array([laws.stretch]), np.array([laws.gyration])
    each = np.array([length])
    inertia = director_inertia(laws.density * each, gyration, each, bend, stretch)[0] / length
    return replace(laws, parallel=parallel_stiffness(bend, each, stretch, gyration)[0], inertia=inertia)
