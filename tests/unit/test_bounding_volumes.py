"""The tree of boxes around faces finds all that overlap, wherever faces have gone."""

import numpy as np
import pytest
from meshes import ball, sheet
from tendril.physics.assemble.surfaces import move_on, surfaces_of
from tendril.physics.contact.bounding_volumes import LEAF, behind, next_leaf
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Rod, Scene

RNG = np.random.default_rng(5)
ROD = Rod.from_material(
    "rod", np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.2, 0.0, 0.0]]), 0.01, Material(1e6, 0.5, 1e3)
)


def scene_of(*colliders):
    return Scene((ROD,), 0.04, 3, colliders=colliders)


def found(surfaces, low, high):
    """Faces in all leaves that overlap a box."""
    faces, leaves, box = [], len(surfaces.tree) // 2, (*low, *high)
    k = next_leaf(surfaces.tree, box, 1)
    while k > 0:
        faces += surfaces.order[LEAF * (k - leaves) : LEAF * (k - leaves + 1)].tolist()
        k = behind(k)
        k = next_leaf(surfaces.tree, box, k) if k > 0 else 0
    return faces


@pytest.mark.parametrize("count", [1, 3, 4, 5, 17, 200])
def test_what_overlaps_is_found_once(count):
    points, thickness = RNG.normal(size=(3, 3 * count, 3)), 0.1
    points[1:] = points[0] + 0.3 * RNG.normal(size=(2, 3 * count, 3))
    collider = Collider("c", np.arange(3 * count).reshape(-1, 3), np.array([0.0, 0.04, 0.08]), points, thickness)
    scene = scene_of(collider)
    surfaces = surfaces_of(scene)
    for frame in range(3):
        if frame:
            move_on(scene, surfaces, 0.04 * (frame - 1), 0.04 * frame)
        both = points[[max(frame - 1, 0), frame]].reshape(2, count, 3, 3)
        below, above = both.min(axis=(0, 2)) - thickness, both.max(axis=(0, 2)) + thickness
        for _ in range(40):
            low = RNG.normal(size=3)
            high = low + RNG.uniform(0.0, 1.0, 3)
            faces = found(surfaces, low, high)
            assert len(faces) == len(set(faces))
            assert set(np.flatnonzero(np.all((below <= high) & (above >= low), axis=1))) <= set(faces)


def test_few_boxes_are_looked_at():
    points, triangles = sheet(60, 1.0)
    surfaces = surfaces_of(scene_of(Collider("c", triangles, np.zeros(1), points[None])))
    faces = found(surfaces, np.array([0.1, 0.1, -0.01]), np.array([0.12, 0.12, 0.01]))
    assert 0 < len(faces) < 40


def test_every_edge_and_vertex_is_found_with_one_face():
    points, triangles = ball(1.0, 8, 12)
    surfaces = surfaces_of(
        scene_of(
            Collider("a", triangles, np.zeros(1), points[None]), Collider("b", triangles, np.zeros(1), points[None])
        )
    )
    assert len(surfaces.edges) == 2 * (len(points) + len(triangles) - 2)  # Euler
    for column, count in (("edge", len(surfaces.edges)), ("vertex", len(surfaces.vertices))):
        numbers = surfaces.faces[column]
        assert sorted(numbers[numbers >= 0]) == list(range(count))
    assert (surfaces.edges["opposite"] >= 0).all()
    for edge in surfaces.edges[::17]:
        holders = [set(face) for face in surfaces.faces["corner"] if set(edge["end"]) <= set(face)]
        assert [{*edge["end"], o} for o in edge["opposite"]] in (holders, holders[::-1])
    neighbours = [set(surfaces.neighbours[slice(*row)]) for row in surfaces.vertices["edge"]]
    assert all(a in neighbours[b] for a in range(len(neighbours)) for b in neighbours[a])
    assert set(surfaces.edges["collider"]) == {0, 1}


def test_surfaces_are_led_along_straight_lines():
    points, triangles = sheet(2, 1.0)
    times = np.array([0.0, 0.03, 0.05])
    samples = points[None] + np.array([0.0, 0.3, 0.7])[:, None, None]
    scene = scene_of(Collider("c", triangles, times, samples.astype(np.float32)))
    surfaces = surfaces_of(scene)
    move_on(scene, surfaces, 0.0, 0.04)
    np.testing.assert_allclose(surfaces.samples[1] - points, 0.5, atol=1e-6)
    assert surfaces.colliders["speed"][0] == pytest.approx(0.5 * np.sqrt(3.0) / 0.04, rel=1e-6)
    move_on(scene, surfaces, 0.04, 0.08)
    np.testing.assert_allclose(surfaces.samples[1] - points, 0.7, atol=1e-6)
