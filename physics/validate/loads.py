"""Loads: on what they act, where, and how hard."""

import numpy as np

from ..scene import Load, RigidBody, Rod, Scene, Sheet, SoftBody
from .errors import SceneError
from .limits import check_magnitudes
from .samples import check_samples

Thing = Rod | RigidBody | SoftBody


def check_loads(scene: Scene) -> None:
    """Raises SceneError."""
    welded = {(weld.rod, weld.vertex) for weld in scene.welds}
    welded |= {(weld.rod, weld.vertex + 1) for weld in scene.welds if weld.mode != "POSITION"}
    for number, rod in enumerate(scene.rods):
        carried = {vertex for r, vertex in welded if r == number}
        for load in _loads(rod):
            _check_nodes(rod, load, "rod")
            if carried >= {int(k) for k in np.asarray(load.nodes)}:
                raise SceneError(
                    load.name, f"'{load.name}' acts on a point of '{rod.name}' that a rigid body carries: let it act "
                    "on that body.",
                )  # fmt: skip
            if rod.model == "cable" and load.torque is not None:
                raise SceneError(
                    load.name, f"'{load.name}' turns the cable '{rod.name}', on which forces alone act: set its torque "
                    "to 0, or choose another model.",
                )  # fmt: skip
    for solid in scene.solids:
        for load in _loads(solid):
            _check_nodes(solid, load, "sheet" if isinstance(solid, Sheet) else "soft body")
    for body in scene.bodies:
        for load in _loads(body):
            _check_body(body, load)


def _loads(thing: Thing) -> tuple[Load, ...]:
    """Those of a thing, which are Loads with samples in time. Raises SceneError."""
    for load in thing.loads:
        if not isinstance(load, Load):
            raise SceneError(thing.name, f"Among the loads of '{thing.name}' is a {type(load).__name__}: give Loads.")
        check_magnitudes(load)
        check_samples(load, {"force": 3, "torque": 3}, None, "give finite numbers")
    return thing.loads


def _check_nodes(thing: Rod | SoftBody, load: Load, kind: str) -> None:
    foreign = load.arm is not None or load.follows or (load.torque is not None and not isinstance(thing, Rod))
    if load.nodes is None or foreign:
        whose = "arm nor follows, which are a rigid body's"
        raise SceneError(
            load.name, f"'{load.name}' acts on the {kind} '{thing.name}': give the nodes that share its force, and "
            f"neither {whose if isinstance(thing, Rod) else f'torque nor {whose}'}.",
        )  # fmt: skip
    nodes = np.asarray(load.nodes)
    if nodes.ndim != 1 or not len(nodes) or nodes.dtype.kind != "i" or len(np.unique(nodes)) < len(nodes):
        raise SceneError(load.name, f"'{load.name}' acts on no points of '{thing.name}', or on one twice: correct it.")
    if nodes.min() < 0 or nodes.max() >= len(thing.x):
        raise SceneError(
            load.name, f"'{load.name}' acts on points that '{thing.name}', of {len(thing.x)}, has not: correct it."
        )


def _check_body(body: RigidBody, load: Load) -> None:
    if body.kinematic:
        raise SceneError(
            load.name, f"'{load.name}' acts on '{body.name}', which follows an animation whatever the force: leave it "
            "out.",
        )  # fmt: skip
    if body.suspended and (load.torque is not None or load.follows):
        raise SceneError(
            load.name, f"'{load.name}' acts on '{body.name}', which hangs on cables: give it neither torque nor "
            "follows, by which it might never come to rest.",
        )  # fmt: skip
    if load.nodes is not None:
        raise SceneError(
            load.name, f"'{load.name}' acts on the rigid body '{body.name}', which has no nodes: give arm."
        )
    if load.arm is not None and (np.shape(load.arm) != (3,) or not np.all(np.isfinite(load.arm))):
        raise SceneError(load.name, f"'{load.name}': its arm is {load.arm}: give three finite numbers.")
