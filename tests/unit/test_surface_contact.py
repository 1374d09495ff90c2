"""Where rods touch surfaces: one contact for one approach, at the nearest points, and nothing is left out."""

from dataclasses import replace

import numpy as np
import pytest
from as_bound import judge_surfaces, list_surface_pairs, meeting_surfaces
from meshes import ball, box, sheet
from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import grown
from tendril.physics.assemble.surfaces import surface_edges
from tendril.physics.contact.surface_contact import NEXT_TO, SHARP, hollow
from tendril.physics.contact.surface_pairs import GONE, SKIN, pairs_near
from tendril.physics.diagnostics.surface_overlap import deepest_in_surface, intersections
from tendril.physics.materials import Material
from tendril.physics.model import PAIR, SURFACES, copied
from tendril.physics.scene import Collider, Rod, Scene
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL, TOO_DEEP, TOO_FAR

RNG = np.random.default_rng(2)
RADIUS, THICKNESS = 0.02, 0.01


def rod(x, radius=RADIUS):
    return Rod.from_material("rod", np.asarray(x, float), radius, Material(1e6, 0.4, 1000.0))


def touching(one, mesh, thickness=THICKNESS):
    """(CONTACT rows, Scene) of a rod at rest that may move by two radii."""
    points, triangles = mesh
    scene = Scene((one,), 0.04, 1, colliders=(Collider("c", triangles, np.zeros(1), points[None], thickness),))
    model, state, work = assemble(scene)
    model.nodes["padding"] = 0.0  # as if it had not been drawn so near
    while not list_surface_pairs(model, state, state.x, work.contact, 1e-3, 2.0):
        state, work = grown(model, state)
    for pair in state.surface_pairs:
        pair["force"][0] = 1.0  # whatever the distance
    contacts = work.contact.contacts
    count = meeting_surfaces(model, state, state.x, work.contact, 0, 1e-3, False)
    return contacts[:count], scene


def beside(mesh, n=5):
    """Rods near a surface, at random."""
    points, triangles = mesh
    for _ in range(60):
        face = points[RNG.choice(triangles)]
        start = RNG.dirichlet(np.ones(3)) @ face + 0.03 * RNG.normal(size=3)
        way = RNG.normal(size=3)
        way *= 0.1 / np.linalg.norm(way)
        bends = 0.02 * RNG.normal(size=(n, 3))
        yield rod(start + np.arange(n)[:, None] * way + bends)


MESHES = {
    "ball": ball(0.3, 8, 12),
    "box": box([0.3, 0.2, 0.4]),
    "waves": sheet(8, 1.0, lambda x, y: 0.1 * np.sin(9 * x) * np.cos(7 * y)),
}


@pytest.mark.parametrize("kind", MESHES)
def test_the_deepest_is_what_brute_force_finds(kind):
    found = 0
    for one in beside(MESHES[kind]):
        rows, scene = touching(one, MESHES[kind])
        collider = scene.colliders[0]
        deepest = deepest_in_surface(scene.rods, one.x, collider, collider.points[0])
        if deepest > -RADIUS and not intersections(scene.rods, one.x, collider, collider.points[0]):
            assert -rows["gap"].min() == pytest.approx(deepest, abs=1e-12)
            found += 1
    assert found > 10


@pytest.mark.parametrize("kind", MESHES)
def test_a_row_tells_where_both_are(kind):
    for one in beside(MESHES[kind]):
        rows, scene = touching(one, MESHES[kind])
        for row in rows:
            point = row["share"][:2] @ one.x[row["node"][:2]]
            foot = point - row["n"] * (row["gap"] + RADIUS + THICKNESS)
            collider = scene.colliders[0]
            assert np.linalg.norm(row["n"]) == pytest.approx(1.0)
            speck = Collider("c", collider.triangles, collider.times, collider.points, 0.0)
            at_foot = rod(foot + np.array([[0.0, 0.0, 0.0], [1e-9, 0.0, 0.0], [2e-9, 0.0, 0.0]]), 1e-9)
            assert deepest_in_surface([at_foot], at_foot.x, speck, collider.points[0]) > -1e-8


def test_a_flat_sheet_is_one_face():
    """Whatever edges and vertices it is made of, a rod above it is met once for each vertex."""
    x = np.stack([np.linspace(-0.2, 0.2, 9) + 0.003, np.full(9, 0.0071), np.full(9, 0.03)], axis=1)
    rows, _ = touching(rod(x), sheet(31, 1.0))
    assert len(rows) == 9
    assert (rows["share"][:, 1] == 0.0).all()
    np.testing.assert_allclose(rows["n"], np.tile([0.0, 0.0, 1.0], (9, 1)), atol=1e-12)


def test_both_sides_of_a_crease_are_met():
    ditch = sheet(2, 1.0, lambda x, y: np.abs(x))
    along = np.stack([np.full(3, 1e-4), np.linspace(-0.2, 0.3, 3), np.full(3, 0.04)], axis=1)
    rows, _ = touching(rod(along), ditch)
    assert len(rows) == 6
    assert set(np.sign(rows["n"][:, 0])) == {-1.0, 1.0}


@pytest.mark.parametrize("tilt", [-0.1, 0.0, 0.1])
def test_an_edge_of_a_rod_over_a_face_is_held_by_both_its_sides(tilt):
    """Of a face between two of another slope, it does not rock from one to the other."""
    roof = sheet(3, 0.3, lambda x, y: -0.2 * np.maximum(np.abs(x) - 0.05, 0.0))
    along = np.array([-0.14, 0.14, 0.42])
    rows, _ = touching(rod(np.stack([along, 0.01 + 0.0 * along, 0.05 + tilt * along], axis=1)), roof)
    inside = rows["share"][(rows["node"][:, 0] == 0) & (rows["share"][:, 1] > 0.0), 1]
    np.testing.assert_allclose(np.sort(inside), [0.09 / 0.28, 0.19 / 0.28], atol=0.03)


def test_an_edge_of_a_rod_rests_on_a_ridge_and_on_a_tip():
    ridge = sheet(2, 1.0, lambda x, y: -np.abs(x))
    across = np.array([[-0.3, 0.11, 0.025], [0.05, 0.11, 0.025], [0.4, 0.11, 0.025]])
    rows, _ = touching(rod(across), ridge)
    rows = rows[rows["share"][:, 1] > 0.0]
    assert len(rows) == 1
    assert rows["share"][0, :2] == pytest.approx([0.05 / 0.35, 0.3 / 0.35])
    assert rows["gap"][0] == pytest.approx(0.025 - RADIUS - THICKNESS)
    tip = sheet(2, 1.0, lambda x, y: -np.abs(x) - np.abs(y))
    across[:, 1] = 0.002
    rows, _ = touching(rod(across), tip)
    assert rows["gap"].min() == pytest.approx(np.hypot(0.025, 0.002) - RADIUS - THICKNESS)


def halfway(one, points, triangles, way):
    """(CONTACT rows, their features) of a rod in the third quarter of a frame in which a surface goes a way (V, 3)."""
    moved = np.stack([points, points + way])
    scene = Scene((one,), 0.04, 1, colliders=(Collider("c", triangles, np.array([0.0, 0.04]), moved),))
    model, state, work = assemble(scene)
    surfaces = model.surfaces
    surfaces.samples[1] = moved[1]
    surfaces.span[:] = 0.0, 0.04
    surfaces.colliders["speed"] = 1.0
    state.clock["time"] = 0.02  # half of it is over
    while not list_surface_pairs(model, state, state.x, work.contact, 0.01, 4.0):
        state, work = grown(model, state)
    state.surface_pairs["force"][:, 0] = 1.0
    count = meeting_surfaces(model, state, state.x, work.contact, 0, 0.01, False)
    rows = work.contact.contacts[:count]
    return rows, state.surface_pairs["j"][rows["pair"]]


def test_the_ways_of_faces_are_part_of_what_moves():
    x = np.array([[-0.2, 0.01, 0.1], [0.0, 0.01, 0.1], [0.2, 0.01, 0.1]])
    rows, _ = halfway(rod(x), *sheet(4, 1.0), [0.0, 0.0, 0.04])
    np.testing.assert_allclose(rows["gap"], 0.08 - RADIUS)
    np.testing.assert_allclose(rows["drift"], np.tile([0.0, 0.0, 0.01], (len(rows), 1)), atol=1e-15)


@pytest.mark.parametrize("kind", ["ridge", "tip"])
def test_the_way_of_an_edge_or_a_tip_is_that_of_where_it_touches(kind):
    """Of a surface that goes and stretches evenly, so that the ways of all its points are known."""
    points, triangles = sheet(2, 1.0, lambda x, y: -np.abs(x) - np.abs(y) * (kind == "tip"))
    shift, stretch = np.array([0.01, -0.005, 0.04]), 0.05 * RNG.normal(size=(3, 3))
    x = np.array([[-0.3, 0.11, 0.06], [0.05, 0.11, 0.06], [0.4, 0.11, 0.06]]) - [0.0, 0.11 * (kind == "tip"), 0.0]
    rows, feature = halfway(rod(x), points, triangles, shift + points @ stretch.T)
    faces, edges = len(triangles), len(surface_edges(triangles))
    first = faces + edges if kind == "tip" else faces
    rows = rows[feature >= first]
    assert len(rows)
    for row in rows:
        foot = row["share"][:2] @ x[row["node"][:2]] - row["n"] * (row["gap"] + RADIUS)
        start = np.linalg.solve(np.eye(3) + 0.5 * stretch, foot - 0.5 * shift)
        np.testing.assert_allclose(row["drift"], 0.25 * (shift + stretch @ start), atol=1e-12)


def test_brute_force_finds_what_goes_through():
    points, triangles = sheet(3, 1.0)
    collider = Collider("c", triangles, np.zeros(1), points[None])
    through = rod([[0.1, 0.05, -0.2], [0.12, 0.06, 0.3], [0.1, 0.3, 0.3]])
    assert intersections([through], through.x, collider, points) == 1
    assert deepest_in_surface([through], through.x, collider, points) == pytest.approx(RADIUS)
    aside = replace(through, x=through.x + [5.0, 0.0, 0.0])
    assert intersections([aside], aside.x, collider, points) == 0
    assert deepest_in_surface([aside], aside.x, collider, points) < -3.0


def rows_of(model, state, work, h):
    """{(edge, feature): gap} of what touches, or may in a step, where nothing presses yet."""
    state.surface_pairs["force"] = 0.0
    while not list_surface_pairs(model, state, state.x, work.contact, h, 0.03):
        state, work = grown(model, state)
    count = meeting_surfaces(model, state, state.x, work.contact, 0, h, False)
    rows = work.contact.contacts[:count]
    pairs = state.surface_pairs[rows["pair"]]
    return {(i, j): gap for i, j, gap in zip(pairs["i"], pairs["j"], rows["gap"], strict=True)}


def test_a_list_of_which_a_part_is_kept_finds_what_a_new_list_does():
    """A rope slides over a ball of faces as small as its radius, swings about it, and leaves it."""
    points, triangles = ball(0.2, 60, 120)
    x = np.linspace([-0.1, 0.013, 0.207], [0.4, 0.021, 0.207], 60)
    one = Rod.from_material("rod", x, 0.005, Material(1e6, 0.4, 1000.0, friction=0.2))
    model, state, work = assemble(
        Scene((one,), 0.04, 1, colliders=(Collider("c", triangles, np.zeros(1), points[None]),))
    )
    state.v[:] = 2.0 * np.cross([0.3, 1.0, 0.2], x)
    found = kept = taken = 0
    while taken < 1500:
        before = copied(state)
        status = take_steps(model, state, work, 1e-4, 15)[0]
        if status == PAIRS_FULL:
            state, work = grown(model, before)
            continue
        assert status == DONE
        taken += 15
        old, new = copied(state), copied(state)
        new.listings["count"][SURFACES] = -1
        rows, fresh = rows_of(model, old, work, 1e-4), rows_of(model, new, work, 1e-4)
        assert rows == pytest.approx(fresh, abs=1e-12)
        found += len(rows)
        kept += (state.surface_listed[:, GONE] > 0.0).sum()
    assert min(found, kept) > 100


def test_around_the_middle_of_a_long_step_all_is_listed_that_is_met_in_it():
    """Of pairs listed where it begins, gaps would have to be 1.3 times the way wide, and what is spare of that."""
    mesh, met = MESHES["ball"], 0
    for one in beside(mesh):
        points, triangles = mesh
        scene = Scene((one,), 0.04, 1, colliders=(Collider("c", triangles, np.zeros(1), points[None]),))
        model, state, work = assemble(scene)
        x0, way = state.x.copy(), RNG.normal(size=3)
        way *= 0.2 / np.linalg.norm(way)
        state.x[:] += way
        while not list_surface_pairs(model, state, x0, work.contact, 1e-3, 0.03):
            state, work = grown(model, state)
        assert state.surface_listed[:, SKIN].max() < 1.3 * 0.2
        pairs = state.surface_pairs[: state.listings["count"][SURFACES]]
        listed = set(zip(pairs["i"], pairs["j"], strict=True))
        for part in np.linspace(0.0, 1.0, 9):
            near = np.zeros(10000, PAIR)
            near = near[: pairs_near(model, x0 + part * way, np.zeros(len(x0)), 0.0, near)]
            assert listed >= set(zip(near["i"], near["j"], strict=True))
            met += len(near)
    assert met > 100


def judged(model, state, work, expected, way):
    """What is said of a step in which a rod went a way (N, 3) [m], and not the one that was expected."""
    own = copied(state)
    own.x[:] = state.x + expected
    while not list_surface_pairs(model, own, state.x, work.contact, 1e-3, 0.03):
        own, work = grown(model, own)
    own.x[:] = state.x + way
    while (found := judge_surfaces(model, own, state.x, work.contact, 0, 1e-3)[0]) == PAIRS_FULL:
        own, work = grown(model, own)
    return found


@pytest.mark.parametrize("kind", MESHES)
def test_what_was_met_unexpectedly_is_not_missed(kind):
    """A rod that was to stay where it is goes far, or was to go elsewhere: it is judged as if that had been known."""
    (points, triangles), found = MESHES[kind], []
    for one in beside(MESHES[kind]):
        model, state, work = assemble(
            Scene((one,), 0.04, 1, colliders=(Collider("c", triangles, np.zeros(1), points[None]),))
        )
        if intersections([one], one.x, Collider("c", triangles, np.zeros(1), points[None]), points):
            continue
        for size in (0.3, 2.0, 10.0):
            way = size * RADIUS * (RNG.normal(size=3) + 0.2 * RNG.normal(size=one.x.shape))
            known = judged(model, state, work, way, way)
            assert judged(model, state, work, np.zeros_like(way), way) == known
            assert judged(model, state, work, -way, way) == known
            found.append(known)
    assert min(found.count(status) for status in (DONE, TOO_FAR, TOO_DEEP)) > 3


def test_an_edge_that_is_flat_or_hollow_counts_no_sooner_than_said():
    """However the vector to it moves: of faces that meet at it at random angles, flat ones among them."""
    for bend in np.concatenate([np.zeros(20), RNG.normal(scale=1e-3, size=40), RNG.normal(size=40)]):
        faces = np.array([[np.cos(bend), 0.0, np.sin(bend)], [-np.cos(bend), 0.0, np.sin(bend)]])
        d = RNG.normal(size=3) * [1e-3 if bend < 1e-2 else 1.0, 1.0, 1.0]
        size, far = np.linalg.norm(d), hollow(tuple(d), tuple(faces.sum(axis=0)))
        if bend == 0.0:
            assert far == pytest.approx(size)
        ways = RNG.normal(size=(1000, 3)) * [1.0, 1.0, 1.0 if bend < -0.1 else 1e-2]
        moved = d + max(far, 0.0) * ways / np.linalg.norm(ways, axis=1)[:, None]
        rise = moved @ faces.T
        up, down = np.maximum(rise, 0.0).max(axis=1), np.maximum(-rise, 0.0).max(axis=1)
        counts = (up <= NEXT_TO * down) & (down >= SHARP * np.linalg.norm(moved, axis=1))
        assert far <= 0.0 or not counts.any()
