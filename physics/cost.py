"""How long a bake will take, before it starts: steps from the rods' stability and motion, measured costs. numpy only.

The costs are of one thread of a machine of 2026 as far as it was idle; `python -m benchmarks.estimates` sets what is
said here beside what bakes then take. What nobody can see in a scene at rest is not in them: that a rope will wind up
or lie in a heap, that a soft body will come to rest or be squeezed, that trees can hardly follow a gust.
"""

import os
from typing import NamedTuple

import numpy as np

from .materials import bulk_modulus, shear_modulus
from .neighbours import Capsules
from .scene import FRACTIONS, LONGEST_STEPS, QUALITIES, Rod, Scene, SoftBody
from .solids.tetrahedra import smallest_heights
from .strands import SIDE_BY_SIDE, strands


class StepCosts(NamedTuple):
    """What a step takes [s], of itself and for each of what is in it."""

    step: float
    plain: float  # a vertex, drag included, of a rod that needs no frames
    framed: float  # of another
    weld: float = 0.0  # with its part in the projection
    pair: float = 0.0  # of edges near each other
    on_floor: float = 0.0  # a vertex that may lie on it
    on_mesh: float = 0.0  # a vertex that may lie on a collider
    shape: float = 0.0  # a rigid body that touches
    adjoining: float = 0.0  # a pair of these that are next to each other


EXPLICIT = StepCosts(2.0e-6, 120e-9, 210e-9, 0.5e-6, 80e-9, 250e-9, 500e-9, 40e-6, 120e-6)
# of one iteration of Newton's; of some, where things touch
IMPLICIT = StepCosts(8.0e-6, 0.23e-6, 0.5e-6, 10e-6, 2.5e-6, 3e-6, 10e-6, 200e-6, 600e-6)
CROWD = 400.0  # pairs of edges, for which sweeps are twice as many
ITERATIONS = {"PREVIEW": 1.35, "GOOD": 1.1, "FINE": 1.0}  # iterations a step, where nothing drives it
DRIVEN = 1.5  # times as many iterations and halved steps, where what drives it turns it in one by
TURNED = 1e-3  # rad
PER_ISLAND = 2e-3  # [s], to make it ready
PER_VERTEX = 5e-6  # [s], as well
PER_FRAME = 500e-6  # [s] of an island
PER_VERTEX_AND_FRAME = 1.0e-6  # [s]
PER_STRETCH = 80e-6  # [s]: what is done between two stretches of steps
FIELD_STRETCHES = 8  # a frame, when there are force fields
SETTLING = 5e3  # steps
SWING = 1.3  # largest speed of what hangs, in √(gL)
JOINTED = 2.0  # how much smaller steps are where rods are joined by light bodies
PER_TETRAHEDRON = 37e-9  # [s] of a soft body, in each evaluation of its forces, with all else of a step
SOFT_STAGES = 12.0  # evaluations in the time of one step of VERLET, where steps adapt
SOFT_VISCOUS = 6.0  # evaluations of forces and viscosity of what moves; at rest four to ten times less
PER_COUPLED = 1.0e-6  # [s] a step of a node, with what touches it, where it may touch rods or rigid bodies
PER_IMPLICIT = 3.0e-6  # [s] a step of a vertex whose steps beside soft bodies are implicit, as well
PER_BESIDE = 0.6e-3  # [s] a step of a rigid body that lies on a soft one
NEAR = 5.0  # radii, or half an edge: what comes into touch
BESIDE = 0.05  # of its box: what adjoins a rigid body
FREE = 1.0 / 144.0  # [s] the longest stable step of a rigid body: see time_integration/step_limit


class Seen(NamedTuple):
    """What is seen of each rod in a scene at rest."""

    stable: np.ndarray  # (R,) [s] the largest step it allows
    pairs: np.ndarray  # (R,) of edges near each other
    turned: np.ndarray  # (R,) [rad/s] by what drives it
    on_floor: np.ndarray  # (R,) bool: whether it may come to lie there,
    on_mesh: np.ndarray  # (R,) or on a collider
    framed: np.ndarray  # (R, 2) bool: whether frames are solved for, by explicit steps and by implicit ones
    strand: np.ndarray  # (R,) bool: whether implicit steps take it side by side with others
    beside: int  # vertices of all of these


def linear_step(rod: Rod) -> float:
    """Largest stable step [s] of the straight rod: l²/2·√(ρA/B), with each vertex's own mass; stretching too when it
    stretches.
    """
    length = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    n, m = len(rod.x), rod.edge_count
    tail, head = np.arange(m), (np.arange(m) + 1) % n
    mass = np.minimum(rod.mass[tail], rod.mass[head])
    mass[[0, -1]] = np.minimum(mass[[0, -1]] if rod.closed else 2.0 * mass[[0, -1]], mass.max())
    square = 16.0 * np.max(rod.bend_stiffness.max(axis=1) / (length**3 * mass))
    if rod.stretchable:
        square += 4.0 * np.max(rod.stretch_stiffness / (length * mass))
    return 2.0 / np.sqrt(square)


def hanging_step(rod: Rod, gravity: float, load: float = 0.0) -> float:
    """Largest stable step [s] of the rod when its own weight and a load [kg] pull at it: ω² grows by 4T/lm."""
    shortest = np.linalg.norm(rod.edges(), axis=1).min() * rod.rest_length_factor
    weight = (rod.mass.sum() + load) * gravity
    return 2.0 / np.sqrt((2.0 / linear_step(rod)) ** 2 + 4.0 * weight / (shortest * rod.mass.min()))


def rod_steps(scene: Scene) -> list[float]:
    """Largest step [s] each rod allows by itself, everything hanging: a list (R,)."""
    gravity = float(np.linalg.norm(scene.gravity))
    hanging = zip(scene.rods, loads(scene), strict=True)
    return [QUALITIES[scene.quality] * hanging_step(rod, gravity, load) for rod, load in hanging]


def loads(scene: Scene) -> np.ndarray:
    """Mass [kg] of the bodies on each rod; rods that share one carry equal parts."""
    found = np.zeros(len(scene.rods))
    rods: dict[int, set[int]] = {}
    for weld in scene.welds:
        rods.setdefault(weld.body, set()).add(weld.rod)
    for body, own in rods.items():
        if not scene.bodies[body].led:
            found[list(own)] += scene.bodies[body].mass / len(own)
    return found


def estimate(scene: Scene, cores: int | None = None) -> float:
    """Seconds a bake by the scene's solver, EXPLICIT or IMPLICIT, will take: see `side_by_side`."""
    return side_by_side(scene, durations(scene), cores)[scene.solver]


def durations(scene: Scene) -> np.ndarray:
    """Seconds that each island of the start takes, of rods and then each soft body: (I, 4) to be ready, for a frame by
    explicit steps, by implicit ones, to settle; of rigid bodies alone one.
    """
    near = near_rods(scene)
    seen = _seen(scene, near)
    if coupled(scene):
        return np.array([_coupled(scene, seen)])
    groups = islands(scene, near) or [[]] * (len(scene.bodies) > 0)
    rods = [_island(scene, rods, seen) for rods in groups]
    return np.array([*rods, *(_soft(scene, solid) for solid in scene.solids)])


def side_by_side(scene: Scene, durations: np.ndarray, cores: int | None = None) -> dict[str, float]:
    """Seconds a bake will take by each solver, with compiled kernels on so many cores, by default all: islands (I, 4)
    go side by side, as at the start; to settle, all that touches is one.
    """
    ready, *frame, settling = durations.T
    baking = [ready + max(scene.frame_count - 1, 0) * each for each in frame]
    cores = min(cores or os.cpu_count() or 1, len(settling))
    settled = settling.sum() if scene.contact else settling.max()
    return {
        solver: float(max(own.sum() / cores, own.max()) + settled)
        for solver, own in zip(("EXPLICIT", "IMPLICIT"), baking, strict=True)
    }


def coupled(scene: Scene) -> bool:
    """Whether soft bodies may touch rods or rigid bodies, or are tied to them: then these take steps with them."""
    touch = scene.contact and scene.scheme == "VERLET"
    meets = any(rod.touches for rod in scene.rods) or any(body.shape and not body.led for body in scene.bodies)
    return bool(scene.solids) and bool(scene.ties or (touch and meets))


def implicit_beside(scene: Scene) -> np.ndarray:
    """(R,) bool: rods that take implicit steps beside soft bodies, where the solver is IMPLICIT: those that no
    rigid body moves with them, and that do not roll.
    """
    welded = {weld.rod for weld in scene.welds if not scene.bodies[weld.body].led}
    return np.array([not (rod.rolls or r in welded) for r, rod in enumerate(scene.rods)], dtype=bool)


def islands(scene: Scene, near: np.ndarray) -> list[list[int]]:
    """Lists of rods that are simulated together at the start: those that a body joins, and those that may meet.

    near (k, 2): numbers of rods that are near each other. All that touches is one where rigid bodies do.
    """
    island = list(range(len(scene.rods)))
    meets = [r for r, rod in enumerate(scene.rods) if rod.touches] if shapes(scene)[0] else []
    near = np.concatenate([near, np.array([(0, r) for r in meets], dtype=int).reshape(-1, 2)])

    def root(r: int) -> int:
        while island[r] != r:
            island[r] = island[island[r]]
            r = island[r]
        return r

    joined: dict[int, int] = {}
    for weld in scene.welds:
        if not scene.bodies[weld.body].led:
            island[root(weld.rod)] = root(joined.setdefault(weld.body, weld.rod))
    for r, s in np.unique(near, axis=0).tolist():
        island[root(s)] = root(r)
    groups: dict[int, list[int]] = {}
    for r in range(len(island)):
        groups.setdefault(root(r), []).append(r)
    return list(groups.values())


def _seen(scene: Scene, near: np.ndarray) -> Seen:
    """What is Seen of the rods; near (k, 2): numbers of those that are near each other."""
    count = len(scene.rods)
    welded = {weld.rod for weld in scene.welds}
    walls = scene.floor is not None or len(scene.colliders) > 0
    framed = np.zeros((count, 2), dtype=bool)
    for r, rod in enumerate(scene.rods):
        alone = not (walls or rod.closed or r in welded or (scene.contact and rod.touches))
        framed[r] = _framed(rod), _framed(rod) or not alone
    own = strands(scene)
    return Seen(
        stable=np.array(rod_steps(scene)), pairs=np.bincount(near[:, 0], minlength=count), turned=_turned(scene),
        on_floor=np.array([_reaches_floor(scene, rod) for rod in scene.rods], dtype=bool),
        on_mesh=_reach_meshes(scene), framed=framed, strand=np.isin(np.arange(count), own),
        beside=sum(len(scene.rods[r].x) for r in own),
    )  # fmt: skip


def _island(scene: Scene, numbers: list[int], seen: Seen) -> tuple[float, float, float, float]:
    """What `durations` says of the rods `numbers` together. A strand has its part of what side by side it shares."""
    vertices = sum(len(scene.rods[r].x) for r in numbers)
    strand = len(numbers) > 0 and seen.strand[numbers].all()
    share = min(1.0, vertices / min(seen.beside, SIDE_BY_SIDE)) if strand else 1.0
    step, content = _own_step(scene, numbers, seen)
    explicit = float(np.dot(EXPLICIT, content[0]))
    longest = min(LONGEST_STEPS[scene.quality], scene.max_step, scene.frame_duration)
    implicit = float(np.dot(_implicit_costs(scene, share, int(seen.pairs[numbers].sum())), content[1]))
    implicit *= DRIVEN if seen.turned[numbers].max(initial=0.0) * longest > TURNED else 1.0
    settling = scene.settle * SETTLING * explicit
    by_explicit = _frame(scene, vertices, step, explicit)
    by_implicit = _frame(scene, vertices, longest, implicit, share)
    return PER_ISLAND + vertices * PER_VERTEX, by_explicit, by_implicit, settling


def _implicit_costs(scene: Scene, share: float, near: int) -> np.ndarray:
    """StepCosts of an implicit step (S,) with so many pairs of edges near each other. What touches bounds steps: twice
    as long ones are √2 times as many as half of the others.
    """
    often = np.sqrt(LONGEST_STEPS[scene.quality] / LONGEST_STEPS["GOOD"]) / ITERATIONS[scene.quality]
    costs = IMPLICIT._replace(
        step=share * IMPLICIT.step,
        pair=often * IMPLICIT.pair * (1.0 + near / CROWD),
        on_floor=often * IMPLICIT.on_floor,
        on_mesh=often * IMPLICIT.on_mesh,
    )
    return ITERATIONS[scene.quality] * np.array(costs)


def _own_step(scene: Scene, numbers: list[int], seen: Seen) -> tuple[float, np.ndarray]:
    """(the largest explicit step [s] of the rods `numbers` together, what is in an explicit step and in an implicit
    one, (2, S) as StepCosts).
    """
    rods, near = [scene.rods[r] for r in numbers], int(seen.pairs[numbers].sum())
    own = set(numbers)
    welds = sum(weld.rod in own and not scene.bodies[weld.body].led for weld in scene.welds)
    size = np.array([len(rod.x) for rod in rods], dtype=int)
    framed, on_floor, on_mesh = (size @ of[numbers] for of in (seen.framed, seen.on_floor, seen.on_mesh))
    touching, adjoining = shapes(scene) if 0 in own or not own else (0, 0)
    content = np.array(
        [(1, size.sum() - f, f, welds, near, on_floor, on_mesh, touching, adjoining) for f in framed]
    )  # fmt: skip
    step = seen.stable[numbers].min(initial=np.inf) / (JOINTED if welds > 1 else 1.0)
    falling = any(not body.led for body in scene.bodies)
    step = min(step, QUALITIES[scene.quality] * FREE if falling else np.inf)
    return min(step, scene.max_step, scene.frame_duration, _motion_step(scene, rods, near > 0)), content


def _coupled(scene: Scene, seen: Seen) -> tuple[float, float, float, float]:
    """What `durations` says of all rods, bodies and soft bodies together, which take common steps."""
    count, implicit = sum(len(thing.x) for thing in scene.deforming), implicit_beside(scene)
    freed = seen._replace(stable=np.where(implicit, np.inf, seen.stable))
    more = PER_IMPLICIT * sum(len(rod.x) for rod, free in zip(scene.rods, implicit, strict=True) if free)
    explicit, other = _common(scene, seen, 0.0), _common(scene, freed, more)
    return PER_ISLAND + count * PER_VERTEX, explicit, other, 0.0


def _common(scene: Scene, seen: Seen, more: float) -> float:
    """Seconds of a frame by the steps that all rods, of `stable` ones, and soft bodies allow; more [s]: of each."""
    step, content = _own_step(scene, list(range(len(scene.rods))), seen)
    cost = float(np.dot(EXPLICIT, content[0]))
    step = min([step, *(soft_step(scene, solid) for solid in scene.solids)])
    cost += more + sum(
        _evaluations(scene, solid, step) * len(solid.tetrahedra) * PER_TETRAHEDRON + len(solid.x) * PER_COUPLED
        for solid in scene.solids
    )
    cost += _beside(scene) * PER_BESIDE
    return _frame(scene, sum(len(thing.x) for thing in scene.deforming), step, cost)


def _beside(scene: Scene) -> int:
    """How many pairs of a rigid body that touches and a soft body are next to each other at the start."""
    shapes = [body.shape for body in scene.bodies if scene.contact and body.shape is not None]
    boxes = [(shape.points.min(axis=0) - shape.radius, shape.points.max(axis=0) + shape.radius) for shape in shapes]
    found = 0
    for solid in scene.solids:
        low, high = np.min(solid.x, axis=0), np.max(solid.x, axis=0)
        room = BESIDE * (high - low)
        found += sum(bool(np.all(a <= high + room) and np.all(low - room <= b)) for a, b in boxes)
    return found


def shapes(scene: Scene) -> tuple[int, int]:
    """(how many rigid bodies touch something, how many pairs of them are next to each other at the start)."""
    found = [body.shape for body in scene.bodies if scene.contact and body.shape is not None]
    if not found:
        return 0, 0
    low = np.array([shape.points.min(axis=0) - shape.radius for shape in found])
    high = np.array([shape.points.max(axis=0) + shape.radius for shape in found])
    room = BESIDE * (high - low)
    meet = np.all((low[:, None] - room[:, None] <= high) & (low <= high[:, None] + room[:, None]), axis=2)
    return len(found), int(np.triu(meet, 1).sum())


def soft_step(scene: Scene, solid: SoftBody) -> float:
    """Largest step [s] of a soft body: the critical one is about the smallest height over the speed of sound."""
    bulk, shear = bulk_modulus(solid.young, solid.poisson), shear_modulus(solid.young, solid.poisson)
    stiffest = (1.0 if solid.stiffness is None else np.max(solid.stiffness)) / (
        1.0 if solid.weight is None else np.min(solid.weight)
    )
    speed = np.sqrt((bulk + 4.0 / 3.0 * shear) / solid.density * stiffest)
    return min(float(FRACTIONS[scene.quality] * smallest_heights(solid.relaxed()).min() / speed), scene.max_step)


def _soft(scene: Scene, solid: SoftBody) -> tuple[float, float, float, float]:
    """What `durations` says of a soft body; it settles at once, for it begins as drawn."""
    step = soft_step(scene, solid)
    evaluations = _evaluations(scene, solid, step)
    frame = _frame(scene, len(solid.x), step, evaluations * len(solid.tetrahedra) * PER_TETRAHEDRON)
    return PER_ISLAND + len(solid.x) * PER_VERTEX, frame, frame, 0.0


def _evaluations(scene: Scene, solid: SoftBody, step: float) -> float:
    """How often forces of a soft body are evaluated in a step of so many [s]: where it is viscous, by a cube root that
    is measured of τ/h, with τ of waves of pressure, (ζ + 4μ/3)/(K + 4G/3), for these limit the step.
    """
    if scene.scheme != "VERLET":
        return SOFT_STAGES
    modulus = bulk_modulus(solid.young, solid.poisson) + 4.0 / 3.0 * shear_modulus(solid.young, solid.poisson)
    relaxation = (solid.zeta + 4.0 / 3.0 * solid.mu) / modulus
    return float(SOFT_VISCOUS * np.cbrt(1.0 + relaxation / step)) if relaxation > 0.0 else 1.0


def _turned(scene: Scene) -> np.ndarray:
    """(R,) [rad/s] how fast holds make each rod turn about its other end at most, or half of the wind does."""
    speeds = np.full(len(scene.rods), 0.5 * _strength(scene, "WIND"))
    tracks = [(pin.rod, pin.times, pin.position) for pin in scene.pins]
    led = [(weld.rod, scene.bodies[weld.body]) for weld in scene.welds]
    tracks += [(r, body.times, body.track) for r, body in led if body.times is not None and body.track is not None]
    for r, times, place in tracks:
        steps = np.linalg.norm(np.diff(place, axis=0), axis=1) / np.diff(times)
        speeds[r] = max(speeds[r], steps.max(initial=0.0))
    return speeds / [np.linalg.norm(rod.edges(), axis=1).sum() for rod in scene.rods]


def _frame(scene: Scene, vertices: int, step: float, cost: float, share: float = 1.0) -> float:
    """Seconds that a frame of so many vertices takes by steps of `step` [s], which take `cost` [s] each; share: of what
    it takes whatever is in it.
    """
    stretches, steps = 1, np.ceil(scene.frame_duration / step)
    if scene.fields:
        stretches = np.ceil(steps / np.ceil(steps / FIELD_STRETCHES))
        steps = stretches * np.ceil(scene.frame_duration / stretches / step)
    return float(steps * cost + share * (stretches * PER_STRETCH + PER_FRAME) + vertices * PER_VERTEX_AND_FRAME)


def _framed(rod: Rod) -> bool:
    """Whether its material frames are solved for by all steps: it is flat, or curved by nature, or stretches."""
    flat = np.ptp(rod.bend_stiffness, axis=1).max() > 1e-9 * rod.bend_stiffness.max()
    curved = rod.shape_memory > 0.0 and _curved(rod.x if rod.rest_x is None else rod.rest_x)
    return flat or curved or rod.stretchable


def _curved(x: np.ndarray) -> bool:
    away, along = x - x[0], x[-1] - x[0]
    return np.linalg.norm(np.cross(away, along), axis=1).max() > 1e-9 * (along @ along)


def _motion_step(scene: Scene, rods: list[Rod], touching: bool) -> float:
    """Largest step [s] for what swings or is blown about: half a radius where things touch, else a quarter of a turn
    of an edge. No bound without rods.
    """
    if not rods:
        return np.inf
    length = max(np.linalg.norm(rod.edges(), axis=1).sum() for rod in rods)
    wind, push = _strength(scene, "WIND"), _strength(scene, "FORCE")
    speed = SWING * np.sqrt((np.linalg.norm(scene.gravity) + push) * length) + 0.5 * wind + 1e-300
    if touching:
        return 0.5 * min(rod.radius.min() for rod in rods) / (2.0 * speed)
    return 0.25 * min(np.linalg.norm(rod.edges(), axis=1).min() for rod in rods) / speed


def _strength(scene: Scene, kind: str) -> float:
    """Of the strongest field of a kind."""
    return max((float(np.max(np.abs(f.strength) + f.noise)) for f in scene.fields if f.kind == kind), default=0.0)


def _reach_meshes(scene: Scene) -> np.ndarray:
    """(R,) bool: rods that may come to lie on a collider: where their length reaches to the box of its places."""
    found = np.zeros(len(scene.rods), dtype=bool)
    if not scene.rods:
        return found
    low, high = (np.array([ends(rod.x, axis=0) for rod in scene.rods]) for ends in (np.min, np.max))
    room = np.array([[np.linalg.norm(rod.edges(), axis=1).sum() + rod.radius.max()] for rod in scene.rods])
    for collider in scene.colliders:
        a, b = collider.points.min(axis=(0, 1)), collider.points.max(axis=(0, 1))
        found |= np.all((low - room <= b) & (a <= high + room), axis=1)
    return found


def _reaches_floor(scene: Scene, rod: Rod) -> bool:
    """Whether it may come to lie on the floor: where its length reaches down to."""
    if scene.floor is None:
        return False
    return rod.x[:, 2].min() - np.linalg.norm(rod.edges(), axis=1).sum() < scene.floor.height + rod.radius.max()


def near_rods(scene: Scene) -> np.ndarray:
    """Rods of the edges that are near each other at the start: (k, 2), one row for each pair of edges."""
    if not scene.contact or not any(rod.touches for rod in scene.rods):
        return np.zeros((0, 2), dtype=int)
    capsules = Capsules(scene)
    first, second, _ = capsules.near(np.minimum(NEAR * capsules.radius, 0.5 * capsules.size))
    return np.stack([capsules.rod[first], capsules.rod[second]], axis=1)
