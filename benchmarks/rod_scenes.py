"""Rods as they hang, swing, fall and are pulled, made without Blender."""

import numpy as np
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, ForceField, Pin, RigidBody, Rod, Scene, Weld

from .knots import trefoil

HAIR = Material(3e9, 0.4, 1300.0, internal_damping=0.005)
RUBBER = Material(1e7, 0.45, 1100.0, internal_damping=0.005)
ROPE = Material(1e9, 0.4, 1100.0, bend_factor=2e-3, internal_damping=0.01)
STEEL = Material(2e11, 0.3, 7800.0)
WOOD = Material(1e10, 0.3, 700.0, twist_factor=0.2, internal_damping=0.02)
FRAMES = 60


def scenes():
    found = {}
    for touches in (False, True):
        found[f"200 hairs of 8 points, touching: {touches}"] = _scene(_hairs(200, 8, touches), roots=True)
    found["200 hairs of 8 points, wind"] = _scene(_hairs(200, 8, False), roots=True, fields=(_wind(),))
    found["a chain of 7 rings"] = _chain(7)
    found["a trefoil knot, pulled"] = _knot()
    found["a tree of 40 boughs, wind"] = _tree(40)
    found["a rope between two pins"] = _hanging(100)
    found["a rope between two pins, settled"] = _hanging(100, settle=True)
    found["a rope swung"] = _hanging(100, one=True)
    found["a rope dropped on the floor"] = _dropped()
    found["a lamp on a cable"] = _lamp()
    found["a steel ring thrown"] = _scene([_ring("Ring", 0.3, 0.004, 60, STEEL)])
    implicit = {"contact": False, "solver": "IMPLICIT"}
    found["200 hairs of 8 points, implicit"] = _scene(_hairs(200, 8, False), roots=True, **implicit)
    found["a wire of 400 edges swung, implicit"] = _wire(400, **implicit)
    for count in (150, 600):
        for quality in ("GOOD", "PREVIEW"):
            found[f"a rope of {count} points falls flat, {quality.title()}, implicit"] = _flat(count, 1, quality)
    found["two ropes fall across each other, implicit"] = _flat(100, 2, "GOOD")
    found["20 boughs in the wind, implicit"] = _scene(_boughs(20), roots=True, fields=(_wind(),), **implicit)
    return found


def _scene(rods, roots=False, pins=(), **options):
    pins = tuple(Pin.fixed(rod, 0, "TWIST", f"Root {r}", rod=r) for r, rod in enumerate(rods)) if roots else pins
    return Scene(tuple(rods), 0.04, FRAMES, pins=pins, **options)


def _wind(speed=8.0):
    return ForceField(
        "Wind", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[0.7071068, 0.0, 0.7071068, 0.0]]), speed, noise=2.0
    )


def _hairs(count, n, touches):
    rng = np.random.default_rng(1)
    s = np.linspace(0.0, 1.0, n)[:, None]
    rods = []
    for k in range(count):
        root = 0.003 * np.array([k % 15, k // 15, 0.0])
        x = root + 0.15 * s * [1.0, 0.0, 0.3] + 0.02 * rng.normal(size=3) * s * s
        rods.append(Rod.from_material(f"Hair {k}", x, 0.0004, HAIR, touches=touches))
    return rods


def _wire(n, **options):
    """1 m of steel, hung by an end that goes to and fro."""
    rod = Rod.from_material("Wire", np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, -1.0], n + 1), 0.001, STEEL)
    times = np.linspace(0.0, FRAMES * 0.04, 101)
    place = np.outer(0.1 * (1.0 - np.cos(np.pi * times)), [1.0, 0.0, 0.0])
    return _scene([rod], pins=(Pin("Hand", 0, 0, "POSITION", times, place),), **options)


def _boughs(count):
    return [_bough(f"Bough {k}", np.array([k, 0.0, 0.0]), np.array([k, 0.2, 1.2]), 0.01) for k in range(count)]


def _ring(name, size, radius, n, material, turn=0, place=(0.0, 0.0, 0.0)):
    a = 2.0 * np.pi * np.arange(n) / n
    x = size * np.stack([np.cos(a), 0.6 * np.sin(a), 0.0 * a], axis=1)
    x = x[:, [0, 2, 1]] if turn else x
    return Rod.from_material(name, x + place, radius, material, closed=True)


def _chain(count):
    rods = [_ring(f"Link {k}", 0.05, 0.006, 24, STEEL, k % 2, (0.075 * k, 0.0, 0.0)) for k in range(count)]
    pins = (
        Pin.fixed(rods[0], 12, "POSITION", "Start", rod=0),
        Pin.fixed(rods[-1], 0, "POSITION", "End", rod=count - 1),
    )
    return _scene(rods, pins=pins)


def _knot():
    n = 140
    x = 0.03 * trefoil(np.linspace(-2.4, 2.4, n))
    rod = Rod.from_material("Rope", x, 0.008, ROPE, shape_memory=0.0)
    times, pins = np.array([0.0, FRAMES * 0.04]), []
    for vertex, way in ((0, x[0] - x[4]), (n - 1, x[-1] - x[-5])):
        far = x[vertex] + 0.3 * way / np.linalg.norm(way)
        pins.append(Pin(f"Hand {vertex}", 0, vertex, "POSITION", times, np.array([x[vertex], far]), max_force=None))
    return _scene([rod], pins=tuple(pins))


def _tree(count):
    rng = np.random.default_rng(3)
    rods, bodies, welds = [_bough("Trunk", np.zeros(3), np.array([0.0, 0.0, 3.0]), 0.08)], [], []
    while len(rods) < count:
        parent = int(rng.integers(len(rods)))
        at, thin = int(rng.integers(6, 14)), rods[parent].radius[-1]
        if (parent, at) in {(weld.rod, weld.vertex) for weld in welds}:
            continue
        if any(weld.rod == parent and abs(weld.vertex - at) < 3 for weld in welds):
            continue
        base = rods[parent].x[at]
        way = rng.normal(size=3) + [0.0, 0.0, 1.0]
        rod = _bough(f"Bough {len(rods)}", base, base + 1.2 * way / np.linalg.norm(way), 0.8 * thin)
        bodies.append(RigidBody(f"Fork {len(rods)}", base, 0.0, np.zeros((3, 3))))
        welds += [Weld("a", len(bodies) - 1, parent, at), Weld("b", len(bodies) - 1, len(rods), 0)]
        rods.append(rod)
    pins = (Pin.fixed(rods[0], 0, "TWIST", "Root", rod=0),)
    return _scene(rods, pins=pins, bodies=tuple(bodies), welds=tuple(welds), fields=(_wind(),))


def _bough(name, start, end, radius):
    s = np.linspace(0.0, 1.0, 16)[:, None]
    x = start + s * (end - start) + 0.03 * np.sin(np.pi * s) * [1.0, 0.5, 0.0]
    return Rod.from_material(name, x, radius * (1.0 - 0.5 * s[:, 0]), WOOD, touches=False)


def _hanging(n, settle=False, one=False):
    s = np.linspace(-1.0, 1.0, n)
    rod = Rod.from_material("Rope", np.stack([s, 0.0 * s, 0.2 * s * s], axis=1), 0.008, ROPE, shape_memory=0.0)
    ends = (0,) if one else (0, n - 1)
    return _scene([rod], pins=tuple(Pin.fixed(rod, v, "POSITION", f"End {v}", rod=0) for v in ends), settle=settle)


def _dropped():
    t = np.linspace(0.0, 6.0 * np.pi, 120)
    x = np.stack([0.2 * np.cos(t), 0.2 * np.sin(t), 0.1 + 0.02 * t], axis=1)
    return _scene([Rod.from_material("Hose", x, 0.01, RUBBER)], floor=Floor(0.0))


def _flat(n, count, quality):
    """Ropes that lie level, one above and across the other, over a floor."""
    s = np.linspace(-0.6, 0.6, n)
    level = np.stack([s, 0.02 * np.sin(6.0 * s), 0.3 + 0.0 * s], axis=1)
    places = (level, level[:, [1, 0, 2]] + [0.0, 0.0, 0.1])[:count]
    rods = [Rod.from_material(f"Rope {k}", x, 0.008, RUBBER, shape_memory=0.0) for k, x in enumerate(places)]
    return _scene(rods, floor=Floor(0.0), quality=quality, solver="IMPLICIT")


def _lamp():
    x = np.linspace([0.0, 0.0, 0.0], [0.7, 0.0, -0.7], 40)
    rod = Rod.from_material("Cable", x, 0.003, ROPE)
    lamp = RigidBody("Lamp", x[-1] + [0.05, 0.0, -0.05], 1.5, 0.01 * np.eye(3))
    return _scene([rod], pins=(Pin.fixed(rod, 0, rod=0),), bodies=(lamp,), welds=(Weld("Tie", 0, 0, 39),))
