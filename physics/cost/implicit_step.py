"""How long implicit steps of rods that are simulated together take: Newton's iterations, what touches, and how many
shorter ones a usual step is taken by.

An edge that turns at ω in the mean begins a step of h up to (ωh)² beside where it ends, one that is next to what leads
it by ah² over its length; Newton's iterations square that till it is LAST_TURNS. A pair that presses is solved for
together with all vertices of its rod, which answer to it. A bend that runs at v comes near what it may touch, by
(ωh vh/r)^½ measured, r the radius or, where that is longer, an edge. What constants are measured of is in
docs/benchmarks.md; they are good to a factor of about two.
"""

from typing import NamedTuple

import numpy as np

from ..scene import LAST_TURNS, LONGEST_STEPS, Scene
from .seen import Seen
from .step_costs import IMPLICIT

MEAN = 0.5  # of the largest speed
MORE = 2.0  # iterations at most, beside the first
HUNG = 2.0  # times as many, with bodies that hang on rods
PAIR = 6e-6  # [s] a usual step, in all its iterations, of a pair that presses on each other,
ANSWER = 0.12e-6  # for each vertex of its rod,
CROWD = 6e-9  # and for each two others there
# [s] a usual step of a vertex that comes to lie on the floor, of a rod of LONG vertices that is straight, or curved and
# lies here and there alone; four times as many take twice as many iterations; on a collider, which it may slide off
STRAIGHT, CURVED, LONG, ON_MESH = 1.6e-6, 4e-6, 100.0, 1.8e-6
FOLD, FOLDED = 16.0, 4.0  # radii of a bend in which a rod comes to touch itself, and pairs there, with its own length
CLOSE = 2.0  # times the number above, so many more steps,
LYING = 0.3  # or such a part of them, where what falls then lies


class Usual(NamedTuple):
    """A usual step."""

    seconds: float  # that one takes of its length,
    shorter: float  # and by how many it is taken


def usual_step(
    scene: Scene, numbers: list[int], seen: Seen, content: np.ndarray, longest: float, share: float
) -> Usual:
    """Of `longest` [s], of the rods `numbers` with so much in it, as StepCosts; share: of what it takes whatever that
    is.
    """
    iteration = float(np.dot(IMPLICIT._replace(step=share * IMPLICIT.step), content))
    if not numbers:
        return Usual(iteration, 1.0)
    moves, own = seen.motion, set(numbers)
    edge, radius, touches = moves.edge[numbers], seen.radius[numbers], seen.touches[numbers]
    goes = longest * MEAN * moves.speed[numbers]
    turns = goes / np.minimum(moves.bend[numbers] / MEAN, moves.length[numbers])
    hung = any(weld.rod in own and scene.bodies[weld.body].mass > 0.0 for weld in scene.welds)
    surprise = max((turns**2).max(), (moves.led[numbers] * longest**2 / edge).max())
    folded = touches * (moves.bend[numbers] < FOLD * radius) * (FOLDED + 2.0 * radius / edge)
    seconds = iteration * _iterations(scene, surprise) * (HUNG if hung else 1.0)
    seconds += _touching(scene, numbers, seen, np.maximum(seen.pairs[numbers], folded))
    held, may_touch = moves.held[numbers], touches | seen.on_mesh[numbers]
    nearing = CLOSE * np.sqrt(turns * goes / np.maximum(radius, edge)) * np.where(held, 1.0, LYING) * may_touch
    if len(numbers) > 1:  # and what falls strikes others
        nearing = np.maximum(nearing, touches * ~held * goes / radius)
    return Usual(float(seconds), float(1.0 + nearing.max()))


def _iterations(scene: Scene, surprise: float) -> float:
    """How many a step takes that begins so far [rad] beside its end."""
    left = 1.0 - np.log(max(surprise, 1e-300)) / np.log(LAST_TURNS[scene.quality])
    return 1.0 + MORE * float(np.clip(left, 0.0, 1.0))


def _touching(scene: Scene, numbers: list[int], seen: Seen, pairs: np.ndarray) -> float:
    """[s] of a usual step by what touches, pairs (R,) of each rod. What touches bounds steps: twice as long ones are √2
    times as many as half of the others.
    """
    often = np.sqrt(LONGEST_STEPS[scene.quality] / LONGEST_STEPS["GOOD"])
    size = np.array([len(scene.rods[r].x) for r in numbers])
    lying = np.where(seen.framed[numbers, 0], CURVED, STRAIGHT) * np.sqrt(size / LONG) * seen.on_floor[numbers]
    pressing = pairs @ (PAIR + ANSWER * size + CROWD * pairs**2)
    return float(often * (pressing + size @ np.maximum(lying, ON_MESH * seen.on_mesh[numbers])))
