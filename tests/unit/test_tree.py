"""Branches as rods: which grows from which, what carries it, how fine they are, their leaves; skeletons of edges."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics import validate
from tendril.physics.cost import linear_step
from tendril.physics.materials import Material
from tendril.physics.scene import Pin, Rod, Scene
from tendril.physics.validate import SceneError
from tendril.trees import forks, self_buckling, skeleton, tree

WOOD = Material(8.6e9, 0.37, 1000.0, twist_factor=0.23)
BARE = tree.Leaves(0.0, 0.03, 0.05)
DOWN = np.array([0.0, 0.0, -9.81])


def branch(name, start, end, edges, radius=0.02, tip=0.002):
    x = np.linspace(start, end, edges + 1)
    return Rod.from_material(name, x, np.linspace(radius, tip, edges + 1), WOOD)


def trunk(edges=10):
    return branch("trunk", (0, 0, 0), (0, 0, 10), edges, 0.2, 0.02)


def limb(height, side=1.0, name="limb", **options):
    return branch(name, (0, 0, height), (side * 3, 0, height + 1), 6, **options)


def carriers(rods, found, held=()):
    """{child: vertex of its parent's edge}"""
    return {child: fork.vertex for fork in forks.forks("Oak", rods, found, held) for child in fork.children}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_branch_grows_from_the_one_it_starts_on_in_whatever_order_they_are_drawn(order):
    main, side = trunk(), limb(4.3)
    twig = branch("twig", side.x[2] + 0.4 * (side.x[3] - side.x[2]), (1.5, 2, 6), 4, 0.006)
    rods = [(main, side, twig)[k] for k in order]
    found = forks.starts("Oak", rods)
    assert found[order.index(0)] is None
    assert found[order.index(1)].parent == order.index(0)
    assert found[order.index(1)].along == pytest.approx(4.3)
    assert found[order.index(2)].parent == order.index(1)
    assert found[order.index(2)].along == pytest.approx(2.4)


def test_what_starts_at_the_very_start_of_a_branch_grows_from_its_parent():
    main, side = trunk(), limb(4.3)
    twin = branch("twin", (0, 0, 4.3), (0, 3, 5), 6)
    found = forks.starts("Oak", [main, side, twin])
    assert [start and start.parent for start in found] == [None, 0, 0]
    sprout = branch("sprout", side.x[0] + 0.2 * (side.x[1] - side.x[0]), (0.2, 1, 5), 4, 0.006)
    assert forks.starts("Oak", [main, side, sprout])[2] == forks.starts("Oak", [main, side])[1]


def test_a_stem_from_the_ground_is_a_trunk_too_and_so_is_one_from_a_trunk_s_foot():
    stem = branch("stem", (1, 0, 0.2), (2, 0, 7), 8, 0.1)
    split = branch("split", (0, 0, 0.1), (0, 3, 7), 8, 0.1)
    assert forks.starts("Bush", [stem, trunk(), split, limb(3.0)])[:3] == [None, None, None]


def test_a_branch_that_touches_none_is_named_with_its_distance():
    far = branch("far", (0.75, 0, 5), (3, 0, 6), 6)
    with pytest.raises(SceneError, match=r"Branch 2 of 'Oak' touches no other branch: it starts 0\.75 m from the near"):
        forks.starts("Oak", [trunk(), limb(4.3, -1.0), far])


def test_a_branch_drawn_from_its_tip_is_told_to_turn_round():
    backwards = branch("backwards", (3, 0, 6), (0, 0, 5.2), 6)
    with pytest.raises(SceneError, match=r"starts 3 m .*ends on branch 0: switch its direction"):
        forks.starts("Oak", [trunk(), backwards])


@pytest.mark.parametrize(("off", "joins"), [(0.19, True), (0.75, False)])
def test_a_start_beside_the_centre_line_counts_while_it_is_in_or_near_the_bark(off, joins):
    shifted = branch("shifted", (off, 0, 5), (3, 0, 6), 6)
    if joins:
        assert forks.starts("Oak", [trunk(), shifted])[1].parent == 0
    else:
        with pytest.raises(SceneError):
            forks.starts("Oak", [trunk(), shifted])


def test_forks_share_no_vertex_and_branches_close_together_share_a_fork():
    heights = (0.7, 3.2, 3.9, 4.6, 6.4, 6.45, 9.99)
    rods = [trunk(), *(limb(height, (-1) ** k) for k, height in enumerate(heights))]
    found = carriers(rods, forks.starts("Oak", rods))
    assert [found[child + 1] for child in (0, 1, 2, 3, 6)] == [1, 3, 3, 5, 9]  # edge 4 has a vertex of both 3 and 5
    assert found[5] == found[6]
    edges = sorted(set(found.values()))
    assert min(np.diff(edges)) >= 2
    assert all(abs(found[child] + 0.5 - height) <= 1.5 for child, height in enumerate(heights, start=1))


def test_a_fork_keeps_off_the_edge_a_pin_holds():
    rods = [trunk(), limb(4.5)]
    found = forks.starts("Oak", rods)
    assert carriers(rods, found) == {1: 4}
    assert carriers(rods, found, held=[(0, 4)]) == {1: 2}  # the pin has vertices 4 and 5
    assert carriers(rods, found, held=[(0, 3)]) == {1: 5}
    with pytest.raises(SceneError, match="Pins hold branch 0 of 'Oak'"):
        carriers(rods, found, held=[(0, vertex) for vertex in range(11)])


def test_joined_branches_are_a_scene_that_can_be_simulated():
    rods = [trunk(), limb(4.3), limb(7.0, -1.0, radius=0.01)]
    own = tree.join("Oak", rods, BARE, DOWN, first_rod=1, first_body=2)
    assert own.roots == (0,)
    assert [(weld.body, weld.rod, weld.vertex) for weld in own.welds] == [(2, 1, 4), (2, 2, 0), (3, 1, 6), (3, 3, 0)]
    assert all(body.mass == 0.0 and not body.inertia.any() and not body.kinematic for body in own.bodies)
    assert np.allclose(own.bodies[0].position, (0, 0, 4.5))
    alone = tree.join("Oak", rods, BARE, DOWN)
    pins = [Pin.fixed(alone.rods[0], 0, "TWIST", rod=0)]
    validate.check(Scene(alone.rods, 1 / 24, 10, tuple(pins), alone.bodies, alone.welds))


def test_pieces_are_as_long_as_the_square_root_of_the_radius_and_no_branch_has_too_few():
    length, radius = np.array([8.0, 4.0, 1.0, 0.1]), np.array([0.16, 0.04, 0.01, 0.01])
    assert tree.pieces(16)(length, radius).tolist() == [16, 16, 8, 3]
    assert tree.pieces(16)(0.01 * length, 0.01 * radius).tolist() == [16, 16, 8, 3]  # of any size


def test_a_stocky_branch_has_no_pieces_shorter_than_it_is_thick():
    assert tree.pieces(40, 0.5)(np.array([4.0, 4.0]), np.array([0.8, 0.1])).tolist() == [4, 32]


def test_a_stub_is_softened_until_it_takes_the_step_of_the_others_and_nothing_else_is():
    stub = branch("stub", (0, 0, 5), (0.1, 0, 5.05), 3, 0.03)
    rods = [trunk(), limb(4.3), stub]
    assert linear_step(stub) < 0.2 * linear_step(rods[0])
    soft = tree.join("Oak", rods, BARE, DOWN).rods
    assert linear_step(soft[2]) == pytest.approx(linear_step(rods[0]))
    assert soft[0].bend_stiffness is rods[0].bend_stiffness
    ratio = soft[2].twist_stiffness[1] / soft[2].bend_stiffness[1, 0]
    assert ratio == pytest.approx(stub.twist_stiffness[1] / stub.bend_stiffness[1, 0])


def test_leaves_weigh_and_drag_by_the_length_of_thin_wood_however_finely_it_is_cut():
    for edges in (10, 40):
        rod = branch("twig", (0, 0, 0), (0, 0, 2), edges, 0.01, 0.002)
        leafy = tree.grow_leaves(rod, tree.Leaves(0.006, 0.03, 0.05))  # the outer half is thinner
        assert leafy.mass.sum() - rod.mass.sum() == pytest.approx(0.03, abs=0.03 * 1.1 / edges)
        assert leafy.leaf_area.sum() == pytest.approx(0.05, abs=0.05 * 1.1 / edges)
        assert not leafy.leaf_area[: edges // 2].any()
    assert tree.grow_leaves(trunk(), tree.Leaves(0.006, 0.03, 0.05)).leaf_area is None


@pytest.mark.parametrize(("tip", "leafy"), [((0, 0, 1.2), True), ((0, 0, -1.2), False), ((1.2, 0, 0), True)])
def test_a_leafy_twig_is_made_to_stand_and_one_that_hangs_is_left(tip, leafy):
    twig = branch("twig", (0, 0, 0), tip, 12, 0.003, 0.0005)
    (stood,) = tree.join("Oak", [replace(twig, balanced=True)], tree.Leaves(1.0, 0.2, 0.05), DOWN).rods
    weak = stood.bend_stiffness[:, 0] / twig.bend_stiffness[:, 0]
    assert (weak.max() > 2.0) == leafy
    (free,) = tree.join("Oak", [twig], tree.Leaves(1.0, 0.2, 0.05), DOWN).rods
    assert np.array_equal(free.bend_stiffness, twig.bend_stiffness)


def test_an_even_column_is_made_four_times_as_stiff_as_its_limit():
    column = branch("column", (0, 0, 0), (0, 0, 2), 200, 0.001, 0.001)
    stood = self_buckling.strengthen([column], [None], [], DOWN)[0]
    weight = 9.81 * column.mass.sum()
    assert stood.bend_stiffness[0, 0] == pytest.approx(4.0 * weight * 2.0**2 / 5.0, rel=0.01)


@pytest.mark.parametrize(
    ("gravity", "weights", "share"),
    [((0, 0, -1.62), None, 1.62), ((0, 0, -9.81), (0.25, 1, 1, 1, 1, 1), 0.25 * 9.81), ((0, 0, 0), None, 0.0),
     ((0, 0, 9.81), None, 0.0), ((-9.81, 0, 0), None, 9.81)],
)  # fmt: skip
def test_a_tree_is_made_to_stand_under_the_gravity_there_is(gravity, weights, share):
    """On the moon, where it hardly weighs, weightless, hung upside down, and level where down is sideways."""
    column = branch("column", (0, 0, 0), (0, 0, 2), 200, 0.0002, 0.0002)
    column = replace(column, weights=None if weights is None else np.array(weights, dtype=float))
    stood = self_buckling.strengthen([column], [None], [], np.array(gravity, dtype=float))[0]
    expected = max(4.0 * share * column.mass.sum() * 2.0**2 / 5.0, column.bend_stiffness[0, 0])
    assert (share == 0.0) == (expected == column.bend_stiffness[0, 0])
    assert stood.bend_stiffness[0, 0] == pytest.approx(expected, rel=0.01)


def test_the_farthest_tip_beyond_counts_once_however_many_branches_there_are():
    main = branch("main", (0, 0, 0), (0, 0, 2), 20, 0.001, 0.001)
    sides = [branch("side", (0, 0, z), (0, 1, z), 20, 1e-6, 1e-6) for z in (0.5, 1.0, 1.5)]
    rods = [main, *sides]
    found = forks.starts("Oak", rods)
    stood = self_buckling.strengthen(rods, found, forks.forks("Oak", rods, found), DOWN)[0]
    weight = 9.81 * main.mass[1:].sum()
    assert stood.bend_stiffness[0, 0] == pytest.approx(0.8 * weight * (1.5 + 1.0) ** 2, rel=0.01)


def test_what_carries_others_stands_under_their_weight_too():
    main, side = branch("main", (0, 0, 0), (0, 0, 2), 20, 0.002, 0.002), branch("side", (0, 0, 1), (0, 1, 2), 20, 0.02)
    found = [None, forks.Start(0, 10.0)]
    alone = self_buckling.strengthen([main], [None], [], DOWN)[0]
    loaded = self_buckling.strengthen([main, side], found, forks.forks("Oak", [main, side], found), DOWN)[0]
    assert loaded.bend_stiffness[0, 0] > 5.0 * alone.bend_stiffness[0, 0]
    assert loaded.bend_stiffness[15, 0] == pytest.approx(alone.bend_stiffness[15, 0])


SKELETON = np.array(
    [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 0, 3), (2, 0, 3.2), (0, 0.5, 2.1), (1, 1, 3)], dtype=float
)
EDGES = [(3, 2), (0, 1), (1, 2), (2, 4), (4, 5), (2, 6), (4, 7)]


def test_a_skeleton_s_longest_way_is_its_trunk_and_the_others_begin_at_its_vertices():
    found = skeleton.branches("Bones", SKELETON, EDGES)
    ways = [[int(np.flatnonzero(np.all(point == SKELETON, axis=1))[0]) for point in points] for points, _ in found]
    assert ways == [[0, 1, 2, 4, 5], [2, 3], [2, 6], [4, 7]]


def test_a_skeleton_keeps_the_area_of_its_sections_over_a_fork():
    found = skeleton.branches("Bones", SKELETON, EDGES)
    carried = {2: 0.0, 1: 0.0}
    steps = [np.linalg.norm(SKELETON[a] - SKELETON[b]) for a, b in EDGES]
    carried[2] = sum(steps) - 2.0
    assert found[0][1][0] == pytest.approx(3.2 / skeleton.SLENDERNESS)
    assert (found[0][1][2] / found[0][1][0]) ** 2 == pytest.approx(carried[2] / sum(steps))


def test_a_skeleton_s_own_radii_and_roots_are_taken():
    radius = np.array([0.1, 0.1, 0.1, 0.09, 0.05, 0.02, 0.01, 0.02])
    found = skeleton.branches("Bones", SKELETON, EDGES, radius, roots=[5])
    assert np.array_equal(found[0][0][0], SKELETON[5])
    assert found[0][1].tolist() == [0.02, 0.05, 0.1, 0.1, 0.1]


def test_a_loop_and_no_edge_are_named():
    with pytest.raises(SceneError, match=r"'Bones' has a loop of edges at vertex \d: remove one"):
        skeleton.branches("Bones", SKELETON, [*EDGES, (3, 6)])
    with pytest.raises(SceneError, match="'Bones' has no edges"):
        skeleton.branches("Bones", SKELETON, [])
