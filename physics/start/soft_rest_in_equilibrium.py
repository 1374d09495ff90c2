"""The relaxed shape under which soft bodies already hang or stand as drawn, in equilibrium with gravity and their gas.

Forces on nodes are linear in Cauchy's stresses σ of the drawn domains, f_a = −V σ b_a (see elements/domains). Of all
stresses that balance gravity and gas at every node, those of the least elastic energy to second order are those of
linear elasticity with the drawn shape at rest,

    (K + κ NᵀN) u = M g + p ∂V/∂x,    σ = the stress of ∇u,

N the rows of what holds exactly: forces along them are taken up whatever κ is. Each domain then has the relaxed shape
from which the drawn one has this stress, deformed by F (`tangent.deformation_of`): the slopes Fᵀb_a and the volume
V/det F. None is inside out, and they need not fit together, as cuts in muscle or in a tree show that those of grown
things do not. Masses stay as they are.

The equilibrium is one that lasts where the stiffness there, prestress included, is positive. How gas presses more or
less as it moves is left out of that: what bursts from there is told as it does.
"""

import numpy as np
import scipy.sparse as sp

from ..arithmetic.sparse import scattered
from ..elements.domain_tangent import deformation_of, determinants, inverses, tangents
from ..elements.domains import gradients_at
from ..forces.pressure import pressure_forces
from ..model import Model, Solids, State, changed
from ..scene import Scene
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
    solids, x = model.solids, state.x
    own = balanced[solids.domains["solid"]]
    load = (model.nodes["mass"] * model.nodes["gravity"])[:, None] * model.world["gravity"][0]
    pressure_forces(model, x, 0.0, load)
    if not own.any() or not load.any():
        return model
    count = solids.domains["end"] - solids.domains["first"]
    node = solids.slopes["node"][np.repeat(own, count)]
    free = np.zeros(len(x), bool)
    free[node] = True
    free[_anchored(model)] = False
    open_ = np.repeat(free, 3)
    load = np.where(free[:, None], load, 0.0)
    holds = _holds(model, x)[:, open_]
    solids = _deformed(solids, own, inverses(gradients_at(solids.domains, solids.slopes, x)[own]))
    rows = solids.domains[own]
    linear = tangents(np.broadcast_to(np.eye(3), (len(rows), 3, 3)), rows["bulk"], rows["shear"])
    K = stiffness(rows, solids.slopes, linear, len(x))[open_][:, open_]
    firm = K.diagonal().mean() * (holds.T @ holds)
    u = np.zeros(3 * len(x))
    u[open_], _ = solve((K + firm).tocsr(), load.ravel()[open_], PRECISION)
    left = np.zeros(3 * len(x))
    left[open_] = load.ravel()[open_] - (K + firm) @ u[open_]
    _check_held(scene, model, node, np.abs(left).reshape(-1, 3).max(axis=1), np.abs(load).max())
    strain = gradients_at(solids.domains, solids.slopes, u.reshape(-1, 3))[own]
    stress = np.einsum("tikjl,tjl->tik", linear, strain)
    F = deformation_of(stress, rows["bulk"], rows["shear"])
    solids = _deformed(solids, own, F)
    now = tangents(F, rows["bulk"], rows["shear"])
    K = stiffness(solids.domains[own], solids.slopes, now, len(x))[open_][:, open_] + firm
    _, falls = solve(K.tocsr(), np.random.default_rng(0).normal(size=K.shape[0]), SETTLED)
    if falls is not None:
        way = np.zeros(3 * len(x))
        way[open_] = falls
        name = _body_at(scene, model, int(np.square(way.reshape(-1, 3)).sum(axis=1).argmax()))
        raise SimulationError(
            name,
            f"'{name}' is too soft to hold its drawn shape: it would give way under its weight from there. Raise its "
            "stiffness, make it lighter, or pin more of it.",
        )
    return model._replace(solids=solids)


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
    solids, n, own = model.solids, 3 * len(x), model.solids.constraints
    own = own[own["release"] > 0.0]
    one, other = own["node"].T
    d = np.where(own["direction"].any(axis=1)[:, None], own["direction"], x[one] - x[other])
    d /= np.linalg.norm(d, axis=1)[:, None]
    both = np.stack([d, np.where(other[:, None] >= 0, -d, 0.0)], axis=1)  # −1: there is none
    each = np.arange(len(own))[:, None, None]
    exact = scattered(both[:, :, None], each, 3 * np.maximum(own["node"], 0)[..., None] + np.arange(3), (len(own), n))
    tie = np.repeat(np.arange(len(solids.ties)), np.diff(solids.ties["member"], axis=1)[:, 0])[:, None]
    shares = solids.members["share"][:, None, None] * np.eye(3)
    to = 3 * solids.members["node"][:, None] + np.arange(3)
    return sp.vstack([exact, scattered(shares, 3 * tie + np.arange(3), to, (3 * len(solids.ties), n))], format="csr")


def _deformed(solids: Solids, own: np.ndarray, G: np.ndarray) -> Solids:
    """With relaxed shapes of the domains `own` (D,) bool that make their gradients F G, where they were F."""
    domains, whole = solids.domains, np.tile(np.eye(3), (len(own), 1, 1))
    whole[own] = G
    slope = np.einsum("tji,tj->ti", np.repeat(whole, domains["end"] - domains["first"], axis=0), solids.slopes["slope"])
    domains = changed(domains, volume=domains["volume"] / determinants(whole))
    affine, tetrahedra = domains["tetrahedron"] >= 0, solids.tetrahedra.copy()
    tetrahedra["volume"][domains["tetrahedron"][affine]] = domains["volume"][affine]
    return solids._replace(
        tetrahedra=tetrahedra,
        domains=domains,
        slopes=changed(solids.slopes, slope=slope),
    )


def stiffness(domains: np.ndarray, slopes: np.ndarray, tangent: np.ndarray, n: int) -> sp.csr_matrix:
    """Σ V b_a · ∂P/∂F · b_b (3 n, 3 n) of DOMAIN (d,), whose ∂P/∂F are `tangent` (d, 3, 3, 3, 3)."""
    count = domains["end"] - domains["first"]
    rows = slopes[np.repeat(domains["first"] - np.append(0, np.cumsum(count)[:-1]), count) + np.arange(count.sum())]
    place = 9 * np.repeat(np.arange(len(domains)), count)[:, None, None] + np.arange(9).reshape(3, 3)
    column = (3 * rows["node"][:, None] + np.arange(3))[:, :, None]
    slope = np.broadcast_to(rows["slope"][:, None, :, None], (*place.shape, 1))
    gradient = scattered(slope, place, column, (9 * len(domains), 3 * n))
    material = domains["volume"][:, None, None] * tangent.reshape(-1, 9, 9)
    each = np.arange(len(domains) + 1)
    whole = sp.bsr_matrix((material, each[:-1], each), shape=(9 * len(domains), 9 * len(domains)))
    return (gradient.T @ whole.tocsr() @ gradient).tocsr()


def _body_at(scene: Scene, model: Model, node: int) -> str:
    """Name of the soft body that a node belongs to."""
    tetrahedra = model.solids.tetrahedra
    return scene.solids[tetrahedra["solid"][(tetrahedra["node"] == node).any(axis=1).argmax()]].name


def _check_held(scene: Scene, model: Model, node: np.ndarray, left: np.ndarray, largest: float) -> None:
    worst = int(node[np.argmax(left[node])])
    if not left[worst] <= UNHELD * largest:
        name = _body_at(scene, model, worst)
        raise SimulationError(
            name,
            f"'{name}' cannot stand still as it is drawn, whatever its relaxed shape: nothing keeps it from falling or "
            "turning. Pin it, or more of it, exactly: springs, the floor and colliders do not count. Or do not let it "
            "hold its drawn shape.",
        )
