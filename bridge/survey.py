"""What a curve is as a tree, before anything is baked."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from ..trees.lean import lean
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


@dataclass(frozen=True)
class Sway:
    """Of a tree, its height [m], and how far [m] air of 1 m/s moves what it moves most; by the speed squared more."""

    name: str
    height: float
    way: float

    def speed(self, share):
        """[m/s] of air that moves it by a share of its height; inf if none does."""
        return sqrt(share * self.height / self.way) if self.way > 0.0 else inf


def survey(context, source):
    """The Survey of a tree's curve object at the current frame. Raises SceneError if it cannot be a tree."""
    tree = _tree(context, source)
    carrying = {weld.rod for weld in tree.welds if weld.vertex > 0}
    twigs = [rod.radius[0] for number, rod in enumerate(tree.rods) if number not in carrying]
    return Survey(len(tree.rods), sum(len(rod.x) for rod in tree.rods), float(np.quantile(twigs or [0.0], 0.75)))


def sway(context, source, wind):
    """The Sway of a tree's curve object in the direction `wind` (3,), of length 1. Raises SceneError as `survey`."""
    tree = _tree(context, source)
    heights = np.concatenate([rod.x[:, 2] for rod in tree.rods])
    ways = np.concatenate(lean(tree, np.asarray(wind, dtype=np.float64), context.scene.tendril.air_density))
    return Sway(source.name, float(np.ptp(heights)), float(np.linalg.norm(ways, axis=1).max()))


def _tree(context, source):
    check_object(source)
    units = Units.of(context.scene, context.scene.frame_current)
    with side_scene(context.scene) as aside:
        shown = aside.copy(source)
        aside.go(context.scene.frame_current_final)
        own = read_rods(source, aside, shown, units)[1]
        return read_tree(source, own, units, gravity_of(context.scene, units))
