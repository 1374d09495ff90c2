"""What holds vertex groups of soft bodies: which nodes, where they are led, and how."""

from dataclasses import dataclass

import numpy as np

from ..meshing.embedding import Embedding
from ..physics.elements.tetrahedra import boundary
from ..physics.scene import Hold, Rod, Tie
from ..physics.validate import SceneError
from ..properties.body import body_with, rod_of
from ..properties.parameters import SOFT_PIN
from .check_settings import check_numbers
from .course import Course
from .deforming import ground_of, own_ground
from .foreign_motion import animated_paths
from .holds import influence_of
from .soft_surface import nearest_places, weights

HELD = 0.5  # weight in a vertex group above which a vertex is held
NEARER = 1e-5  # of the size: how much nearer another triangle may be, in single precision


@dataclass(frozen=True)
class Holders:
    """What soft bodies can be tied to: objects of rigid bodies, in scene order, and of rods, {object: (number in the
    scene of its first Rod, its Rods)}.
    """

    bodies: list
    rods: dict[object, tuple[int, list[Rod]]]


@dataclass(frozen=True)
class SoftGuide:
    """Leads a node of a soft body (`motion.follow`).

    solid, node: in the scene; start (3,) [m]; kind, direction (3,), stiffness [N/m] and release [s] as a Hold's.
    influence: a function that gives it at the present frame. ground, support and reach [m]: of `deforming`, by which
    `course` is found; support: the vertex of its own mesh that the node is, or None.
    """

    name: str
    owner: str
    solid: int
    node: int
    follower: object
    start: np.ndarray
    kind: str
    direction: np.ndarray
    stiffness: float
    release: float
    influence: object
    ground: object
    support: int | None
    reach: float
    course: Course | None = None
    by_frame = False

    @property
    def what(self):
        return f"the target of pin '{self.name}'"

    def hold(self, motion):
        """The Hold that follows a Motion."""
        return Hold(
            self.name, self.kind, self.solid, self.node, times=motion.times, track=motion.position,
            direction=None if self.kind == "POINT" else self.direction, stiffness=self.stiffness, release=self.release,
            influence=None if np.all(motion.influence == 1.0) else motion.influence,
        )  # fmt: skip


def pinned_weights(source, mesh):
    """{vertex group: weight of each vertex (V,) in it} for the groups that pins name. One that is painted without
    weights between 0 and 1 stays so behind modifiers, which mix them. Raises SceneError.
    """
    found = {}
    for pin in source.tendril.soft.pins:
        what = f"'{source.name}': pin '{pin.name}'"
        if not pin.group:
            raise SceneError(source.name, f"{what} has no vertex group: choose one or remove the pin.")
        own = weights(source, mesh, pin.group, f"{what} holds")
        whole = np.isin(weights(source, source.data, pin.group, f"{what} holds"), (0.0, 1.0)).all()
        found[pin.group] = (own > HELD).astype(float) if whole else own
        if not (found[pin.group] > HELD).any():
            raise SceneError(
                source.name, f"{what}: the vertex group '{pin.group}' has no vertex with a weight above {HELD:g}: "
                "assign some in edit mode.",
            )  # fmt: skip
    return found


def guides(source, aside, copy, filling, number, groups, units, holders):
    """([SoftGuide] for each node of a Filling that a pin holds, the same, with its vertices for nodes, of what is seen
    to be held exactly, [Tie] for each pin whose target is one of the Holders); of several pins that hold a place
    exactly, the first does.

    copy: of the object; number: the soft body's in the scene; groups: of `pinned_weights`. Raises SceneError.
    """
    held, found, seen, ties, animated = {}, [], {}, [], animated_paths(source)
    for index, pin in enumerate(source.tendril.soft.pins):
        path = f"tendril.soft.pins[{index}]"
        keyed = f"{path}.influence" in animated
        nodes = nodes_of(filling, groups[pin.group] > HELD)
        tied = _tied(source, pin, keyed, holders, filling.nodes[nodes].mean(axis=0))
        if tied:
            free = [node for node in nodes if held.setdefault(node, pin.name) == pin.name]
            ties.append(Tie(pin.name, number, np.array(free, dtype=np.int64), **tied))
            continue
        follower = _follower(source, aside, pin)
        direction = aside.matrix(follower)[:3, "XYZ".index(pin.axis)]
        nodes, parts = faded(filling, groups[pin.group]) if pin.use_weights else (nodes, np.ones(len(nodes)))
        stiffness = pin.spring / parts.sum() if pin.use_spring else np.inf
        release = _release(source.name, pin, units)
        exactly = pin.kind == "POINT" and not pin.use_spring
        influence = influence_of(aside, copy, path, keyed)
        own = pin.target in {None, source}
        ground = own_ground(source) if own else ground_of(pin.target)
        found += [
            SoftGuide(
                pin.name, source.name, number, int(node), follower, filling.nodes[node], pin.kind, direction, stiffness,
                release, _times(part, influence), ground, int(node) if own and filling.own else None, filling.edge,
            )
            for node, part in zip(nodes, parts.tolist(), strict=True)
            if not exactly or part < 1.0 or held.setdefault(node, pin.name) == pin.name
        ]  # fmt: skip
        whole = groups[pin.group] >= 1.0 if pin.use_weights else groups[pin.group] > HELD
        for vertex in np.flatnonzero(whole).tolist() if exactly and not filling.own else ():
            support = vertex if own else None
            seen.setdefault(vertex, SoftGuide(
                pin.name, source.name, number, vertex, follower, filling.x[vertex], pin.kind, direction, stiffness,
                release, influence, ground, support, 0.0 if own else filling.edge,
            ))  # fmt: skip
    return found, list(seen.values()), ties


def _tied(source, pin, keyed, holders, place):
    """{which of a Tie's ends: its number} where the target of a pin of vertices about `place` (3,) [m] is a Holder, of
    a rod the nearest vertex; else {}. keyed: whether its influence is. Raises SceneError.
    """
    body, rod = (body_with(pin.target), rod_of(pin.target, carried=False)) if pin.target else (None, None)
    if body not in holders.bodies and rod not in holders.rods:
        return {}
    if pin.kind != "POINT" or pin.use_spring or pin.use_release or keyed or pin.influence != 1.0:
        raise SceneError(
            source.name, f"'{source.name}': pin '{pin.name}' ties it to '{pin.target.name}', which holds points "
            "exactly and for good: choose Point, neither Soft nor Release, and an Influence of 1 without keys.",
        )  # fmt: skip
    if body in holders.bodies:
        return {"body": holders.bodies.index(body)}
    first, rods = holders.rods[rod]
    away = [np.linalg.norm(one.x - place, axis=1) for one in rods]
    nearest = int(np.argmin([own.min() for own in away]))
    return {"vertex": (first + nearest, int(away[nearest].argmin()))}


def _follower(source, aside, pin):
    """The side scene's copy of a pin's target. Raises SceneError."""
    target, what = pin.target or source, f"'{source.name}': pin '{pin.name}'"
    check_numbers(source.name, pin, SOFT_PIN)
    if target.tendril.is_soft and target != source:
        raise SceneError(
            source.name, f"{what} follows the soft body '{target.name}', which cannot hold another: choose another "
            "target, or join both into one mesh.",
        )  # fmt: skip
    bone = pin.bone if target.type == "ARMATURE" else ""
    if bone and bone not in target.pose.bones:
        text = f"{what} follows bone '{bone}', which '{target.name}' does not have: choose another bone."
        raise SceneError(source.name, text)
    return aside.follower(target, bone)


def _release(owner, pin, units):
    """[s] when a pin lets go, or never. Raises SceneError."""
    if not pin.use_release:
        return np.inf
    if pin.release <= units.first_frame:
        raise SceneError(
            owner, f"'{owner}': pin '{pin.name}' lets go at frame {pin.release}, but the bake begins at "
            f"{units.first_frame}: choose a later frame or remove the pin.",
        )  # fmt: skip
    return units.seconds(pin.release)


def _times(part, influence):
    """That part of the influence of a pin, a function as well."""
    return influence if part == 1.0 else lambda: part * influence()


def faded(filling, weights):
    """(nodes (k,) of a Filling that a group of weights (V,) holds, what part of the pin's influence (k,) each has).

    What lies in tetrahedra of vertices with weights between 0 and 1 is held by the mean weight of all vertices that go
    with it, by their shares; the rest by those of weight 1, as `nodes_of` says. So where weights fade no node is held
    whose neighbours are free, from which the surface stood out as a horn.
    """
    fading = (weights > 0.0) & (weights < 1.0)
    if filling.own:
        nodes = np.flatnonzero(weights > 0.0)
        return nodes, weights[nodes]
    whole = nodes_of(filling, weights >= 1.0) if (weights >= 1.0).any() else np.zeros(0, np.int64)
    own = Embedding.of(filling.x, filling.nodes, filling.tetrahedra)
    share, count = np.maximum(own.weights, 0.0), len(filling.nodes)
    fades = np.bincount(own.nodes[fading].ravel(), share[fading].ravel(), count) > 0.0
    mean = np.bincount(own.nodes.ravel(), (share * weights[:, None]).ravel(), count)
    mean /= np.maximum(np.bincount(own.nodes.ravel(), share.ravel(), count), np.finfo(float).tiny)
    part = np.where(fades, mean, 0.0)
    part[whole[~fades[whole]]] = 1.0
    nodes = np.flatnonzero(part > 0.0)
    return nodes, part[nodes]


def nodes_of(filling, held):
    """Numbers (k,) of the nodes of a Filling that hold the vertices `held` (V,)."""
    if filling.own:
        return np.flatnonzero(held)
    return held_nodes(filling.nodes, filling.tetrahedra, filling.x, filling.triangles, held)


def held_nodes(nodes, tetrahedra, x, triangles, held):
    """Numbers (k,) of the nodes that hold the vertices `held` (V,) of a surface of points x (V, 3) and triangles
    (T, 3): of the nodes on the outside those to which no triangle is nearer than one that is held as a whole, and of
    each vertex the nearest.
    """
    outer = np.unique(boundary(tetrahedra)[0])
    held_triangles = triangles[held[triangles].all(axis=1)]
    gap = _gaps(nodes[outer], x, held_triangles) - _gaps(nodes[outer], x, triangles)
    whole = outer[gap <= NEARER * np.ptp(x, axis=0).max()]
    own = Embedding.of(x[held], nodes, tetrahedra)
    nearest = np.take_along_axis(own.nodes, own.weights.argmax(axis=1)[:, None], axis=1)
    return np.union1d(whole, nearest)


def _gaps(points, x, triangles):
    """Distances (k,) of points (k, 3) from triangles, infinity if there are none."""
    if not len(triangles):
        return np.full(len(points), np.inf)
    return np.linalg.norm(nearest_places(points, x, triangles).carry(x) - points, axis=1)
