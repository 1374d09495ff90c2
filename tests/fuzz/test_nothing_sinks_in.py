"""Every kind of thing thrown at, squeezed against and pulled around every other: none is deeper in another than a
twentieth of what counts between them, at any frame, whichever solver takes the steps.

That is the smaller radius of rods and of what rounds surfaces: a body's own, or 1.5 % of its smallest extent (a rod is
as deep in a body as in a rod); a soft body's thickness, where nothing else has a radius. Depths are measured by brute
force, of all edges of one and all faces of the other.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from meshes import ball, box, sheet
from scipy.spatial.transform import Rotation
from solid_meshes import brick as cells
from solids import brick, capsule, moved_rounded, sphere
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
from tendril.physics.elements.tetrahedra import boundary
from tendril.physics.geometry.rounding import extents, round_of
from tendril.physics.geometry.samples import points_at
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, RigidBody, Rod, Scene, Shape, SoftBody
from tendril.physics.validate import SceneError, SimulationError, check

CASES = 400
FAILED = (22, 23, 47, 92, 106, 124, 181, 255, 291, 361, 374, 406, 423)  # soft bodies on posts and rims
STOP = (88, 385)  # under a weight of 300 000 and 11 000 times their mass, with one sentence
ALLOWED = 0.05
FRAMES, FRAME = 9, 1.0 / 48.0
RODS, BODIES, SOFT = ("kirchhoff", "cosserat"), ("ball", "capsule", "box", "plate", "lump"), ("cube", "slab")
GROUNDS = ("floor", "sheet", "edge", "cylinder", "led box", "led bar")
THINGS = RODS + BODIES + SOFT
MANNERS = ("thrown", "squeezed", "pulled")


def rod(rng, kind, name, z, **options):
    radius, n = 10.0 ** rng.uniform(-2.7, -2.0), int(rng.integers(6, 17))
    length = n * radius * rng.uniform(1.5, 8.0)
    a = rng.uniform(0.0, np.pi)
    x = np.outer(np.linspace(-0.5, 0.5, n + 1) * length, [np.cos(a), np.sin(a), 0.0]) + [0.0, 0.0, z + radius]
    material = Material(10.0 ** rng.uniform(4.5, 8.0), 0.45, 1000.0, internal_damping=0.01)
    model = {"model": "cosserat"} if kind == "cosserat" else {}
    return Rod.from_material(name, x, radius, material, friction=rng.choice([0.0, 0.5]), **model, **options)


def body(rng, kind, name, z):
    """Its lowest point at z [m]."""
    size, options = 10.0 ** rng.uniform(-1.5, -1.0), {"friction": rng.choice([0.0, 0.5]), "name": name}
    turn = Rotation.random(random_state=rng).as_rotvec() * rng.choice([0.0, 1.0])
    density = 10.0 ** rng.uniform(2.0, 4.0)
    if kind == "ball":
        return sphere([0.0, 0.0, z + size], size, density=density, **options)
    if kind == "capsule":
        return capsule([0.0, 0.0, z + 0.5 * size], 0.5 * size, 2.0 * size, **options)
    if kind == "lump":
        points, triangles = ball(size, int(rng.choice([4, 8])), int(rng.choice([5, 9])))
        points = points - [0.0, 0.0, points[:, 2].min() - z]
        mass = density * 4.0 * size**3
        return RigidBody(name, points.mean(axis=0), mass, 0.4 * mass * size**2 * np.eye(3),
                         shape=Shape(points, triangles), friction=options["friction"])  # fmt: skip
    thin = np.array([2.0, 1.5, 10.0 ** rng.uniform(-1.7, -0.7)])
    sides = size * (rng.uniform(1.0, 2.0, 3) if kind == "box" else thin)
    made = brick([0.0, 0.0, 0.0], sides, turn, density=density, **options)
    return brick([0.0, 0.0, z - made.shape.points[:, 2].min()], sides, turn, density=density, **options)


def soft(rng, kind, name, z):
    count, size = ((2, 2, 2), (0.1, 0.1, 0.1)) if kind == "cube" else ((4, 4, 1), (0.2, 0.2, 0.03))
    x, node = cells(count, size)
    turn = Rotation.random(random_state=rng) if rng.random() < 0.5 else Rotation.identity()
    x = turn.apply(x - x.mean(axis=0))
    x = x - [0.0, 0.0, x[:, 2].min() - z]
    young = 10.0 ** rng.uniform(4.3, 6.0)
    return SoftBody(name, x, node, 1000.0, young, 0.4, mu=young * 1e-3, friction=rng.choice([0.0, 0.5]))


def made(rng, kind, name, z):
    return (rod if kind in RODS else body if kind in BODIES else soft)(rng, kind, name, z)


def points_of(thing):
    return thing.shape.points if isinstance(thing, RigidBody) else thing.x


def around(thing):
    return thing.radius[0] if isinstance(thing, Rod) else thing.shape.radius if isinstance(thing, RigidBody) else 0.0


def top(thing):
    return points_of(thing)[:, 2].max() + around(thing)


def thrown_so(thing, v, omega):
    if isinstance(thing, RigidBody):
        return replace(thing, v=v, omega=omega)
    return replace(thing, v=np.tile(v, (len(thing.x), 1)))


def ground(rng, kind):
    """(its Floor or None, its Collider or None, how high it is) [m]."""
    times, end = np.arange(FRAMES) * FRAME, (FRAMES - 1) * FRAME
    if kind == "floor":
        return Floor(0.0), None, 0.0
    if kind == "sheet":
        points, triangles = sheet(int(rng.choice([1, 6, 15])), 1.0, lambda x, y: 0.02 * np.sin(20.0 * x))
        return None, Collider("ground", triangles, np.zeros(1), points[None]), points[:, 2].max()
    if kind == "edge":
        points, triangles = box([0.3, 0.02, 0.2])
        points = Rotation.from_rotvec([rng.uniform(0.0, 1.0), 0.0, 0.0]).apply(points)
        return None, Collider("ground", triangles, np.zeros(1), points[None]), points[:, 2].max()
    if kind == "cylinder":
        ends = np.array([[[0.0, -5.0, 0.0], [0.0, 5.0, 0.0]]])
        return None, Collider.cylinder("ground", np.zeros(1), ends, 0.03), 0.03
    way = rng.normal(size=3) * rng.choice([0.1, 1.0]) + [0.0, 0.0, 0.5]
    if kind == "led box":
        points, triangles = box([0.15, 0.15, 0.1])
        turns = Rotation.from_rotvec(np.outer(times, rng.normal(size=3) * 3.0))
        led = np.stack([turn.apply(points) for turn in turns]) + np.outer(times, way)[:, None]
        return None, Collider("ground", triangles, times, led), points[:, 2].max()
    ends = np.array([[0.0, -5.0, 0.0], [0.0, 5.0, 0.0]]) + np.outer(times, way * [1.0, 0.0, 1.0])[:, None]
    rim = ends[:, 0] + 0.03 * np.stack([np.cos(9.0 * times), 0.0 * times, np.sin(9.0 * times)], axis=1)
    assert end * 9.0 < np.pi * FRAMES
    return None, Collider.cylinder("ground", times, ends, 0.03, rim), 0.03


def case(seed):
    """(kinds and manner, a Scene) of a case."""
    rng = np.random.default_rng([21, seed])
    one, other = rng.choice(THINGS), rng.choice(THINGS + GROUNDS)
    manner, solver = rng.choice(MANNERS), str(rng.choice(["EXPLICIT", "IMPLICIT"]))
    floor, collider, z = ground(rng, other if other in GROUNDS else rng.choice(["floor", "sheet"]))
    things = []
    gap = 0.002
    if other not in GROUNDS:
        things.append(made(rng, other, "other", z + gap))
        z = top(things[-1])
    things.append(made(rng, one, "one", z + gap))
    gravity, pins, colliders = 9.81, [], [collider] if collider else []
    if manner == "thrown":
        v = (rng.normal(size=3) * 0.3 - [0.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-0.5, 1.0)
        things[-1] = thrown_so(things[-1], v, rng.normal(size=3) * 5.0)
    elif manner == "squeezed":
        things.append(brick([0.0, 0.0, top(things[-1]) + gap + 0.02], (0.5, 0.5, 0.04), name="weight",
                            density=10.0 ** rng.uniform(2.0, 4.5)))  # fmt: skip
    elif one in RODS:
        rope, times = things[-1], np.arange(FRAMES) * FRAME
        way = np.outer(times / times[-1], [0.0, 0.0, -0.4 * np.linalg.norm(rope.x[-1] - rope.x[0])])
        number = sum(isinstance(thing, Rod) for thing in things) - 1
        pins = [Pin(f"hand {end}", number, end % len(rope.x), "POSITION", times, rope.x[end] + way,
                    max_force=None) for end in (0, -1)]  # fmt: skip
    else:
        gravity *= rng.choice([5.0, 30.0])
    rods, bodies, softs = (tuple(t for t in things if isinstance(t, k)) for k in (Rod, RigidBody, SoftBody))
    scene = Scene(rods, FRAME, FRAMES, tuple(pins), bodies, floor=floor, colliders=tuple(colliders), solids=softs,
                  solver=solver, gravity=np.array([0.0, 0.0, -gravity]))  # fmt: skip
    return f"{one} {manner} at {other}, {solver}", scene


def surfaces_of(scene, frame):
    """(name, Solid, scale by what it is judged, what it is) of all things in a Frame, or as drawn."""
    found, first = [], 0
    for rod in scene.rods:
        x, m = frame.x[first : first + len(rod.x)], rod.edge_count
        links = np.arange(m)[:, None] + [0, 1, 1]
        found.append((rod.name, Solid(x, links % len(x), rod.radius[0]), rod.radius[0], "rod"))
        first += len(rod.x)
    for one in scene.solids:
        x, corner = frame.x[first : first + len(one.x)], boundary(one.tetrahedra)[0]
        thickness = round_of(one, one.x, corner)
        found.append((one.name, Solid(x, corner, thickness), thickness, "soft"))
        first += len(one.x)
    for one, pose in zip(scene.bodies, frame.bodies, strict=True):
        solid = moved_rounded(one, pose)
        found.append((one.name, solid, solid.radius, "body"))
    for one in scene.colliders:
        at = points_at(one, frame.index * scene.frame_duration)
        found.append((one.name, Solid(np.asarray(at), one.triangles, one.thickness), np.inf, "led"))
    return found


def depths(scene, frame):
    """{pair: how deep over what counts} of a Frame."""
    found = {}
    things = surfaces_of(scene, frame)
    extent = {one.name: extents(one.shape.points).min() + 2.0 * one.shape.radius for one in scene.bodies}
    for (a, s, u, is_a), (b, t, v, is_b) in combinations(things, 2):
        if is_a == is_b == "led":
            continue
        kinds, scale = {is_a, is_b}, min(u, v)  # a rod comes before a soft body, and that before a rigid one
        if kinds == {"rod", "body"}:
            scale = min(u, extent[b])
        elif kinds == {"soft", "body"}:
            scale = v
        elif kinds == {"rod", "soft"}:
            scale = u
        found[a, b] = deepest_between(s, t, 0.0) / scale
    if scene.floor:
        for a, s, u, is_a in things:
            if is_a != "led":
                found[a, "floor"] = (s.radius + scene.floor.height - s.points[:, 2].min()) / u
    for rod, (_, s, _, _) in zip(scene.rods, things, strict=False):
        found[rod.name, "itself"] = deepest_overlap([rod], s.points, relative=True)
    return found


class Drawn:
    """As a Frame has it, before the first one."""

    def __init__(self, scene):
        self.index = 0
        self.x = np.concatenate([np.zeros((0, 3)), *(one.x for one in scene.deforming)])
        self.bodies = np.array([[*one.position, 1.0, 0.0, 0.0, 0.0] for one in scene.bodies]).reshape(-1, 7)


def clear(scene):
    """Whether nothing is drawn into anything."""
    try:
        check(scene)
    except SceneError:
        return False
    return max(depths(scene, Drawn(scene)).values()) <= 0.0


def test_nothing_sinks_in(random_case):
    name, scene = case(random_case)
    if not clear(scene):
        pytest.skip("drawn into each other")
    try:
        for frame in simulate(scene):
            if hasattr(frame, "x"):
                deep = depths(scene, frame)
                worst = max(deep, key=deep.get)
                assert deep[worst] < ALLOWED, (name, frame.index, worst)
    except SimulationError:
        assert random_case in STOP
