"""Random soft bodies, rigid bodies and ropes, above each other, which fuzz rings throw at what they are about."""

import numpy as np
from meshes import ball, box
from scipy.spatial.transform import Rotation
from solid_meshes import brick
from tendril.physics.materials import Material
from tendril.physics.scene import RigidBody, Rod, Shape, SoftBody
from tendril.physics.validate import SceneError, check

FASTEST = 10.0  # m/s
ROPE, STEEL = Material(1e7, 0.45, 1100.0, internal_damping=0.01), Material(2e11, 0.3, 7850.0)


def soft(random, number):
    x, node = brick(*[((3, 3, 3), (0.2, 0.2, 0.2)), ((4, 4, 1), (0.3, 0.3, 0.06))][random.integers(2)])
    x = (x - x.mean(axis=0)) @ Rotation.random(random_state=random).as_matrix().T
    x += [0.0, 0.0, 0.4 + 0.45 * number] + 0.1 * random.normal(size=3) * [1.0, 1.0, 0.0]
    young, way = 10.0 ** random.uniform(4.0, 6.0), random.normal(size=3) - [0.0, 0.0, 1.0]
    way *= random.uniform(0.0, FASTEST) / np.linalg.norm(way)
    return SoftBody(
        f"soft {number}", x, node, 1000.0, young, random.uniform(0.0, 0.45), v=np.tile(way, (len(x), 1)),
        mu=young * float(random.choice([0.0, 10.0 ** random.uniform(-4.0, -2.0)])), friction=random.uniform(0.0, 1.0),
    )  # fmt: skip


def solid(random, number):
    points, triangles = [box(random.uniform(0.08, 0.2, 3)), ball(0.07, 5, 8)][random.integers(2)]
    at = np.array([0.0, 0.0, 0.12 + 0.45 * number]) + 0.08 * random.normal(size=3) * [1.0, 1.0, 0.0]
    points = points @ Rotation.random(random_state=random).as_matrix().T
    mass = 10.0 ** random.uniform(-1.0, 1.5)
    return RigidBody(
        f"solid {number}", at, mass, mass * 0.01 * np.eye(3), v=random.normal(size=3),
        omega=3.0 * random.normal(size=3), shape=Shape(points + at, triangles), friction=random.uniform(0.0, 1.0),
    )  # fmt: skip


def rope(random, number, material):
    x = np.zeros((17, 3))
    x[:, 0] = np.linspace(-0.4, 0.4, 17)
    x[:, 2] = -0.1 * (1.0 - (x[:, 0] / 0.4) ** 2)
    x = x @ Rotation.from_rotvec([0.0, 0.0, random.uniform(0.0, 3.0)]).as_matrix().T
    radius = random.uniform(0.004, 0.012) * (1.0 if material is ROPE else 0.2)
    return Rod.from_material(
        f"rope {number}", x + [0.0, 0.0, 0.25 + 0.45 * number], radius, material,
        friction=random.uniform(0.0, 1.0),
    )  # fmt: skip


def in_order(scene):
    """Whether nothing is drawn into anything."""
    try:
        check(scene)
    except SceneError:
        return False
    return True
