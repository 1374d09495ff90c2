"""How long rods and rigid bodies take that are simulated together."""

import numpy as np

from ..scene import LONGEST_STEPS, QUALITIES, Scene
from ..strands import SIDE_BY_SIDE
from .frames import frame, ready
from .implicit_step import usual_step
from .seen import Seen
from .stable_steps import FREE
from .step_costs import EXPLICIT
from .touching_bodies import faces, shapes

SETTLING = 20.0  # implicit steps: 16 of what hangs, whatever its points and stiffness, 18 of what falls on a floor
JOINTED, ARMED = 1.4, 3.0  # how much smaller steps are where rods are joined, or by bodies of some size
CROWDED = 60.0  # pairs that press on a rod, by which each takes twice as long
SLIDES = 0.18  # of √gL, by which a rod slides by another in the mean, for it is slower at first
ROUNDS = 5e-5  # [s] of a step that takes twice as many rounds of what touches as the shortest
HEAP = 20  # bodies that one of many comes to touch, at last


def together(scene: Scene, numbers: list[int], seen: Seen) -> tuple[float, float, float, float]:
    """What `durations` says of the rods `numbers` together. A strand has its part of what side by side it shares."""
    vertices = sum(len(scene.rods[r].x) for r in numbers)
    strand = len(numbers) > 0 and seen.strand[numbers].all()
    share = min(1.0, vertices / min(seen.beside, SIDE_BY_SIDE)) if strand else 1.0
    step, content = own_step(scene, numbers, seen)
    explicit = float(np.dot(EXPLICIT, content[0]))
    longest = min(LONGEST_STEPS[scene.quality], scene.max_step, scene.frame_duration)
    usual = usual_step(scene, numbers, seen, content[1], longest, share)
    settling = scene.settle * SETTLING * usual
    by_explicit = frame(scene, vertices, step, explicit)
    by_implicit = frame(scene, vertices, longest, usual, share)
    return ready(len(numbers), vertices), by_explicit, by_implicit, settling


def own_step(scene: Scene, numbers: list[int], seen: Seen) -> tuple[float, np.ndarray]:
    """(the largest explicit step [s] of the rods `numbers` together, what is in an explicit step and in an implicit
    one, (2, S) as StepCosts).
    """
    rods, near, along = [scene.rods[r] for r in numbers], seen.pairs[numbers], seen.along[numbers].sum()
    own = set(numbers)
    joined = [scene.bodies[weld.body] for weld in scene.welds if weld.rod in own and not scene.bodies[weld.body].led]
    welds = len(joined)
    size = np.array([len(rod.x) for rod in rods], dtype=int)
    framed, on_floor, on_mesh = (size @ of[numbers] for of in (seen.framed, seen.on_floor, seen.on_mesh))
    step = seen.stable[numbers].min(initial=np.inf)
    if welds > 1:
        step /= ARMED if any(body.mass > 0.0 for body in joined) else JOINTED
    falling = any(not body.led for body in scene.bodies)
    step = min(step, QUALITIES[scene.quality] * FREE if falling else np.inf)
    step = min(step, scene.max_step, scene.frame_duration, _motion_step(scene, numbers, seen))
    touching, adjoining = shapes(scene) if 0 in own or not own else (0, 0)
    surface = faces(scene) if 0 in own else 0  # each may be near a rod
    left = min(1.0, step / (QUALITIES[scene.quality] * FREE)), 1.0  # to be done in a shorter step by what touches
    heap = touching * min(touching, HEAP)
    answer = size @ ((seen.pairs > 0.0) | seen.struck)[numbers] * (1.0 + step / ROUNDS)
    some, pressing = len(numbers) > 0, near @ (1.0 + near / CROWDED)
    content = np.array(
        [
            (
                some, size.sum() - f, f, welds, pressing, along, on_floor, on_mesh, surface, part * heap,
                part * adjoining, answer,
            )
            for f, part in zip(framed, left, strict=True)
        ]
    )  # fmt: skip
    return step, content


def _motion_step(scene: Scene, numbers: list[int], seen: Seen) -> float:
    """Largest step [s] for what swings or is blown about: half a radius where things touch, else a quarter of a turn
    of an edge. What falls does so beside what else falls, but slides by what is held. No bound without rods.
    """
    if not numbers:
        return np.inf
    motion, held = seen.motion, seen.motion.held[numbers]
    if not seen.pairs[numbers].any():
        return float(0.25 * (motion.bend[numbers] / (motion.speed[numbers] + 1e-300)).min())
    falls = np.sqrt(np.linalg.norm(scene.gravity) * motion.length[numbers])
    speed = np.where(held, motion.speed[numbers], SLIDES * held.any() * falls).max() + 1e-300
    return float(0.5 * seen.radius[numbers].min() / (2.0 * speed))
