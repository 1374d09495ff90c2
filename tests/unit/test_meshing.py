"""Tetrahedra that fill surfaces: their shape, their volume, what goes with which."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tendril.meshing.distance import distance, nearest
from tendril.meshing.embedding import Embedding
from tendril.meshing.extension import extend
from tendril.meshing.fill import around, fill
from tendril.meshing.lattice import Lattice
from tendril.meshing.stuffing import stuff
from tendril.meshing.thin import pieces
from tendril.meshing.volume import enclosed_volume, is_closed, total_volume
from tendril.meshing.winding import winding
from tendril.physics.elements.tetrahedra import boundary, dihedral_angles, smallest_heights, volumes

LATTICE = Lattice(np.full(3, -1.2877), 0.13, (20, 20, 20))
LEAST_ANGLE = 10.78  # degrees, Labelle & Shewchuk 2007, table 1


def box(low, high):
    """(x (8, 3), triangles (12, 3)) that look outwards."""
    x = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    triangles = np.array([[a, b, c] for a, b, c, _ in quads] + [[a, c, d] for a, _, c, d in quads])
    return low + x * np.subtract(high, low), triangles


def torus(big=0.25, small=0.08, around_it=48, section=24):
    u, v = np.indices((around_it, section))
    a, b = 2.0 * np.pi * u / around_it, 2.0 * np.pi * v / section
    across = big + small * np.cos(b)
    x = np.stack([across * np.cos(a), across * np.sin(a), small * np.sin(b)], axis=-1).reshape(-1, 3)

    def at(i, j):
        return (i % around_it) * section + j % section

    lower = np.stack([at(u, v), at(u + 1, v), at(u + 1, v + 1)], axis=-1).reshape(-1, 3)
    upper = np.stack([at(u, v), at(u + 1, v + 1), at(u, v + 1)], axis=-1).reshape(-1, 3)
    return x, np.concatenate([lower, upper])


def together(*parts):
    count = np.cumsum([0] + [len(x) for x, _ in parts])
    return np.concatenate([x for x, _ in parts]), np.concatenate(
        [t + k for (_, t), k in zip(parts, count, strict=False)]
    )


def creature():
    """A body on four legs that are a twentieth as thick as it is long and run into it."""
    legs = [box((s - 0.05, u - 0.05, 0.0), (s + 0.05, u + 0.05, 0.9)) for s in (-0.8, 0.8) for u in (-0.3, 0.3)]
    return together(box((-1.0, -0.4, 0.8), (1.0, 0.4, 1.4)), *legs)


def rim(points):
    return (np.abs(points) > 1.05).any(axis=1)


def test_all_tetrahedra_of_the_lattice_have_one_shape_and_fill_it():
    lattice = Lattice(np.zeros(3), 1.0, (4, 3, 3))
    corners = lattice.points[lattice.tetrahedra]
    assert np.abs(volumes(corners)) == pytest.approx(1.0 / 12.0)
    assert np.sort(dihedral_angles(corners)[0]) == pytest.approx([60.0] * 4 + [90.0] * 2)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_stuffed_the_angles_are_good_and_the_outside_is_closed(seed):
    rng = np.random.default_rng(seed)
    value = rng.normal(size=len(LATTICE.points))
    value[rim(LATTICE.points)] = -1.0
    x, tetrahedra = stuff(LATTICE, value)
    corners = x[tetrahedra]
    assert dihedral_angles(corners).min() > LEAST_ANGLE
    assert volumes(corners).min() > 0.0
    triangles = boundary(tetrahedra)[0]
    _, times = np.unique(
        np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0, return_counts=True
    )
    assert (times % 2 == 0).all()  # no gap between neighbours


def test_a_ball_is_stuffed_to_its_volume_at_second_order():
    short = []
    for cubes in (10, 20):
        lattice = Lattice(np.full(3, -1.3), 2.6 / cubes, (cubes,) * 3)
        found = stuff(lattice, 1.0 - np.linalg.norm(lattice.points, axis=1))
        short.append(1.0 - total_volume(*found) / (4.0 / 3.0 * np.pi))
    assert 0.0 < short[1] < 0.006
    assert short[0] / short[1] > 3.0


@pytest.mark.parametrize("resolution", [2, 3, 4, 6])
@pytest.mark.parametrize("small", [0.1, 0.05, 0.01])
def test_something_is_left_of_the_thinnest_ring(small, resolution):
    x, triangles = torus(1.0, small, section=12)
    nodes, tetrahedra = fill(x, triangles, resolution, enclosed_volume(x, triangles))
    assert pieces(tetrahedra) == 1
    assert dihedral_angles(nodes[tetrahedra]).min() > 8.0


def test_stuffing_nothing_gives_nothing():
    x, tetrahedra = stuff(LATTICE, np.full(len(LATTICE.points), -1.0))
    assert (len(x), len(tetrahedra)) == (0, 0)


def test_the_winding_number_is_one_inside_two_where_boxes_meet_and_zero_outside():
    x, triangles = together(box((0.0, 0.0, 0.0), (2.0, 1.0, 1.0)), box((1.0, 0.0, 0.0), (3.0, 1.0, 1.0)))
    found = winding(x, triangles, np.array([-0.5, 0.5, 0.5]), 1.0, (4, 1, 1))
    assert found == pytest.approx([0.0, 1.0, 2.0, 1.0])


def test_a_column_through_an_edge_or_corner_counts_once():
    x, triangles = box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    found = winding(x, triangles, np.array([-0.5, -0.5, -0.5]), 0.5, (5, 5, 5)).reshape(5, 5, 5)
    assert found[2, 2, 2] == 1.0  # whose columns run along the diagonals of faces
    assert np.abs(found[0]).max() < 0.5


def test_an_open_box_still_has_an_inside():
    x, triangles = box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    lid = (x[triangles][:, :, 2] == 1.0).all(axis=1)
    found = winding(x, triangles[~lid], np.full(3, 0.45), 1.0, (1, 1, 1))
    assert found == pytest.approx([5.0 / 6.0])
    assert not is_closed(triangles[~lid])
    assert enclosed_volume(x, triangles[~lid]) == pytest.approx(1.0, rel=0.05)


def test_the_nearest_point_of_a_triangle_is_no_further_than_any_other():
    rng = np.random.default_rng(1)
    corners, points = rng.normal(size=(200, 3, 3)), rng.normal(size=(200, 3))
    found = np.linalg.norm(nearest(points, corners) - points, axis=1)
    share = rng.dirichlet([1.0, 1.0, 1.0], size=4000)
    tried = np.linalg.norm(np.einsum("sk,tkd->tsd", share, corners) - points[:, None], axis=2).min(axis=1)
    assert (found <= tried + 1e-12).all()
    assert (tried - found).max() < 0.1


def test_distances_on_a_grid_are_those_from_a_plane_as_far_as_they_matter():
    x, triangles = np.array([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]]), np.array([[0, 1, 2]])
    found = distance(x, triangles, np.array([0.0, 0.0, -1.1]), 0.25, (1, 1, 9))
    assert found[4:6] == pytest.approx([0.1, 0.15])
    assert np.isinf(found[[0, 1, 2, 3, 6, 7, 8]]).all()


@pytest.mark.parametrize("resolution", [6, 10])
@pytest.mark.parametrize("surface", [box((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)), torus()], ids=["cube", "torus"])
def test_a_surface_is_filled_with_its_volume_in_one_piece(surface, resolution):
    volume = enclosed_volume(*surface)
    x, tetrahedra = fill(*surface, resolution, volume)
    assert total_volume(x, tetrahedra) == pytest.approx(volume, rel=0.02)
    assert dihedral_angles(x[tetrahedra]).min() > LEAST_ANGLE
    assert pieces(tetrahedra) == 1


def ellipsoid(centre, radii, rings=16):
    polar, around_it = np.pi * np.arange(1, rings) / rings, 2.0 * np.pi * np.arange(2 * rings) / (2 * rings)
    a, b = np.meshgrid(polar, around_it, indexing="ij")
    x = np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1).reshape(-1, 3)
    first, second = np.arange(2 * rings), (np.arange(2 * rings) + 1) % (2 * rings)
    top, bottom = len(x), len(x) + 1
    triangles = [np.stack([np.full(2 * rings, top), first, second], axis=1)]
    for ring in range(rings - 2):
        a, b, c, d = (k + 2 * rings * (ring + below) for below in (0, 1) for k in (first, second))
        triangles += [np.stack([a, c, d], axis=1), np.stack([a, d, b], axis=1)]
    last = 2 * rings * (rings - 2)
    triangles.append(np.stack([np.full(2 * rings, bottom), last + second, last + first], axis=1))
    return np.array(centre) + np.vstack([x, [[0, 0, 1], [0, 0, -1]]]) * radii, np.concatenate(triangles)


def rounded_creature(leg):
    """A body and a head of ellipsoids, with legs of that radius [m] that end in tips."""
    legs = [ellipsoid((s, u, 0.45), (leg, leg, 0.5)) for s in (-0.7, 0.7) for u in (-0.25, 0.25)]
    return together(ellipsoid((0.0, 0.0, 1.1), (1.0, 0.4, 0.35)), ellipsoid((1.1, 0.0, 1.5), (0.3, 0.25, 0.25)), *legs)


@pytest.mark.parametrize("resolution", [10, 14, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("leg", [0.05, 0.1, 0.15])
def test_what_stays_on_takes_no_more_room_than_is_drawn(leg, resolution):
    """Legs as thick as a fifth to two cubes."""
    x, triangles = rounded_creature(leg)
    volume = enclosed_volume(x, triangles)
    nodes, tetrahedra = fill(x, triangles, resolution, volume)
    assert pieces(tetrahedra) == 1
    assert total_volume(nodes, tetrahedra) == pytest.approx(volume, rel=0.02)
    assert dihedral_angles(nodes[tetrahedra]).min() > LEAST_ANGLE


@pytest.mark.parametrize("resolution", [6, 8, 10, 14, 20])
def test_thin_legs_stay_on(resolution):
    x, triangles = creature()
    volume = enclosed_volume(x, triangles)
    assert volume == pytest.approx(2.0 * 0.8 * 0.6 + 4 * 0.1 * 0.1 * 0.8, rel=0.02)
    nodes, tetrahedra = fill(x, triangles, resolution, volume)
    assert pieces(tetrahedra) == 1
    assert Embedding.of(x, nodes, tetrahedra).weights.min() > -1.0
    assert total_volume(nodes, tetrahedra) == pytest.approx(volume, rel=0.02)
    assert dihedral_angles(nodes[tetrahedra]).min() > 8.0


@pytest.mark.parametrize("resolution", [4, 7, 10])
@pytest.mark.parametrize("seed", range(6))
def test_a_thin_bar_holds_two_balls_together_however_it_lies(seed, resolution):
    """Between none of the lattice's points, at .02 of a cube and more, whatever its direction."""
    rng = np.random.default_rng(seed)
    thin = 10.0 ** rng.uniform(-2.5, -1.5)
    bar, balls = box((-1.0, -thin, -thin), (1.0, thin, thin)), [ellipsoid((s, 0.0, 0.0), (0.3,) * 3) for s in (-1, 1)]
    x, triangles = together(bar, *balls)
    x = x @ Rotation.random(random_state=seed).as_matrix()
    nodes, tetrahedra = fill(x, triangles, resolution, enclosed_volume(x, triangles))
    assert pieces(tetrahedra) == 1
    assert dihedral_angles(nodes[tetrahedra]).min() > LEAST_ANGLE


def test_what_is_embedded_goes_with_an_affine_motion():
    x, triangles = torus()
    nodes, tetrahedra = fill(x, triangles, 10, enclosed_volume(x, triangles))
    embedding = Embedding.of(x, nodes, tetrahedra)
    assert embedding.weights.sum(axis=1) == pytest.approx(1.0)
    turn = np.array([[0.9, -0.4, 0.1], [0.3, 1.1, 0.0], [0.0, 0.2, 0.8]])
    assert embedding.carry(nodes @ turn.T + 3.0) == pytest.approx(x @ turn.T + 3.0, abs=1e-12)
    assert embedding.carry(np.stack([nodes, nodes + 1.0])).shape == (2, len(x), 3)


def test_points_inside_have_weights_above_zero():
    x, triangles = box((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    nodes, tetrahedra = fill(x, triangles, 6, 8.0)
    inside = np.random.default_rng(2).uniform(-0.99, 0.99, size=(500, 3))
    assert Embedding.of(inside, nodes, tetrahedra).weights.min() > -1e-9


def test_the_lattice_leaves_room_all_around():
    x, _ = torus()
    lattice = around(x, 10)
    assert (lattice.points.min(axis=0) < x.min(axis=0) - lattice.size).all()
    assert (lattice.points.max(axis=0) > x.max(axis=0) + lattice.size).all()


def test_what_is_known_at_some_points_is_carried_on_to_all_nodes():
    """An affine displacement is smooth already, so what comes out is it, but for what smoothing takes."""
    x, tetrahedra = fill(*box([0.0, 0.0, 0.0], [0.3, 0.2, 0.2]), 8, 0.012)
    outer = np.unique(boundary(tetrahedra)[0])
    gradient = np.array([[-0.5, 0.2, 0.0], [0.0, -0.2, 0.0], [0.1, 0.0, 0.5]])
    found = extend(x, tetrahedra, x[outer], x[outer] @ gradient.T)
    edges, moved = (y[tetrahedra][:, 1:] - y[tetrahedra][:, :1] for y in (x, found))
    assert np.abs(np.linalg.inv(edges) @ moved - gradient.T).max() < 2e-3


PLANK = box((-1.0, -0.4, -0.25), (1.0, 0.4, 0.25))
ANGLE = 2.0 * np.pi * np.arange(24) / 24
SPIKE = (
    np.vstack([np.stack([0.45 * np.cos(ANGLE), 0.45 * np.sin(ANGLE), 0.0 * ANGLE], axis=1), [[0, 0, 0], [0, 0, 2]]]),
    np.array([[[i, (i + 1) % 24, 25], [(i + 1) % 24, i, 24]] for i in range(24)]).reshape(-1, 3),
)


@pytest.fixture
def cut_and_fitted(monkeypatch):
    """A surface, a resolution → {"cut": what the lattice leaves, "fitted": that fitted}, (nodes, tetrahedra) each."""

    def filled(surface, resolution):
        found = {"fitted": fill(*surface, resolution, enclosed_volume(*surface))}
        monkeypatch.setattr("tendril.meshing.fill.fitted", lambda nodes, *_: nodes)
        found["cut"] = fill(*surface, resolution, enclosed_volume(*surface))
        return found

    return filled


@pytest.mark.parametrize(("surface", "resolution", "left"), [(SPIKE, 10, 0.1), (PLANK, 8, 0.25)])
def test_tetrahedra_are_fitted_to_what_stands_out_and_none_is_flatter_for_it(surface, resolution, left, cut_and_fitted):
    """What of the surface stands out of the tetrahedra dips into what they lie on, whichever way is down."""
    (x, _), volume, dip, height = surface, enclosed_volume(*surface), {}, {}
    down = np.random.default_rng(3).normal(size=(3, 2000))
    down /= np.linalg.norm(down, axis=0)
    found = cut_and_fitted(surface, resolution)
    for name, (nodes, tetrahedra) in found.items():
        dip[name] = np.maximum((x @ down).max(axis=0) - (nodes @ down).max(axis=0), 0.0)
        height[name] = smallest_heights(nodes[tetrahedra]).min()
    assert dip["fitted"].mean() < left * dip["cut"].mean()
    assert dip["fitted"].max() < 0.02 * np.ptp(x, axis=0).max()
    assert height["fitted"] > (1.0 - 1e-9) * height["cut"]
    nodes, tetrahedra = found["fitted"]
    assert dihedral_angles(nodes[tetrahedra]).min() > LEAST_ANGLE
    assert total_volume(nodes, tetrahedra) == pytest.approx(volume, rel=0.02)


@pytest.mark.parametrize("surface", [PLANK, torus()], ids=["plank", "torus"])
def test_what_fits_stays_exactly_where_it_is(surface, cut_and_fitted):
    found = cut_and_fitted(surface, 10)
    np.testing.assert_array_equal(found["fitted"][0], found["cut"][0])
