"""Parts of a scene: rods and bodies that welds join for good. What contact joins now and then is an island of parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ..scene import Pin, RigidBody, Rod, Scene, Weld


@dataclass(frozen=True)
class Part:
    """A scene of its own, and the numbers its rods, bodies and pins have in the whole."""

    scene: Scene
    rods: np.ndarray
    bodies: np.ndarray
    pins: np.ndarray


def parts_of(scene: Scene) -> list[Part]:
    """The Parts of a scene without led bodies, by first rod: what hangs on one body is one; bodies on nothing go with
    the first rod.
    """
    rods, bodies = len(scene.rods), len(scene.bodies)
    links = [(weld.rod, rods + weld.body) for weld in scene.welds]
    welded = {weld.body for weld in scene.welds}
    links += [(0, rods + b) for b in range(bodies) if b not in welded]
    a, b = np.array(links, dtype=int).reshape(-1, 2).T
    graph = coo_matrix((np.ones(len(a)), (a, b)), shape=(rods + bodies, rods + bodies))
    count, label = connected_components(graph, directed=False)
    number = {int(k): p for p, k in enumerate(dict.fromkeys(label[:rods]))}
    assert len(number) == count, "a body is on no rod's part"
    own = [(np.flatnonzero(label[:rods] == k), np.flatnonzero(label[rods:] == k)) for k in number]
    pins: list[list[int]] = [[] for _ in own]
    joints: list[list[Weld]] = [[] for _ in own]
    for p, pin in enumerate(scene.pins):
        pins[number[label[pin.rod]]].append(p)
    for weld in scene.welds:
        joints[number[label[weld.rod]]].append(weld)
    return [_part(scene, *mine) for mine in zip(own, pins, joints, strict=True)]


def _part(scene: Scene, things: tuple[np.ndarray, np.ndarray], pins: list[int], welds: list[Weld]) -> Part:
    """The Part of these rods and bodies, by their numbers, and of all that holds them."""
    rod, body = ({int(number): k for k, number in enumerate(numbers)} for numbers in things)
    own = replace(
        scene,
        rods=tuple(scene.rods[r] for r in rod),
        bodies=tuple(scene.bodies[b] for b in body),
        pins=tuple(replace(scene.pins[p], rod=rod[scene.pins[p].rod]) for p in pins),
        welds=tuple(replace(weld, rod=rod[weld.rod], body=body[weld.body]) for weld in welds),
    )
    return Part(own, *things, np.array(pins, dtype=int))


def together(parts: Sequence[Part]) -> Part:
    """Several Parts as one, in their order."""
    if len(parts) == 1:
        return parts[0]
    rods: list[Rod] = []
    bodies: list[RigidBody] = []
    pins: list[Pin] = []
    welds: list[Weld] = []
    for own in (part.scene for part in parts):
        pins += [replace(pin, rod=pin.rod + len(rods)) for pin in own.pins]
        welds += [replace(weld, rod=weld.rod + len(rods), body=weld.body + len(bodies)) for weld in own.welds]
        rods += own.rods
        bodies += own.bodies
    numbers = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rods", "bodies", "pins"))
    scene = replace(parts[0].scene, rods=(*rods,), bodies=(*bodies,), pins=(*pins,), welds=(*welds,))
    return Part(scene, *numbers)
