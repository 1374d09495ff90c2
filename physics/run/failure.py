"""Who is to blame when a stretch of time fails whatever the steps, and what to do about it."""

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import dijkstra

from ..arithmetic.fixed_order import norm
from ..assemble.chambers import enclosed
from ..constraints.trajectory import evaluate
from ..forces.pressure import BURST
from ..model import HELD, Model, State
from ..rods.chain import rod_of
from ..scene import Rod, Scene
from ..time_integration.symplectic_euler import GAINS, NOT_FINITE, OVERSTRETCHED, TOO_DEEP, TOO_FAR, TWIST_LOST
from ..time_integration.velocity_verlet import CHANGE
from ..time_integration.workspace import Workspace
from ..validate.drawn_straight import drawn_straight

FAST = 1e3  # m/s: nothing that is meant to be seen moves so
NEARLY = 0.9  # of what a step ends at that is taken back
UNEVEN = 1e10  # times as heavy as another: rounding errors of the heavy one's place are forces that throw the light one
TOO_LONG = "its pins ask for more length than it has: move them closer or give them a largest force"
TAUT = (
    "its exact pins draw it straight, which explicit steps cannot hold: choose the implicit solver, move them closer "
    "or give them a largest force"
)
FORCED = (
    "an exact pin asks for more than what the rod touches allows: give the pin a largest force, or what it leads more "
    "room"
)
SLOWER = "pay out more, or key Paid Out more slowly"  # where a winch is: beyond its block, or faster than things fall
REASONS = {
    OVERSTRETCHED: "its edges could not keep their length: choose a higher quality",
    TWIST_LOST: "its twist found no equilibrium: turn its clamps less or give it more points",
    NOT_FINITE: "it became unstable: choose a higher quality or a softer material",
    TOO_FAR: "it moves too fast to be followed: give what drives it more time or less force",
    GAINS: "it is thrown by energy that nothing gave it: give what pinches or pulls it more room or a largest force",
    TOO_DEEP: "it is pressed into {other} harder than contact can hold, by more than 5 % of the thinner one's radius: "
    "give what drives it less force or more time",
}


def failure(scene: Scene, model: Model, state: State, status: int, rod: int, other: int, end: float) -> tuple[str, str]:
    """(name of what failed, why and what to do) when the way from `state` to the time `end` [s] failed at a rod; other:
    the one it met, or itself. Colliders, then bodies, then the floor are counted on from the rods; what fails may be a
    soft body, counted on from the bodies.
    """
    name, reason = _failure(scene, model, state, status, rod, other, end)
    if status == TWIST_LOST or not any(own.name == name and _is_reeled(own) for own in scene.rods):
        return name, reason
    cause, _, cure = reason.rpartition(": ")
    return name, f"{cause}: {SLOWER}; or {cure}"


def _is_reeled(rod: Rod) -> bool:
    """Whether a winch reels a rod in or lets it out."""
    return rod.keyed is not None and rod.keyed.paid_out is not None and bool(np.ptp(rod.keyed.paid_out) > 0.0)


def _failure(
    scene: Scene, model: Model, state: State, status: int, rod: int, other: int, end: float
) -> tuple[str, str]:
    """The same, whatever winches do."""
    speed = np.linalg.norm(state.bodies["v"], axis=1)
    if speed.max(initial=0.0) > FAST:
        body = scene.bodies[int(np.argmax(speed))].name
        return body, f"it moves at {speed.max():.3g} m/s, which nothing can follow: make it slower"
    names = [rod.name for rod in scene.rods] + [collider.name for collider in scene.colliders]
    names += [body.name for body in scene.bodies]
    alone = "itself" if rod < len(scene.rods) else "something"
    met = alone if other == rod else f"'{names[other]}'" if other < len(names) else "the floor"
    if rod >= len(scene.rods):
        return [*names, *(solid.name for solid in scene.solids)][rod], REASONS[status].format(other=met)
    driven = _driven(scene, model, state)
    if driven.max() > FAST:
        rod = rod if driven[rod] > FAST else int(np.argmax(driven))
        return scene.rods[rod].name, (
            f"it moves, or is made to within a frame, at {driven[rod]:.3g} m/s: lower velocities, gravity or force "
            "fields"
        )
    held = _holding(model, state, rod)
    asked = status != TWIST_LOST and _too_far_apart(model, state, held, end)
    if scene.solver == "EXPLICIT" and not asked and drawn_straight(scene) is scene.rods[rod]:
        return scene.rods[rod].name, TAUT
    light, heavy = _lightest_and_heaviest(model, rod)
    if status == OVERSTRETCHED and not asked and heavy > UNEVEN * light:
        return scene.rods[rod].name, (
            f"its points weigh from {light:.3g} to {heavy:.3g} kg, too far apart to be solved for together: make them "
            "more alike"
        )
    if asked or (status == OVERSTRETCHED and len(held) > 1):
        return scene.rods[rod].name, TOO_LONG
    if status in (OVERSTRETCHED, NOT_FINITE) and len(held) and state.rods["pressed"][rod] > 0.0:
        return scene.rods[rod].name, FORCED
    return scene.rods[rod].name, REASONS[status].format(other=met)


def _driven(scene: Scene, model: Model, state: State) -> np.ndarray:
    """The largest speed [m/s] of a vertex of each rod, or of the air there, with what gravity and fields add to it in a
    frame: (R,).
    """
    n, rods, nodes = len(state.x), model.rods, model.nodes
    fields, gravity = state.fields[:n], np.linalg.norm(model.world["gravity"][0])
    vectors = (state.v, fields["air"], fields["acceleration"])
    speed, wind, driving = (np.linalg.norm(each, axis=1) for each in vectors)
    driven = np.maximum(speed, wind) + scene.frame_duration * (driving + nodes["gravity"] * gravity)
    return np.maximum.reduceat(np.where(nodes["mass"] > 0.0, driven, 0.0), rods["first"])


def _lightest_and_heaviest(model: Model, rod: int) -> tuple[float, float]:
    """Masses [kg] of the rod's points, but for those that bodies have."""
    mass = model.nodes["mass"][model.rods["first"][rod] : model.rods["last"][rod] + 1]
    mass = mass[mass > 0.0]
    return (mass.min(), mass.max()) if len(mass) else (1.0, 1.0)


def _holding(model: Model, state: State, rod: int) -> np.ndarray:
    """Numbers of the pins without a largest force that hold the rod, or one that is welded to something as it is."""
    rods, pins = model.rods, model.pins
    exact = state.holds["state"] == HELD
    own = rod_of(rods, pins["node"])
    return np.flatnonzero(exact & ((own == rod) | (rods["welded"][own] & rods["welded"][rod])))


def _too_far_apart(model: Model, state: State, exact: np.ndarray, end: float) -> bool:
    """Whether two of these pins are to be farther apart at the time `end` than the way between them along rods and
    bodies.
    """
    if len(exact) < 2:
        return False
    pins, target = model.pins, np.zeros((len(exact), 8))
    for row, p in enumerate(exact):
        evaluate(model.times, model.samples, pins["first_sample"][p], pins["end_sample"][p], end, target[row])
    way = dijkstra(_ways(model, state), directed=False, indices=pins["node"][exact])[:, pins["node"][exact]]
    apart = np.linalg.norm(target[:, None, :3] - target[None, :, :3], axis=2)
    return bool(np.any(apart > way * (1.0 + 1e-9)))


def _ways(model: Model, state: State) -> csr_matrix:
    """Sparse lengths [m] of the edges that cannot stretch, and across each body between what is welded to it."""
    rods, edges, bodies, slaves, count = model.rods, model.edges, model.bodies, model.slaves, len(model.nodes)
    none = np.zeros(0, dtype=np.int64)
    parts = [(none, none, np.zeros(0))]
    for r in np.flatnonzero(~rods["stretchable"]):
        tail = np.arange(rods["first"][r], rods["last"][r] + rods["closed"][r])
        parts.append((tail, np.where(tail < rods["last"][r], tail + 1, rods["first"][r]), edges["length"][tail]))
    for b in range(len(bodies)):
        slave = slaves["node"][bodies["first_slave"][b] : bodies["end_slave"][b]]
        i, j = (slave[k] for k in np.triu_indices(len(slave), 1))
        parts.append((i, j, np.linalg.norm(state.x[i] - state.x[j], axis=1)))
    i, j, length = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(length, kind="stable")
    _, first = np.unique((np.minimum(i, j) * count + np.maximum(i, j))[order], return_index=True)
    shortest = order[first]  # where an edge lies inside a body
    return coo_matrix((length[shortest], (i[shortest], j[shortest])), shape=(count, count)).tocsr()


def torn(scene: Scene, model: Model, work: Workspace) -> tuple[str, str]:
    """(name of the soft body that bursts, or whose tetrahedron has gone furthest from its volume, or of whose nodes one
    is pushed hardest where all are as good as whole, why and what to do).
    """
    if burst := _burst(scene, model, work):
        return burst, (
            f"it has been blown up to {BURST:g} times its volume, where any wall bursts: lower its pressure, seal it, "
            "raise its stiffness or make its wall thicker"
        )
    ratio = np.append(work.solids.jacobian, 1.0)
    worst = int(np.argmax(np.abs(np.log(np.maximum(np.nan_to_num(ratio), 1e-300)))))
    if CHANGE < ratio[worst] < 1.0 / CHANGE:
        jerk = norm(work.solids.force - work.solids.old_force) * model.nodes["w"]
        node = int(np.argmax(np.nan_to_num(jerk, nan=np.inf)))
        name = scene.solids[int(np.searchsorted(model.solids.bodies["node"][:, 1], node, side="right"))].name
        return name, (
            "where it is struck, squeezed or held it moves too fast to be followed: give what drives it more time or "
            "less way"
        )
    name = scene.solids[model.solids.tetrahedra["solid"][worst]].name
    return name, (
        f"where it is pressed or pulled most, a tetrahedron has {ratio[worst]:.2g} of its volume: give what drives it "
        "more time or less way"
    )


def _burst(scene: Scene, model: Model, work: Workspace) -> str:
    """The name of a soft body that was about to burst where the step began that failed, '' if none was."""
    solids = model.solids
    for chamber in solids.chambers:
        corner = solids.walls["corner"][chamber["first"] : chamber["end"]]
        if enclosed(work.old.x, corner)[0] > NEARLY * BURST * chamber["volume"]:
            return scene.solids[int(np.sum(solids.bodies["node"][:, 1] <= corner[0, 0]))].name
    return ""
