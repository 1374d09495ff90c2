"""What is drawn into something is named, with the depth and with what it is in, and nothing else is."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, box, sheet
from solid_meshes import brick as soft_brick
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
from tendril.physics.diagnostics.surface_overlap import deepest_in_surface, intersections
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Floor, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Weld
from tendril.physics.validate.overlap import MOST_NOTICES, NOTICED, overlaps

RUBBER = Material(1e7, 0.45, 1100.0)


def rope(name, x, radius=0.01, **options):
    return Rod.from_material(name, np.asarray(x, float), radius, RUBBER, **options)


def line(name, start, end, n=20, **options):
    return rope(name, np.linspace(start, end, n), **options)


def ring(across, radius):
    around = 2.0 * np.pi * np.arange(24) / 24
    return rope(
        "Ring", 0.5 * across * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1), radius, closed=True
    )


def texts(*rods, owners=None, **options):
    return [notice.text for notice in overlaps(Scene(rods, 0.04, 2, **options), owners)]


def test_ropes_through_each_other():
    one, two = line("A", [-0.5, 0, 0], [0.5, 0, 0]), line("B", [0, -0.5, 0.005], [0, 0.5, 0.005])
    assert texts(one, two) == [
        "'A' and 'B' are drawn into each other, 0.015 m deep: move them apart or make them thinner."
    ]
    zigzag = rope("B", [[0.2 * k - 0.5, 0.1 * (-1) ** k, 0.0] for k in range(6)])
    assert "at 5 places" in texts(one, zigzag)[0]
    assert texts(one, replace(two, touches=False)) == []
    assert texts(one, two, contact=False) == []
    assert texts(one, replace(two, x=two.x + [0.0, 0.0, 0.02])) == []


def test_what_a_body_joins_may_overlap():
    one, two = line("A", [-0.5, 0, 0], [0, 0, 0]), line("B", [0, 0, 0], [0.5, 0, 0.1])
    fork = RigidBody("fork", np.zeros(3), 0.0, np.zeros((3, 3)))
    assert len(texts(one, two)) == 1
    assert texts(one, two, bodies=(fork,), welds=(Weld("a", 0, 0, 19), Weld("b", 0, 1, 0))) == []


def test_itself():
    t = np.linspace(0.0, 4.0 * np.pi, 80)
    coil = np.stack([0.1 * np.cos(t), 0.1 * np.sin(t), 0.012 * t / (2.0 * np.pi)], axis=1)
    (text,) = texts(rope("Coil", coil))
    assert text.startswith("'Coil' is drawn into itself, 0.00")
    assert text.endswith("m deep: lead it around itself or make it thinner.")
    assert texts(rope("Coil", coil * [1, 1, 2])) == []


def test_thicker_than_there_is_room():
    (text,) = texts(ring(0.1, 0.06))
    assert text == "'Ring' is a ring 0.0997 m across, inside its own thickness of 0.12 m: make it larger or thinner."
    assert texts(ring(0.1, 0.045)) == []
    short = line("Stub", [0, 0, 0], [0.1, 0, 0], 4, radius=0.06)
    assert texts(short) == ["'Stub' is 0.12 m thick but only 0.1 m long: make it longer or thinner."]


def test_floor():
    low = line("A", [0, 0, 0.003], [1, 0, 0.003])
    assert texts(low, floor=Floor(0.0)) == ["'A' is drawn 0.007 m into the floor: raise it or lower the floor."]
    assert texts(line("A", [0, 0, 0.01], [1, 0, 0.01]), floor=Floor(0.0)) == []
    mast = line("Mast", [0, 0, 0], [0, 0, 1])
    assert texts(mast, floor=Floor(0.0), pins=(Pin.fixed(mast, 0, "TWIST", rod=0),)) == []  # what holds it may be there


def still(mesh, thickness=0.0):
    points, triangles = mesh
    return Collider("Skin", triangles, np.zeros(1), points[None], thickness)


OUT = ": the bake will push it out. Move it off or make it thinner."
STAYS = ": there it touches no collider, and beside that it stays as deep as it is drawn."


def test_colliders():
    low = line("A", [-0.3, 0.02, 0.003], [0.3, 0.02, 0.003])
    assert texts(low, colliders=(still(sheet(7, 1.0)),)) == [f"'A' is drawn 7 mm into 'Skin'{OUT}"]
    assert texts(low, colliders=(still(sheet(7, 1.0), thickness=0.02),)) == [f"'A' is drawn 7 mm into 'Skin'{OUT}"]
    assert texts(replace(low, x=low.x + [0, 0, 0.007]), colliders=(still(sheet(7, 1.0), thickness=0.02),)) == []
    assert texts(low, owners=["Ropes"], colliders=(still(sheet(7, 1.0)),)) == [
        f"'Ropes' is drawn 7 mm into 'Skin'{OUT}"
    ]
    hair = line("A", [0, 0.02, 0.002], [0.1, 0.02, 0.3])
    assert texts(hair, colliders=(still(sheet(7, 1.0)),)) == [f"'A' is drawn 8 mm into 'Skin'{OUT}"]
    root = (Pin.fixed(hair, 0, rod=0),)
    assert texts(hair, colliders=(still(sheet(7, 1.0)),), pins=root) == [
        f"'A' is drawn 8 mm into 'Skin' and held there by 'wall'{STAYS}"
    ]
    hairs = [line(f"Hair {i}", [0, y, 0.002], [0.1, y, 0.3]) for i, y in enumerate((0.02, 0.07, 0.12, 0.17))]
    roots = tuple(Pin.fixed(own, 0, name=f"Root {i}", rod=i) for i, own in enumerate(hairs))
    (text,) = texts(*hairs, owners=["Hair"] * 4, colliders=(still(sheet(7, 1.0)),), pins=roots)
    assert text.endswith(f"into 'Skin' and held there by 'Root 0' and 'Root 1' and 2 more{STAYS}")
    (text,) = texts(line("A", [0, 0, -0.3], [0.02, 0.01, 0.3]), colliders=(still(sheet(7, 1.0)),))
    assert text.endswith(f" and goes through it{STAYS}")


def test_thickness_is_not_being_in_a_collider():
    """What lies on one, held within its thickness, touches it, so nothing is said."""
    for height in (0.01, 0.015, 0.025):
        own = line("A", [-0.3, 0.02, height], [0.3, 0.02, height])
        scene = Scene((own,), 0.04, 2, pins=(Pin.fixed(own, 0),), colliders=(still(sheet(7, 1.0), thickness=0.02),))
        assert not assemble(scene)[0].nodes["embedded"].any()
        assert overlaps(scene) == []


def test_what_bends_around_a_sharp_edge_does_not_go_through_it():
    """A vertex is level with the table's side, and over it: the line between its neighbours meets the side, they are on
    both sides of it, and the rod goes around.
    """
    top, down = np.array([[-2.0, 0.0], [0.0, 0.0], [0.0, -1.5]]), np.array([[0.0, 1.0, 3.0], [0.0, 3.0, 2.0]])
    corners = np.array([[x, y, z] for x, z in top for y in (-0.5, 0.5)])
    table = still((corners, np.concatenate([down, down + 2]).astype(int)))
    own = rope("A", [[-0.01, 0.0, 0.004], [0.0, 0.0, 0.004], [0.004, 0.0, -0.004], [0.004, 0.0, -0.012]], 0.004)
    assert not intersections([own], own.x, table, table.points[0])
    assert not assemble(Scene((own,), 0.04, 2, colliders=(table,)))[0].nodes["embedded"].any()
    (text,) = texts(own, colliders=(table,))
    assert text.endswith(OUT)


def test_of_what_is_held_in_a_collider_only_that_passes():
    own = line("A", [-0.3, 0.02, 0.005], [0.3, 0.02, 0.005])
    scene = Scene((own,), 0.04, 2, pins=(Pin.fixed(own, 7),), colliders=(still(sheet(7, 1.0), thickness=0.02),))
    nodes = assemble(scene)[0].nodes
    assert list(np.flatnonzero(nodes["embedded"])) == [7]
    np.testing.assert_allclose(np.delete(nodes["padding"], 7), 0.025)  # as deep as they are


@pytest.mark.parametrize("seed", range(8))
def test_as_deep_in_a_collider_as_brute_force_finds_and_left_there_as_the_bake_does(seed):
    rng = np.random.default_rng(seed)
    collider = still(ball(0.3, 12, 17), 0.01 * rng.integers(2))
    start = 0.33 * np.array([np.cos(seed), np.sin(seed), 0.3])
    x = start + np.cumsum(rng.normal(size=(rng.integers(4, 40), 3)) * 0.05 * rng.choice([0.3, 1.0]), axis=0)
    own = rope("A", x, 10.0 ** rng.uniform(-3.0, -1.5), closed=bool(rng.integers(2)))
    bare = replace(collider, thickness=0.0)
    deepest = deepest_in_surface([own], x, bare, bare.points[0])
    said = [text for text in texts(own, colliders=(collider,), contact=False) if "mm into" in text]
    sunk = assemble(Scene((own,), 0.04, 2, colliders=(collider,)))[0].nodes["embedded"]
    assert any(text.endswith(STAYS) for text in said) == sunk.any()
    assert sunk.any() or not intersections([own], x, bare, bare.points[0])
    if deepest > NOTICED * own.radius[0]:
        assert f" {1e3 * deepest:.3g} mm into 'Skin'" in said[0]
    else:
        assert not said


def test_what_is_tied_to_an_animated_body_may_be_drawn_into_it():
    collider, own = still(ball(0.3, 12, 17)), line("A", [0, 0, 0.1], [0, 0, 1])
    still_turn = {"times": np.zeros(1), "track": np.zeros((1, 3)), "turn": np.array([[1.0, 0.0, 0.0, 0.0]])}
    led = RigidBody("Skin", np.zeros(3), 1.0, np.eye(3), **still_turn)
    assert texts(own, colliders=(collider,))
    assert not texts(own, colliders=(collider,), bodies=(led,), welds=(Weld("Tie", 0, 0, 0),))
    other = replace(led, name="Hook")
    assert texts(own, colliders=(collider,), bodies=(other,), welds=(Weld("Tie", 0, 0, 0),))


def test_one_notice_for_a_pair_of_owners_and_few_in_all():
    hair = [line(f"Hair {k}", [0.001 * k, 0, 0], [0.001 * k, 0, 1]) for k in range(30)]
    (text,) = texts(*hair, owners=["Hair"] * 30)
    assert text.startswith("'Hair' is drawn into itself")
    each = texts(*hair)
    assert len(each) == MOST_NOTICES
    assert each[-1].endswith(" more like this.")


@pytest.mark.parametrize("seed", range(8))
def test_as_deep_as_brute_force_finds(seed):
    rng = np.random.default_rng(seed)
    rods = []
    for k in range(rng.integers(1, 6)):
        x = np.cumsum(rng.normal(size=(rng.integers(4, 40), 3)) * 0.05 * rng.choice([0.3, 1.0, 3.0]), axis=0)
        rods.append(rope(f"{k}", x, 10.0 ** rng.uniform(-3.0, -1.5), closed=bool(rng.integers(2))))
    deepest = deepest_overlap(rods, np.concatenate([rod.x for rod in rods]))
    found = [text for text in texts(*rods) if "drawn into" in text]
    if deepest <= NOTICED * min(rod.radius.min() for rod in rods):
        assert not found
    elif deepest > NOTICED * max(rod.radius.max() for rod in rods):
        assert f", {deepest:.3g} m deep" in found[0] or f" places, {deepest:.3g} m deep" in found[0]


def of_points(points, radius):
    """A sphere, or a capsule: one point, or two."""
    return Solid(np.array(points, float), np.array([[0, len(points) - 1, len(points) - 1]]), radius)


@pytest.mark.parametrize("turned", [0.0, 0.7])
def test_bodies_of_all_kinds_overlap_as_deep_as_they_are(turned):
    """Also those that have no area, and what is wholly inside."""
    points, triangles = box((0.4, 0.4, 0.2))
    c, s = np.cos(turned), np.sin(turned)
    axes = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    brick = Solid(points @ axes.T, triangles, 0.0)

    def deep(points, radius):
        other = of_points(np.array(points) @ axes.T, radius)
        assert deepest_between(brick, other) == pytest.approx(deepest_between(other, brick), abs=1e-12)
        return deepest_between(brick, other)

    assert deep([[0.05, 0.02, 0.13]], 0.05) == pytest.approx(0.02)
    assert deep([[0.05, 0.02, 0.17]], 0.05) == pytest.approx(-0.02)
    assert deep([[0.02, 0.01, 0.06]], 0.01) == pytest.approx(0.05)
    assert deep([[-0.1, 0.0, 0.13], [0.1, 0.0, 0.16]], 0.05) == pytest.approx(0.02)
    assert deep([[-0.6, 0.0, 0.13], [0.6, 0.0, 0.13]], 0.05) == pytest.approx(0.02)
    assert deep([[0.0, 0.0, 0.0], [0.0, 0.0, 0.5]], 0.05) == pytest.approx(0.15)
    one, other = of_points([[0.0, 0.0, 0.0]], 0.1), of_points([[0.15, -0.2, 0.0], [0.15, 0.2, 0.0]], 0.07)
    assert deepest_between(one, other) == pytest.approx(0.02)
    assert deepest_between(one, of_points([[0.0, 0.12, 0.0]], 0.05)) == pytest.approx(0.03)


IN_BODY = (
    ", or through it: what is inside stays as it is drawn and does not touch it. Tie it with a pin, or move it out."
)


def body(points, triangles, name="Crate", radius=0.0, **options):
    return RigidBody(name, points.mean(axis=0), 1.0, np.eye(3), shape=Shape(points, triangles, radius), **options)


def test_bodies():
    crate = body(*box((0.2, 0.2, 0.2)))
    over = line("A", [-0.3, 0.02, 0.103], [0.3, 0.02, 0.103])
    (text,) = texts(over, bodies=(crate,))
    assert text == f"'A' is drawn 7 mm into 'Crate'{OUT}"
    assert texts(replace(over, x=over.x + [0.0, 0.0, 0.007]), bodies=(crate,)) == []
    assert texts(over, owners=["Ropes"], bodies=(crate,))[0].startswith("'Ropes' is drawn 7 mm into 'Crate'")
    inside, through = line("A", [0, 0, 0.05], [0.02, 0, 0.05]), line("A", [0.03, 0.02, -0.3], [0.03, 0.02, 0.3])
    assert texts(inside, bodies=(crate,)) == [f"'A' is drawn 60 mm into 'Crate'{IN_BODY}"]
    (text,) = texts(through, bodies=(crate,))
    assert text.endswith(IN_BODY)
    assert float(text.split()[3]) == pytest.approx(80.0, abs=0.5)  # 70 mm from the nearest face, and its radius
    for options in ({"contact": False}, {"welds": (Weld("Tie", 0, 0, 0),)}):
        assert texts(through, bodies=(crate,), **options) == []
    assert texts(replace(through, touches=False), bodies=(crate,)) == []
    assert texts(replace(through, group=1), bodies=(crate,), collision_filter=((0, 1),)) == []


def test_round_bodies():
    """Of which a point or a segment, and what is around it, touch."""
    low = line("A", [-0.3, 0.01, 0.055], [0.3, 0.01, 0.055])
    point, along = np.zeros((1, 3)), np.array([[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]])
    for points, triangle in ((point, [0, 0, 0]), (along, [0, 1, 1])):
        ball_ = body(points, np.array([triangle]), "Ball", 0.05)
        (text,) = texts(low, bodies=(ball_,))
        assert text == f"'A' is drawn {1e3 * (0.06 - np.hypot(0.01, 0.055)):.3g} mm into 'Ball'{OUT}"
        (text,) = texts(line("A", [-0.3, 0.01, 0.0], [0.3, 0.01, 0.0]), bodies=(ball_,))
        assert text == f"'A' is drawn 50 mm into 'Ball'{IN_BODY}"


@pytest.mark.parametrize("seed", range(8))
def test_left_in_bodies_as_the_bake_does(seed):
    rng = np.random.default_rng(seed)
    x = 0.33 * np.array([np.cos(seed), np.sin(seed), 0.3])
    x = x + np.cumsum(rng.normal(size=(rng.integers(4, 40), 3)) * 0.05 * rng.choice([0.3, 1.0]), axis=0)
    own = rope("A", x, 10.0 ** rng.uniform(-3.0, -1.5), closed=bool(rng.integers(2)))
    lamp = body(*ball(0.3, 12, 17), "Lamp")
    said = [text for text in texts(own, bodies=(lamp,)) if "into 'Lamp'" in text]
    rooted = assemble(Scene((own,), 0.04, 2, bodies=(lamp,)))[0].rooted
    assert any(text.endswith(IN_BODY) for text in said) == (len(rooted) > 0)


def test_bodies_in_the_floor():
    crate = body(*box((0.2, 0.2, 0.2)))
    assert texts(bodies=(crate,), floor=Floor(-0.08)) == [
        "'Crate' is drawn 0.02 m into the floor: raise it or lower the floor."
    ]
    assert texts(bodies=(crate,), floor=Floor(-0.1)) == []
    x, node = soft_brick((2, 2, 2), (0.2, 0.2, 0.2))
    jelly = SoftBody("Jelly", x, node, 1000.0, 1e4, 0.3)
    assert texts(solids=(jelly,), floor=Floor(x[:, 2].min() + 0.02)) == [
        "'Jelly' is drawn 0.02 m into the floor: raise it or lower the floor."
    ]
    assert texts(solids=(jelly,), floor=Floor(x[:, 2].min())) == []


def test_soft_bodies_through_colliders():
    x, node = soft_brick((2, 2, 2), (0.2, 0.2, 0.2))
    jelly = SoftBody("Jelly", x - [0.0, 0.0, x[:, 2].min() + 0.01], node, 1000.0, 1e4, 0.3)
    assert texts(solids=(jelly,), colliders=(still(sheet(7, 1.0)),)) == [
        "'Jelly' is drawn about 10 mm through 'Skin': each part stays on the side on which it is. Move it off."
    ]
    assert texts(solids=(replace(jelly, x=jelly.x + [0, 0, 0.02]),), colliders=(still(sheet(7, 1.0)),)) == []


def test_balls_in_each_other_and_in_crates():
    crate, point = body(*box((0.2, 0.2, 0.2))), np.array([[0.0, 0.0, 0.14]])
    ball_ = body(point, np.zeros((1, 3), int), "Ball", 0.05)
    apart = "the bake will push them apart. Move them apart."
    (text,) = texts(bodies=(crate, ball_))
    assert text == f"'Ball' and 'Crate' are drawn into each other, 0.01 m deep: {apart}"
    other = body(point + [0.0, 0.03, 0.04], np.zeros((1, 3), int), "Other", 0.02)
    (text,) = texts(bodies=(ball_, other))
    assert text == f"'Ball' and 'Other' are drawn into each other, 0.02 m deep: {apart}"
    assert texts(bodies=(ball_, other), contact=False) == texts(bodies=(crate, other)) == []


def test_balls_and_capsules_in_colliders():
    """Which no edge of theirs goes through."""
    skin = still(sheet(7, 1.0))
    out = "the bake will push it out. Move it off."
    point, along = np.array([[0.0, 0.01, 0.03]]), np.array([[-0.1, 0.0, 0.03], [0.1, 0.0, 0.04]])
    for points, triangle in ((point, [0, 0, 0]), (along, [0, 1, 1])):
        ball_ = body(points, np.array([triangle]), "Ball", 0.05)
        assert texts(bodies=(ball_,), colliders=(skin,)) == [f"'Ball' is drawn 20 mm into 'Skin': {out}"]
        assert texts(bodies=(ball_,), colliders=(skin,), contact=False) == []
        assert texts(bodies=(replace(ball_, group=1),), colliders=(skin,), collision_filter=((0, 1),)) == []
        off = body(points + [0.0, 0.0, 0.02], np.array([triangle]), "Ball", 0.05)
        assert texts(bodies=(off,), colliders=(skin,)) == []
    points, triangles = box((0.2, 0.2, 0.2))
    assert texts(bodies=(body(points + [0.0, 0.0, 0.1], triangles),), colliders=(skin,)) == []  # just touching
    (text,) = texts(bodies=(body(points + [0.0, 0.0, 0.098], triangles),), colliders=(skin,))
    assert text == f"'Crate' is drawn 2 mm into 'Skin': {out}"  # less than what it is rounded by
