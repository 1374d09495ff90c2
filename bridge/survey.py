"""What a curve is as a tree, before anything is baked."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from ..trees import lean
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
    """Of a tree, its height [m], and the ways (k,) [m] by which air of speeds (k,) [m/s], from 0, moves what it moves
    most.
    """

    name: str
    height: float
    speeds: np.ndarray
    ways: np.ndarray

    def way(self, speed):
        """[m] at a speed [m/s] among them: like its square, between two of them."""
        return float(np.interp(speed**2, self.speeds**2, self.ways))

    def speed(self, share):
        """[m/s] of air that moves it by a share of its height; beyond the fastest as if it went on like its square."""
        wanted, most = share * self.height, np.maximum.accumulate(self.ways)
        if wanted <= most[-1]:
            return sqrt(float(np.interp(wanted, most, self.speeds**2)))
        return float(self.speeds[-1]) * sqrt(wanted / most[-1]) if most[-1] > 0.0 else inf


def survey(context, source):
    """The Survey of a tree's curve object at the current frame. Raises SceneError if it cannot be a tree."""
    tree = _tree(context, source)
    carrying = {weld.rod for weld in tree.welds if weld.vertex > 0}
    twigs = [rod.radius[0] for number, rod in enumerate(tree.rods) if number not in carrying]
    return Survey(len(tree.rods), sum(len(rod.x) for rod in tree.rods), float(np.quantile(twigs or [0.0], 0.75)))


def sway(context, source, direction, fastest, share):
    """The Sway of a tree's curve object in air that moves along `direction` (3,), of length 1, up to the fastest [m/s],
    or as far as it moves the tree by a share of its height. Raises SceneError as `survey`.
    """
    tree, air = _tree(context, source), context.scene.tendril.air_density
    height = float(np.ptp(np.concatenate([rod.x[:, 2] for rod in tree.rods])))
    found = lean.sway(tree, np.asarray(direction, dtype=np.float64), fastest, air, share * height)
    return Sway(source.name, height, *found)


def _tree(context, source):
    check_object(source)
    units = Units.of(context.scene, context.scene.frame_current)
    with side_scene(context.scene) as aside:
        shown = aside.copy(source)
        aside.go(context.scene.frame_current_final)
        own = read_rods(source, aside, shown, units)[1]
        return read_tree(source, own, units, gravity_of(context.scene, units))
