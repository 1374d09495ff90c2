"""A tree as Sapling Tree Gen draws them: one curve of Bézier splines, radius tapered, each child on its parent's line.

After Weber & Penn 1995, *Creation and Rendering of Realistic Trees*: a level of branches is sown along the one below at
the golden angle, leans away from it by the level's angle, turns towards the light, and is thinner as it is shorter.
"""

from dataclasses import dataclass

import bpy
import numpy as np
import studio

GOLDEN = np.radians(137.5)
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Level:
    """Branches of one order.

    count on each parent, within `span` of its length; lean [rad] away from it; length of the parent's; points;
    crook [rad], how much the way wanders from point to point; light, how much it turns upwards.
    """

    count: int
    span: tuple[float, float]
    lean: float
    length: float
    points: int
    crook: float
    light: float


LEVELS = (
    Level(24, (0.2, 0.97), 1.1, 0.48, 7, 0.11, 0.09),
    Level(7, (0.22, 0.97), 0.85, 0.45, 5, 0.13, 0.05),
    Level(2, (0.3, 0.9), 0.75, 0.55, 4, 0.12, 0.0),
)
THIN = 0.003  # m of radius, where a twig begins


@dataclass(frozen=True)
class Branch:
    """Control points (k, 3) [m] with their radii (k,) [m], and the order: the trunk has 0."""

    points: np.ndarray
    radius: np.ndarray
    order: int

    @property
    def handles(self):
        """Left and right handles (k, 3), a sixth of the way between the neighbours."""
        ahead = np.gradient(self.points, axis=0) / 3.0
        return self.points - ahead, self.points + ahead

    def at(self, share):
        """(place (3,), direction (3,), radius) a share of the way along, between the points."""
        segment = min(int(share * (len(self.points) - 1)), len(self.points) - 2)
        t = share * (len(self.points) - 1) - segment
        left, right = self.handles
        a, b, c, d = self.points[segment], right[segment], left[segment + 1], self.points[segment + 1]
        u = 1.0 - t
        place = u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d
        ahead = u * u * (b - a) + 2 * u * t * (c - b) + t * t * (d - c)
        radius = u * self.radius[segment] + t * self.radius[segment + 1]
        return place, ahead / np.linalg.norm(ahead), radius

    @property
    def length(self):
        return np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum()


def grow(height=8.0, levels=LEVELS, seed=3):
    """The Branches of a tree, parents before their children."""
    dice = np.random.default_rng(seed)
    trunk = Level(1, (0.0, 0.0), 0.0, 0.0, 10, 0.06, 0.25)
    branches = [_branch(np.zeros(3), UP, height, 0.014 * height, trunk, 0, dice)]
    parents = branches
    for order, level in enumerate(levels, start=1):
        parents = [child for parent in parents for child in _children(parent, level, order, dice)]
        branches = branches + parents
    return branches


def _children(parent, level, order, dice):
    turn, found = dice.uniform(0.0, 2.0 * np.pi), []
    apart = (level.span[1] - level.span[0]) / level.count
    for even in np.linspace(*level.span, level.count):
        turn += GOLDEN + dice.normal(0.0, 0.15)
        share = min(even + dice.uniform(-0.3, 0.3) * apart, 0.98)
        place, along, thick = parent.at(share)
        crown = 0.3 + 0.7 * np.sin(np.pi * np.clip(0.1 + 0.85 * share, 0.0, 1.0)) if order == 1 else 1.1 - 0.6 * share
        length = level.length * parent.length * crown * dice.uniform(0.85, 1.15)
        radius = max(min(0.75 * thick, parent.radius[0] * (length / parent.length) ** 1.2), THIN)
        side = np.cross(along, UP if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0))
        side /= np.linalg.norm(side)
        away = np.cos(turn) * side + np.sin(turn) * np.cross(along, side)
        lean = level.lean + dice.normal(0.0, 0.08)
        found.append(_branch(place, np.cos(lean) * along + np.sin(lean) * away, length, radius, level, order, dice))
    return found


def _branch(start, ahead, length, radius, level, order, dice):
    points = [start]
    for _ in range(level.points - 1):
        points.append(points[-1] + ahead * length / (level.points - 1))
        ahead = ahead + level.light * UP + dice.normal(0.0, level.crook, 3)
        ahead /= np.linalg.norm(ahead)
    taper = 1.0 - 0.92 * np.linspace(0.0, 1.0, level.points) ** 1.2
    return Branch(np.array(points), radius * taper, order)


def tree(name, branches):
    """The curve object of a tree, active and selected."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.fill_mode, data.bevel_depth = "3D", "FULL", 1.0
    data.bevel_resolution, data.resolution_u, data.use_fill_caps = 2, 4, True
    for branch in branches:
        spline = data.splines.new("BEZIER")
        spline.bezier_points.add(len(branch.points) - 1)
        for kind in ("handle_left_type", "handle_right_type"):
            spline.bezier_points.foreach_set(kind, [0] * len(branch.points))  # free
        for key, values in zip(("handle_left", "handle_right"), branch.handles, strict=True):
            spline.bezier_points.foreach_set(key, values.ravel())
        spline.bezier_points.foreach_set("co", branch.points.ravel())
        spline.bezier_points.foreach_set("radius", branch.radius)
    item = studio.add(name, data)
    bpy.context.view_layer.objects.active = item
    item.select_set(True)
    return item


def leaves(name, parent, branches, spacing=0.03, size=0.15, seed=5):
    """One mesh with all leaves of a tree, four corners each, a child of the tree as Sapling's is."""
    dice, corners = np.random.default_rng(seed), []
    twigs = [branch for branch in branches if branch.order >= branches[-1].order - 1]
    for branch in twigs:
        for share in np.arange(0.25, 1.0, spacing / branch.length):
            place, along, _ = branch.at(share)
            away = dice.normal(size=3) + 0.7 * along
            away /= np.linalg.norm(away)
            side = np.cross(away, dice.normal(0.0, 0.6, 3) + UP)
            side *= 0.32 / np.linalg.norm(side)
            shape = (0.0 * away, 0.45 * away + side, away, 0.45 * away - side)
            corners += [place + size * dice.uniform(0.7, 1.2) * corner for corner in shape]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], np.arange(len(corners)).reshape(-1, 4).tolist())
    return studio.add(name, mesh, parent=parent)
