"""Random soft bodies thrown at floors, colliders that stand, move or deform, and each other: nothing ends on the wrong
side, at no frame.
"""

from dataclasses import replace

import numpy as np
from meshes import ball, box, sheet
from passages import passages, passages_of_itself
from scipy.spatial.transform import Rotation
from solid_meshes import brick, torus
from tendril.physics.elements.tetrahedra import boundary, volumes
from tendril.physics.geometry.samples import points_at
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Frame, Scene, SoftBody

CASES = 100
FASTEST = 20.0  # m/s
FRAMES = 10
FRAME = 1.0 / 48.0


def body(random, number):
    """A brick, a plate or a torus of 0.1 to 0.4 m."""
    kind = random.integers(3)
    if kind == 2:
        x, node = torus(12, 6, 0.15, 0.05)
    else:
        x, node = brick(*((3, 3, 3), (0.2, 0.2, 0.2)) if kind else ((4, 4, 1), (0.3, 0.3, 0.05)))
    x = (x - x.mean(axis=0)) @ Rotation.random(random_state=random).as_matrix().T
    x += [0.0, 0.0, 0.4 + 0.5 * number] + 0.1 * random.normal(size=3) * [1.0, 1.0, 0.0]
    young, way = 10.0 ** random.uniform(3.5, 6.0), random.normal(size=3)
    way[2] = -abs(way[2])
    way *= random.uniform(0.0, FASTEST) / np.linalg.norm(way)
    return SoftBody(
        f"body {number}", x, node, 1000.0, young, random.uniform(0.0, 0.45),
        mu=young * float(random.choice([0.0, 10.0 ** random.uniform(-4.0, -1.5)])), v=np.tile(way, (len(x), 1)),
        friction=random.uniform(0.0, 1.0),
    )  # fmt: skip


def collider(random, number):
    """A sheet, box or ball at z around 0, still, led or deforming."""
    points, triangles = [sheet(5, 1.5, lambda x, y: 0.1 * np.sin(5.0 * x) * np.cos(5.0 * y)), box([0.5, 0.3, 0.2]),
                         ball(0.2, 5, 8)][random.integers(3)]  # fmt: skip
    points = points + 0.15 * random.normal(size=3) * [1.0, 1.0, 0.2]
    times, track = np.array([0.0, 0.1, 1.0]), np.stack([points] * 3)
    motion = random.integers(3)
    if motion == 1:
        track[1:] += random.uniform(-0.2, 0.2, 3) * [1.0, 1.0, 0.5]
    if motion == 2:
        track[1:] += 0.02 * random.normal(size=points.shape)
    return Collider(f"collider {number}", triangles, times, track, float(random.choice([0.0, 0.005])), 0.5)


def scene(random):
    given = Scene(
        (), FRAME, FRAMES, floor=Floor(-0.5, float(random.uniform(0.0, 1.0))),
        colliders=tuple(collider(random, k) for k in range(random.integers(0, 2))),
        solids=tuple(body(random, k) for k in range(random.integers(1, 4))),
    )  # fmt: skip
    drawn = Frame(0, np.concatenate([solid.x for solid in given.solids]), np.zeros((0, 3)), {})
    return replace(given, colliders=()) if wrong(given, drawn) else given  # drawn through one


def wrong(scene, frame):
    """What has gone through what at a Frame."""
    meshes, first, found = [], 0, []
    for solid in scene.solids:
        x = frame.x[first : first + len(solid.x)]
        assert np.isfinite(x).all()
        assert (volumes(x[solid.tetrahedra]) > 0.0).all()
        assert x[:, 2].min() > scene.floor.height
        meshes.append((x, boundary(solid.tetrahedra)[0]))
        first += len(solid.x)
    led = [(points_at(c, frame.index * FRAME), c.triangles) for c in scene.colliders]
    for k, mesh in enumerate(meshes):
        found += [(scene.solids[k].name, "itself")] * bool(passages_of_itself(mesh))
        others = [*zip(scene.solids[:k], meshes[:k], strict=True), *zip(scene.colliders, led, strict=True)]
        found += [(scene.solids[k].name, other.name) for other, its in others if passages(mesh, its)]
    return found


def test_nothing_ends_on_the_wrong_side(random_case):
    given = scene(np.random.default_rng(random_case))
    for frame in simulate(given):
        assert wrong(given, frame) == [], frame.index
