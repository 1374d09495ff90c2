"""Blender's force fields: the velocity they give the air, the acceleration they give things, and how they brake.

With r from the field's origin, n its z axis, d from its origin, axis or plane (by its shape) and f the falloff:
WIND air = S f n; FORCE a = S f d/|d|, over d² with gravitation; VORTEX a = S f |d| (n × r)/|n × r|, or leading
a = S f n × r + S² f² n × (n × r) − v; TURBULENCE a = S f (T(p), T(p'), T(p'')), p = (r + n)/size, its coordinates
rotated in p' and p''; DRAG a = −f (c₁ + c₂|v|) v. S is the strength plus noise. Found by accelerating Blender's own
particles, which weigh 1 kg (tests/blender/test_bridge_fields.py).
"""

from math import acos, floor, pi, sqrt
from typing import NamedTuple

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.intervals import sample_before
from ..compiling.by_reference import by_reference
from ..model import table
from .noise import gust, turbulence

WIND, FORCE, VORTEX, TURBULENCE, DRAG = range(5)  # scene.FIELD_KINDS
POINT, LINE, PLANE = range(3)  # scene.FIELD_SHAPES
SPHERE, TUBE, CONE = range(3)  # scene.FIELD_FALLOFFS
SAMPLED = (
    "strength", "noise", "flow", "size", "linear_drag", "quadratic_drag",
    "power", "min_distance", "max_distance", "radial_power", "radial_min", "radial_max",
)  # fmt: skip
Z, VALUES = 3, 7  # where in a sample the rotation is (later the z axis), and the numbers named above
(STRENGTH, NOISE, FLOW, SIZE, LINEAR, QUADRATIC, POWER, NEAR, FAR, RADIAL_POWER, RADIAL_NEAR, RADIAL_FAR) = range(
    VALUES, VALUES + len(SAMPLED)
)
COLUMNS = VALUES + len(SAMPLED)
MOST_DRAG = 2.0  # Blender takes no larger coefficient, in its units


@by_reference
class Fields(NamedTuple):
    """Per field (F,): what it is, and its samples track[f] : track[f + 1]."""

    kind: np.ndarray  # (F,)
    shape: np.ndarray  # (F,) of a leading VORTEX LINE
    leading: np.ndarray  # (F,) bool: a VORTEX that leads around
    falloff: np.ndarray  # (F,)
    side: np.ndarray  # (F,) sign of the z where it acts, 0: everywhere
    world_fixed: np.ndarray  # (F,) bool
    gravitation: np.ndarray  # (F,) bool
    seed: np.ndarray  # (F,)
    unit: np.ndarray  # (F,) [m]
    track: np.ndarray  # (F + 1,)
    times: np.ndarray  # (K,) [s]
    samples: np.ndarray  # (K, COLUMNS): position, rotation, SAMPLED
    frame_duration: np.ndarray  # (1,) [s]


GROUP = table(  # of points that are a rod, a body, or the nodes of a soft one
    first=np.int64,
    end=np.int64,  # behind the last
    stream=np.int64,  # tells its random numbers from others', so that noise does not depend on the number of points
    weights=(float, 6),  # as Rod.weights
)


@kernel
def sample(times: np.ndarray, samples: np.ndarray, first: int, last: int, time: float, out: np.ndarray) -> None:
    """out (COLUMNS,): the samples first : last at `time` [s], linear in between, held beyond the ends; with the z axis
    in place of the rotation.
    """
    low = sample_before(times, first, last, time)
    high = min(low + 1, last - 1)
    span = times[high] - times[low]
    s = min(max((time - times[low]) / span, 0.0), 1.0) if span > 0.0 else 0.0
    for c in range(COLUMNS):
        out[c] = (1.0 - s) * samples[low, c] + s * samples[high, c]
    w, x, y, z = out[Z], out[Z + 1], out[Z + 2], out[Z + 3]
    k = 1.0 / (w * w + x * x + y * y + z * z)
    out[Z], out[Z + 1] = 2.0 * k * (x * z + w * y), 2.0 * k * (y * z - w * x)
    out[Z + 2] = k * (w * w - x * x - y * y + z * z)


@kernel
def fade(d: float, power: float, low: float, high: float, unit: float) -> float:
    """(1 + (d − low)/unit)^−power between `low` and `high`, 1 before and 0 beyond."""
    if d > high:
        return 0.0
    if d < low or power == 0.0:
        return 1.0
    q = 1.0 + (d - low) / unit
    if power == 1.0:
        return 1.0 / q
    if power == 2.0:
        return 1.0 / (q * q)
    return q**-power


@kernel
def falloff(
    kind: int, now: np.ndarray, unit: float, h: float, rx: float, ry: float, rz: float, distance: float
) -> float:
    """How much of a field is left at height h above its plane, at r from its origin, `distance` from its shape."""
    if kind == SPHERE:
        return fade(distance, now[POWER], now[NEAR], now[FAR], unit)
    f = fade(abs(h), now[POWER], now[NEAR], now[FAR], unit)
    if f == 0.0:
        return 0.0
    if kind == TUBE:
        ax, ay, az = rx - h * now[Z], ry - h * now[Z + 1], rz - h * now[Z + 2]
        across = sqrt(ax * ax + ay * ay + az * az)
        return f * fade(across, now[RADIAL_POWER], now[RADIAL_NEAR], now[RADIAL_FAR], unit)
    away = sqrt(rx * rx + ry * ry + rz * rz)
    angle = acos(min(max(h / away, -1.0), 1.0)) * (180.0 / pi) if away > 0.0 else 0.0
    return f * fade(angle, now[RADIAL_POWER], now[RADIAL_NEAR], now[RADIAL_FAR], 1.0)


@kernel
def central(
    strength: float, gravitation: bool, unit: float, dx: float, dy: float, dz: float, distance: float
) -> tuple[float, float, float]:
    """FORCE [m/s²]: away from the field's shape."""
    if distance == 0.0:
        return 0.0, 0.0, 0.0
    k = strength / distance
    if gravitation:
        k *= unit * unit / (distance * distance)
    return k * dx, k * dy, k * dz


@kernel
def swirl(
    strength: float, leading: bool, now: np.ndarray, rx: float, ry: float, rz: float, distance: float
) -> tuple[float, float, float]:
    """VORTEX [m/s²] around a field's z axis n, as it is `now`. Leading, it keeps on its circle what has the velocity
    S n × r, to which `act` brakes.
    """
    nx, ny, nz = now[Z], now[Z + 1], now[Z + 2]
    cx, cy, cz = ny * rz - nz * ry, nz * rx - nx * rz, nx * ry - ny * rx
    if leading:
        k, q = strength, strength * strength
        return k * cx + q * (ny * cz - nz * cy), k * cy + q * (nz * cx - nx * cz), k * cz + q * (nx * cy - ny * cx)
    k = strength * distance / sqrt(max(cx * cx + cy * cy + cz * cz, 1e-300))
    return k * cx, k * cy, k * cz


@kernel
def eddy(strength: float, size: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """TURBULENCE [m/s²] at a place (x, y, z) [m]."""
    x, y, z = x / size, y / size, z / size
    return strength * turbulence(x, y, z), strength * turbulence(y, z, x), strength * turbulence(z, x, y)


@kernel
def act(
    fields: Fields,
    f: int,
    now: np.ndarray,
    weight: float,
    noise: tuple[float, float],
    x: np.ndarray,
    effects: np.ndarray,
) -> None:
    """Add what field f, as it is `now`, with two random numbers `noise`, does to points x (n, 3): effects (n,)."""
    kind, shape, side, unit = fields.kind[f], fields.shape[f], fields.side[f], fields.unit[f]
    nx, ny, nz = now[Z], now[Z + 1], now[Z + 2]
    strength = now[STRENGTH] + now[NOISE] * noise[0]
    for i in range(len(x)):
        air, push, brake = effects[i].air, effects[i].acceleration, effects[i].brake
        rx, ry, rz = x[i, 0] - now[0], x[i, 1] - now[1], x[i, 2] - now[2]
        h = rx * nx + ry * ny + rz * nz
        if h * side < 0.0:
            continue
        dx, dy, dz = rx, ry, rz
        if shape == LINE:
            dx, dy, dz = rx - h * nx, ry - h * ny, rz - h * nz
        elif shape == PLANE:
            dx, dy, dz = h * nx, h * ny, h * nz
        distance = sqrt(dx * dx + dy * dy + dz * dz)
        share = weight * falloff(fields.falloff[f], now, unit, h, rx, ry, rz, distance)
        if share <= 0.0:
            continue
        s = share * strength
        if kind == WIND:
            air[0] += s * nx
            air[1] += s * ny
            air[2] += s * nz
            continue
        if kind == DRAG:
            brake[0] += share * min(max(now[LINEAR] + now[NOISE] * noise[1], 0.0), MOST_DRAG)
            brake[1] += share * min(max(now[QUADRATIC] + now[NOISE] * noise[0] / unit, 0.0), MOST_DRAG / unit)
            continue
        brake[0] += share * now[FLOW]
        if kind == FORCE:
            ax, ay, az = central(s, fields.gravitation[f], unit, dx, dy, dz, distance)
        elif kind == VORTEX:
            ax, ay, az = swirl(s, fields.leading[f], now, rx, ry, rz, distance)
            if fields.leading[f]:
                brake[0] += 1.0
        elif fields.world_fixed[f]:
            ax, ay, az = eddy(s, now[SIZE], x[i, 0], x[i, 1], x[i, 2])
        else:
            ax, ay, az = eddy(s, now[SIZE], rx + unit * nx, ry + unit * ny, rz + unit * nz)
        push[0] += ax
        push[1] += ay
        push[2] += az


@entry
def evaluate_fields(
    fields: Fields, time: float, groups: np.ndarray, x: np.ndarray, now: np.ndarray, effects: np.ndarray
) -> None:
    """What all fields do at `time` [s] to points x (n, 3) [m]: overwrites effects (n,), FIELD_EFFECT, whose brake means
    a = −(brake₀ + brake₁|v|) v, in [1/s] and [1/m]. groups: GROUP (G,). now (F, COLUMNS) is scratch.
    """
    frame = floor(time / fields.frame_duration[0] + 1e-6)
    for f in range(len(fields.kind)):
        sample(fields.times, fields.samples, fields.track[f], fields.track[f + 1], time, now[f])
    for g in range(len(groups)):
        group = groups[g]
        own = slice(group.first, group.end)
        for i in range(group.first, group.end):
            effect = effects[i]
            effect.air[0] = effect.air[1] = effect.air[2] = 0.0
            effect.acceleration[0] = effect.acceleration[1] = effect.acceleration[2] = 0.0
            effect.brake[0] = effect.brake[1] = 0.0
            effect.torque[0] = effect.torque[1] = effect.torque[2] = 0.0
        for f in range(len(fields.kind)):
            w = group.weights[1 + fields.kind[f]]
            if w > 0.0:
                noise = gust(fields.seed[f], frame, group.stream), gust(fields.seed[f], -1 - frame, group.stream)
                act(fields, f, now[f], w, noise, x[own], effects[own])
