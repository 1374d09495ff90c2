"""Soft bodies as arrays. Nodes and tetrahedra that are near each other in space are so in memory as well."""

from dataclasses import replace

import numpy as np
from scipy.sparse import coo_matrix

from ..arithmetic.fixed_order import norm
from ..constraints.influence import INFLUENCE
from ..elements.domains import domains_of, gradients, moved_on
from ..elements.tetrahedra import smallest_heights, volumes
from ..geometry.near_faces import morton_order
from ..geometry.rounding import outside_of
from ..linear.elimination import below_diagonal, factorised
from ..materials import bulk_modulus, shear_modulus
from ..model import (
    ANCHOR,
    BEND,
    BODY,
    BODY_STATE,
    CABLE,
    CAPSULE,
    CHAMBER,
    CLAMP,
    CONSTRAINT,
    COUPLING,
    DOMAIN,
    EDGE,
    GHOST,
    HINGE,
    MEMBER,
    NODE,
    PIN,
    PLATE,
    PLATE_EDGE,
    PULLEY,
    PULLEY_STATE,
    ROD,
    SEGMENT,
    SLAVE,
    SLOPE,
    SOFT_TIE,
    SOLID,
    TETRAHEDRON,
    TRIANGLE,
    WALL,
    WELD,
    WORLD,
    MassMatrix,
    Model,
    Solids,
    State,
    Surfaces,
    changed,
)
from ..rods.frames import any_normal
from ..scene import Hold, Scene, Sheet, SoftBody, at_elements
from ..scenes.collision_filter import filter_of
from ..scenes.linked import linked
from ..sheets.plate import clamped, directors_of, plates_of
from ..solids.collapse import SHARE
from ..solids.keyed_numbers import solids_at
from ..time_integration.workspace import Workspace
from .chain_system import no_chains
from .chambers import chamber_arrays
from .keyed import keyed_solids, no_keyed_solids, no_keys
from .length_system import no_lengths
from .planes import plane_arrays
from .room import SURFACE_VERTEX, by_hand
from .shapes import shapes_of
from .soft_surfaces import soft_surface, touches
from .state import any_mode, start_state
from .surfaces import no_surfaces, surfaces_of

ROUNDING = 1e-12  # of a time: what lets go at a frame does so there, whichever way that was multiplied out
BEARABLE = 0.2  # strain of tetrahedra
FACTORISED = 5000  # nodes: of more, the factor is far from sparse, and iteration faster
_NONE = np.zeros(0, np.int64)
NO_MASS_MATRIX = MassMatrix(
    consistent=np.zeros(1, bool), order=_NONE, column=_NONE, below=_NONE, entries=np.zeros(0), inverse=np.zeros(0),
    couplings=np.zeros(0, COUPLING),
)  # fmt: skip


def no_solids() -> Solids:
    """Of a scene without soft bodies."""
    return Solids(
        bodies=np.zeros(0, SOLID), tetrahedra=np.zeros(0, TETRAHEDRON), domains=np.zeros(0, DOMAIN),
        slopes=np.zeros(0, SLOPE), plates=np.zeros(0, PLATE), plate_edges=np.zeros(0, PLATE_EDGE),
        triangles=np.zeros(0, TRIANGLE), surface=no_surfaces(),
        on_node=np.zeros(0, np.int64), anchors=np.zeros(0, ANCHOR), constraints=np.zeros(0, CONSTRAINT),
        springs=np.zeros(0, CONSTRAINT), ties=np.zeros(0, SOFT_TIE), members=np.zeros(0, MEMBER), mass=NO_MASS_MATRIX,
        chambers=np.zeros(0, CHAMBER), walls=np.zeros(0, WALL), keyed=no_keyed_solids(),
    )  # fmt: skip


def node_order(scene: Scene) -> np.ndarray:
    """(N,) nodes of all soft bodies, numbered body by body, as they are kept: along Morton's curve in each."""
    along = [a + morton_order(_places(solid)) for a, solid in zip(_first_nodes(scene), scene.solids, strict=False)]
    return np.concatenate([np.zeros(0, np.int64), *along])


def assemble_solids(scene: Scene) -> tuple[Model, State, Workspace]:
    """Soft bodies alone → (Model, State, Workspace), with room for steps by hand: see `solids_laid_out`."""
    model, state = solids_laid_out(scene)
    return model, *by_hand(model, state)


def solids_laid_out(scene: Scene, surfaces: Surfaces | None = None) -> tuple[Model, State]:
    """Soft bodies alone, nodes as in `node_order` → (Model, State) as they are at the start.

    surfaces: those of the scene's colliders, which parts share.
    """
    order = node_order(scene)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    first = _first_nodes(scene)
    places = [place[first[s] : first[s + 1]] for s in range(len(scene.solids))]
    solids = [_solid(solid, s, own) for s, (solid, own) in enumerate(zip(scene.solids, places, strict=True))]
    tetrahedra, domains = (np.concatenate([own[k] for own, _ in solids]) for k in (0, 1))
    domains = moved_on(domains, [own[2] for own, _ in solids], [own[0] for own, _ in solids])
    slopes = np.concatenate([own[2] for own, _ in solids])
    skins_of = [own[outside_of(solid)] for solid, own in zip(scene.solids, places, strict=True)]
    faces = np.concatenate([np.zeros((0, 3), np.int64), *skins_of])
    triangles = changed(
        np.zeros(len(faces), TRIANGLE), corner=faces, solid=np.repeat(np.arange(len(skins_of)), [*map(len, skins_of)])
    )
    plates, plate_edges, mass = plates_of(scene.solids, places, len(order))
    mass += np.bincount(tetrahedra["node"].ravel(), np.repeat(0.25 * tetrahedra["mass"], 4), len(order))
    share = [1.0 if solid.weights is None else solid.weights[0] for solid in scene.solids]
    gravity = np.repeat(share, [len(solid.x) for solid in scene.solids])
    nodes = changed(np.zeros(len(order), NODE), mass=mass, w=1.0 / mass, gravity=gravity, rod=-1, slave=-1)
    x, v = (np.concatenate([rows(solid) for solid in scene.solids])[order] for rows in (_places, _velocities))
    joined = zip(solids, joined_solids(scene), scene.solids, strict=True)
    bodies = np.array(
        [(*row, group, solid.drag_coefficient, isinstance(solid, Sheet)) for (_, row), group, solid in joined], SOLID
    )
    springs = firm_springs(tetrahedra, np.concatenate([own[3] for own, _ in solids]), mass, plates)
    anchors, equations, times, samples = hold_arrays(scene, place, springs)
    exact = np.isinf(equations["stiffness"])
    chambers, walls, given = chamber_arrays(scene, triangles, x)
    chambers["first_sample"] += len(times)
    chambers["end_sample"] += len(times)
    times, samples = (
        np.concatenate([times, given[:, 0]]),
        np.concatenate([samples, np.pad(given[:, 1:], ((0, 0), (7, 0)))]),
    )
    none: dict[str, np.ndarray] = {name: np.zeros(0, kind) for name, kind in NONE.items()}
    skins, shapes = shapes_of(replace(scene, bodies=()), np.zeros(0, BODY_STATE))
    world = changed(np.zeros(1, WORLD), gravity=scene.gravity, air_density=scene.air_density)
    surface, on_node = soft_surface(scene if touches(scene) else replace(scene, solids=()), triangles, x)
    model = Model(
        world=changed(world, ample=SURFACE_VERTEX * len(on_node)), nodes=nodes,
        times=times, samples=samples, length_system=no_lengths(), chain_system=no_chains(),
        mobility=np.zeros((0, 2)), joined=np.zeros(0, np.int64), collision_filter=filter_of(scene),
        planes=plane_arrays(scene), surfaces=surfaces or surfaces_of(scene), skins=skins, shapes=shapes,
        rooted=np.zeros(0, np.int64),
        solids=Solids(
            bodies, tetrahedra, domains, slopes, plates, plate_edges, triangles, surface, on_node, anchors,
            equations[exact], equations[~exact], np.zeros(0, SOFT_TIE), np.zeros(0, MEMBER), NO_MASS_MATRIX,
            chambers, walls, keyed_solids(scene.solids, tetrahedra, domains, plates),
        ),
        keyed=no_keys(), **none,
    )  # fmt: skip
    frames = {"t": np.zeros((0, 3)), "u": np.zeros((0, 3)), "theta": np.zeros(0)}
    none_of = (np.zeros(0, kind) for kind in (GHOST, BODY_STATE, PULLEY_STATE))
    state = start_state(model, {"x": x, "v": v}, frames, *none_of)
    state.directors[:] = directors_of(x, plates, plate_edges)
    model = in_force(model, state, scene.consistent_mass)
    solids_at(model.solids, 0.0)
    return model, state


NONE = {
    "rods": ROD, "edges": EDGE, "hinges": HINGE, "segments": SEGMENT, "bends": BEND, "clamps": CLAMP, "pins": PIN,
    "pulleys": PULLEY,
    "bodies": BODY, "slaves": SLAVE, "welds": WELD, "capsules": CAPSULE, "cables": CABLE,
}  # fmt: skip


def joined_solids(scene: Scene) -> np.ndarray:
    """(S,) of each soft body the first one that holds join it with, or itself."""
    count = len(scene.solids)
    links = [(hold.solid, hold.other[0]) for hold in scene.holds if hold.other is not None]
    label = linked(links, count)
    return np.unique(label, return_index=True)[1][label]


def _first_nodes(scene: Scene) -> np.ndarray:
    return np.cumsum([0, *(len(solid.x) for solid in scene.solids)])


def _places(solid: SoftBody) -> np.ndarray:
    return np.asarray(solid.x, np.float64)


def _velocities(solid: SoftBody) -> np.ndarray:
    return np.zeros((len(solid.x), 3)) if solid.v is None else np.asarray(solid.v, np.float64)


def masses(solid: SoftBody) -> np.ndarray:
    """(t,) [kg] of a soft body's tetrahedra."""
    return solid.density * at_elements(solid.weight, solid.tetrahedra) * volumes(solid.relaxed())


def _solid(solid: SoftBody, number: int, place: np.ndarray) -> tuple[tuple[np.ndarray, ...], tuple]:
    """((TETRAHEDRON (t,), DOMAIN, SLOPE, how firm springs at their corners are (t, 4) [N/m]) of a body, its row of
    SOLID); place (n,): where its nodes are kept.
    """
    size, first, end = float(norm(np.ptp(_places(solid), axis=0))), int(place.min()), int(place.max()) + 1
    if isinstance(solid, Sheet):
        none = np.zeros(0, TETRAHEDRON), np.zeros(0, DOMAIN), np.zeros(0, SLOPE), np.zeros((0, 4))
        return none, ((first, end), size, solid.wave_speed(), False)
    node, corners = place[np.asarray(solid.tetrahedra, np.int64)], solid.relaxed()
    stiffness, weight = (at_elements(factor, solid.tetrahedra) for factor in (solid.stiffness, solid.weight))
    bulk, shear = bulk_modulus(solid.young, solid.poisson), shear_modulus(solid.young, solid.poisson)
    smoothed = solid.elements == "SMOOTHED"
    moduli = {"bulk": bulk * stiffness, "shear": shear * stiffness, "dilation": solid.zeta * stiffness,
              "viscosity": solid.mu * stiffness}  # fmt: skip
    rows = changed(
        np.zeros(len(node), TETRAHEDRON), node=node, volume=volumes(corners), mass=masses(solid),
        height=smallest_heights(corners), collapse=SHARE * moduli["bulk"] if smoothed else 0.0, solid=number,
    )  # fmt: skip
    wave = rows["volume"] * (moduli["bulk"] + 4.0 / 3.0 * moduli["shear"])
    firm = wave[:, None] * np.sum(gradients(corners) ** 2, axis=2)
    order = np.argsort(node.min(axis=1), kind="stable")
    moduli = {name: values[order] for name, values in moduli.items()}
    domains, slopes = domains_of(node[order], corners[order], moduli, smoothed)
    domains = changed(domains, paper=solid.energy == "LIESENFELD", solid=number)
    speed = np.sqrt((bulk + 4.0 / 3.0 * shear) / solid.density * (stiffness / weight).max())
    return (rows[order], domains, slopes, firm[order]), ((first, end), size, speed, solid.zeta > 0.0 or solid.mu > 0.0)


def firm_springs(
    tetrahedra: np.ndarray, firm: np.ndarray, mass: np.ndarray, plates: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(stiffness [N/m], reach [m], damping [kg/s]) (N,) of the springs that take over from exact holds of nodes of such
    mass (N,): as stiff as a node's own tetrahedra against waves of pressure, Σ V (K + 4G/3)/height², the sum of their
    `firm` (t, 4), or as its PLATE (P,); as strong as strains them by BEARABLE; and damped critically.
    """
    stiffness = np.bincount(tetrahedra["node"].ravel(), firm.ravel(), len(mass))
    np.add.at(stiffness, plates["node"], (plates["bulk"] + 2.0 * plates["shear"])[:, None] / plates["height"] ** 2)
    height = np.full(len(mass), np.inf)
    np.minimum.at(height, tetrahedra["node"], tetrahedra["height"][:, None])
    np.minimum.at(height, plates["node"], plates["height"].min(axis=1, initial=np.inf)[:, None])
    return stiffness, BEARABLE * height, 2.0 * np.sqrt(stiffness * mass)


def hold_arrays(
    scene: Scene, place: np.ndarray, firm: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(ANCHOR (A,), CONSTRAINT (C,) with springs, times (K,) [s], samples (K, 8)) of the holds; place (N,): where nodes
    are kept; firm: of `firm_springs`.
    """
    first, anchors, equations = _first_nodes(scene), [np.zeros(0, ANCHOR)], [np.zeros(0, CONSTRAINT)]
    times, samples, count = [np.zeros(0)], [np.zeros((0, 8))], 0
    for hold in scene.holds:
        node, track = place[first[hold.solid] + hold.node], _track(scene, hold)
        led = {"first_sample": count, "end_sample": count + len(track), "release": hold.release}
        if hold.kind in ("JOIN", "DISTANCE"):
            led |= {"first_sample": -1, "end_sample": -1}
        else:
            times.append(np.zeros(1) if hold.times is None else np.asarray(hold.times, np.float64))
            samples.append(np.pad(track, ((0, 0), (0, 5))))
            samples[-1][:, INFLUENCE] = 1.0 if hold.influence is None else hold.influence
            count += len(track)
        other = -1 if hold.other is None else place[first[hold.other[0]] + hold.other[1]]
        rows = changed(
            np.zeros(len(_directions(hold)), CONSTRAINT), stiffness=hold.stiffness, reach=np.inf, **led
        )  # fmt: skip
        rows["node"], rows["direction"] = (node, other), _directions(hold)
        if hold.kind == "DISTANCE" and hold.other is not None:
            rows["length"] = norm(_drawn(scene, hold.solid, hold.node) - _drawn(scene, *hold.other))
        whole, some = _held(hold)
        if np.isinf(hold.stiffness) and whole < np.inf:
            stiffness, reach, damping = (values[node] for values in firm)
            springs = changed(rows, stiffness=stiffness, reach=reach, damping=damping, begin=whole)
            equations.append(changed(springs, release=min(some, hold.release)))
            led["release"] = min(whole, hold.release)
        elif np.isfinite(hold.stiffness):
            led["release"] = min(some, hold.release)
        if hold.kind == "POINT" and np.isinf(hold.stiffness):
            anchors.append(changed(np.zeros(1, ANCHOR), node=node, **led))
        else:
            equations.append(changed(rows, release=led["release"]))
    return np.concatenate(anchors), np.concatenate(equations), np.concatenate(times), np.concatenate(samples)


def _held(hold: Hold) -> tuple[float, float]:
    """[s] until when a hold has an influence of 1 from the start on, and after when it has none any more; or never."""
    if hold.influence is None:
        return np.inf, np.inf
    less, some = np.flatnonzero(np.asarray(hold.influence) < 1.0), np.flatnonzero(np.asarray(hold.influence) > 0.0)
    assert hold.times is not None
    whole = np.inf if not len(less) else hold.times[max(less[0] - 1, 0)] if less[0] > 0 else -np.inf
    if not len(some):
        return whole, 0.0
    return whole, np.inf if some[-1] == len(hold.times) - 1 else hold.times[some[-1] + 1]


def _drawn(scene: Scene, solid: int, node: int) -> np.ndarray:
    return np.asarray(scene.solids[solid].x[node], np.float64)


def _track(scene: Scene, hold: Hold) -> np.ndarray:
    """(k, 3) [m]."""
    return _drawn(scene, hold.solid, hold.node)[None] if hold.track is None else np.asarray(hold.track, np.float64)


def _directions(hold: Hold) -> np.ndarray:
    """Of the equations of a hold (k, 3): axes, a plane's normal, those across a line, or 0 of a distance."""
    if hold.kind in ("POINT", "JOIN"):
        return np.eye(3)
    if hold.kind == "DISTANCE":
        return np.zeros((1, 3))
    assert hold.direction is not None
    along = np.asarray(hold.direction, np.float64)
    unit = along / norm(along)
    across = any_normal(unit)
    return unit[None] if hold.kind == "PLANE" else np.stack([across, np.cross(unit, across)])


def next_release(model: Model, time: float) -> float:
    """When something lets go [s] after a time, or never."""
    solids = model.solids
    release = np.concatenate([rows["release"] for rows in (solids.anchors, solids.constraints, solids.springs)])
    return float(release[release > time].min(initial=np.inf))


def in_force(model: Model, state: State, consistent: bool) -> Model:
    """The Model without what has let go by the State's time, with the mass of nodes that are free; so is State.w."""
    solids, time = model.solids, state.clock["time"][0]
    held = {name: getattr(solids, name) for name in ("anchors", "constraints", "springs")}
    held = {name: rows[rows["release"] > time * (1.0 + ROUNDING)] for name, rows in held.items()}
    let_go = state.w == 0.0
    state.w[:] = model.nodes["w"]
    state.w[held["anchors"]["node"]] = 0.0
    let_go &= state.w > 0.0
    state.mode[let_go] = any_mode(len(state.mode))[let_go]  # what was held had no part in it
    mass = mass_matrix(solids.tetrahedra, state.w, held["anchors"]) if consistent else NO_MASS_MATRIX
    plates, edges = clamped(solids.plates, solids.plate_edges, state.w)
    return model._replace(solids=solids._replace(mass=mass, plates=plates, plate_edges=edges, **held))


def mass_matrix(tetrahedra: np.ndarray, w: np.ndarray, anchors: np.ndarray) -> MassMatrix:
    """The consistent mass of nodes whose inverse mass w (N,) is not 0."""
    n = len(w)
    row, column = (np.repeat(tetrahedra["node"], 4, axis=1), np.tile(tetrahedra["node"], 4))
    value = np.tile(0.05 * (1.0 + np.eye(4)).ravel(), (len(tetrahedra), 1)) * tetrahedra["mass"][:, None]
    whole = coo_matrix((value.ravel(), (row.ravel(), column.ravel())), shape=(n, n)).tocsr()
    free, held = np.flatnonzero(w > 0.0), anchors["node"]
    pairs = whole[free][:, held].tocoo()
    couplings = changed(np.zeros(pairs.nnz, COUPLING), node=free[pairs.row], anchored=pairs.col, mass=pairs.data)
    none, consistent = np.zeros(0, np.int64), np.ones(1, bool)
    if n > FACTORISED or not len(free):
        return MassMatrix(consistent, none, none, none, np.zeros(0), np.zeros(0), couplings)
    found = factorised(whole[free][:, free])
    order = np.empty(len(free), np.int64)
    order[found.perm_c] = free
    return MassMatrix(consistent, order, *below_diagonal(found), 1.0 / found.U.diagonal(), couplings)
