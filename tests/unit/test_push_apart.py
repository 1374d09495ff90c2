"""What is drawn into something is moved out of it, by the smallest way, shared by mass; what is held stays."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from meshes import ball, box, sheet
from scipy.spatial.transform import Rotation
from solid_meshes import brick as soft_brick
from solid_meshes import torus
from solids import brick, capsule, sphere, wall
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
from tendril.physics.elements.tetrahedra import boundary
from tendril.physics.geometry.rounding import round_of
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Hold, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Tie, Weld
from tendril.physics.start.push_apart import MOST_NOTICES, pushed_apart
from tendril.physics.start.way_out import SLIGHT
from tendril.physics.validate import SceneError

UNIT = (1.0, 1.0, 1.0)
ROPE = Material(1e7, 0.4, 1000.0)
SLAB = wall(box((4.0, 4.0, 1.0)), name="Slab")  # up to z = 0.5


def crate(name, place, size=UNIT, **options):
    return brick(place, size, name=name, **options)


def jelly(name, place, **options):
    x, node = soft_brick((2, 2, 2))
    return SoftBody(name, x - x.mean(axis=0) + place, node, 1000.0, 1e4, 0.3, **options)


def scene(*bodies, **options):
    return Scene(options.pop("rods", ()), 0.04, 2, bodies=bodies, push_apart=True, **options)


def ways(before):
    """(how far each body, soft body and rod goes, the notices' texts); what was moved does not go again."""
    after, said = pushed_apart(before)
    assert pushed_apart(after)[1] == []
    assert all(one is other for one, other in zip(pushed_apart(after)[0].bodies, after.bodies, strict=True))
    gone = [b.position - a.position for a, b in zip(before.bodies, after.bodies, strict=True)]
    gone += [(b.x - a.x)[0] for a, b in zip(before.solids, after.solids, strict=True)]
    gone += [(b.x - a.x)[0] for a, b in zip(before.rods, after.rods, strict=True)]
    return np.array(gone), [notice.text for notice in said]


def test_two_boxes_share_the_way_by_mass():
    gone, said = ways(scene(crate("A", [0, 0, 0]), crate("B", [0.9, 0.2, 0.1], density=3000.0)))
    np.testing.assert_allclose(gone, [[-0.75 * (0.1 + SLIGHT), 0, 0], [0.25 * (0.1 + SLIGHT), 0, 0]], atol=1e-12)
    assert said == ["'A' is moved by 75.1 mm, out of 'B'.", "'B' is moved by 25 mm, out of 'A'."]


def test_only_where_it_is_asked_for_and_needed():
    both = scene(crate("A", [0, 0, 0]), crate("B", [0.9, 0.2, 0.1]))
    for other in (
        replace(both, push_apart=False), replace(both, contact=False), replace(both, collision_filter=((0, 0),)),
        scene(crate("A", [0, 0, 0]), crate("B", [1.0, 0.2, 0.1]), floor=Floor(-0.5)),  # just touching
        scene(crate("A", [0, 0, 1.0]), colliders=(SLAB,)),
        scene(crate("A", [0, 0, 0]), colliders=(wall(box((3.0, 3.0, 3.0))),)),  # in a room
    ):  # fmt: skip
        given, said = pushed_apart(other)
        assert (given.bodies, said) == (other.bodies, [])


def test_a_ball_leaves_a_box_by_the_nearest_face():
    size = SLIGHT * 0.2
    gone, _ = ways(scene(sphere([0.1, 0.0, 0.3], density=1e-6), crate("B", [0, 0, 0])))
    np.testing.assert_allclose(gone[0], [0, 0, 0.3 + size], atol=1e-6)
    gone, _ = ways(scene(sphere([0.0, 0.0, 0.55]), colliders=(SLAB,)))
    np.testing.assert_allclose(gone[0], [0, 0, 0.05 + size], atol=1e-9)
    gone, _ = ways(scene(sphere([0.0, 0.0, 0.45]), colliders=(wall(sheet(5, 3.0)),)))
    assert not gone.any()


def test_a_box_leaves_the_floor_and_colliders_upwards():
    for ground in ({"floor": Floor(0.5)}, {"colliders": (SLAB,)}, {"colliders": (wall(sheet(20, 4.0, above)),)}):
        gone, (text,) = ways(scene(crate("A", [0.0, 0.0, 0.9]), **ground))
        np.testing.assert_allclose(gone[0], [0, 0, 0.1 + SLIGHT], atol=1e-12)
        assert text == f"'A' is moved by 100 mm, out of {'the floor' if 'floor' in ground else named(ground)}."
    gone, _ = ways(scene(crate("A", [2.3, 0.0, 0.9]), colliders=(SLAB,)))  # over its rim
    np.testing.assert_allclose(gone[0], [0, 0, 0.1 + SLIGHT], atol=1e-12)
    gone, _ = ways(scene(crate("A", [1.2, 0, 0]), colliders=(wall(box((3.0, 3.0, 3.0))),)))  # through a room's wall
    np.testing.assert_allclose(gone[0], [-0.2 - SLIGHT, 0, 0], atol=1e-12)


def above(x, _y):
    return 0.0 * x + 0.5


def named(ground):
    return f"'{ground['colliders'][0].name}'"


def test_three_crates_in_a_row():
    gone, said = ways(scene(*(crate(name, [0.8 * k, 0, 0]) for k, name in enumerate("ABC"))))
    np.testing.assert_allclose(gone[:, 1:], 0.0, atol=1e-12)
    np.testing.assert_allclose(gone[:, 0], [-0.2, 0.0, 0.2], atol=2.0 * SLIGHT)
    assert np.all(np.diff([0.8 * k + gone[k, 0] for k in range(3)]) >= 1.0 - 1e-9)
    assert said == ["'A' is moved by 200 mm, out of 'B'.", "'C' is moved by 200 mm, out of 'B'."]


def test_a_pile_of_balls_keeps_its_centre():
    rng = np.random.default_rng(0)
    balls = [sphere(place, name=f"ball {k}") for k, place in enumerate(rng.uniform(-0.08, 0.08, (5, 3)))]
    gone, said = ways(scene(*balls))
    np.testing.assert_allclose(gone.mean(axis=0), 0.0, atol=1e-12)
    place = np.array([one.position for one in balls]) + gone
    apart = np.linalg.norm(place[:, None] - place, axis=2)[~np.eye(5, dtype=bool)]
    assert apart.min() >= 0.2 - 1e-9
    assert len(said) == 5
    gone, said = ways(scene(*(sphere([0.15 * k, 0, 0], name=f"{k}") for k in range(MOST_NOTICES + 3))))
    assert said[-1].endswith("There are 3 more like this.")


def test_light_below_heavy_finds_room_above_the_floor():
    light, heavy = crate("A", [0, 0, 0.4]), crate("B", [0.1, 0, 1.2], density=1e6)
    gone, _ = ways(scene(light, heavy, floor=Floor(0.0)))
    np.testing.assert_allclose(gone, [[0, 0, 0.1], [0, 0, 0.3]], atol=4.0 * SLIGHT)


def test_a_high_tower_finds_room_above_the_floor():
    tower = scene(*(crate(f"{k}", [0.01 * k, 0, 0.8 * k]) for k in range(10)), floor=Floor(0.0))
    gone, said = ways(tower)
    assert said[0] == "'9' is moved by 2.3 m, out of '8'."
    heights = np.array([body.position[2] for body in tower.bodies]) + gone[:, 2]
    np.testing.assert_allclose(heights, np.arange(10) + 0.5, atol=0.01)
    assert heights[0] >= 0.5 - 1e-9
    assert np.diff(heights).min() >= 1.0 - 1e-9


def test_without_room_the_scene_is_refused_as_without():
    low, high = (wall((sheet(3, 4.0)[0] + [0, 0, z], sheet(3, 4.0)[1]), name=f"{z}") for z in (0.0, 0.9))
    narrow = scene(crate("A", [0, 0, 0.45]), colliders=(low, high))
    with pytest.raises(SceneError) as refusal:
        pushed_apart(narrow)
    assert refusal.value.object == "A"
    assert str(refusal.value).startswith("'A' is drawn about ")
    assert str(refusal.value).endswith("turn off Collisions of one of them. Pushing apart found no room.")


def test_soft_bodies_go_as_a_whole_to_where_their_rounding_touches():
    one, other = jelly("J", [0, 0, 0]), jelly("K", [0.1, 0, 0.9])
    around = round_of(replace(one, thickness=0.0), one.x, boundary(one.tetrahedra)[0])
    gone, _ = ways(scene(solids=(one, other)))
    half = 0.5 * (0.1 + SLIGHT + 2.0 * around)
    np.testing.assert_allclose(gone, [[0, 0, -half], [0, 0, half]], atol=1e-12)
    gone, _ = ways(scene(crate("A", [0, 0, 0.9]), solids=(one,)))
    np.testing.assert_allclose(gone, [[0, 0, 0.5 * (0.1 + SLIGHT + around)], -gone[0]], atol=1e-12)
    for ground in ({"floor": Floor(-0.4)}, {"colliders": (wall((sheet(5, 3.0)[0] - [0, 0, 0.4], sheet(5, 3.0)[1])),)}):
        gone, _ = ways(scene(solids=(one,), **ground))
        np.testing.assert_allclose(gone, [[0, 0, 0.1 + SLIGHT + around]], atol=1e-12)


def test_what_is_held_stays_and_is_told():
    nail = Hold("Nail", "POINT", 0, 0)
    gone, said = ways(scene(crate("A", [0, 0, 0.9]), solids=(jelly("J", [0, 0, 0]),), holds=(nail,)))
    assert not gone[1].any()
    assert gone[0, 2] > 0.1
    assert said == [f"'A' is moved by {1e3 * gone[0, 2]:.3g} mm, out of 'J' (held)."]
    both = scene(solids=(jelly("J", [0, 0, 0]), jelly("K", [0, 0.1, 0.9])), holds=(nail, replace(nail, solid=1)))
    with pytest.raises(SceneError, match=r"found no room\. Held, and so left where it is: 'J', 'K'\.$"):
        pushed_apart(both)


def test_what_is_tied_goes_along_unless_something_holds_it():
    rope = Rod.from_material("Rope", np.linspace([0, 0, 0.5], [0, 0, 1.5], 10), 0.01, ROPE)
    lamp, box_ = crate("Lamp", [0, 0, 0]), crate("Box", [0.9, 0, 0])
    tied = scene(lamp, box_, rods=(rope,), welds=(Weld("Tie", 0, 0, 0),))
    gone, said = ways(tied)
    share = box_.mass / (lamp.mass + box_.mass + rope.mass.sum())
    np.testing.assert_allclose(gone[0], [-share * (0.1 + SLIGHT), 0, 0], atol=1e-12)
    np.testing.assert_allclose(gone[2], gone[0], atol=1e-12)
    assert "'Lamp' is moved by 50 mm with what is tied to it, out of 'Box'." in said
    gone, said = ways(replace(tied, pins=(Pin.fixed(rope, 9, rod=0),)))
    np.testing.assert_allclose(gone, [[0, 0, 0], [0.1 + SLIGHT, 0, 0], [0, 0, 0]], atol=1e-12)
    assert said == ["'Box' is moved by 100 mm, out of 'Lamp' (held)."]
    still = {"times": np.zeros(1), "track": np.zeros((1, 3)), "turn": np.array([[1.0, 0.0, 0.0, 0.0]])}
    gone, _ = ways(replace(tied, bodies=(replace(lamp, **still), box_)))
    np.testing.assert_allclose(gone, [[0, 0, 0], [0.1 + SLIGHT, 0, 0], [0, 0, 0]], atol=1e-12)
    soft = jelly("J", [0, 0, -1.0])
    held = replace(tied, rods=(), welds=(), solids=(soft,), ties=(Tie("Glue", 0, np.array([0]), body=0),))
    gone, _ = ways(held)
    np.testing.assert_allclose(gone[2], gone[0], atol=1e-12)
    assert gone[0, 0] < -0.02


def ring(name, turn, place):
    x, node = torus()
    used, triangles = np.unique(boundary(node)[0], return_inverse=True)
    points = x[used] @ turn + place
    return RigidBody(name, points.mean(axis=0), 1.0, 0.1 * np.eye(3), shape=Shape(points, triangles.reshape(-1, 3)))


@pytest.mark.parametrize(("off", "moves"), [(0.25, False), (0.35, True)])
def test_links_of_a_chain_stay_in_each_other(off, moves):
    quarter = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    links = scene(ring("A", np.eye(3), np.zeros(3)), ring("B", quarter, [off, 0.0, 0.0]))
    after, said = pushed_apart(links)
    assert bool(said) == moves
    one, other = (Solid(body.shape.points, body.shape.triangles, 0.0) for body in after.bodies)
    assert deepest_between(one, other) <= 1e-9
    centres = [body.position for body in after.bodies]
    assert np.linalg.norm(centres[1] - centres[0]) < 0.37  # of a radius of 0.25 about a tube of 0.08


def test_a_mesh_leaves_what_is_inside_it():
    points, triangles = ball(0.5, 12, 12)
    hollow = np.vstack([points, 0.8 * points]), np.vstack([triangles, triangles[:, ::-1] + len(points)])
    shell = RigidBody("Shell", np.zeros(3), 1e6, np.eye(3), shape=Shape(*hollow))
    inside = scene(shell, sphere([0.0, 0.0, -0.32]))
    after, _ = pushed_apart(inside)
    assert np.linalg.norm(after.bodies[1].position) < 0.32  # it stays in the hollow
    one = Solid(after.bodies[0].shape.points, hollow[1], 0.0)
    assert deepest_between(one, Solid(after.bodies[1].shape.points, np.zeros((1, 3), int), 0.1)) <= 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_heaps_of_all_kinds_come_apart(seed):
    """In any size, far from the origin, turned or not, on a floor or on hilly ground."""
    rng = np.random.default_rng(seed)
    scale, count = 10.0 ** rng.uniform(-3.0, 2.0), rng.integers(2, 6)
    origin = scale * rng.normal(size=3) * (1e3 if seed % 3 == 0 else 0.0)
    bodies = []
    for k in range(count):
        shape = (
            crate("", np.zeros(3), rng.uniform(0.2, 1.0, 3)), sphere(np.zeros(3), rng.uniform(0.1, 0.4)),
            capsule(np.zeros(3), 0.2, 0.8), ring("", np.eye(3), np.zeros(3)),
        )[rng.integers(4)].shape  # fmt: skip
        turn = Rotation.random(random_state=seed + k).as_matrix() if rng.random() < 0.7 else np.eye(3)
        place = scale * rng.uniform(-0.6, 0.6, 3) + origin
        own = replace(shape, points=scale * shape.points @ turn.T + place, radius=scale * shape.radius)
        bodies.append(RigidBody(f"{k}", place, rng.uniform(0.1, 10.0), np.eye(3), shape=own))
    points, triangles = sheet(9, 6.0, lambda x, y: 0.2 * np.sin(3.0 * x) * np.cos(2.0 * y) - 0.3)
    hills = (wall((scale * points + origin, triangles)),) if seed % 5 == 0 else ()
    floor = Floor(origin[2] - 0.5 * scale) if seed % 2 else None
    after, _ = pushed_apart(scene(*bodies, floor=floor, colliders=hills))
    every = [Solid(body.shape.points, body.shape.triangles, body.shape.radius) for body in after.bodies]
    assert floor is None or min(one.points[:, 2].min() - one.radius for one in every) >= floor.height - 1e-7 * scale
    every += [Solid(ground.points[0], ground.triangles, 0.0) for ground in hills]
    assert all(deepest_between(one, other, 0.01 * scale) < 1e-7 * scale for one, other in combinations(every, 2))
