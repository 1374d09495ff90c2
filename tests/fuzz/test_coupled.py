"""Random soft bodies thrown at ropes and rigid bodies, some tied to them: nothing passes through anything, no element
turns inside out, at no frame.
"""

from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, box
from passages import passages
from scipy.spatial.transform import Rotation
from solid_meshes import brick
from tendril.physics.elements.tetrahedra import boundary, volumes
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Tie
from tendril.physics.validate import SceneError, SimulationError, check

CASES = 30
MORE = (60, 138, 144)  # in which light bodies got deep into soft ones between two sets of contacts
FRAMES, FRAME = 10, 1.0 / 48.0
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


def ring(random, number):
    """Of steel: round or wavy, as drawn or straight by nature, some of them stretch."""
    angle = np.linspace(0.0, 2.0 * np.pi, random.integers(12, 40), endpoint=False)
    away = random.uniform(0.15, 0.3) * (1.0 + random.choice([0.0, 0.2]) * np.cos(3.0 * angle))
    x = away[:, None] * np.stack([np.cos(angle), np.sin(angle), 0.3 * np.sin(2.0 * angle)], axis=1)
    return Rod.from_material(
        f"ring {number}", x + [0.0, 0.0, 0.2 + 0.45 * number], random.uniform(3e-4, 3e-3), STEEL, closed=True,
        friction=random.uniform(0.0, 1.0), stretchable=bool(random.integers(2)),
        shape_memory=float(random.integers(2)),
    )  # fmt: skip


def scene_of_rings(random):
    softs = tuple(soft(random, k) for k in range(random.integers(1, 3)))
    rings = tuple(ring(random, k) for k in range(random.integers(1, 3)))
    pins = tuple(Pin.fixed(rod, vertex, rod=r) for r, rod in enumerate(rings) for vertex in (0, len(rod.x) // 2))
    return Scene(rings, FRAME, FRAMES, pins=pins[random.integers(3) :], solids=softs, floor=Floor(-0.3, 0.3))


def scene(random, material):
    softs = tuple(soft(random, k) for k in range(random.integers(1, 3)))
    solids = tuple(solid(random, k) for k in range(random.integers(0, 3)))
    rods = tuple(rope(random, k, material) for k in range(random.integers(0 if solids else 1, 3)))
    pins = tuple(Pin.fixed(rod, end, rod=r) for r, rod in enumerate(rods) for end in (0, -1))
    ties = ()
    if solids and random.integers(2):
        near = np.argsort(np.linalg.norm(softs[0].x - solids[0].position, axis=1))[:4]
        ties = (Tie("tie", 0, near, body=0),)
    return Scene(rods, FRAME, FRAMES, pins=pins, bodies=solids, solids=softs, ties=ties, floor=Floor(-0.3, 0.3))


def wrong(scene, frame):
    """What has gone through what at a Frame."""
    assert np.isfinite(frame.x).all()
    assert np.isfinite(frame.bodies).all()
    first, found, meshes, lines = 0, [], [], []
    for rod in scene.rods:
        lines.append(frame.x[first : first + len(rod.x)])
        first += len(rod.x)
    for s in scene.solids:
        x = frame.x[first : first + len(s.x)]
        assert (volumes(x[s.tetrahedra]) > 0.0).all()
        meshes.append((x, boundary(s.tetrahedra)[0]))
        first += len(s.x)
    tied = {(tie.solid, tie.body) for tie in scene.ties}
    for k, mesh in enumerate(meshes):
        for b, (body, pose) in enumerate(zip(scene.bodies, frame.bodies, strict=True)):
            turn = Rotation.from_quat(np.roll(pose[3:], -1))
            its = turn.apply(body.shape.points - body.position) + pose[:3], body.shape.triangles
            if (k, b) not in tied and passages(mesh, its):
                found.append((scene.solids[k].name, body.name))
        for rod, x in zip(scene.rods, lines, strict=True):
            edges = (np.arange(rod.edge_count)[:, None] + [0, 1, 1]) % len(x)
            if passages(mesh, (x, edges)):
                found.append((scene.solids[k].name, rod.name))
    return found


def in_order(scene):
    """Whether nothing is drawn into anything."""
    try:
        check(scene)
    except SceneError:
        return False
    return True


@pytest.mark.parametrize("case", [*range(CASES), *MORE])
@pytest.mark.parametrize(("solver", "material"), [("EXPLICIT", ROPE), ("IMPLICIT", STEEL)])
def test_nothing_passes_through_anything(case, solver, material):
    random = np.random.default_rng([case, 11])
    given = scene(random, material)
    while not in_order(given):
        given = scene(random, material)
    given = replace(given, solver=solver)
    for frame in simulate(given):
        assert wrong(given, frame) == []


@pytest.mark.parametrize("case", range(CASES))
def test_nothing_passes_through_rings(case):
    random = np.random.default_rng([case, 12])
    given = scene_of_rings(random)
    while not in_order(given):
        given = scene_of_rings(random)
    for frame in simulate(replace(given, solver="IMPLICIT")):
        assert wrong(given, frame) == []


def test_a_wire_that_is_drawn_tight_throws_nothing():
    """Of steel, pinned at its ends, between a body of 23 kg, which goes at 2.5 m/s, and jelly. In steps of 1e-7 s and
    less, what sweeps had missed of its lengths and gaps became velocity: it left at 5e11 m/s. It stops at worst.

    What is pinched comes free by rounding. Of 60 starts that differ by 1e-9 m, frames' ways show 9 m/s in half, more
    than 12 in a fifth, of single nodes of the jelly, and 90 at most.
    """
    random = np.random.default_rng([2, 11])
    given = scene(random, STEEL)
    while not in_order(given):
        given = scene(random, STEEL)
    tops = []
    for shift in (0.0, 1e-12, -1e-12, 1e-9, -1e-9):
        moved = tuple(replace(one, x=one.x + shift) for one in given.solids)
        frames, stopped = [], ""
        try:
            for frame in simulate(replace(given, solver="IMPLICIT", solids=moved)):
                frames.append(frame.x)
        except SimulationError as error:  # of 50 starts one
            stopped = str(error)
        assert not stopped or "energy that nothing gave it" in stopped
        assert len(frames) >= 4
        tops.append(np.abs(np.diff(frames, axis=0)).max() / given.frame_duration)
    assert max(tops) < 1e3
    assert sorted(tops)[1] < 12.0
