"""The relaxed shape under which soft bodies already hang or stand as drawn, in equilibrium with gravity.

Forces on nodes are linear in Cauchy's stresses σ of the drawn tetrahedra, f_a = −V σ ∇φ_a. Of all stresses that balance
gravity at every node, those of the least elastic energy to second order are those of linear elasticity with the drawn
shape at rest,

    (K + κ NᵀN) u = M g,    σ = the stress of ∇u,

N the rows of what holds exactly: forces along them are taken up whatever κ is. Each tetrahedron then has the relaxed
shape A = F⁻¹B from which B, as drawn, has this stress (`tangent.deformation_of`): none is inside out, and they need not
fit together, as cuts in muscle or in a tree show that those of grown things do not. Masses stay as they are.

The equilibrium is one that lasts where the stiffness there, prestress included, is positive.
"""

import numpy as np
import scipy.sparse as sp

from ..model import Model, State, changed
from ..scene import Scene
from ..solids.tangent import deformation_of, determinants, inverses, tangents
from ..solids.tetrahedra import edge_matrices, smallest_heights
from ..validate import SimulationError
from .conjugate_gradients import solve

PRECISION = 1e-11  # of the loads
UNHELD = 1e-6  # of the largest load: what is left of it where nothing takes it up
SETTLED = 1e-6  # of a random load, by when a direction that gives way has shown


def soft_rest_in_equilibrium(scene: Scene, model: Model, state: State) -> Model:
    """The Model whose soft bodies with `balanced` have relaxed shapes that hold them as they are in `state`, the start.

    Raises SimulationError when nothing can hold one of them up, or it is too soft.
    """
    balanced = np.array([solid.balanced for solid in scene.solids], dtype=bool)
    tetrahedra = model.solids.tetrahedra
    own = np.flatnonzero(balanced[tetrahedra["solid"]])
    load = (model.nodes["mass"] * model.nodes["gravity"])[:, None] * model.world["gravity"][0]
    if not len(own) or not load.any():
        return model
    rows, x = tetrahedra[own], state.x
    drawn = edge_matrices(x[rows["node"]])
    slope, volume = inverses(drawn), determinants(drawn) / 6.0
    free = np.zeros(len(x), bool)
    free[rows["node"]] = True
    free[_anchored(model)] = False
    open_ = np.repeat(free, 3)
    load = np.where(free[:, None], load, 0.0)
    holds = _holds(model, x)[:, open_]
    F = np.broadcast_to(np.eye(3), drawn.shape)
    linear = tangents(F, rows["bulk"], rows["shear"])
    K = _stiffness(rows["node"], linear, slope, volume, len(x))[open_][:, open_]
    firm = K.diagonal().mean() * (holds.T @ holds)
    u = np.zeros(3 * len(x))
    u[open_], _ = solve((K + firm).tocsr(), load.ravel()[open_], PRECISION)
    left = np.zeros(3 * len(x))
    left[open_] = load.ravel()[open_] - (K + firm) @ u[open_]
    _check_held(scene, rows, np.abs(left).reshape(-1, 3).max(axis=1), np.abs(load).max())
    strain = np.einsum("tia,tab->tib", edge_matrices(u.reshape(-1, 3)[rows["node"]]), slope)
    stress = np.einsum("tikjl,tjl->tik", linear, strain)
    F = deformation_of(stress, rows["bulk"], rows["shear"])
    inverse = np.einsum("tia,tab->tib", slope, F)
    relaxed = inverses(inverse)
    corners = np.concatenate([np.zeros((len(rows), 1, 3)), np.swapaxes(relaxed, 1, 2)], axis=1)
    found = tetrahedra.copy()
    found[own] = changed(
        rows, inverse=inverse, volume=volume / determinants(F), height=smallest_heights(corners)
    )  # fmt: skip
    K = _stiffness(rows["node"], tangents(F, rows["bulk"], rows["shear"]), inverse, found["volume"][own], len(x))
    K = K[open_][:, open_] + firm
    _, falls = solve(K.tocsr(), np.random.default_rng(0).normal(size=K.shape[0]), SETTLED)
    if falls is not None:
        way = np.zeros(3 * len(x))
        way[open_] = falls
        furthest = np.square(way.reshape(-1, 3)).sum(axis=1)[rows["node"]].max(axis=1)
        name = scene.solids[rows["solid"][furthest.argmax()]].name
        raise SimulationError(
            name,
            f"'{name}' is too soft to hold its drawn shape: it would give way under its weight from there. Raise its "
            "stiffness, make it lighter, or pin more of it.",
        )
    return model._replace(solids=model.solids._replace(tetrahedra=found))


def _anchored(model: Model) -> np.ndarray:
    """Nodes that are exactly where they are led, or tied to a rigid body, from the start on."""
    solids = model.solids
    held = [solids.anchors["node"][solids.anchors["release"] > 0.0]]
    for tie in solids.ties[solids.ties["body"] >= 0]:
        if tie["member"][1] - tie["member"][0] == 1:
            held.append(solids.members["node"][tie["member"][0] : tie["member"][1]])
    return np.concatenate(held)


def _holds(model: Model, x: np.ndarray) -> sp.csr_matrix:
    """N (k, 3 n), of all equations in force at the start, and of points among nodes that are tied."""
    solids, n = model.solids, len(x)
    row: list[int] = []
    column: list[int] = []
    value: list[float] = []
    count = 0
    for equation in solids.constraints[solids.constraints["release"] > 0.0]:
        a, b = equation["node"]
        d = equation["direction"] if equation["direction"].any() else x[a] - x[b]
        for node, sign in ((a, 1.0), (b, -1.0)):
            if node >= 0:
                row += [count] * 3
                column += [3 * node, 3 * node + 1, 3 * node + 2]
                value += (sign * d / np.linalg.norm(d)).tolist()
        count += 1
    for tie in solids.ties:
        for member in solids.members[tie["member"][0] : tie["member"][1]]:
            row += [count, count + 1, count + 2]
            column += [3 * member["node"], 3 * member["node"] + 1, 3 * member["node"] + 2]
            value += [member["share"]] * 3
        count += 3
    return sp.csr_matrix((value, (row, column)), shape=(count, 3 * n))


def _stiffness(node: np.ndarray, tangent: np.ndarray, inverse: np.ndarray, volume: np.ndarray, n: int) -> sp.csr_matrix:
    """Σ V ∇φ_a · ∂P/∂F · ∇φ_b (3 n, 3 n) of tetrahedra with these nodes (t, 4), A⁻¹ (t, 3, 3) and volumes (t,)."""
    slope = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    half = np.einsum("tak,tikjl->taijl", slope, tangent)
    entries = np.einsum("taijl,tbl->taibj", half, volume[:, None, None] * slope)
    place = (3 * node[:, :, None] + np.arange(3)).reshape(len(node), 12)
    row, column = np.repeat(place, 12, axis=1), np.tile(place, (1, 12))
    return sp.coo_matrix((entries.ravel(), (row.ravel(), column.ravel())), shape=(3 * n, 3 * n)).tocsr()


def _check_held(scene: Scene, rows: np.ndarray, left: np.ndarray, largest: float) -> None:
    worst = int(np.argmax(left[rows["node"]].max(axis=1)))
    if not left[rows["node"][worst]].max() <= UNHELD * largest:
        name = scene.solids[rows["solid"][worst]].name
        raise SimulationError(
            name,
            f"'{name}' cannot stand still as it is drawn, whatever its relaxed shape: nothing keeps it from falling or "
            "turning. Pin it, or more of it, exactly: springs, the floor and colliders do not count. Or do not let it "
            "hold its drawn shape.",
        )
