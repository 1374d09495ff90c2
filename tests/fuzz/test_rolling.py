"""Logs that roll, soft to stiff, thrown at each other, the ground, belts and blocks, by implicit steps: none stops,
what nobody drives gains no energy, and none is deeper in another one than it may be.
"""

import numpy as np
from solids import brick
from solvers import persist
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Floor, Rod, Scene

CASES = 100
ALLOWED = 0.05  # of the smaller radius
FRAMES = 12


def random_log(rng, k):
    radius, n = 10.0 ** rng.uniform(-2.6, -1.9), int(rng.integers(6, 30))
    length = rng.uniform(16.0, 120.0) * radius
    along = rng.normal(size=3) * [1.0, 1.0, 0.2]
    along /= np.linalg.norm(along)
    middle = [*rng.uniform(-0.1, 0.1, 2), 0.08 + 0.06 * k + 0.5 * length * abs(along[2])]
    material = Material(10.0 ** rng.uniform(5.0, 10.5), 0.3, rng.uniform(300.0, 3000.0), friction=rng.uniform(0.0, 1.0))
    return Rod.from_material(
        f"log {k}", np.linspace(-0.5, 0.5, n + 1)[:, None] * length * along + middle, radius, material, rolls=True,
        v=np.tile(rng.normal(size=3) * rng.choice([0.1, 1.0]), (n + 1, 1)), stretchable=bool(rng.integers(2)),
    )  # fmt: skip


def random_scene(seed):
    rng = np.random.default_rng(seed)
    rods = tuple(random_log(rng, k) for k in range(rng.integers(1, 5)))
    ground, bodies, belts = rng.choice(["floor", "block", "belt"]), (), ()
    if ground == "block":
        options = {"friction": rng.uniform(0.0, 1.0), "density": rng.uniform(50.0, 2000.0)}
        bodies = (brick((0.0, 0.0, 0.02), (0.3, 0.3, 0.04), name="block", **options),)
    elif ground == "belt":
        points = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
        samples = np.stack([points, points + [*rng.uniform(-0.5, 0.5, 2), 0.0]])
        belts = (Collider("belt", np.array([[0, 1, 2], [0, 2, 3]]), np.array([0.0, 1.0]), samples),)
    floor = Floor(-0.001 if ground == "belt" else 0.0, 0.5)
    return Scene(rods, 1.0 / 24.0, FRAMES + 1, bodies=bodies, colliders=belts, floor=floor, solver="IMPLICIT")


def test_logs_thrown(random_case):
    scene = random_scene(random_case)
    model, state, work = assemble(scene)
    most, drawn = energies(model, state).total, deepest_overlap(scene.rods, state.x, relative=True)
    for frame in range(1, FRAMES + 1):
        state, work, failed = persist(scene, model, state, work, frame * scene.frame_duration)
        assert failed is None
        assert deepest_overlap(scene.rods, state.x, relative=True) <= max(ALLOWED, drawn)
        if not scene.colliders:
            assert energies(model, state).total <= most * (1.0 + 1e-3)
