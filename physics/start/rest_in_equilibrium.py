"""The rest shape under which rods already hang or stand as drawn, in equilibrium with gravity.

Forces are linear in the moments b, torques τ (see rods/moment_loads) and tensions T of the drawn shape. Of all these y
that balance every free vertex, frame and rigid body, A y + load = 0, those of the least elastic energy ½ Σ c y² (c the
compliances) are taken:

    [C  Aᵀ] [y]   [  0  ]
    [A  −E] [λ] = [−load].

Rods that are not to be balanced only pull with their tensions; what is left of their equations is least by the measure
of E, their inertia (Gauss). Elsewhere E is a trifle against dependent rows. Iterating undoes it. What carries the
moments is ω̄ = ω − l B⁻¹b, m̄ = m − τ l/2β, of hinges that are drawn curved what has these moments in `curved_hinge`,
and in rods that stretch the rest length that T leaves.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu
from scipy.special import lambertw

from ..arithmetic.sparse import scattered
from ..assemble.keyed import rebased
from ..model import Model, State, changed, copied
from ..rigid_bodies.loads import frame_torque
from ..rods.chain import edges_of, frame_behind, frame_edges, rod_of
from ..rods.elastic_forces import WRITTEN, elastic_forces
from ..rods.moment_loads import bent, hinges_of_rods, moment_loads, moments, stiffness_at
from ..rods.scratch import elastic_scratch
from ..scene import Scene
from ..validate import SimulationError
from .director_balance import balance_directors
from .force_balance import Balance, force_balance

TRIFLE = 1e-14  # E of a row of size 1
BALANCE_ROUNDS = 30
DELTA, DONE = 1e-5, 1e-12  # of strains: for differences, and what they need not be changed by any more
LOST = 1e-9  # of a hinge's stiffness: moments that Newton's method leaves where it finds no strain
UNHELD = 1e-6  # of the largest load: what is left of it where nothing takes it up
LOOSE = 1e-10  # of the largest row: what nothing pulls at
SLACK = 1e-10  # the largest E of what is not to be balanced
SHARPEST = 150.0  # degrees that a rest shape may turn at a vertex


def rest_in_equilibrium(scene: Scene, model: Model, state: State) -> Model:
    """The Model whose rods with `balanced` have rest shapes that hold them as they are in `state`, the start.

    Writes their tensions to the state. Raises SimulationError when nothing can hold one of them up, or it is too soft.
    """
    balanced = np.array([rod.balanced for rod in scene.rods])
    if not balanced.any():
        return model
    rods, edges, hinges = model.rods, model.edges, model.hinges
    balance = force_balance(model, state, balanced)
    inner, edge = hinges_of_rods(model, state, balanced), edges_of(rods, len(state.x))[0]
    edge = edge[(balanced | ~rods["stretchable"])[rod_of(rods, edge)]]  # whose tension is open
    at, count = bent(model, state, inner), balance.rows.shape[1]
    loads = sp.hstack([moment_loads(at, count), _pull(model, state, edge, count)])
    compliance = 1.0 / stiffness_at(model, inner)
    # a tension costs nothing, but has to be unique
    thrift = edges["length"][edge] ** 3 / edges["stiffness"][edge].mean(axis=1)
    load = balance.rows @ _given(scene, model, state, balanced) + balance.weight
    yielding = np.where(balance.exact, 0.0, balance.inertia)
    y, left = _least(np.concatenate([compliance.ravel(), thrift]), (balance.rows @ loads).tocsr(), load, yielding)
    _check_held(scene, balance, left)
    model = _as_drawn(model, inner, at.strain)
    hinges, rest = model.hinges, _rest(model, inner, at.strain, y[: compliance.size].reshape(-1, 5))
    tension = y[compliance.size :]
    state.tension[edge] = -tension / edges["length"][edge]
    curvature, twist = hinges["rest_curvature"].copy(), hinges["rest_twist"].copy()
    curvature[inner], twist[inner] = rest[:, :4], rest[:, 4]
    _check_sharpness(scene, rods, inner, curvature)
    model = model._replace(
        edges=changed(edges, length=_rest_lengths(model, state, edge, tension)),
        hinges=changed(hinges, rest_curvature=curvature, rest_twist=twist),
    )
    return rebased(balance_directors(model, state, balanced))


def _as_drawn(model: Model, inner: np.ndarray, strain: np.ndarray) -> Model:
    """Hinges of Kirchhoff rods as curved (see curved_hinge) as they are drawn, whatever their rest shape was."""
    bent = model.hinges["bent"].copy()
    bent[inner] = np.where(
        model.rods["cosserat"][rod_of(model.rods, inner)], 0.0, 0.125 * (strain[:, :4] ** 2).sum(axis=1)
    )
    return model._replace(hinges=changed(model.hinges, bent=bent, rest_share=1.0 / np.sqrt(1.0 + bent)))


def _rest(model: Model, inner: np.ndarray, strain: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """(ω̄, m̄) (k, 5) of hinges that have the moments `wanted` (k, 5) at their strains (k, 5), by Newton's
    method; endless ones where nothing has them.
    """
    stiffness, curved = stiffness_at(model, inner), np.flatnonzero(model.hinges["bent"][inner] > 0.0)
    rest = strain - wanted / stiffness
    if not len(curved):
        return rest
    own, strain, wanted = rest[curved], strain[curved], wanted[curved]
    bare = model._replace(hinges=model.hinges[inner[curved]])
    every, ways = np.arange(len(curved)), DELTA * np.eye(5)

    def left(rest: np.ndarray) -> np.ndarray:
        bare.hinges["rest_curvature"], bare.hinges["rest_twist"] = rest[:, :4], rest[:, 4]
        return moments(bare, every, strain) - wanted

    for _ in range(BALANCE_ROUNDS):
        slopes = np.stack([(left(own + way) - left(own - way)) / (2.0 * DELTA) for way in ways], axis=2)
        step = (np.linalg.pinv(slopes) @ left(own)[:, :, None])[:, :, 0]
        own = own - step
        if np.abs(step).max() < DONE:
            break
    lost = np.abs(left(own)).max(axis=1) > LOST * stiffness[curved].max(axis=1)
    rest[curved] = np.where(lost[:, None], np.inf, own)
    return rest


def _drawn(model: Model, state: State, edge: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(frames (k,), vectors (k, 3) [m]) of edges, by the nodes they leave."""
    frame = frame_behind(model.rods, edge)
    return frame, frame_edges(model.rods, state.ghosts, state.x)[frame]


def _pull(model: Model, state: State, edge: np.ndarray, count: int) -> sp.csr_matrix:
    """Sparse (count, k): all loads per tension [N] of each edge."""
    frame, e = _drawn(model, state, edge)
    row, column = 3 * (len(state.x) + frame)[:, None] + np.arange(3), np.arange(len(edge))[:, None]
    return scattered((-e / np.linalg.norm(e, axis=1)[:, None])[:, :, None], row, column, (count, len(edge)))


def _given(scene: Scene, model: Model, state: State, balanced: np.ndarray) -> np.ndarray:
    """All loads (3 N + 4 M,) that are as they are: weights of vertices, and what the other rods' shapes do."""
    rods, nodes, n, m = model.rods, model.nodes, len(model.nodes), len(state.theta)
    load = np.zeros(3 * n + 4 * m)
    load[: 3 * n] = ((nodes["mass"] * nodes["gravity"])[:, None] * model.world["gravity"][0]).ravel()
    if balanced.all():
        return load
    now = copied(state, *WRITTEN)
    work = elastic_scratch(model)
    failed = elastic_forces(model, now, work)
    if failed >= 0:
        name = scene.rods[failed].name
        raise SimulationError(name, f"The twist of '{name}' finds no equilibrium: turn its clamps less.")
    own = ~balanced[rod_of(rods, np.arange(n))]
    load[: 3 * n] += (work.f * own[:, None]).ravel()
    for weld in model.welds[~balanced[model.welds["rod"]]]:
        r, e = weld["rod"], weld["frame"]
        if weld["ghost"] >= 0:
            load[3 * (n + e) : 3 * (n + e) + 3] = -work.g[e]
        if weld["clamp"] >= 0:
            load[3 * n + 3 * m + e] = frame_torque(model, r, e, now, work)
    return load


def _least(
    compliance: np.ndarray, A: sp.csr_matrix, load: np.ndarray, yielding: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(y of least ½ Σ c y² with A y + load = 0, what is left of each row relative to the largest load).

    yielding (k,) [kg or kg m²]: rows with any may be left with what this inertia then feels, which does not count.
    """
    count = len(compliance)
    if not load.any():
        return np.zeros(count), np.zeros(len(load))
    root = np.sqrt(compliance)
    A = A @ sp.diags(1.0 / root)
    norm = np.sqrt(A.multiply(A).sum(axis=1)).A1
    loose = norm <= LOOSE * norm.max()
    scale = 1.0 / np.where(loose, np.median(norm[~loose]), norm)
    A, load, slack = (sp.diags(scale) @ A).tocsr(), scale * load, scale**2 * yielding
    E = np.full(len(load), TRIFLE)
    if slack.any():
        E += SLACK / slack.max() * slack
    solver = splu(sp.bmat([[sp.identity(count), A.T], [A, -sp.diags(E)]], format="csc"))
    y, pull, change = np.zeros(count), np.zeros(len(load)), np.inf
    for _ in range(BALANCE_ROUNDS):
        step = solver.solve(np.concatenate([-y - A.T @ pull, -A @ y - load]))
        y, pull = y + step[:count], pull + step[count:]
        before, change = change, np.abs(step[:count]).max()
        if not change < 0.5 * before:
            break
    left = np.where(slack > 0.0, 0.0, np.abs(A @ y + load)) / np.abs(load).max()
    return y / root, left


def _check_held(scene: Scene, balance: Balance, left: np.ndarray) -> None:
    worst = int(np.argmax(left))
    if not left[worst] <= UNHELD:
        name = scene.rods[balance.rod[worst]].name
        raise SimulationError(
            name,
            f"'{name}' cannot stand still as it is drawn, whatever its rest shape: nothing keeps it from falling or "
            "turning. Clamp an end of it (a pin that holds direction and twist), pin more of it, or do not let it hold "
            "its drawn shape.",
        )


def _check_sharpness(scene: Scene, rods: np.ndarray, inner: np.ndarray, curvature: np.ndarray) -> None:
    """|ω̄| = 2 tan(φ/2) of the rest shape's turning angle φ at a vertex."""
    size = np.maximum(*(np.linalg.norm(curvature[inner, side : side + 2], axis=1) for side in (0, 2)))
    worst = int(np.argmax(size))
    angle = np.degrees(2.0 * np.arctan(0.5 * size[worst]))
    if angle > SHARPEST:
        r = int(rod_of(rods, inner[worst]))
        name, vertex = scene.rods[r].name, np.clip(inner[worst], rods["first"][r], rods["last"][r]) - rods["first"][r]
        raise SimulationError(
            name,
            f"'{name}' is too soft to hold its drawn shape: its rest shape would turn by {angle:.0f}° at point "
            f"{vertex}. Raise its stiffness, make it thicker or lighter, or pin more of it.",
        )


def _rest_lengths(model: Model, state: State, edge: np.ndarray, tension: np.ndarray) -> np.ndarray:
    """(N,) [m]: rods that stretch are as long as drawn under their tension, EA (λ − 1) or, pressed, EA ln λ/λ."""
    rods, edges = model.rods, model.edges
    length = edges["length"].copy()
    own = np.flatnonzero(rods["stretchable"][rod_of(rods, edge)])
    edge, stress = edge[own], tension[own] / edges["stretch"][edge[own]]
    drawn = np.linalg.norm(_drawn(model, state, edge)[1], axis=1)
    pressed = np.maximum(-stress, np.finfo(float).tiny)
    ratio = np.where(stress > 0.0, 1.0 + stress, lambertw(pressed).real / pressed)
    length[edge] = drawn / ratio
    return length
