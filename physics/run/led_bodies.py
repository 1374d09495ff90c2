"""Bodies that follow an animation: what is welded to them hangs on exact pins that go where the body takes them."""

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from ..scene import Pin


def lead(scene):
    """(the scene without its led bodies, numbers of the pins that stand for their welds)."""
    moving = [b for b, body in enumerate(scene.bodies) if not body.led]
    number = {b: k for k, b in enumerate(moving)}
    pins = [_pin(scene, weld) for weld in scene.welds if scene.bodies[weld.body].led]
    welds = [replace(weld, body=number[weld.body]) for weld in scene.welds if weld.body in number]
    first = len(scene.pins)
    bare = replace(scene, pins=(*scene.pins, *pins), bodies=tuple(scene.bodies[b] for b in moving), welds=tuple(welds))
    return bare, range(first, first + len(pins))


def _pin(scene, weld):
    body, x = scene.bodies[weld.body], scene.rods[weld.rod].x[weld.vertex]
    turn = Rotation.from_quat(np.roll(body.turn, -1, axis=1))
    position = body.track + turn.apply(x - body.position)
    return Pin(weld.name, weld.rod, weld.vertex, weld.mode, body.times, position, body.turn)


def led_pose(body, time):
    """Centre [m] and turn since the start (w, x, y, z) of a led body at `time` [s]: (7,)."""
    k = np.searchsorted(body.times, time)
    high = min(k, len(body.times) - 1)
    low = max(high - 1, 0)
    span = body.times[high] - body.times[low]
    s = np.clip((time - body.times[low]) / span, 0.0, 1.0) if span > 0.0 else 1.0
    turn = (1.0 - s) * body.turn[low] + s * body.turn[high]
    return np.concatenate([(1.0 - s) * body.track[low] + s * body.track[high], turn / np.linalg.norm(turn)])
