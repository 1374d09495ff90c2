"""Which rods are always simulated together."""

from ..scene import Scene
from ..scenes import linked
from .coupled import coupled


def together(scene: Scene) -> list[list[int]]:
    """Lists of rods that are one part of the scene for good: those that dynamic bodies join by welds, all that touch
    where such bodies do, and all beside soft bodies that they are coupled with.
    """
    joints = [weld for weld in scene.welds if not scene.bodies[weld.body].kinematic]
    first: dict[int, int] = {}
    links = [(first.setdefault(weld.body, weld.rod), weld.rod) for weld in joints]
    if coupled(scene):
        links += [(0, r) for r in range(1, len(scene.rods))]
    elif scene.contact and any(body.shape is not None and not body.kinematic for body in scene.bodies):
        links += [(0, r) for r, rod in enumerate(scene.rods) if rod.touches] + [(0, weld.rod) for weld in joints]
    return [rods.tolist() for rods in linked.together(links, len(scene.rods))]
