"""What steps of either solver take where nothing touches, and so where implicit ones pay; by it the fewest seconds that
a bake takes, which its first frames tell better (bake/probe).

What falls on something makes steps of the one solver as many times as slow as those of the other, mostly within a
factor of two (docs/benchmarks.md), so it is left out of the ratio. Not so what lies against each other from the start,
in knots and coils, or against a mesh: a contact of implicit steps is answered by all vertices of its rod, so each takes
part of a whole step.
"""

import os
from collections.abc import Sequence

import numpy as np

from ..scene import LONGEST_STEPS, Scene, Sheet, SoftBody
from ..scenes.strands import SIDE_BY_SIDE, strands
from .beside import edges_beside
from .coupled import coupled, implicit_beside
from .islands import together
from .stable_steps import rod_steps, soft_step

# measured of one thread in 2026
STEP = 1.5e-6  # [s] an explicit step
VERTEX = 0.12e-6  # [s] more, of each vertex in it: .085 µs, or .15 where frames are solved for
SPINNING_STEP = 5.0  # times as long as an explicit step one of a Cosserat rod takes
IMPLICIT_STEP = 3.0  # times as long an implicit step takes: 1.3 iterations, of 2.1 to 2.7 such times each
PART, SHOWN = 150e-6, 1.0e-6  # [s] a frame of a part, and of each vertex in it, whatever the steps
BESIDE_STEP = 0.02  # of an implicit step that an edge beside another one takes: one in four presses, and takes .08
NODE, BESIDE = 1.0e-6, 3.0e-6  # [s] a step of a node beside soft bodies; more, of a vertex whose steps are implicit
PLATE = 0.4e-6  # [s] a step of a sheet's triangle
TETRAHEDRON = 0.5e-6  # [s] a step of one at least: jelly and rubber; what is more viscous takes up to 4 µs


def longest_step(scene: Scene) -> float:
    """[s] of the implicit solver."""
    return min(LONGEST_STEPS[scene.quality], scene.max_step, scene.frame_duration)


def times_as_fast(scene: Scene) -> np.ndarray:
    """(R,) how many times as fast as explicit steps of each rod implicit ones are; beside soft bodies of all. Where
    there are many strands, these share what a part takes by implicit steps.
    """
    if coupled(scene):
        explicit, implicit = (_coupled(scene, np.full(len(scene.rods), free)) for free in (False, True))
        return np.full(len(scene.rods), explicit / implicit)
    size = np.array([len(rod.x) for rod in scene.rods])
    shared = np.isin(np.arange(len(size)), strands(scene))
    shared &= size[shared].sum() >= SIDE_BY_SIDE
    implicit = _of_rods(scene, size, longest_step(scene), _implicit_step(scene, range(len(size)))) - PART * shared
    return _of_rods(scene, size, rod_steps(scene)) / implicit / (1.0 + BESIDE_STEP * edges_beside(scene))


def frames(scene: Scene, implicit: np.ndarray) -> np.ndarray:
    """(I,) seconds a frame of each list of `together`, where rods take implicit steps, (R,) bool; of what is coupled
    one for all.
    """
    if coupled(scene):
        return np.array([_coupled(scene, implicit)])
    groups, steps = together(scene), rod_steps(scene)
    size = np.array([sum(len(scene.rods[r].x) for r in rods) for rods in groups])
    own = np.array([implicit[rods].any() for rods in groups], dtype=bool)
    step = np.array([steps[rods].min() for rods in groups])
    times = np.array([_implicit_step(scene, rods).max() for rods in groups])
    implicitly = _of_rods(scene, size, longest_step(scene), times)
    return np.where(own, implicitly, _of_rods(scene, size, step))


def seconds(scene: Scene, implicit: np.ndarray) -> float:
    """Fewest seconds that a bake takes where rods take implicit steps, (R,) bool, on all cores."""
    alone = [] if coupled(scene) else [of_soft(scene, solid) for solid in scene.solids]
    each = np.array([PART, *frames(scene, implicit), *alone])
    return float(max(scene.frame_count - 1, 0) * max(each.sum() / (os.cpu_count() or 1), each.max()))


def of_soft(scene: Scene, solid: SoftBody) -> float:
    """Seconds a frame of a soft body alone, where it has not come to rest."""
    return float(_count(scene, soft_step(scene, solid)) * _elements(solid))


def _elements(solid: SoftBody) -> float:
    """[s] a step of a soft body's tetrahedra or triangles."""
    return len(solid.triangles) * PLATE if isinstance(solid, Sheet) else len(solid.tetrahedra) * TETRAHEDRON


def _implicit_step(scene: Scene, rods: Sequence[int]) -> np.ndarray:
    """(R,) times as long as an explicit step an implicit one of each of these rods takes."""
    return np.array([SPINNING_STEP if scene.rods[r].model == "cosserat" else IMPLICIT_STEP for r in rods])


def _of_rods(scene: Scene, size: np.ndarray, step: np.ndarray | float, times: np.ndarray | float = 1.0) -> np.ndarray:
    """(I,) seconds a frame of what has so many vertices (I,) by steps [s] that take so many times as long as explicit
    ones.
    """
    return _count(scene, step) * times * (STEP + VERTEX * size) + PART + SHOWN * size


def _count(scene: Scene, step: np.ndarray | float) -> np.ndarray:
    """How many steps, of so many [s] at most, a frame takes."""
    return np.ceil(scene.frame_duration / np.minimum(step, scene.max_step))


def _coupled(scene: Scene, implicit: np.ndarray) -> float:
    """Seconds of a frame by the steps that all rods but those that are implicit, (R,) bool, and soft bodies allow."""
    free = implicit & implicit_beside(scene)
    step = min([scene.max_step, *(soft_step(scene, solid) for solid in scene.solids), *rod_steps(scene)[~free]])
    cost = sum(len(rod.x) * (NODE + BESIDE * own) for rod, own in zip(scene.rods, free, strict=True))
    cost += sum(map(_elements, scene.solids))
    return float(_count(scene, step) * cost)
