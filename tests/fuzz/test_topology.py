"""Rings, chains, knots, ropes and bodies thrown at each other and at meshes that move and deform: knots stay tied and
chains linked, nothing ends on a wrong side, nor deep in anything, at any frame, or one sentence ends the bake. What a
mesh squeezes is as deep in it as a notice tells.
"""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
from links import linking_number
from meshes import ball, box, sheet
from solids import brick, capsule, moved_rounded, sphere
from tendril.knots import catalogue
from tendril.physics.diagnostics.knots import knot_determinant
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
from tendril.physics.diagnostics.surface_overlap import intersections
from tendril.physics.geometry.samples import points_at
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Rod, Scene
from tendril.physics.validate import SimulationError

CASES = 300
FAILED = (90,)  # an edge that rocked in beside its neighbour
ALLOWED = 0.05  # of a rod's radius, or of the smallest extent of a body
FRAMES = np.arange(6) / 24.0  # s
TIED = ("trefoil", "figure_eight_closed", "cinquefoil", "borromean")


def direction(rng):
    d = rng.normal(size=3)
    return d / np.linalg.norm(d)


def rings(rng, radius):
    """One to three in a row, each through the next."""
    size, around = rng.uniform(6.0, 15.0) * radius, 2.0 * np.pi * np.linspace(0.0, 1.0, int(rng.integers(15, 31)))[1:]
    flat, up = size * np.stack([np.cos(around), np.sin(around)], axis=1), np.zeros((len(around), 1))
    ways = np.hstack([flat, up]), np.hstack([flat[:, :1], up, flat[:, 1:]])
    return [ways[k % 2] + [1.4 * k * size, 0.0, 0.0] for k in range(int(rng.integers(1, 4)))]


def knot(rng, radius):
    drawn = catalogue.knot(rng.choice(TIED), catalogue.TORUS).spaced(rng.uniform(1.0, 2.0), 0.0)
    return list(drawn.scaled(1.3 * radius).ropes)


def rope(rng, radius):
    s = np.linspace(-0.5, 0.5, int(rng.integers(8, 31)))[:, None]
    return [s * rng.uniform(30.0, 90.0) * radius * direction(rng)]


def body(rng, size):
    kind = rng.choice(["brick", "ball", "capsule"])
    if kind == "ball":
        return sphere(np.zeros(3), size)
    if kind == "capsule":
        return capsule(np.zeros(3), 0.5 * size, 2.0 * size)
    return brick(np.zeros(3), size * rng.uniform(0.5, 2.0, 3), rng.normal(size=3))


def mesh(rng, size):
    kind = rng.choice(["ball", "box", "sheet"])
    if kind == "ball":
        return ball(0.5 * size, int(rng.choice([4, 12])), int(rng.choice([5, 20])))
    if kind == "box":
        return box(size * rng.uniform(0.5, 1.5, 3))
    return sheet(int(rng.choice([1, 8])), 2.0 * size)


def led(rng, points, speed):
    """(times, points) of a mesh that stands still, goes, turns or deforms."""
    kind = rng.choice(["still", "shifted", "spun", "deformed"])
    if kind == "still":
        return np.zeros(1), points[None]
    if kind == "shifted":
        return FRAMES, points + np.outer(FRAMES, speed * direction(rng))[:, None]
    if kind == "spun":
        angle = FRAMES[:, None] * rng.uniform(-8.0, 8.0)
        c, s = np.cos(angle), np.sin(angle)
        x, y, z = np.moveaxis(points, 1, 0)
        return FRAMES, np.stack([c * x - s * y, s * x + c * y, np.tile(z, (len(FRAMES), 1))], axis=2)
    wave = np.sin(FRAMES * rng.uniform(2.0, 20.0))[:, None, None]
    return FRAMES, points * (1.0 + 0.4 * wave * rng.normal(size=3))


def place(rng, reach, taken):
    """Where along some direction a ball is as near to the first as the others (centre, reach) leave room for."""
    towards, far = direction(rng), 0.0
    for centre, other in taken:
        along = towards @ centre
        free = along**2 - centre @ centre + (reach + other) ** 2
        far = max(far, along + np.sqrt(max(free, 0.0)))
    return far * towards


def thrown_rods(rng, number, radius, speed, taken):
    """The Rods of a chain, a knot or a rope, thrown at the middle; taken: has one more."""
    kind = (rings, knot, rope)[rng.integers(3)]
    drawn = kind(rng, radius)
    middle = np.vstack(drawn).mean(axis=0)
    reach = np.linalg.norm(np.vstack(drawn) - middle, axis=1).max() + 1.2 * radius
    centre = place(rng, reach, taken)
    taken.append((centre, reach))
    v = -speed * (centre / max(np.linalg.norm(centre), reach) + 0.2 * direction(rng))
    material = Material(10.0 ** rng.uniform(4.0, 7.5), 0.5, 1000.0, friction=rng.choice([0.0, 0.3, 1.0]))
    return [
        Rod.from_material(
            f"{kind.__name__} {number} {m}", x - middle + centre, radius, material, closed=kind is not rope,
            v=np.tile(v, (len(x), 1)),
        )
        for m, x in enumerate(drawn)
    ]  # fmt: skip


def thrown_body(rng, number, size, speed, taken):
    """A RigidBody thrown at the middle; taken: has one more."""
    drawn = body(rng, size)
    reach = 1.1 * (np.linalg.norm(drawn.shape.points, axis=1).max() + drawn.shape.radius)
    centre = place(rng, reach, taken)
    taken.append((centre, reach))
    shape = replace(drawn.shape, points=drawn.shape.points + centre)
    v = -speed * centre / max(np.linalg.norm(centre), reach)
    return replace(drawn, name=f"body {number}", position=centre, shape=shape, v=v)


def random_scene(seed):
    rng = np.random.default_rng([10, seed])
    radii = 10.0 ** (rng.uniform(-3.0, -2.0) + rng.uniform(-1.0, 1.0, int(rng.integers(1, 5))) * rng.random())
    speed, scale = radii.min() / FRAMES[1] * 10.0 ** rng.uniform(1.0, 3.0), radii.max()
    rods, bodies, colliders, taken = [], [], [], []
    if rng.random() < 0.6:
        points, triangles = mesh(rng, scale * 10.0 ** rng.uniform(0.7, 1.7))
        times, points = led(rng, points @ np.linalg.qr(rng.normal(size=(3, 3)))[0].T, speed)
        colliders = [Collider("mesh", triangles, times, points, rng.choice([0.0, 0.5]) * radii.min())]
        taken = [(np.zeros(3), 1.1 * np.linalg.norm(points[0], axis=1).max())]
    for k, radius in enumerate(radii):
        rods += thrown_rods(rng, k, radius, speed, taken)
    for k in range(int(rng.integers(0, 3))):
        bodies.append(thrown_body(rng, k, scale * 10.0 ** rng.uniform(0.0, 1.2), speed, taken))
    floor = Floor(min(centre[2] - reach for centre, reach in taken)) if rng.random() < 0.5 else None
    roll = np.random.default_rng([11, seed]).random(len(rods)) < 0.3
    rods = tuple(replace(rod, rolls=bool(rolls)) for rod, rolls in zip(rods, roll, strict=True))
    return Scene(
        rods, FRAMES[1], len(FRAMES), bodies=tuple(bodies), colliders=tuple(colliders), floor=floor,
        solver=str(rng.choice(["EXPLICIT", "IMPLICIT"])),
    )  # fmt: skip


def curves(scene, x):
    """The vertices of each rod."""
    return np.split(x, np.cumsum([len(rod.x) for rod in scene.rods])[:-1])


def topology(scene, x):
    """(determinant of each closed rod, linking number of each two of them)"""
    closed = [own for own, rod in zip(curves(scene, x), scene.rods, strict=True) if rod.closed]
    return [knot_determinant(own) for own in closed], [linking_number(*two) for two in combinations(closed, 2)]


def solids(scene, frame):
    """(Solid, smallest extent [m]) of each rod, each body and each collider."""
    for own, rod in zip(curves(scene, frame.x), scene.rods, strict=True):
        edge = np.arange(rod.edge_count)
        after = (edge + 1) % len(own)
        yield Solid(own, np.stack([edge, after, after], axis=1), rod.radius[0]), rod.radius[0]
    for each, pose in zip(scene.bodies, frame.bodies, strict=True):
        yield moved_rounded(each, pose), np.ptp(each.shape.points, axis=0).min() + 2.0 * each.shape.radius
    for collider in scene.colliders:
        points = points_at(collider, frame.index * scene.frame_duration)
        yield Solid(points, collider.triangles, collider.thickness), np.inf


def faults(scene, frame, before, told=0.0):
    """What is wrong at a Frame, where the topology was as `before`: of which two things, and how deep; told [m]: how
    deep in meshes things are said to be.
    """
    if not (np.isfinite(frame.x).all() and np.isfinite(frame.bodies).all()):
        yield "not finite"
        return
    if topology(scene, frame.x) != before:
        yield "knots", before, topology(scene, frame.x)
    depth = deepest_overlap(scene.rods, frame.x, relative=True)
    if depth > ALLOWED:
        yield "rods", depth
    for collider in scene.colliders:
        points = points_at(collider, frame.index * scene.frame_duration)
        if intersections(scene.rods, frame.x, collider, points) > 0:
            yield "through a mesh"
    things = list(solids(scene, frame))
    for i, j in combinations(range(len(things)), 2):
        if j >= len(scene.rods):
            (one, extent), (other, size) = things[i], things[j]
            known = told if j >= len(things) - len(scene.colliders) else 0.0
            depth = (deepest_between(one, other, 0.0) - known) / min(extent, size)
            if depth > ALLOWED:
                yield i, j, depth
    if scene.floor:
        for i, (thing, extent) in enumerate(things[: len(scene.rods) + len(scene.bodies)]):
            depth = (scene.floor.height - (thing.points[:, 2].min() - thing.radius)) / extent
            if depth > ALLOWED:
                yield "floor", i, depth


def frames(scene, notices):
    """Each Frame, to the end or to the sentence that ends the bake, which names its object; fills a list of Notices."""
    try:
        yield from simulate(scene, notices=notices.append)
    except SimulationError as error:
        if f"'{error.object}'" not in str(error):
            raise


def all_faults(scene):
    """(Frame's number, what `faults` says) of all that is wrong in a scene."""
    before, notices = topology(scene, np.vstack([rod.x for rod in scene.rods])), []
    shown = list(frames(scene, notices))
    squeezed = [re.search(r"too little room .* overlap by up to (\S+) mm", notice.text) for notice in notices]
    told = max((1e-3 * float(found[1]) for found in squeezed if found), default=0.0)
    return [(frame.index, fault) for frame in shown for fault in faults(scene, frame, before, told)]


def test_knots_stay_tied_and_nothing_passes_through(random_case):
    assert all_faults(random_scene(random_case)) == []
