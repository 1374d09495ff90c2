"""Bodies, ropes and meshes thrown at each other: nothing ends inside of anything, at any frame."""

from itertools import combinations

import numpy as np
from meshes import ball, sheet
from solids import brick, capsule, moved, sphere, wall
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Rod, Scene

CASES = 300
ALLOWED = 0.05  # of the smallest extent of a body, of which corners are rounded by a third, or of a rod's radius


def random_body(rng, place, speed):
    size = 10.0 ** rng.uniform(-1.6, -0.6)
    options = {
        "v": rng.normal(size=3) * speed, "omega": rng.normal(size=3) * 5.0, "friction": rng.choice([0.0, 0.4, 1.0]),
        "restitution": rng.choice([0.0, 0.5]),
    }  # fmt: skip
    kind = rng.choice(["brick", "ball", "capsule"])
    if kind == "ball":
        return sphere(place, size, **options)
    if kind == "capsule":
        return capsule(place, 0.5 * size, 2.0 * size, **options)
    return brick(place, size * rng.uniform(0.5, 2.0, 3), rng.normal(size=3), **options)


def random_scene(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 7))
    speed = rng.choice([0.0, 1.0, 10.0])
    spots = [np.array(spot) for spot in np.ndindex(2, 2, 2)]
    bodies = tuple(random_body(rng, 1.2 * (spots[k] - [0.5, 0.5, 0.0]) + [0.0, 0.0, 0.9], speed) for k in range(count))
    rods = ()
    if rng.random() < 0.5:
        radius, n = 10.0 ** rng.uniform(-2.7, -1.7), 30
        x = np.stack([np.linspace(-0.8, 0.8, n), 0.02 * rng.normal(size=n), np.full(n, 0.25)], axis=1)
        rods = (Rod.from_material("rope", x, radius, Material(10.0 ** rng.uniform(4.0, 7.0), 0.5, 1000.0)),)
    ground = rng.choice(["floor", "mesh", "lumps"])
    if ground == "floor":
        return Scene(rods, 1.0 / 24.0, 13, bodies=bodies, floor=Floor(0.0))
    if ground == "mesh":
        return Scene(rods, 1.0 / 24.0, 13, bodies=bodies, colliders=(wall(sheet(8, 4.0)),))
    points, triangles = ball(0.2, int(rng.choice([4, 10])), int(rng.choice([5, 16])))
    return Scene(rods, 1.0 / 24.0, 13, bodies=bodies, colliders=(wall((points - [0.0, 0.0, 0.05], triangles)),))


def test_nothing_passes_through(random_case):
    scene = random_scene(random_case)
    for frame in simulate(scene):
        solids = [moved(body, pose) for body, pose in zip(scene.bodies, frame.bodies, strict=True)]
        extents = [np.ptp(body.points, axis=0).min() + 2.0 * body.radius for body in solids]
        first = 0
        for rod in scene.rods:
            own = frame.x[first : first + len(rod.x)]
            links = np.arange(len(own) - 1)
            solids.append(Solid(own, np.stack([links, links + 1, links + 1], axis=1), rod.radius[0]))
            extents.append(2.0 * rod.radius[0])
            first += len(own)
        for i, j in combinations(range(len(solids)), 2):
            assert deepest_between(solids[i], solids[j]) < ALLOWED * min(extents[i], extents[j])
        for collider in scene.colliders:
            mesh = Solid(collider.points[0], collider.triangles, 0.0)
            for one, extent in zip(solids, extents, strict=True):
                assert deepest_between(one, mesh) < ALLOWED * extent
        if scene.floor:
            for one, extent in zip(solids, extents, strict=True):
                assert one.points[:, 2].min() - one.radius > -ALLOWED * extent
