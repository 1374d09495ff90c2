"""What a bake goes on from: small, whatever struck, and to the same bytes."""

import numpy as np
import pytest
from meshes import ball, box
from tendril.bake.cache import LARGEST_CHECKPOINT
from tendril.bake.whole_file import read_arrays, write_arrays
from tendril.meshing.fill import fill
from tendril.physics.assemble import state
from tendril.physics.materials import Material
from tendril.physics.model import LISTS, PAIR
from tendril.physics.run.checkpoint import ROOM
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, Rod, Scene, SoftBody

FRAME = 1.0 / 24.0
STEEL = Material(2e11, 0.29, 7800.0, internal_damping=0.001)


@pytest.fixture(autouse=True)
def roomy(monkeypatch):
    """Lists have room for as many pairs as a spring's had that was struck hard: room grows, but is never given back."""
    for name, times in (("CAPSULE", 256), ("VERTEX", 64), ("SOFT_VERTEX", 64)):
        monkeypatch.setattr(state, f"PAIRS_PER_{name}", times * getattr(state, f"PAIRS_PER_{name}"))


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
    """(size of the largest file of a checkpoint [B], of all room for pairs), having gone on from each file."""
    frames, sizes, rooms = [*simulate(scene)], [], []
    for frame in frames:
        write_arrays(path, frame.state)
        sizes.append(path.stat().st_size)
        rooms.append(PAIR.itemsize * sum(int(frame.state[ROOM[name]].sum()) for name in LISTS))
    for begin in (2, 4):
        write_arrays(path, frames[begin].state)
        rest = simulate(scene, read_arrays(path, LARGEST_CHECKPOINT))
        for one, other in zip(frames[begin + 1 :], rest, strict=True):
            assert one.x.tobytes() == other.x.tobytes()
            assert one.state.keys() == other.state.keys()
            assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)
    return max(sizes), max(rooms)


def test_of_a_struck_spring_it_has_at_most_2_MB(tmp_path):
    size, room = largest(struck_spring(), tmp_path / "checkpoint.npz")
    assert size < 2e6 < 80e6 < room


def test_of_a_jelly_that_strikes_it_has_at_most_5_MB(tmp_path):
    size, room = largest(fallen_jelly(), tmp_path / "checkpoint.npz")
    assert size < 5e6 < 80e6 < room
