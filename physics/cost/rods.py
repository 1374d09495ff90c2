"""How long rods and rigid bodies take that are simulated together."""

import numpy as np

from ..scene import LONGEST_STEPS, QUALITIES, Rod, Scene
from ..strands import SIDE_BY_SIDE
from .frames import frame, ready
from .seen import Seen, strength
from .stable_steps import FREE
from .step_costs import EXPLICIT, implicit_costs
from .touching_bodies import shapes

DRIVEN = 1.5  # times as many iterations and halved steps, where what drives it turns it in one by
TURNED = 1e-3  # rad
SETTLING = 5e3  # steps
SWING = 1.3  # largest speed of what hangs, in √(gL)
JOINTED = 2.0  # how much smaller steps are where rods are joined by light bodies


def together(scene: Scene, numbers: list[int], seen: Seen) -> tuple[float, float, float, float]:
    """What `durations` says of the rods `numbers` together. A strand has its part of what side by side it shares."""
    vertices = sum(len(scene.rods[r].x) for r in numbers)
    strand = len(numbers) > 0 and seen.strand[numbers].all()
    share = min(1.0, vertices / min(seen.beside, SIDE_BY_SIDE)) if strand else 1.0
    step, content = own_step(scene, numbers, seen)
    explicit = float(np.dot(EXPLICIT, content[0]))
    longest = min(LONGEST_STEPS[scene.quality], scene.max_step, scene.frame_duration)
    implicit = float(np.dot(implicit_costs(scene, share, int(seen.pairs[numbers].sum())), content[1]))
    implicit *= DRIVEN if seen.turned[numbers].max(initial=0.0) * longest > TURNED else 1.0
    settling = scene.settle * SETTLING * explicit
    by_explicit = frame(scene, vertices, step, explicit)
    by_implicit = frame(scene, vertices, longest, implicit, share)
    return ready(vertices), by_explicit, by_implicit, settling


def own_step(scene: Scene, numbers: list[int], seen: Seen) -> tuple[float, np.ndarray]:
    """(the largest explicit step [s] of the rods `numbers` together, what is in an explicit step and in an implicit
    one, (2, S) as StepCosts).
    """
    rods, near, along = [scene.rods[r] for r in numbers], int(seen.pairs[numbers].sum()), int(seen.along[numbers].sum())
    own = set(numbers)
    welds = sum(weld.rod in own and not scene.bodies[weld.body].led for weld in scene.welds)
    size = np.array([len(rod.x) for rod in rods], dtype=int)
    framed, on_floor, on_mesh = (size @ of[numbers] for of in (seen.framed, seen.on_floor, seen.on_mesh))
    step = seen.stable[numbers].min(initial=np.inf) / (JOINTED if welds > 1 else 1.0)
    falling = any(not body.led for body in scene.bodies)
    step = min(step, QUALITIES[scene.quality] * FREE if falling else np.inf)
    step = min(step, scene.max_step, scene.frame_duration, _motion_step(scene, rods, near > 0))
    touching, adjoining = shapes(scene) if 0 in own or not own else (0, 0)
    left = min(1.0, step / (QUALITIES[scene.quality] * FREE)), 1.0  # to be done in a shorter step by what touches
    content = np.array(
        [
            (1, size.sum() - f, f, welds, near, along, on_floor, on_mesh, part * touching, part * adjoining)
            for f, part in zip(framed, left, strict=True)
        ]
    )  # fmt: skip
    return step, content


def _motion_step(scene: Scene, rods: list[Rod], touching: bool) -> float:
    """Largest step [s] for what swings or is blown about: half a radius where things touch, else a quarter of a turn
    of an edge. No bound without rods.
    """
    if not rods:
        return np.inf
    length = max(np.linalg.norm(rod.edges(), axis=1).sum() for rod in rods)
    wind, push = strength(scene, "WIND"), strength(scene, "FORCE")
    speed = SWING * np.sqrt((np.linalg.norm(scene.gravity) + push) * length) + 0.5 * wind + 1e-300
    if touching:
        return 0.5 * min(rod.radius.min() for rod in rods) / (2.0 * speed)
    return 0.25 * min(np.linalg.norm(rod.edges(), axis=1).min() for rod in rods) / speed
