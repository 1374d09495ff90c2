"""How fast rods come to move and turn, as far as a scene at rest shows.

What is drawn above where it would hang sinks by d in the mean, and moves at √(2gd) then; but a rod of length L that
bears itself only sags, as a cantilever by Γ/8 of its length, Γ = gρL³/B its weight over its stiffness. What leads it
or blows it about adds its own speed.

A bend that runs along a rod at v, as in a whip, is as sharp as bending and the tension of what runs, ρv², make it,
√(B/ρ)/v, but no sharper than an edge l nor blunter than the rod: so its edges turn by v²/√(B/ρ), within v/L and v/l.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..scene import Pin, Rod, Scene, Weld
from .stable_steps import loads

SAG = 0.125  # of Γ
BLOWN = 0.2  # of the wind: what it blows about is slower
UPRIGHT = 0.1  # of a rod's length: what is drawn as high lands piece by piece


class Motion(NamedTuple):
    """How each rod of a scene comes to move."""

    speed: np.ndarray  # (R,) [m/s]
    bend: np.ndarray  # (R,) [m] the radius of the sharpest bend that runs along it
    led: np.ndarray  # (R,) [m/s²] by what leads it
    wound: np.ndarray  # (R,) how often it is wound up
    length: np.ndarray  # (R,) [m] of the whole rod,
    edge: np.ndarray  # (R,) [m] of its shortest edge
    held: np.ndarray  # (R,) bool: whether anything holds it; else it falls, and comes to lie,
    upright: np.ndarray  # (R,) from 0, all of it at once, to 1, piece by piece


def motion(scene: Scene) -> Motion:
    """The Motion of a scene's rods."""
    holds: list[list[Pin | Weld]] = [[] for _ in scene.rods]
    for pin in scene.pins:
        holds[pin.rod].append(pin)
    for weld in scene.welds:
        if _holds(scene, weld):
            holds[weld.rod].append(weld)
    wind, push = strength(scene, "WIND"), strength(scene, "FORCE")
    found, held = np.zeros((7, len(scene.rods))), np.array([len(own) > 0 for own in holds], dtype=bool)
    for r, (rod, own, load) in enumerate(zip(scene.rods, holds, loads(scene), strict=True)):
        edges = np.linalg.norm(rod.edges(), axis=1)
        whole = float(edges.sum())
        most, pull = np.array([_led(scene, rod, hold, whole) for hold in own]).reshape(-1, 2).max(axis=0, initial=0.0)
        square = most**2 + _fallen(scene, rod, own, whole, load) + _blown(scene, rod, whole, load, wind, push)
        fast = float(np.sqrt(square))
        stiffness = np.sqrt(rod.bend_stiffness.min() * whole / rod.mass.sum())  # √(B/ρ) [m²/s]
        sharpest = np.clip(stiffness / max(fast, 1e-300), edges.min(), whole)
        found[:, r] = fast, sharpest, pull, _wound(scene, rod, own), whole, edges.min(), _upright(scene, rod, whole)
    speed, bend, led, wound, length, edge, upright = found
    return Motion(speed, bend, led, wound, length, edge, held, upright)


def strength(scene: Scene, kind: str) -> float:
    """Of the strongest field of a kind."""
    return max((float(np.max(np.abs(f.strength) + f.noise)) for f in scene.fields if f.kind == kind), default=0.0)


def _upright(scene: Scene, rod: Rod, length: float) -> float:
    """How far a rod of such a length [m] is drawn so that it lands piece by piece, where it falls: 0 to 1."""
    gravity = float(np.linalg.norm(scene.gravity))
    return min(1.0, float(np.ptp(rod.x @ scene.gravity)) / (UPRIGHT * length * gravity)) if gravity > 0.0 else 0.0


def _holds(scene: Scene, weld: Weld) -> bool:
    """Whether a weld holds its rod up: what joins rods does, and what is led; a body hangs on it."""
    return scene.bodies[weld.body].led or scene.bodies[weld.body].mass == 0.0


def _blown(scene: Scene, rod: Rod, length: float, load: float, wind: float, push: float) -> float:
    """The square of its speed [m/s], with a load [kg], by wind [m/s] and what pushes by so many m/s²."""
    if wind == push == 0.0:
        return 0.0
    area = (2.0 * rod.radius * rod.drag_coefficient).mean() * length
    area += 0.0 if rod.leaf_area is None else rod.leaf_area.sum()
    mass = rod.mass.sum() + load
    pull = 0.5 * scene.air_density * area * wind**2 / mass
    given = 2.0 * push * _gives(rod, length, push * mass)
    return min(2.0 * pull * _gives(rod, length, pull * mass), (BLOWN * wind) ** 2) + given


def _gives(rod: Rod, length: float, force: float) -> float:
    """How far [m] its stiffness lets a rod of such a length [m] go where it is pulled by so many N."""
    return float(length * min(1.0, SAG * force * length**2 / max(rod.bend_stiffness.min(), 1e-300)))


def _fallen(scene: Scene, rod: Rod, holds: list[Pin | Weld], length: float, load: float) -> float:
    """The square of its speed [m/s] where it has sunk: till it hangs on what holds it, or by its length."""
    gravity = float(np.linalg.norm(scene.gravity))
    if gravity == 0.0 or rod.balanced or scene.settle:
        return 0.0
    places = sorted({hold.vertex for hold in holds})
    if not places:
        return 2.0 * gravity * length * (scene.floor is not None or len(scene.colliders) > 0)
    up, arc = -rod.x @ scene.gravity / gravity, np.append(0.0, np.cumsum(np.linalg.norm(rod.edges(), axis=1)))
    first, last, arc = places[0], places[-1], arc[: len(up)]
    low = up[first] - np.abs(arc - arc[first])
    low[last:] = up[last] - (arc[last:] - arc[last])
    for a, b in pairwise(places):
        own, part = arc[b] - arc[a], (arc[a : b + 1] - arc[a]) / (arc[b] - arc[a])
        slack = np.sqrt(max(0.0, own**2 - ((rod.x[b] - rod.x[a]) ** 2).sum()))
        low[a : b + 1] = up[a] + part * (up[b] - up[a]) - np.minimum(part, 1.0 - part) * slack
    sunk = max(0.0, float(np.mean(up - low)))
    if len(holds) > 1 or holds[0].mode != "POSITION":
        sunk = min(sunk, _gives(rod, length, gravity * (rod.mass.sum() + load)))
    return 2.0 * gravity * sunk


def _led(scene: Scene, rod: Rod, hold: Pin | Weld, length: float) -> tuple[float, float]:
    """(largest speed [m/s], root mean square of the acceleration [m/s²]) by which a hold leads a rod of such a length
    [m], or its end, where it turns that aside: over half a frame, for what jumps, and by no more than its force gives.
    """
    times, place, turn = _track(scene, hold)
    if times is None or place is None or len(times) < 2:
        return 0.0, 0.0
    if turn is not None and hold.mode != "POSITION":
        place = np.hstack([place, length * _ahead(rod, hold, turn)])
    lasting = 0.5 * scene.frame_duration
    end = min(times[-1], times[0] + scene.frame_count * scene.frame_duration)  # of the bake
    moments = np.arange(times[0], end + 2.0 * lasting, lasting)
    v = np.diff([np.interp(moments, times, column) for column in place.T], axis=1) / lasting
    a = np.diff(v, axis=1) / lasting
    fast, pull = np.linalg.norm(v, axis=0).max(), np.sqrt((a**2).sum(axis=0).mean())
    most = np.inf if isinstance(hold, Weld) or hold.max_force is None else hold.max_force / rod.mass.sum()
    return float(min(fast, np.sqrt(2.0 * most * length))), float(min(pull, most))


def _wound(scene: Scene, rod: Rod, holds: list[Pin | Weld]) -> float:
    """How often holds that take its frame turn one end of a rod against the other, about itself."""
    spun: list[float] = []
    firm = [hold for hold in holds if hold.mode == "TWIST"]
    for hold in firm if len(firm) > 1 else ():
        times, _, turn = _track(scene, hold)
        if times is None or turn is None or len(times) < 2:
            spun.append(0.0)
            continue
        spun.append(float((_turned(turn[:-1], turn[1:]) * _ahead(rod, hold, turn)[:-1]).sum()))
    return (max(spun) - min(spun)) / (2.0 * np.pi) if spun else 0.0


def _track(scene: Scene, hold: Pin | Weld) -> tuple[np.ndarray | None, np.ndarray | None, np.ndarray | None]:
    """(times, places, turns) by which a hold leads, None: it does not."""
    if isinstance(hold, Pin):
        return hold.times, hold.position, hold.rotation
    body = scene.bodies[hold.body]
    return body.times, body.track, body.turn


def _ahead(rod: Rod, hold: Pin | Weld, turn: np.ndarray) -> np.ndarray:
    """(k, 3) the direction of the rod where it is held, turned by each turn (k, 4)."""
    edge = rod.edges()[min(hold.vertex, rod.edge_count - 1)]
    a, b, c = along = edge / np.linalg.norm(edge)
    axis, w = turn[:, 1:], turn[:, :1]
    across = axis @ np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])
    return along + 2.0 * (w * across + axis * (axis @ along)[:, None] - along * (axis**2).sum(axis=1)[:, None])


def _turned(turn: np.ndarray, later: np.ndarray) -> np.ndarray:
    """(k, 3) [rad] the least turns, about their axes, from unit quaternions (k, 4) to later ones."""
    (w, axis), (v, to) = ((q[:, :1], q[:, 1:]) for q in (turn, later))
    cosine, sine = w * v + (axis * to).sum(axis=1, keepdims=True), w * to - v * axis + np.cross(axis, to)
    size = np.linalg.norm(sine, axis=1, keepdims=True)
    return np.copysign(2.0, cosine) * np.arctan2(size, np.abs(cosine)) * sine / np.maximum(size, 1e-300)
