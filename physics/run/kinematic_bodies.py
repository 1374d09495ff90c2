"""Bodies that follow an animation: what is welded to them hangs on exact pins that go where the body takes them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import product, turned
from ..geometry.samples import between
from ..scene import Hold, Pin, Pulley, RigidBody, Scene, Tie, Weld
from ..scenes.without_cables import cables_of


def without_kinematic_bodies(scene: Scene) -> tuple[Scene, range]:
    """(the scene without its kinematic bodies, numbers of the pins that stand for their welds)."""
    moving = [b for b, body in enumerate(scene.bodies) if not body.kinematic]
    number = {b: k for k, b in enumerate(moving)}
    pins = [_pin(scene, weld) for weld in scene.welds if scene.bodies[weld.body].kinematic]
    welds = [replace(weld, body=number[weld.body]) for weld in scene.welds if weld.body in number]
    led = [tie for tie in scene.ties if tie.body is not None and tie.body not in number]
    ties = [
        tie if tie.body is None else replace(tie, body=number[tie.body])
        for tie in scene.ties
        if tie.body is None or tie.body in number
    ]
    first = len(scene.pins)
    bare = replace(
        scene, pins=(*scene.pins, *pins), bodies=tuple(scene.bodies[b] for b in moving), welds=tuple(welds),
        pulleys=tuple(_pulley(scene, one, number) for one in scene.pulleys),
        holds=(*scene.holds, *(hold for tie in led for hold in _holds(scene, tie))), ties=tuple(ties),
    )  # fmt: skip
    return bare, range(first, first + len(pins))


def with_cables(scene: Scene) -> Scene | None:
    """The scene without its kinematic bodies, if it has cables."""
    return without_kinematic_bodies(scene)[0] if cables_of(scene) else None


def _holds(scene: Scene, tie: Tie) -> Iterator[Hold]:
    """Those that stand for a tie to a kinematic body."""
    body = scene.bodies[tie.body or 0]
    times, track, turn = _motion(body)
    for node in tie.nodes:
        place = track + turned(turn, scene.solids[tie.solid].x[node] - body.position)
        yield Hold(tie.name, "POINT", tie.solid, int(node), times=times, track=place)


def _pin(scene: Scene, weld: Weld) -> Pin:
    body, x = scene.bodies[weld.body], scene.rods[weld.rod].x[weld.vertex] if weld.place is None else weld.place
    times, track, turn = _motion(body)
    position = track + turned(turn, x - body.position)
    own = turn if weld.turn is None else product(turn, weld.turn)
    return Pin(weld.name, weld.rod, weld.vertex, weld.mode, times, position, own)


def _pulley(scene: Scene, pulley: Pulley, number: Mapping[int, int]) -> Pulley:
    """Where a kinematic body carries it, it goes along a track; number: of other bodies, once these are gone."""
    if pulley.body is None or not scene.bodies[pulley.body].kinematic:
        return replace(pulley, body=None if pulley.body is None else number[pulley.body])
    body = scene.bodies[pulley.body]
    times, track, turn = _motion(body)
    return replace(pulley, body=None, times=times, position=track + turned(turn, pulley.position[0] - body.position))


def _motion(body: RigidBody) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """times (k,), track (k, 3) and turn (k, 4) of a kinematic body."""
    assert body.times is not None
    assert body.track is not None
    assert body.turn is not None
    return body.times, body.track, body.turn / norm(body.turn)[:, None]


def kinematic_pose(body: RigidBody, time: float) -> np.ndarray:
    """Centre [m] and turn since the start (w, x, y, z) of a kinematic body at `time` [s]: (7,)."""
    times, track, turn = _motion(body)
    low, high, s = between(times, time)
    q = (1.0 - s) * turn[low] + s * turn[high]
    return np.concatenate([(1.0 - s) * track[low] + s * track[high], q / norm(q)])
