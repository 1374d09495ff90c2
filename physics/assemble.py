"""Lays a Scene out as Model, State and Workspace."""

import numpy as np

from .contact.inequality_constraints import COLUMNS
from .model import PAIRS_PER_CAPSULE, Capsules, Model, Pins, Rods, State, Workspace
from .rods.frames import signed_angle, unwrap
from .rods.rest_shape import Chain, bishop, frame_angles, material_curvatures

PIN_MASSES = 20.0  # mass of a yielding pin, in masses of a vertex
SKIN = 0.3  # of the smallest radius
STRAIGHT = 1e-12  # rest curvature (as an angle) that counts as none


def automatic_force(rod, weight):
    """Where a pin yields by default: ½ B/r², beyond which a knot hardly tightens, but enough to hold four times the
    rod's weight [N].
    """
    return max(0.5 * rod.bend_stiffness.min() / rod.radius.max() ** 2, 4.0 * weight)


def assemble(scene):
    """Scene → (Model, State, Workspace). Starting frames are as drawn, not yet at equilibrium."""
    chains = [_chain(scene, r) for r in range(len(scene.rods))]
    start = np.concatenate([[0], np.cumsum([len(c.nodes) for c in chains])]).astype(np.int64)
    parts = [_rod_arrays(rod, chain) for rod, chain in zip(scene.rods, chains, strict=True)]
    node = {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
    per_rod = [_rod_scalars(p, rod, chain) for p, rod, chain in zip(parts, scene.rods, chains, strict=True)]
    first = start[:-1] + np.array([c.first for c in chains], dtype=np.int64)
    pins = _pins(scene, chains, start, node)
    for edge in pins.frame_edge[pins.frame_edge >= 0]:
        node["fixed"][edge] = 1
    fixed = [node["fixed"][a : b - 1] for a, b in zip(start[:-1], start[1:], strict=True)]
    simple = np.array([s["simple"] for s in per_rod])
    inner = np.array([f[1:-1].any() for f in fixed])
    ends = np.array([c.closed or (bool(f[0]) and bool(f[-1])) for f, c in zip(fixed, chains, strict=True)])
    rods = Rods(
        start=start, first=first,
        last=first + np.array([len(rod.x) - 1 for rod in scene.rods], dtype=np.int64),
        closed=np.array([c.closed for c in chains]), general=~simple | inner, twisted=simple & ~inner & ends,
        stretchable=np.array([rod.stretchable for rod in scene.rods]),
        damped=np.array([rod.internal_damping > 0.0 for rod in scene.rods]),
        **{k: np.array([s[k] for s in per_rod]) for k in ("twist_compliance", "natural_twist", "limit", "bend_max", "lightest", "shortest", "longest")},
        **{k: node[k] for k in Rods._fields if k in node},
    )  # fmt: skip
    model = Model(rods, pins, _capsules(scene, start, chains), np.asarray(scene.gravity, dtype=np.float64).copy(),
                  np.array([scene.air_density]))  # fmt: skip
    state = _state(model, node)
    return model, state, workspace(model, state)


def _chain(scene, r):
    held = {p.vertex for p in scene.pins if p.rod == r and p.mode != "POSITION"}
    last = len(scene.rods[r].x) - 1
    return Chain.of(scene.rods[r], 0 in held, last in held)


def _rod_arrays(rod, chain):
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
    t, u, components = bishop(x, rod.m1)
    theta = frame_angles(twist[nodes], _turned_back(chain, x, rod.m1, twist))
    rest_components, rest_m1 = components, rod.m1
    if rod.rest_x is not None:
        rest_m1 = rod.rest_m1
        _, _, rest_components = bishop(rest_x, rest_m1)
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
        "fixed": np.zeros(count, dtype=np.uint8),
        "viscosity": rod.internal_damping * 2.0 * alpha * inverse_cell,
        "drag_area": _drag_area(rod)[nodes] * (mass > 0.0), "friction": np.full(count, rod.friction),
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


def _rod_scalars(part, rod, chain):
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


def _pins(scene, chains, start, node):
    """The pins as arrays; automatic forces resolved."""
    count = len(scene.pins)
    columns = {
        "node": np.zeros(count, np.int64), "ghost": np.full(count, -1, np.int64), "hinged": np.zeros(count, bool),
        "frame_edge": np.full(count, -1, np.int64), "offset": np.zeros((count, 3)), "m1": np.zeros((count, 3)),
        "rod": np.array([p.rod for p in scene.pins], dtype=np.int64), "max_force": np.zeros(count), "mass": np.zeros(count),
    }  # fmt: skip
    times, samples = [np.zeros(0)], [np.zeros((0, 8))]
    for i, pin in enumerate(scene.pins):
        rod, chain, base = scene.rods[pin.rod], chains[pin.rod], start[pin.rod]
        own = base + chain.first + pin.vertex
        columns["node"][i] = own
        if pin.mode != "POSITION":
            at_start, at_end = pin.vertex == 0 and not chain.closed, pin.vertex == len(rod.x) - 1 and not chain.closed
            ghost = own - 1 if at_start else own + 1
            edge = own if not at_start else ghost
            columns["ghost"][i], columns["hinged"][i] = ghost, at_start or at_end
            columns["offset"][i] = node["x"][ghost] - node["x"][own]
            if pin.mode == "TWIST":
                columns["frame_edge"][i] = edge
                columns["m1"][i] = _start_frame(node, base, edge)
        weight = rod.mass.sum() * float(np.linalg.norm(scene.gravity))
        columns["max_force"][i] = automatic_force(rod, weight) if pin.max_force is None else pin.max_force
        columns["mass"][i] = PIN_MASSES * rod.mass.mean()
        k = len(pin.times)
        rotation = np.tile([1.0, 0.0, 0.0, 0.0], (k, 1)) if pin.rotation is None else pin.rotation
        influence = np.ones(k) if pin.influence is None else pin.influence
        times.append(np.asarray(pin.times, dtype=np.float64))
        samples.append(np.column_stack([pin.position, rotation, influence]))
    return Pins(
        **columns,
        track=np.cumsum([len(t) for t in times]),
        times=np.concatenate(times),
        samples=np.ascontiguousarray(np.concatenate(samples)),
    )


def _start_frame(node, base, edge):
    """First material axis (3,) on an edge at the start."""
    t, u, theta = node["t"][edge], node["u"][edge], node["theta"][edge]
    return np.cos(theta) * u + np.sin(theta) * np.cross(t, u)


def _capsules(scene, start, chains):
    parts = {name: [] for name in ("tail", "head", "radius", "rod", "arc", "successor", "friction")}
    perimeter = np.zeros(len(scene.rods))
    for r, (rod, chain) in enumerate(zip(scene.rods, chains, strict=True)):
        m = rod.edge_count
        own = start[r] + chain.first
        head = (np.arange(m) + 1) % len(rod.x)
        length = np.linalg.norm(rod.edges(), axis=1)
        parts["tail"].append(own + np.arange(m))
        parts["head"].append(own + head)
        parts["radius"].append(0.5 * (rod.radius[:m] + rod.radius[head]))
        parts["rod"].append(np.full(m, r))
        parts["arc"].append(np.cumsum(length) - 0.5 * length)
        parts["successor"].append(np.arange(m) < (m if chain.closed else m - 1))
        parts["friction"].append(np.full(m, rod.friction))
        perimeter[r] = length.sum() if chain.closed else 0.0
    arrays = {name: np.concatenate(p) for name, p in parts.items()}
    thinnest = min(rod.radius.min() for rod in scene.rods)
    skin = SKIN * thinnest if scene.contact else 0.0
    floor = [scene.floor.height, scene.floor.friction] if scene.floor else [np.nan, 0.0]
    return Capsules(
        **arrays, perimeter=perimeter, thinnest=np.array([thinnest]), skin=np.array([skin]), floor=np.array(floor)
    )


def _state(model, node):
    rods, pins, capsules = model.rods, model.pins, model.capsules
    n, c = len(rods.mass), len(capsules.tail)
    p = PAIRS_PER_CAPSULE * c
    return State(
        clock=np.zeros(3), x=np.ascontiguousarray(node["x"]), v=np.ascontiguousarray(node["v"]), t=node["t"].copy(), u=node["u"].copy(),
        theta=node["theta"].copy(), tension=np.zeros(n), torque=np.zeros(len(rods.first)), turning=np.ones(len(rods.first)),
        floor_force=np.zeros((n, 3)), pairs=np.zeros((p, 2), np.int64), pair_force=np.zeros((p, 4)), pair_count=np.full(1, -1),
        order=np.arange(c), listed=np.full((n, 3), np.inf), w=rods.w.copy(), ghost_frame=pins.m1.copy(),
        shortfall=np.zeros(len(pins.node)),
    )  # fmt: skip


def workspace(model, state):
    """Scratch arrays for a state; made anew when the list of pairs has grown."""
    n, c, p = len(model.rods.mass), len(model.capsules.tail), len(state.pairs)
    return Workspace(
        x0=np.zeros((n, 3)), f=np.zeros((n, 3)), o=np.zeros((n, 3)), inverse_length=np.zeros(n), chi=np.zeros(n), k=np.zeros((n, 2)),
        multiplier=np.zeros(n), inverse=np.zeros(n), ratio=np.zeros(n), pivots=np.zeros(n), pushed=np.zeros((n, 3)), rows=np.zeros((5, n)), low=np.zeros((c, 3)), high=np.zeros((c, 3)),
        old_pairs=np.zeros((p, 2), np.int64), old_force=np.zeros((p, 4)), first=np.zeros(c, np.int64), following=np.zeros(p, np.int64),
        touching=np.zeros(p, np.int64), contacts=np.zeros((p, COLUMNS)), impulse=np.zeros((n, 5)), target=np.zeros(8),
    )  # fmt: skip
