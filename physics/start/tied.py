"""What goes together when things are pushed apart before the first frame: what is welded or tied to each other."""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..elements.tetrahedra import volumes
from ..scene import RigidBody, Rod, Scene, Sheet, SoftBody
from ..scenes.linked import linked

T = TypeVar("T", Rod, SoftBody)


class Tied:
    """Parts of a scene that go together: each rod, body and soft body with what is tied to it.

    rods, bodies, solids: the number of the part of each; size (P,), how many these are, mass (P,) [kg], held (P,) bool
    and way (P, 3) [m] of parts, the last of which is of what never moves.
    """

    def __init__(self, scene: Scene) -> None:
        first_body, first_solid = len(scene.rods), len(scene.rods) + len(scene.bodies)
        count = first_solid + len(scene.solids)
        joined = [(weld.rod, first_body + weld.body) for weld in scene.welds]
        joined += [(first_solid + tie.solid, first_body + tie.body) for tie in scene.ties if tie.body is not None]
        joined += [(first_solid + tie.solid, tie.vertex[0]) for tie in scene.ties if tie.vertex is not None]
        joined += [(one.rod, first_body + one.body) for one in scene.pulleys if one.body is not None]
        held = (
            {pin.rod for pin in scene.pins}
            | {one.rod for one in scene.pulleys if one.body is None}
            | {first_body + b for b, body in enumerate(scene.bodies) if body.kinematic}
        )
        for hold in scene.holds:
            if hold.other is not None:
                joined.append((first_solid + hold.solid, first_solid + hold.other[0]))
            if hold.other is None or hold.times is not None:
                held.add(first_solid + hold.solid)
        part = linked(joined, count)
        self.rods, self.bodies, self.solids = np.split(part, [first_body, first_solid])
        self.size = np.append(np.bincount(part), 1)
        self.held = np.zeros(len(self.size), bool)
        self.held[[*part[sorted(held)], -1]] = True
        masses = [*(rod.mass.sum() for rod in scene.rods), *(body.mass for body in scene.bodies)]
        self.mass = np.append(np.bincount(part, [*masses, *map(_mass, scene.solids)]), np.inf)
        self.way = np.zeros((len(self.size), 3))

    def moved(self, scene: Scene) -> Scene:
        """The scene with each part where it has gone."""
        rods, bodies, solids = (self.way[parts] for parts in (self.rods, self.bodies, self.solids))
        return replace(
            scene,
            rods=tuple(map(_nodes_moved, scene.rods, rods)),
            bodies=tuple(map(_body_moved, scene.bodies, bodies)),
            solids=tuple(map(_nodes_moved, scene.solids, solids)),
        )


def _mass(solid: SoftBody) -> float:
    """[kg] about, of a soft body."""
    if isinstance(solid, Sheet):
        return float(solid.masses().sum())
    weight = 1.0 if solid.weight is None else float(np.mean(solid.weight))
    return solid.density * weight * float(volumes(solid.relaxed()).sum())


def _nodes_moved(thing: T, way: np.ndarray) -> T:
    return replace(thing, x=thing.x + way) if way.any() else thing


def _body_moved(body: RigidBody, way: np.ndarray) -> RigidBody:
    if not way.any():
        return body
    shape = replace(body.shape, points=body.shape.points + way) if body.shape is not None else None
    return replace(body, position=body.position + way, shape=shape)
