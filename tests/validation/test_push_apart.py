"""Things drawn into each other and pushed apart begin at rest: nothing overlaps, nothing flies, and a resumed bake is
the same.
"""

from itertools import combinations

import numpy as np
import pytest
from meshes import sheet
from solid_meshes import brick as soft_brick
from solids import brick, capsule, moved, sphere, wall
from tendril.bake import cache as caches
from tendril.bake import job
from tendril.bake.baking import bake
from tendril.bake.cache import Cache
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
from tendril.physics.elements.tetrahedra import boundary
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Scene, SoftBody
from tendril.physics.validate import SceneError, check

UNIT = (1.0, 1.0, 1.0)
BODIES = (
    brick([0, 0, 0.45], UNIT, name="A"), brick([0.1, 0.05, 1.3], UNIT, name="B", turn=np.array([0.1, 0.2, 0.3])),
    sphere([0.0, 0.0, 1.85], 0.2), capsule([0.6, 0.0, 0.3], 0.2, 0.8), brick([-0.9, 0.2, 0.5], UNIT, name="C"),
)  # fmt: skip
GROUND = wall(sheet(7, 6.0))


def jelly(name, place):
    x, node = soft_brick((2, 2, 2))
    return SoftBody(name, x - x.mean(axis=0) + place, node, 1000.0, 1e4, 0.3)


SOFT = (jelly("Jelly", [0, 0, 0.4]), jelly("Custard", [0.1, 0, 1.3]))


def scene(count=6, **options):
    return Scene((), 1.0 / 24.0, count, push_apart=True, **{"gravity": np.zeros(3), **options})


HEAPS = [
    scene(bodies=BODIES, colliders=(GROUND,)),
    scene(bodies=BODIES, floor=Floor(0.0)),
    scene(solids=SOFT, colliders=(GROUND,)),
    scene(solids=SOFT, bodies=(brick([0.0, 0.1, 2.2], UNIT, name="A"),), floor=Floor(0.0)),
]


def surfaces(given, x, poses):
    yield from (moved(body, pose) for body, pose in zip(given.bodies, poses, strict=True))
    ends = np.cumsum([len(one.x) for one in given.solids])[:-1]
    for one, place in zip(given.solids, np.split(x, ends) if given.solids else (), strict=True):
        yield Solid(place, boundary(one.tetrahedra)[0], 0.0)
    yield from (Solid(one.points[0], one.triangles, 0.0) for one in given.colliders)


@pytest.mark.parametrize("given", HEAPS)
def test_a_bake_begins_with_nothing_in_each_other_and_at_rest(given, tmp_path):
    folder = job.write(tmp_path, given, {}).folder
    said = list(bake(folder))
    assert said[-1]["kind"] == "done", said[-1]
    assert any("is moved by" in notice.text for notice in Cache(folder).notices)
    x, _, poses = Cache(folder).read(0)
    for one, other in combinations(surfaces(given, x, poses), 2):
        assert deepest_between(one, other, 0.01) <= 1e-8
    for frame in range(1, given.frame_count):
        later, _, there = Cache(folder).read(frame)
        np.testing.assert_allclose(later, x, atol=1e-9)  # no energy but what rounding gives
        np.testing.assert_allclose(there, poses, atol=1e-9)


def test_what_is_pushed_apart_falls_no_farther_than_its_gaps():
    """And no faster: its energy does not grow."""
    given = scene(24, bodies=BODIES[:2], floor=Floor(0.0), gravity=np.array([0.0, 0.0, -9.81]))
    frames = list(simulate(given))
    heights = np.array([frame.bodies[:, 2] for frame in frames])
    mass = np.array([body.mass for body in given.bodies])
    assert np.all(heights @ mass <= heights[0] @ mass + 1e-9)


def test_a_resumed_bake_begins_at_the_same_place(tmp_path):
    given = scene(6, bodies=BODIES, floor=Floor(0.0), gravity=np.array([0.0, 0.0, -9.81]))
    whole, part = (job.write(tmp_path / name, given, {}).folder for name in ("whole", "part"))
    list(bake(whole))
    told = []
    for said in bake(part, stopped=lambda: any(one["kind"] == "progress" and one["frame"] >= 3 for one in told)):
        told.append(said)
    assert len(Cache(part).frames) == 3
    assert list(bake(part, resume=True))[-1]["kind"] == "done"
    one, other = ([path.read_bytes() for path in sorted((at / caches.FRAMES).iterdir())] for at in (whole, part))
    assert one == other
    texts = [notice.text for notice in Cache(part).notices]
    assert len(texts) == len(set(texts))


def test_without_the_permission_it_is_refused():
    for given in HEAPS[:2]:
        with pytest.raises(SceneError, match="turn on Push Apart"):
            check(Scene((), 1.0 / 24.0, 2, bodies=given.bodies))
