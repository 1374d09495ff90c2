"""Arrays per node and per frame, and numbers per rod, from Rod descriptions."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..rods.rest_shape import bishop, edges_with_ghosts, frame_angles, material_curvatures
from ..scene import Rod

STRAIGHT = 1e-12  # rest curvature (as an angle) that counts as none


def node_arrays(rod: Rod) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Arrays per node of one rod, by the names of Model's tables, and the start state."""
    n, m = len(rod.x), rod.edge_count
    edge_of = np.arange(-1, n) % n if rod.closed else np.clip(np.arange(-1, n), 0, m - 1)
    t, u, components, theta = _frames(rod.x, rod.m1, _or_none(rod.twist, n), rod.closed)
    rest_components, rest_theta, rest = components, theta, rod.x
    if rod.rest_x is not None:
        rest = rod.rest_x
        _, _, rest_components, rest_theta = _frames(rest, rod.rest_m1, _or_none(rod.rest_twist, n), rod.closed)
    elif rod.rest_twist is not None:
        rest_theta = frame_angles(rod.rest_twist, t, u, rod.closed)
    length = np.linalg.norm(edges_with_ghosts(rest, rod.closed), axis=1) * rod.rest_length_factor
    cell = length[:-1] + length[1:]
    if not rod.closed:
        cell[[0, -1]] = length[[1, -2]]
    curvature = rod.shape_memory * material_curvatures(rest_components, rest_theta)
    bent, b = _bent(rod, curvature), rod.bend_stiffness[edge_of]
    alpha = 0.5 * (b[:-1].mean(axis=1) + b[1:].mean(axis=1))
    return {
        "x": rod.x.astype(np.float64), "v": np.zeros((n, 3)) if rod.v is None else rod.v,
        "mass": rod.mass.astype(np.float64), "w": 1.0 / rod.mass, "radius": rod.radius.astype(np.float64),
        "length": length[1:], "stiffness": b[1:], "stretch": rod.stretch_stiffness[edge_of[1:]],
        "spin": _spin_inertia(rod),
        "bend": 8.0 * alpha / cell, "bending": np.hstack([b[:-1], b[1:]]) / cell[:, None],
        "rest_curvature": curvature, "bent": bent, "rest_share": 1.0 / np.sqrt(1.0 + bent),
        "twist_rate": 2.0 * rod.twist_stiffness / cell, "rest_twist": rod.shape_memory * np.diff(rest_theta),
        "viscosity": rod.internal_damping * 2.0 * alpha / cell,
        "drag_area": _drag_area(rod), "friction": rod.friction * _or_ones(rod.rougher, n),
        "leaf_area": _or_none(rod.leaf_area, n),
        "gravity": np.full(n, 1.0 if rod.weights is None else float(rod.weights[0])),
    }, {"t": t, "u": u, "theta": theta, "edge": edges_with_ghosts(rod.x, rod.closed)}  # fmt: skip


def _bent(rod: Rod, curvature: np.ndarray) -> np.ndarray:
    """ḡ (n,) of ω̄ (n, 4); a Cosserat rod's strain is another."""
    if rod.model == "cosserat":
        return np.zeros(len(curvature))
    return 0.125 * np.where(np.abs(curvature) < STRAIGHT, 0.0, curvature**2).sum(axis=1)


def _or_none(values: np.ndarray | None, n: int) -> np.ndarray:
    return np.zeros(n) if values is None else values


def _or_ones(values: np.ndarray | None, n: int) -> np.ndarray:
    return np.ones(n) if values is None else np.asarray(values, np.float64)


def _frames(
    x: np.ndarray, m1: np.ndarray | None, twist: np.ndarray, closed: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(t, u, curvature components, θ) of the chain of vertices x (n, 3), as `rest_shape` has them."""
    t, u, components = bishop(edges_with_ghosts(x, closed), m1)
    return t, u, components, frame_angles(twist, t, u, closed)


def _drag_area(rod: Rod) -> np.ndarray:
    """C_D · 2r · length [m²] of each vertex."""
    length = np.linalg.norm(rod.edges(), axis=1)
    share = np.zeros(len(rod.x))
    np.add.at(share, np.arange(len(length)), 0.5 * length)
    np.add.at(share, (np.arange(len(length)) + 1) % len(rod.x), 0.5 * length)
    return rod.drag_coefficient * 2.0 * rod.radius * share


def _spin_inertia(rod: Rod) -> np.ndarray:
    """[kg m²] about themselves of edges, numbered by the vertices they leave; 0: the rod does not roll."""
    spin = np.zeros(len(rod.x))
    if rod.rolls:
        own = 0.5 * rod.mass * rod.gyration
        if not rod.closed:
            own[[0, -1]] *= 2.0
        spin[: rod.edge_count] = (own + np.roll(own, -1))[: rod.edge_count]
    return spin


def rod_scalars(part: Mapping[str, np.ndarray], rod: Rod, hinges: slice) -> dict[str, Any]:
    """What holds for a rod as a whole, which ever has these hinges (a slice); `limit` bounds ω² of the straight rod by
    row sums of |M⁻¹K| (Gershgorin).
    """
    b, m = part["stiffness"], rod.edge_count
    simple = np.ptp(b, axis=1).max() <= 1e-9 * b.max() and np.abs(part["rest_curvature"][hinges]).max() < STRAIGHT
    return {
        "simple": bool(simple),
        "twist_compliance": (1.0 / part["twist_rate"][hinges]).sum(),
        "natural_twist": part["rest_twist"][hinges].sum(),
        "limit": float((part["w"] * _row_sums(part, rod, hinges)).max()),
        "bend_max": float(b.max()),
        "lightest": rod.mass.min(),
        "shortest": part["length"][:m].min(),
        "longest": part["length"][:m].max(),
    }


def _row_sums(part: Mapping[str, np.ndarray], rod: Rod, hinges: slice) -> np.ndarray:
    """Σ_j |K_ij| [N/m] of the straight rod's stiffness, vertex by vertex; a ghost edge ends in a point that is held."""
    length, n = part["length"], len(rod.x)
    k = np.zeros(n)
    k[hinges] = (part["bending"][:, :2].max(axis=1) + part["bending"][:, 2:].max(axis=1))[hinges]
    q = 1.0 / length
    p, held = np.roll(q, 1), part["mass"] == 0.0
    before, behind = np.roll(held, 1), np.roll(held, -1)
    if not rod.closed:
        p[0], before[0], behind[-1] = q[0], True, True
    size = np.stack([p, p + q, q])  # |∂κ/∂x| of the three points
    share = k * size * np.sum(size * ~np.stack([before, held, behind]), axis=0)
    if not rod.closed:
        share[0, 0] = share[2, -1] = 0.0
    rows = np.roll(share[0], -1) + share[1] + np.roll(share[2], 1)
    if rod.stretchable:
        k = 2.0 * part["stretch"] / length
        if not rod.closed:
            k[-1] = 0.0
        rows += k + np.roll(k, 1)
    return rows
