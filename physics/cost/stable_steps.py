"""Largest steps that rods and soft bodies allow at rest, by their stiffness, mass and resolution."""

from dataclasses import replace

import numpy as np

from ..elements.tetrahedra import smallest_heights
from ..materials import bulk_modulus, shear_modulus
from ..rods.directors import director_inertia, parallel_stiffness
from ..scene import FRACTIONS, Rod, Scene, Sheet, SoftBody, largest_fraction
from .pulled import pulls

SMOOTHED = 1.1  # how many times as long steps of smoothed tetrahedra are, at least: at ν = .49; 1.2 at .3
SHARPEST = 2.0  # rad, a turn: what is drawn sharper opens


def linear_step(rod: Rod) -> float:
    """Largest stable step [s] of the straight rod: l²/2·√(ρA/B), with each vertex's own mass; stretching too when it
    stretches. Of a Cosserat rod: that of the stiffest edge, see rods/spinning_step_limit.
    """
    if rod.model == "cosserat":
        return spinning_step(rod)
    length = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    n, m = len(rod.x), rod.edge_count
    tail, head = np.arange(m), (np.arange(m) + 1) % n
    mass = np.minimum(rod.mass[tail], rod.mass[head])
    mass[[0, -1]] = np.minimum(mass[[0, -1]] if rod.closed else 2.0 * mass[[0, -1]], mass.max())
    square = 16.0 * np.max(rod.bend_stiffness.max(axis=1) / (length**3 * mass))
    if rod.stretchable:
        square += 4.0 * np.max(rod.stretch_stiffness / (length * mass))
    return 2.0 / np.sqrt(square)


def spinning_step(rod: Rod) -> float:
    """The same of a Cosserat rod: the least of its limits, lateral and spin together, stretch, twist."""
    m, n = rod.edge_count, len(rod.x)
    length, head = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor, (np.arange(m) + 1) % n
    share = rod.mass * np.where((np.arange(n) % (n - 1) == 0) & (not rod.closed), 2.0, 1.0)
    mass, bend = 0.5 * (share[:m] + share[head]), rod.bend_stiffness.max(axis=1)
    inertia, stiff = rod.director_inertia, (rod.bend_stiffness, rod.stretch_stiffness)
    if inertia is None:
        own = stiff if rod.parallel_stiffness is None else ()
        inertia = director_inertia(mass, rod.gyration[:m], length, *own)
    across, about = inertia.T
    kept = rod.parallel_stiffness or parallel_stiffness(stiff[0], length, stiff[1], rod.gyration[:m])
    lateral, spin = 4.0 * kept / (mass * length), (kept * length + 4.0 * bend / length) / across
    together = 0.5 * (lateral + spin + np.sqrt((lateral - spin) ** 2 + 16.0 * kept**2 / (mass * across)))
    stretch, twist = 4.0 * rod.stretch_stiffness / (mass * length), 4.0 * rod.twist_stiffness[:m] / (length * about)
    return float(2.0 / np.sqrt(np.max([together, stretch, twist])))


def hanging_step(rod: Rod, gravity: float, load: float = 0.0, pull: float = 0.0) -> float:
    """Largest stable step [s] of the rod when its own weight and a load [kg], or a pull [N], pull at it: ω² grows by
    4T/lm, and by the bends that it keeps by nature.
    """
    shortest = np.linalg.norm(rod.edges(), axis=1).min() * rod.rest_length_factor
    tension = max((rod.mass.sum() + load) * gravity, pull)
    kept = bent(rod) if rod.shape_memory > 0.0 else 1.0
    return 2.0 / np.sqrt((2.0 / linear_step(rod)) ** 2 * kept + 4.0 * tension / (shortest * rod.mass.min()))


def bent(rod: Rod) -> float:
    """How many times as large its largest turn φ, as drawn, makes ω²: see step_limit."""
    edges = rod.edges()
    ways = edges / np.linalg.norm(edges, axis=1)[:, None]
    one, other = (ways, np.roll(ways, -1, axis=0)) if rod.closed else (ways[:-1], ways[1:])
    cosine = max(float((one * other).sum(axis=1).min(initial=1.0)), np.cos(SHARPEST))
    sec2, tan2 = 2.0 / (1.0 + cosine), (1.0 - cosine) / (1.0 + cosine)
    return sec2 * sec2 + 2.0 * tan2 * sec2


def rod_steps(scene: Scene) -> np.ndarray:
    """(R,) [s] the largest step that each rod allows by itself, everything hanging and its pins pulling."""
    scene = replace(scene, rods=tuple(map(stiffest, scene.rods)))
    gravity, hung = float(np.linalg.norm(scene.gravity)), loads(scene)
    each = zip(scene.rods, hung, pulls(scene, hung), strict=True)
    return np.array([largest_fraction(scene.quality, rod) * hanging_step(rod, gravity, *more) for rod, *more in each])


def stiffest(rod: Rod) -> Rod:
    """The rod with those of its keyed numbers that ask for the shortest steps."""
    keyed = rod.keyed
    if keyed is None:
        return rod
    most = {name: float(np.max(given)) for name, given in vars(keyed).items() if given is not None and name != "name"}
    shortest, bend = 1.0 if keyed.length is None else float(np.min(keyed.length)), most.get("bending", 1.0)
    return replace(
        rod, rest_length_factor=shortest * rod.rest_length_factor, bend_stiffness=bend * rod.bend_stiffness,
        twist_stiffness=bend * rod.twist_stiffness,
        stretch_stiffness=most.get("stretching", 1.0) * rod.stretch_stiffness,
    )  # fmt: skip


def loads(scene: Scene) -> np.ndarray:
    """Mass [kg] of the bodies on each rod; rods that share one carry equal parts."""
    found = np.zeros(len(scene.rods))
    rods: dict[int, set[int]] = {}
    for weld in scene.welds:
        rods.setdefault(weld.body, set()).add(weld.rod)
    for body, own in rods.items():
        if not scene.bodies[body].kinematic:
            found[list(own)] += scene.bodies[body].mass / len(own)
    return found


def soft_step(scene: Scene, solid: SoftBody) -> float:
    """Largest step [s] of a soft body: the critical one is about the smallest height over the speed of sound."""
    keyed = 1.0 if solid.keyed is None or solid.keyed.stretching is None else float(np.max(solid.keyed.stretching))
    if isinstance(solid, Sheet):
        speed = solid.wave_speed() * np.sqrt(keyed)
        return min(float(FRACTIONS[scene.quality] * solid.smallest_height() / speed), scene.max_step)
    bulk, shear = bulk_modulus(solid.young, solid.poisson), shear_modulus(solid.young, solid.poisson)
    stiffest = (
        keyed
        * (1.0 if solid.stiffness is None else np.max(solid.stiffness))
        / (1.0 if solid.weight is None else np.min(solid.weight))
    )
    speed = np.sqrt((bulk + 4.0 / 3.0 * shear) / solid.density * stiffest)
    height = smallest_heights(solid.relaxed()).min() * (SMOOTHED if solid.elements == "SMOOTHED" else 1.0)
    return min(float(FRACTIONS[scene.quality] * height / speed), scene.max_step)
