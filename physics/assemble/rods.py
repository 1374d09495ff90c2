"""Arrays per node and numbers per rod, from Rod descriptions."""

import numpy as np

from ..rods.frames import signed_angle, unwrap
from ..rods.rest_shape import Chain, bishop, frame_angles, material_curvatures

STRAIGHT = 1e-12  # rest curvature (as an angle) that counts as none


def chain_of(scene, r):
    """Rod number r as a Chain: with a ghost at each clamped end."""
    held = {p.vertex for p in (*scene.pins, *scene.welds) if p.rod == r and p.mode != "POSITION"}
    last = len(scene.rods[r].x) - 1
    return Chain.of(scene.rods[r], 0 in held, last in held)


def node_arrays(rod, chain):
    """Arrays per node of one rod, by the names of Rods, and the start state."""
    nodes, count = chain.nodes, len(chain.nodes)
    own = slice(chain.first, chain.first + len(rod.x))
    x = chain.positions(rod.x)
    rest_x = x if rod.rest_x is None else chain.positions(rod.rest_x)
    edge_of = np.clip(np.arange(count) - chain.first, 0, rod.edge_count - 1) % rod.edge_count
    if chain.closed:
        edge_of = nodes.copy()
    length = np.append(np.linalg.norm(np.diff(rest_x, axis=0), axis=1), 1.0) * rod.rest_length_factor
    inverse_cell = np.zeros(count)
    inverse_cell[1:-1] = 1.0 / (length[:-2] + length[1:-1])
    for ghost, wall, edge in ((chain.ghost_start, 1, 1), (chain.ghost_end, count - 2, count - 3)):
        if ghost:
            inverse_cell[wall] = 1.0 / length[edge]
    stiffness = rod.bend_stiffness[edge_of]
    mean = 0.5 * stiffness.mean(axis=1)
    alpha = np.zeros(count)
    alpha[1:] = mean[:-1] + mean[1:]
    twist = np.zeros(len(rod.x)) if rod.twist is None else rod.twist
    t, u, components = bishop(x, rod.m1, chain.first)
    theta = frame_angles(twist[nodes], _turned_back(chain, x, rod.m1, twist))
    rest_components, rest_m1 = components, rod.m1
    if rod.rest_x is not None:
        rest_m1 = rod.rest_m1
        _, _, rest_components = bishop(rest_x, rest_m1, chain.first)
    rest_twist = _rest_twist(rod, twist)
    rest_theta = frame_angles(rest_twist[nodes], _turned_back(chain, rest_x, rest_m1, rest_twist))
    memory = rod.shape_memory
    mass = np.zeros(count)
    mass[own] = rod.mass
    with np.errstate(divide="ignore"):
        w = np.where(mass > 0.0, 1.0 / mass, 0.0)
    velocity = np.zeros((count, 3))
    if rod.v is not None:
        velocity[own] = rod.v
    pad = np.zeros((1, 3))
    twist_rate = 2.0 * rod.twist_stiffness[nodes] * inverse_cell
    return {
        "x": x, "v": velocity, "t": np.vstack([t, pad]), "u": np.vstack([u, pad]), "theta": np.append(theta, 0.0),
        "mass": mass, "w": w, "radius": rod.radius[nodes].astype(np.float64), "length": length,
        "inverse_cell": inverse_cell, "bend": 8.0 * alpha * inverse_cell, "stiffness": stiffness,
        "stretch": rod.stretch_stiffness[edge_of], "twist_rate": twist_rate,
        "rest_curvature": memory * material_curvatures(rest_components, rest_theta),
        "rest_twist": memory * np.diff(rest_theta, prepend=0.0, append=0.0) * (inverse_cell > 0.0),
        "viscosity": rod.internal_damping * 2.0 * alpha * inverse_cell,
        "drag_area": _drag_area(rod)[nodes] * (mass > 0.0), "friction": np.full(count, rod.friction),
        "leaf_area": (np.zeros(len(rod.x)) if rod.leaf_area is None else rod.leaf_area)[nodes] * (mass > 0.0),
        "gravity": np.full(count, 1.0 if rod.weights is None else float(rod.weights[0])),
    }  # fmt: skip


def _rest_twist(rod, twist):
    """Twist (n,) [rad] of the rest shape: as given, else as drawn, else none."""
    if rod.rest_twist is not None:
        return rod.rest_twist
    return twist if rod.rest_x is None else np.zeros(len(rod.x))


def _turned_back(chain, x, m1, twist):
    """Of a closed chain, how far the frame that went round once is turned against where it began [rad]; None for open
    ones.
    """
    if not chain.closed:
        return None
    t, u, _ = bishop(x, m1)
    total = twist[chain.nodes][1:-1].sum()
    return float(unwrap(signed_angle(u[-1], u[0], t[0]), total))


def _drag_area(rod):
    """C_D · 2r · length [m²] of each vertex."""
    length = np.linalg.norm(rod.edges(), axis=1)
    share = np.zeros(len(rod.x))
    np.add.at(share, np.arange(len(length)), 0.5 * length)
    np.add.at(share, (np.arange(len(length)) + 1) % len(rod.x), 0.5 * length)
    return rod.drag_coefficient * 2.0 * rod.radius * share


def rod_scalars(part, rod, chain):
    """What holds for a rod as a whole; `limit` bounds ω² of the straight rod by row sums of |M⁻¹K| (Gershgorin)."""
    inner = slice(1, len(chain.nodes) - 1)
    b = part["stiffness"]
    simple = np.ptp(b, axis=1).max() <= 1e-9 * b.max() and np.abs(part["rest_curvature"]).max() < STRAIGHT
    rows = _row_sums(part, rod.stretchable)
    return {
        "simple": bool(simple),
        "twist_compliance": (1.0 / part["twist_rate"][inner]).sum(),
        "natural_twist": part["rest_twist"][inner].sum(),
        "limit": float((part["w"] * rows).max()),
        "bend_max": float(b.max()),
        "lightest": rod.mass.min(),
        "shortest": part["length"][:-1].min(),
        "longest": part["length"][:-1].max(),
    }


def _row_sums(part, stretchable):
    """Σ_j |K_ij| [N/m] of the straight rod's stiffness, vertex by vertex."""
    length, b = part["length"], part["stiffness"].max(axis=1)
    p, q = 1.0 / length[:-2], 1.0 / length[1:-1]
    k = (b[:-2] + b[1:-1]) * part["inverse_cell"][1:-1]
    held = (part["mass"] == 0.0).astype(float)
    rows = np.zeros(len(length))
    size = np.stack([p, p + q, q])  # |∂κ/∂x| of the three nodes
    moves = size * (1.0 - np.stack([held[:-2], held[1:-1], held[2:]]))
    for shift in range(3):
        rows[shift : shift + len(p)] += k * size[shift] * moves.sum(axis=0)
    if stretchable:
        k = 2.0 * part["stretch"] / length
        rows[:-1] += k[:-1]
        rows[1:] += k[:-1]
    return rows
