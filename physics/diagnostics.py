"""What a state amounts to: energies, momenta, strains, overlap, knots; for tests, plots and a watchful eye.

Worked out anew from positions and the frames at equilibrium, in numpy, by other means than the kernels use.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from .assemble import workspace
from .rods.chain import frame_edges, hinges_of
from .rods.elastic_forces import elastic_forces
from .validate import SimulationError

VIEW = np.array([0.3217, 0.1854, 0.9285])  # a direction that no drawn knot is aligned with
BLOCK = 1 << 18  # pairs of capsules looked at together


class Energies(NamedTuple):
    """Of each rod (R,) and each body (B,) [J]; what is welded to a body counts as part of it."""

    bending: np.ndarray
    twisting: np.ndarray
    stretching: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray  # in gravity, 0 at the origin
    body_kinetic: np.ndarray
    body_potential: np.ndarray

    @property
    def elastic(self):
        return self.bending + self.twisting + self.stretching

    @property
    def total(self):
        """Sum over everything [J]."""
        return float(sum(part.sum() for part in self))


def energies(model, state):
    """Energies of the rods, their material frames at equilibrium; SimulationError when a rod's find none."""
    now = state._replace(**{name: getattr(state, name).copy() for name in ("t", "u", "theta", "rods")})
    failed = elastic_forces(model, now, workspace(model, now))
    if failed >= 0:
        raise SimulationError(str(failed), f"The twist of rod {failed} found no equilibrium.")
    rods, nodes, gravity = model.rods, model.nodes, model.world["gravity"][0]
    count = len(rods)
    bodies = model.bodies
    spin = np.sum(_turned_back(state.bodies["q"], state.bodies["l"]) ** 2 / bodies["inertia"], axis=1)
    moving = 0.5 * bodies["mass"] * np.sum(state.bodies["v"] ** 2, axis=1) + 0.5 * spin
    falling = -bodies["gravity"] * bodies["mass"] * (state.bodies["x"] @ gravity)
    parts = Energies(*(np.zeros(count) for _ in Energies._fields[:-2]), moving, falling)
    edges = frame_edges(rods, state.walls, state.x)
    for r in range(count):
        own = slice(rods["first"][r], rods["last"][r] + 1)
        parts.bending[r] = _bending(model, now, r, edges)
        parts.twisting[r] = _twisting(model, now, r)
        parts.stretching[r] = _stretching(model, now, r) if rods["stretchable"][r] else 0.0
        parts.kinetic[r] = 0.5 * np.sum(nodes["mass"][own] * np.sum(state.v[own] ** 2, axis=1))
        parts.potential[r] = -np.sum(nodes["gravity"][own] * nodes["mass"][own] * (state.x[own] @ gravity))
    return parts


def _turned_back(q, vectors):
    """Vectors (B, 3) in the axes of bodies at the unit quaternions q (B, 4)."""
    if not len(q):
        return vectors
    return Rotation.from_quat(np.roll(q, -1, axis=1)).inv().apply(vectors)


def _bending(model, state, r, edges):
    """Σ_i Σ_{j=i−1,i} (ω_i^j − ω̄_i^j)ᵀ B^j (ω_i^j − ω̄_i^j)/2l_i with ω = (κb·m₂, −κb·m₁) (eqs. 2 and 3)."""
    i, j = hinges_of(model.rods, r, state.walls)
    a, b, hinges = i + r, j + r + 1, model.hinges[i:j]
    t = edges[a:b] / np.linalg.norm(edges[a:b], axis=1)[:, None]
    u = _parallel_transport(t, state.u[a])
    theta = state.theta[a:b, None]
    m1 = np.cos(theta) * u + np.sin(theta) * np.cross(t, u)
    m2 = np.cross(t, m1)
    kb = 2.0 * np.cross(t[:-1], t[1:]) / (1.0 + np.sum(t[:-1] * t[1:], axis=1))[:, None]
    energy = 0.0
    for side, own in ((slice(0, 2), slice(0, -1)), (slice(2, 4), slice(1, None))):
        omega = np.stack([np.sum(kb * m2[own], axis=1), -np.sum(kb * m1[own], axis=1)], axis=1)
        energy += 0.5 * np.sum(hinges["bending"][:, side] * (omega - hinges["rest_curvature"][:, side]) ** 2)
    return energy


def _parallel_transport(t, first):
    """Bishop vectors (m, 3) along unit tangents t (m, 3), by Rodrigues' rotation about t^{j−1} × t^j."""
    u = np.empty_like(t)
    u[0] = first
    for j in range(1, len(t)):
        axis, c = np.cross(t[j - 1], t[j]), t[j - 1] @ t[j]
        u[j] = c * u[j - 1] + np.cross(axis, u[j - 1]) + axis * (axis @ u[j - 1]) / (1.0 + c)
    return u


def _twisting(model, state, r):
    """Σ_i β_i (m_i − m̄_i)²/l_i, or Θ²/(2 Σ l_i/2β_i) where the twist spreads uniformly (eq. 5), or 0 where it can
    leave.
    """
    rods, (i, j) = model.rods, hinges_of(model.rods, r, state.walls)
    a, b, hinges = i + r, j + r + 1, model.hinges[i:j]
    theta = state.theta[a:b]
    if rods["general"][r]:
        return 0.5 * np.sum(hinges["twist_rate"] * (np.diff(theta) - hinges["rest_twist"]) ** 2)
    if rods["twisted"][r] and (rods["closed"][r] or (state.fixed[a] and state.fixed[b - 1])):
        excess = theta[-1] - theta[0] - hinges["rest_twist"].sum()
        return 0.5 * excess**2 / np.sum(1.0 / hinges["twist_rate"])
    return 0.0


def _stretching(model, state, r):
    """Σ_j EA_j l_j (λ − 1)²/2 with λ = |e^j|/l_j; where it is pressed, ln²λ in place of (λ − 1)²."""
    edges = model.edges
    tail, _, size = _edges(model.rods, state.x, r)
    rest = edges["length"][tail]
    ratio = size / rest
    strain = np.where(ratio < 1.0, np.log(ratio), ratio - 1.0)
    return np.sum(0.5 * edges["stretch"][tail] * strain**2 * rest)


def _edges(rods, x, r):
    """Tail and head nodes (m,) and lengths (m,) [m] of a rod's edges."""
    tail = np.arange(rods["first"][r], rods["last"][r] + rods["closed"][r])
    head = np.where(tail < rods["last"][r], tail + 1, rods["first"][r])
    return tail, head, np.linalg.norm(x[head] - x[tail], axis=1)


def strains(model, state):
    """Relative change of length (M,) of all edges, |e|/l − 1, in scene order."""
    parts = [_edges(model.rods, state.x, r) for r in range(len(model.rods))]
    return np.concatenate([size / model.edges["length"][tail] - 1.0 for tail, _, size in parts])


def linear_momentum(model, state):
    """Σ m v (3,) [kg m/s] of rods and bodies."""
    return model.nodes["mass"] @ state.v + model.bodies["mass"] @ state.bodies["v"]


def angular_momentum(model, state):
    """Σ m x × v + Σ L (3,) [kg m²/s] about the origin; the rods' own spin has none (quasistatic frames)."""
    orbits = model.nodes["mass"] @ np.cross(state.x, state.v)
    bodies = model.bodies["mass"] @ np.cross(state.bodies["x"], state.bodies["v"])
    return orbits + bodies + state.bodies["l"].sum(axis=0)


def deepest_overlap(rods, x, relative=False):
    """How deep [m] the capsules of the Rods of a scene overlap at most, at the vertices x (N, 3) of a Frame.

    relative: over the smaller radius of the two. Not positive: by how much all of them miss. All pairs are looked at;
    points of one rod that are nearer along it than half a turn of its own radius, πr, are bent, not touching.
    """
    tail, head, radius, rod, arc, around = (np.concatenate(part) for part in _capsules(rods, x))
    first, second = np.triu_indices(len(tail), 1)
    deepest = -np.inf
    for begin in range(0, len(first), BLOCK):
        i, j = first[begin : begin + BLOCK], second[begin : begin + BLOCK]
        s, t, distance = _segment_distance(x[tail[i]], x[head[i]], x[tail[j]], x[head[j]])
        along = np.abs(arc[i, 0] + s * (arc[i, 1] - arc[i, 0]) - arc[j, 0] - t * (arc[j, 1] - arc[j, 0]))
        along = np.minimum(along, around[i] - along)
        shared = (tail[i] == head[j]) | (head[i] == tail[j])
        reach = radius[i] + radius[j]
        apart = (rod[i] != rod[j]) | ((along >= 0.5 * np.pi * reach) & ~shared)
        depth = (reach - distance) / (np.minimum(radius[i], radius[j]) if relative else 1.0)
        deepest = max(deepest, np.max(depth, where=apart, initial=-np.inf))
    return float(deepest)


def _capsules(rods, x):
    """Per rod, of its edges: tail, head, radius [m], rod, arc [m] at both ends, perimeter [m] (inf when it is open)."""
    parts, base = [], 0
    for r, rod in enumerate(rods):
        tail = np.arange(rod.edge_count)
        head = (tail + 1) % len(rod.x)
        size = np.linalg.norm(x[base + head] - x[base + tail], axis=1)
        ends = np.cumsum(size)
        radius = 0.5 * (rod.radius[tail] + rod.radius[head])
        around = np.full_like(size, ends[-1] if rod.closed else np.inf)
        parts.append(
            (base + tail, base + head, radius, np.full_like(tail, r), np.stack([ends - size, ends], axis=1), around)
        )
        base += len(rod.x)
    return zip(*parts, strict=True)


def _segment_distance(a, b, c, d):
    """(s, t, distance) (p,) of the nearest points of segments a–b and c–d, each (p, 3).

    The best of the inner minimum and those on the four sides of the square of (s, t).
    """
    u, v, w = b - a, d - c, a - c
    uu, vv, uv, uw, vw = (np.sum(p * q, axis=1) for p, q in ((u, u), (v, v), (u, v), (u, w), (v, w)))
    one = np.ones(len(a))
    with np.errstate(divide="ignore", invalid="ignore"):
        area = uu * vv - uv * uv
        inner_s, inner_t = (uv * vw - vv * uw) / area, (uu * vw - uv * uw) / area
    inside = (inner_s > 0.0) & (inner_s < 1.0) & (inner_t > 0.0) & (inner_t < 1.0)
    candidates = [
        (0.0 * one, np.clip(vw / vv, 0.0, 1.0)),
        (one, np.clip((vw + uv) / vv, 0.0, 1.0)),
        (np.clip(-uw / uu, 0.0, 1.0), 0.0 * one),
        (np.clip((uv - uw) / uu, 0.0, 1.0), one),
        (np.where(inside, inner_s, 0.0), np.where(inside, inner_t, np.clip(vw / vv, 0.0, 1.0))),
    ]
    s, t = np.array([c[0] for c in candidates]), np.array([c[1] for c in candidates])
    gap = np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=2)
    best = np.argmin(gap, axis=0), np.arange(len(a))
    return s[best], t[best], gap[best]


def closing_points(x):
    """Points (3, 3) that close an open polyline x (n, 3) far outside: beyond its end, around, beyond its beginning."""
    centre = 0.5 * (x.min(axis=0) + x.max(axis=0))
    size = np.linalg.norm(x - centre, axis=1).max()
    out, back = (end - centre for end in (x[-1], x[0]))
    out, back = 10.0 * size * out / np.linalg.norm(out), 10.0 * size * back / np.linalg.norm(back)
    aside = np.cross(out - back, np.roll(out - back, 1))
    return centre + np.stack([out, 30.0 * size * aside / np.linalg.norm(aside), back])


def knot_determinant(x):
    """|Δ(−1)| of the closed polyline x (n, 3), the last point joined to the first: unknot 1, trefoil 3, figure-eight 5.

    Alexander's polynomial at −1 is a minor of the colouring matrix (Crowell & Fox, *Introduction to Knot Theory*,
    ch. VI): one row for each crossing of a plane diagram, 2 for the strand above, −1 for each of the two that end
    there.
    """
    edge, place, over = _crossings(x)
    if len(edge) == 0:
        return 1
    count = len(edge) // 2
    order = np.lexsort((place, edge))
    ended = np.cumsum(~over[order]) - ~over[order]  # strands that have ended before each passage
    strand = np.empty_like(ended)
    strand[order] = ended % count
    row = np.arange(count)
    upper, lower = np.where(over[:count], (row, row + count), (row + count, row))
    matrix = np.zeros((count, count))
    np.add.at(matrix, (row, strand[upper]), 2.0)
    np.add.at(matrix, (row, strand[lower]), -1.0)
    np.add.at(matrix, (row, (strand[lower] + 1) % count), -1.0)
    return round(abs(np.linalg.det(matrix[1:, 1:])))


def _crossings(x):
    """Crossings seen along VIEW, twice each, all from the one strand, then all from the other.

    Returns (edge, place along it in [0, 1], whether it passes over).
    """
    view = VIEW / np.linalg.norm(VIEW)
    right = np.cross(view, [1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    p = x @ np.stack([right, np.cross(view, right), view]).T
    d = np.roll(p, -1, axis=0) - p
    i, j = np.triu_indices(len(x), 2)
    keep = ~((i == 0) & (j == len(x) - 1))
    i, j = i[keep], j[keep]
    w = p[j] - p[i]
    area = d[i, 0] * d[j, 1] - d[i, 1] * d[j, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (w[:, 0] * d[j, 1] - w[:, 1] * d[j, 0]) / area
        t = (w[:, 0] * d[i, 1] - w[:, 1] * d[i, 0]) / area
    cross = (s > 0.0) & (s <= 1.0) & (t > 0.0) & (t <= 1.0) & (area != 0.0)
    i, j, s, t = i[cross], j[cross], s[cross], t[cross]
    above = p[i, 2] + s * d[i, 2] > p[j, 2] + t * d[j, 2]
    return np.concatenate([i, j]), np.concatenate([s, t]), np.concatenate([above, ~above])
