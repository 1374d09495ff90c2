"""What there is for cables to touch: surfaces and a floor, in units of a cable's length, where they were and where they
are to be.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..assemble.surfaces import lay_out
from ..contact.bounding_volumes import fit
from ..geometry.samples import points_at
from ..model import Surfaces
from ..scene import Collider, Floor
from ..validate.edge_sides import edge_sides


@dataclass(frozen=True)
class Surroundings:
    """What there is to touch, in units of a cable's length: where it was and where it is to be."""

    colliders: tuple[Collider, ...]
    length: float  # [m]
    surfaces: Surfaces
    outward: np.ndarray  # (K,): see contact_list
    floor: float | None
    friction: np.ndarray  # (K + 1,) of colliders and, the last, of the floor
    moves: float  # the longest way of any vertex

    @property
    def features(self) -> int:
        """How many surfaces have."""
        s = self.surfaces
        return len(s.faces) + len(s.edges) + len(s.vertices)


def surroundings(
    things: Sequence[Collider | Floor], time: float, length: float, before: Surroundings | None
) -> Surroundings:
    """Colliders at a time [s]; where they were `before`, if these are the same colliders or have the same triangles."""
    colliders = tuple(thing for thing in things if isinstance(thing, Collider))
    floors = [thing for thing in things if isinstance(thing, Floor)]
    height = max((floor.height / length for floor in floors), default=None)
    friction = np.array([c.friction for c in colliders] + [max((f.friction for f in floors), default=0.0)])
    places = [points_at(c, time) / length for c in colliders]
    if before is not None and before.length == length and _alike(colliders, before.colliders):
        samples = np.stack([before.surfaces.samples[1], np.concatenate([np.zeros((0, 3)), *places])])
        surfaces, outward = before.surfaces, before.outward
        if before.moves == 0.0 and np.array_equal(samples[0], samples[1]):
            return replace(before, colliders=colliders, floor=height, friction=friction)
        surfaces = surfaces._replace(samples=samples, tree=surfaces.tree.copy())
    else:
        thickness = [c.thickness / length for c in colliders]
        surfaces = lay_out([(p, c.triangles, t, 0.0) for p, c, t in zip(places, colliders, thickness, strict=True)])
        outward = np.array([_outward(p, c.triangles) for p, c in zip(places, colliders, strict=True)])
    if len(surfaces.faces):
        fit(surfaces)
    way = surfaces.samples[1] - surfaces.samples[0]
    moves = float(np.linalg.norm(way, axis=1).max(initial=0.0))
    return Surroundings(colliders, length, surfaces, outward.astype(float), height, friction, moves)


def moved(around: Surroundings, feature: int, place: np.ndarray) -> np.ndarray:
    """(3,) [m] by which a surface moved, since it was as it was before, where a feature is nearest to a place now."""
    s = around.surfaces
    if feature < 0 or around.moves == 0.0:
        return np.zeros(3)
    faces, edges = len(s.faces), len(s.faces) + len(s.edges)
    if feature < faces:
        corners = s.faces["corner"][feature]
    else:
        corners = s.edges["end"][feature - faces] if feature < edges else np.array([feature - edges])
    now = around.length * s.samples[1][corners]
    way = now - around.length * s.samples[0][corners]
    found: np.ndarray = way[0].copy()
    sides, away = now[1:] - now[0], place - now[0]
    if len(corners) == 3:
        (a, b), across = sides, np.cross(sides[0], sides[1])
        area = float((across * across).sum())
        if area > 0.0:
            found += float((np.cross(away, b) * across).sum()) / area * (way[1] - way[0])
            found += float((np.cross(a, away) * across).sum()) / area * (way[2] - way[0])
    elif len(corners) == 2 and (size := float((sides * sides).sum())) > 0.0:
        found += min(1.0, max(0.0, float((away * sides[0]).sum()) / size)) * (way[1] - way[0])
    return found


def _alike(some: Sequence[Collider], others: Sequence[Collider]) -> bool:
    """Whether colliders have the same triangles and thickness, in the same order."""
    return len(some) == len(others) and all(
        a is b or (a.thickness == b.thickness and np.array_equal(a.triangles, b.triangles))
        for a, b in zip(some, others, strict=True)
    )


def _outward(x: np.ndarray, triangles: np.ndarray) -> float:
    """1 or −1 of a closed surface whose faces look outwards or inwards, 0 of any other."""
    sides, excess = edge_sides(x, triangles)
    if (sides != 2).any() or (excess != 0).any():
        return 0.0
    a, b, c = np.moveaxis(x[triangles] - x.mean(axis=0), 1, 0)
    return float(np.sign(np.einsum("ti,ti->", a, np.cross(b, c))))
