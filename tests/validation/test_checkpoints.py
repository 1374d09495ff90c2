"""What a bake goes on from: small, whatever struck, and to the same bytes."""

import numpy as np
from meshes import ball, box
from tendril.bake.cache import LARGEST_CHECKPOINT
from tendril.bake.whole_file import read_arrays, write_arrays
from tendril.meshing.fill import fill
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, Rod, Scene, SoftBody

FRAME = 1.0 / 24.0
STEEL = Material(2e11, 0.29, 7800.0, internal_damping=0.001)


def struck_spring():
    """A coil spring of 241 points, held at its foot, whose head a ball is led through from frame 1 to 5."""
    turns, radius, wire = 12, 0.006, 0.0006
    around = 2.0 * np.pi * np.arange(20 * turns + 1) / 20
    x = np.stack([radius * np.cos(around), radius * np.sin(around), 0.02 + 3.0 * wire * around / (2.0 * np.pi)], axis=1)
    spring = Rod.from_material("spring", x, wire, STEEL)
    points, triangles = ball(0.008, 12, 24)
    way = np.array([[-0.03, 0.0, 0.0], [-0.015, 0.0, 0.0], [0.045, 0.0, 0.0]])
    led = Collider("ball", triangles, FRAME * np.array([0.0, 1.0, 5.0]), x[-1] + points + way[:, None])
    return Scene((spring,), FRAME, 6, (Pin.fixed(spring, 0, "TWIST"),), colliders=(led,), solver="IMPLICIT")


def fallen_jelly():
    """Blender's cube, of soft rubber, filled as *Add Soft Body* fills it, as it strikes the floor."""
    points, triangles = box(np.full(3, 2.0))
    x, tetrahedra = fill(points, triangles, 10, 8.0)
    x = x - [0.0, 0.0, x[:, 2].min() - 0.05]
    jelly = SoftBody(
        "jelly", x, tetrahedra, 1000.0, 1e5, 0.45, mu=1e3, v=np.tile([0.0, 0.0, -7.5], (len(x), 1)), friction=0.5
    )
    return Scene((), FRAME, 6, floor=Floor(0.0), solids=(jelly,))


def largest(scene, path):
    """Size of the largest file of a checkpoint [B], having gone on from some."""
    frames, sizes = [*simulate(scene)], []
    for frame in frames:
        write_arrays(path, frame.state)
        sizes.append(path.stat().st_size)
    for begin in (2, 4):
        write_arrays(path, frames[begin].state)
        rest = simulate(scene, read_arrays(path, LARGEST_CHECKPOINT))
        for one, other in zip(frames[begin + 1 :], rest, strict=True):
            assert one.x.tobytes() == other.x.tobytes()
            assert one.state.keys() == other.state.keys()
            assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)
    return max(sizes)


def test_of_a_struck_spring_it_has_at_most_2_MB(tmp_path):
    assert largest(struck_spring(), tmp_path / "checkpoint.npz") < 2e6


def test_of_a_jelly_that_strikes_it_has_at_most_5_MB(tmp_path):
    assert largest(fallen_jelly(), tmp_path / "checkpoint.npz") < 5e6
