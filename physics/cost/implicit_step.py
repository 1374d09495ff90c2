"""How long implicit steps of rods that are simulated together take: Newton's iterations, and what touches.

An edge that turns at ω in the mean begins a step of h up to (ωh)² beside where it ends, one that is next to what leads
it by ah² over its length; Newton's iterations square that till it is LAST_TURNS. A pair that presses is solved for
together with all vertices of its rod, which answer to it. What falls flat on the floor lands all at once, does not bend
and takes little more than what hangs; but where one piece lands after another, iterations go into where it folds, the
more the finer it is. What constants are measured of is in docs/benchmarks.md; they are good to a factor of about two.
"""

import numpy as np

from ..scene import LAST_TURNS, LONGEST_STEPS, Scene
from .seen import MOST, Seen
from .step_costs import IMPLICIT

MEAN = 0.5  # of the largest speed
MORE = 0.7  # of an iteration at most, beside the first
HUNG = 2.4  # times as many, with bodies that hang on rods,
STRUCK = 5.0  # or where one falls on another
PAIR = 2e-6  # [s] a usual step, in all its iterations, of a pair that presses on each other,
ANSWER = 0.08e-6  # for each vertex of its rod,
CROWD = 8e-9  # and for each two others there
FLAT = 0.15e-6  # [s] a usual step of a vertex that comes to lie on the floor,
PILED, LONG = 2.2e-6, 100.0  # or of one whose rod, of LONG vertices, lands piece by piece; of four times as many twice,
MEETS, ON_MESH = 150e-6, 1e-6  # and of a rod on a collider, and of each of its vertices there
FOLD, FOLDED = 6.0, 6.0  # radii of a bend in which a rod comes to touch itself, and pairs there, with its own length


def usual_step(
    scene: Scene, numbers: list[int], seen: Seen, content: np.ndarray, longest: float, share: float
) -> float:
    """Seconds that one of `longest` [s] takes, of the rods `numbers` with so much in it, as StepCosts; share: of what
    it takes whatever that is.
    """
    iteration = float(np.dot(IMPLICIT._replace(step=share * IMPLICIT.step), content))
    if not numbers:
        return iteration
    moves, own = seen.motion, set(numbers)
    edge, radius = moves.edge[numbers], seen.radius[numbers]
    bends = np.where(moves.held[numbers] | seen.on_mesh[numbers], 1.0, moves.upright[numbers])
    sharpest = moves.bend[numbers] / np.maximum(bends, 1e-9)
    turns = longest * MEAN * moves.speed[numbers] / np.minimum(sharpest / MEAN, moves.length[numbers])
    hung = any(weld.rod in own and scene.bodies[weld.body].mass > 0.0 for weld in scene.welds)
    surprise = max((turns**2).max(), (moves.led[numbers] * longest**2 / edge).max())
    folded = seen.touches[numbers] * (sharpest < FOLD * radius) * (FOLDED + 2.0 * radius / edge)
    folded = np.minimum(folded, [MOST * len(scene.rods[r].x) for r in numbers])
    seconds = iteration * _iterations(scene, surprise) * (HUNG if hung else 1.0)
    seconds *= STRUCK if seen.struck[numbers].any() else 1.0
    folds = np.maximum(1.0, longest * moves.speed[numbers] / sharpest)
    return seconds + _touching(scene, numbers, seen, np.maximum(seen.pairs[numbers], folded), folds)


def _iterations(scene: Scene, surprise: float) -> float:
    """How many a step takes that begins so far [rad] beside its end."""
    left = 1.0 - np.log(max(surprise, 1e-300)) / np.log(LAST_TURNS[scene.quality])
    return 1.0 + MORE * float(np.clip(left, 0.0, 1.0))


def _touching(scene: Scene, numbers: list[int], seen: Seen, pairs: np.ndarray, folds: np.ndarray) -> float:
    """[s] of a usual step by what touches, pairs (R,) of each rod, that lands in so many folds (R,) a step at least.
    What touches bounds steps: twice as long ones are √2 times as many as half of the others.
    """
    often = np.sqrt(LONGEST_STEPS[scene.quality] / LONGEST_STEPS["GOOD"])
    size = np.array([len(scene.rods[r].x) for r in numbers])
    lying = size * (FLAT + PILED * np.sqrt(size / LONG) * seen.motion.upright[numbers]) * seen.on_floor[numbers]
    on_mesh = (MEETS + ON_MESH * size) * seen.on_mesh[numbers]
    pressing = pairs * (PAIR + ANSWER * size + CROWD * pairs**2)
    return float(often * (pressing + folds * np.maximum(lying, on_mesh)).sum())
