"""What a curve is as a tree, before anything is baked."""

from dataclasses import dataclass

import numpy as np

from .check_curve import check_object
from .evaluation import side_scene
from .scene import gravity_of, read_rods, read_tree
from .units import Units


@dataclass(frozen=True)
class Survey:
    """Numbers of branches and of points they are simulated with, and the usual radius [m] where a twig begins."""

    branches: int
    points: int
    twig_radius: float


def survey(context, source):
    """The Survey of a tree's curve object at the current frame. Raises SceneError if it cannot be a tree."""
    check_object(source)
    units = Units.of(context.scene, context.scene.frame_current)
    with side_scene(context.scene) as aside:
        shown = aside.copy(source)
        aside.go(context.scene.frame_current_final)
        own = read_rods(source, aside, shown, units)[1]
        tree = read_tree(source, own, units, gravity_of(context.scene, units))
    carrying = {weld.rod for weld in tree.welds if weld.vertex > 0}
    twigs = [rod.radius[0] for number, rod in enumerate(tree.rods) if number not in carrying]
    return Survey(len(tree.rods), sum(len(rod.x) for rod in tree.rods), float(np.quantile(twigs or [0.0], 0.75)))
