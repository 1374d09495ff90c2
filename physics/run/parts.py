"""Parts of a scene: rods and bodies that welds join for good, rods side by side that never meet anything, and soft
bodies that holds join. What contact joins now and then is an island of parts.

Each part has its own solver: see validate/forecast. An island takes implicit steps if any of its parts does by itself,
for their largest step suits all, and the explicit one of the stiffest would be taken by all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..assemble.soft_surfaces import touches
from ..assemble.solids import joined_solids, node_order
from ..scene import Pin, Pulley, RigidBody, Rod, Scene, Tie, Weld
from ..scenes.linked import linked
from ..scenes.strands import SIDE_BY_SIDE, strands
from ..validate import implicit_rods


@dataclass(frozen=True)
class Part:
    """A scene of its own, and the numbers that its rods, bodies, pins and soft bodies have in the whole, and its
    vertices and edges where those of all rods, and then the nodes of all soft bodies, follow one another.
    """

    scene: Scene
    rods: np.ndarray
    bodies: np.ndarray
    pins: np.ndarray
    solids: np.ndarray
    vertices: np.ndarray
    edges: np.ndarray


def parts_of(scene: Scene, implicit: np.ndarray | None = None) -> list[Part]:
    """The Parts of a scene without kinematic bodies: those of rods and rigid bodies, then those of soft bodies; what of
    these may touch or is tied is one. implicit (R,) bool: rods that take implicit steps, by default those that the
    solver asks for.
    """
    implicit = implicit_rods(scene) if implicit is None else implicit
    rods = _rod_parts(scene, implicit) if scene.rods or scene.bodies else []
    solids = _solids_together(scene)
    islands = _coupled(scene, rods, solids)
    taken = {s for _, soft in islands for s in soft}
    return [
        *(
            _with_solids(scene, together([rods[p] for p in own]), soft) if soft else rods[own[0]]
            for own, soft in islands
        ),
        *(_solid_part(scene, own) for own in solids if own[0] not in taken),
    ]


def _coupled(scene: Scene, rods: Sequence[Part], solids: Sequence[list[int]]) -> list[tuple[list[int], list[int]]]:
    """(parts of rods and bodies, soft bodies that these touch or are tied to), by first part; solids: those that are
    one anyway.
    """
    links, count = [], len(rods)
    for p, part in enumerate(rods):
        meets = any(rod.touches for rod in part.scene.rods) or any(body.shape for body in part.scene.bodies)
        if touches(scene) and meets:
            links += [(p, count + q) for q in range(len(solids))]
    for tie in scene.ties:
        p = next(p for p, part in enumerate(rods) if _holds(part, tie))
        links.append((p, count + next(q for q, own in enumerate(solids) if tie.solid in own)))
    label = linked(links, count + len(solids))
    found = []
    for k in dict.fromkeys(label[:count]):
        soft = [s for q, own in enumerate(solids) if label[count + q] == k for s in own]
        found.append(([p for p in range(count) if label[p] == k], sorted(soft)))
    return found


def _holds(part: Part, tie: Tie) -> bool:
    """Whether a tie is to something of a part."""
    return tie.vertex[0] in part.rods if tie.vertex is not None else tie.body in part.bodies


def _rod_parts(scene: Scene, implicit: np.ndarray) -> list[Part]:
    """Those of rods and rigid bodies, by first rod: what hangs on one body is one; bodies on nothing go with
    the first thing there is. So do, in some hundreds of vertices, strands of hair: see `_side_by_side`; and all that
    touches, where bodies touch.
    """
    rods, bodies = len(scene.rods), len(scene.bodies)
    links = [(weld.rod, rods + weld.body) for weld in scene.welds]
    links += [(pulley.rod, rods + pulley.body) for pulley in scene.pulleys if pulley.body is not None]
    welded = {body - rods for _, body in links}
    links += [(0, rods + b) for b in range(bodies) if b not in welded]
    if scene.contact and any(body.shape for body in scene.bodies):
        meets = [r for r, rod in enumerate(scene.rods) if rod.touches]
        links += [(0, k) for k in [*meets, *range(rods, rods + bodies)]]
    links += _side_by_side(scene, implicit)
    label = linked(links, rods + bodies)
    number = {int(k): p for p, k in enumerate(dict.fromkeys(label))}
    own = [(np.flatnonzero(label[:rods] == k), np.flatnonzero(label[rods:] == k)) for k in number]
    pins: list[list[int]] = [[] for _ in own]
    joints: list[list[Weld]] = [[] for _ in own]
    for p, pin in enumerate(scene.pins):
        pins[number[label[pin.rod]]].append(p)
    for weld in scene.welds:
        joints[number[label[weld.rod]]].append(weld)
    vertices = np.cumsum([0, *(len(rod.x) for rod in scene.rods)])
    edges = np.cumsum([0, *(rod.edge_count for rod in scene.rods)])
    rows = [(numbers_of(vertices, mine), numbers_of(edges, mine)) for mine, _ in own]
    rings = [[one for one in scene.pulleys if number[label[one.rod]] == p] for p in range(len(own))]
    found = zip(own, rows, pins, joints, rings, strict=True)
    return [_part(_solved(scene, implicit[mine[0][0]]), *mine) for mine in found]


def numbers_of(first: np.ndarray, members: Iterable[int]) -> np.ndarray:
    """Of what is counted member by member, the numbers from first[k] to first[k + 1] of each of these."""
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(first[k], first[k + 1]) for k in members)])


def _solved(scene: Scene, implicit: np.ndarray) -> Scene:
    """The scene, whose solver is that of some of its rods, implicit (r,) bool, where it was left open."""
    chosen = "IMPLICIT" if implicit.any() else "EXPLICIT"
    return replace(scene, solver=chosen) if scene.solver == "AUTOMATIC" or len(implicit) else scene


def _side_by_side(scene: Scene, implicit: np.ndarray) -> list[tuple[int, int]]:
    """Links between strands that take implicit steps, which are the same ones for all."""
    own = [r for r in strands(scene) if implicit[r]]
    end = np.cumsum([len(scene.rods[r].x) for r in own])
    together = np.diff((end - 1) // SIDE_BY_SIDE) == 0
    return [pair for pair, joined in zip(pairwise(own), together, strict=True) if joined]


def _solids_together(scene: Scene) -> list[list[int]]:
    """Numbers of soft bodies that are one, by first body: what holds join, and all that touches."""
    label = joined_solids(scene) * (not touches(scene))
    return [np.flatnonzero(label == k).tolist() for k in dict.fromkeys(label)]


def _solid_part(scene: Scene, members: Sequence[int]) -> Part:
    """The Part of these soft bodies."""
    nodes = sum(len(rod.x) for rod in scene.rods) + np.cumsum([0, *(len(solid.x) for solid in scene.solids)])
    number = {s: i for i, s in enumerate(members)}
    holds = [
        replace(hold, solid=number[hold.solid], other=hold.other and (number[hold.other[0]], hold.other[1]))
        for hold in scene.holds
        if hold.solid in number
    ]
    none = np.zeros(0, dtype=int)
    own = replace(
        _solved(scene, none), rods=(), bodies=(), pins=(), welds=(), pulleys=(),
        solids=tuple(scene.solids[s] for s in number), holds=tuple(holds), ties=(),
    )  # fmt: skip
    return Part(own, none, none, none, np.array(members), numbers_of(nodes, members)[node_order(own)], none)


def _with_solids(scene: Scene, part: Part, members: Sequence[int]) -> Part:
    """A Part of rods and bodies together with these soft bodies, whose nodes come behind the rods' vertices."""
    soft, number = _solid_part(scene, members), {s: i for i, s in enumerate(members)}
    rod, body = ({int(own): k for k, own in enumerate(numbers)} for numbers in (part.rods, part.bodies))
    ties = tuple(
        replace(
            tie, solid=number[tie.solid], body=None if tie.body is None else body[tie.body],
            vertex=None if tie.vertex is None else (rod[tie.vertex[0]], tie.vertex[1]),
        )
        for tie in scene.ties if tie.solid in number
    )  # fmt: skip
    whole = replace(part.scene, solids=soft.scene.solids, holds=soft.scene.holds, ties=ties)
    return replace(
        part, scene=whole, solids=soft.solids, vertices=np.concatenate([part.vertices, soft.vertices])
    )  # fmt: skip


def _part(
    scene: Scene,
    things: tuple[np.ndarray, np.ndarray],
    rows: tuple[np.ndarray, np.ndarray],
    pins: list[int],
    welds: list[Weld],
    pulleys: list[Pulley],
) -> Part:
    """The Part of these rods and bodies, by their numbers, with the numbers of vertices and edges, and of what holds
    them.
    """
    rod, body = ({int(number): k for k, number in enumerate(numbers)} for numbers in things)
    own = replace(
        scene,
        rods=tuple(scene.rods[r] for r in rod),
        bodies=tuple(scene.bodies[b] for b in body),
        pins=tuple(replace(scene.pins[p], rod=rod[scene.pins[p].rod]) for p in pins),
        welds=tuple(replace(weld, rod=rod[weld.rod], body=body[weld.body]) for weld in welds),
        pulleys=tuple(
            replace(one, rod=rod[one.rod], body=None if one.body is None else body[one.body]) for one in pulleys
        ),
        solids=(),
        holds=(),
        ties=(),
    )
    return Part(own, *things, np.array(pins, dtype=int), np.zeros(0, dtype=int), *rows)


def together(parts: Sequence[Part]) -> Part:
    """Several Parts as one, in their order."""
    if len(parts) == 1:
        return parts[0]
    rods: list[Rod] = []
    bodies: list[RigidBody] = []
    pins: list[Pin] = []
    welds: list[Weld] = []
    pulleys: list[Pulley] = []
    for own in (part.scene for part in parts):
        pins += [replace(pin, rod=pin.rod + len(rods)) for pin in own.pins]
        welds += [replace(weld, rod=weld.rod + len(rods), body=weld.body + len(bodies)) for weld in own.welds]
        pulleys += [
            replace(one, rod=one.rod + len(rods), body=None if one.body is None else one.body + len(bodies))
            for one in own.pulleys
        ]
        rods += own.rods
        bodies += own.bodies
    names = ("rods", "bodies", "pins", "solids", "vertices", "edges")
    numbers = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
    solver = max(part.scene.solver for part in parts)  # IMPLICIT if any is
    scene = replace(
        parts[0].scene, rods=(*rods,), bodies=(*bodies,), pins=(*pins,), welds=(*welds,), pulleys=(*pulleys,),
        solver=solver,
    )  # fmt: skip
    return Part(scene, *numbers)
