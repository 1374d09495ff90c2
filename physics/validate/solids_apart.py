"""Soft bodies that are drawn into each other deeper than what they are rounded by, or into rigid bodies or rods. What
is joined or tied may be.

Surfaces that are drawn flush cross by rounding, edges of one at rims of the other, and an edge that goes along a rim is
none the deeper for its length. So it is asked whether they go through each other where both have gone inwards.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np

from ..geometry.rounding import inwards, outside_of, round_of
from ..scene import Rod, Scene, Sheet, SoftBody
from ..scenes.collision_filter import touch
from ..scenes.linked import linked
from .bodies_apart import surface_of
from .pierced import Surface, check_apart, meet

CURES = {False: "move them apart, or turn on Push Apart.", True: "move them apart."}  # whether they are to be pushed
OR_TIE = "move them apart, or tie them to each other."


def check_solids_apart(scene: Scene) -> None:
    """Raises SceneError."""
    if not scene.contact or scene.scheme != "VERLET":
        return
    soft, gone = [skin_of(solid)[0] for solid in scene.solids], [within(solid) for solid in scene.solids]
    joined = joined_solids(scene)
    for i, j in combinations(range(len(soft)), 2):
        if joined[i] != joined[j] and touch(scene, scene.solids[i], scene.solids[j]) and meet(gone[i], gone[j]):
            check_apart(soft[i], soft[j], CURES[scene.push_apart])
    bodies = {
        b: surface_of(body.name, body.shape) for b, body in enumerate(scene.bodies) if soft and body.shape is not None
    }
    rods = {r: line_of(rod) for r, rod in enumerate(scene.rods) if soft and rod.touches}
    tied_bodies = {(tie.solid, tie.body) for tie in scene.ties}
    tied_rods = {(tie.solid, tie.vertex[0]) for tie in scene.ties if tie.vertex is not None}
    for things, others, tied in ((scene.bodies, bodies, tied_bodies), (scene.rods, rods, tied_rods)):
        for number, other in others.items():
            for s, one in enumerate(soft):
                if (s, number) not in tied and touch(scene, things[number], scene.solids[s]):
                    check_apart(other, one, OR_TIE)


def skin_of(solid: SoftBody) -> tuple[Surface, float]:
    """Its surface as drawn, and how far [m] that may go inwards: as tetrahedra can follow; a sheet's has no inside."""
    x, triangles, closed = np.asarray(solid.x, np.float64), outside_of(solid), not isinstance(solid, Sheet)
    surface = Surface(solid.name, x, triangles, 0.0, closed)
    if not closed:
        return surface, 0.0
    return surface, min(round_of(own, x, triangles) for own in (solid, replace(solid, thickness=0.0)))


def within(solid: SoftBody) -> Surface:
    """Its surface, gone inwards as far as it may."""
    surface, way = skin_of(solid)
    return surface._replace(points=inwards(surface.points, surface.triangles, way))


def joined_solids(scene: Scene) -> np.ndarray:
    """(S,) a number of each soft body, the same for those that holds join."""
    return linked([(hold.solid, hold.other[0]) for hold in scene.holds if hold.other is not None], len(scene.solids))


def line_of(rod: Rod) -> Surface:
    """That of a rod's centreline."""
    start = np.arange(rod.edge_count)
    end = (start + 1) % len(rod.x)
    return Surface(rod.name, rod.x, np.stack([start, end, end], axis=1), 0.0)
