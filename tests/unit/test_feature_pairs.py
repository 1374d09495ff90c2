"""Which features of surfaces are listed as near: by all distances, of rigid bodies, soft bodies and colliders alike."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, box
from solid_meshes import brick as soft_brick
from solids import brick, capsule, sphere, wall
from tendril.physics.assemble import assemble
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.contact.contact_features import BODY, LED, PLANE, ROD, SOFT, first_of, second_of, vertex_of
from tendril.physics.contact.feature_pairs import features_near
from tendril.physics.contact.segment_distance import distance_of, distance_to, distance_to_face, distance_to_triangle
from tendril.physics.contact.soft_squeezed import lay_solids
from tendril.physics.materials import Material
from tendril.physics.model import PAIR
from tendril.physics.scene import Floor, Rod, Scene, SoftBody


def bodies(seed):
    """(Model, where things are) of bodies of all shapes in a heap over a collider and a floor, a rope among them."""
    rng = np.random.default_rng(seed)
    own = [
        brick(rng.normal(size=3) * 0.1, rng.uniform(0.05, 0.2, 3), rng.normal(size=3), group=k % 3) for k in range(4)
    ]
    own += [sphere(rng.normal(size=3) * 0.1, 0.1), capsule(rng.normal(size=3) * 0.1, 0.04, 0.15)]
    x = np.linspace([-0.3, 0.0, 0.0], [0.3, 0.05, 0.0], 8)
    rope = Rod.from_material("rope", x, 0.01, Material(1e6, 0.4, 1000.0))
    points, triangles = ball(0.15, 4, 7)
    scene = Scene((rope,), 0.04, 1, bodies=tuple(own), floor=Floor(-0.1), collision_filter=((1, 2),))
    model, state, _ = assemble(replace(scene, colliders=(wall((points, triangles)),)))
    return model, (state.x, state.bodies, (0.0, 0.0))


def solids(seed):
    """The same of soft bodies, of two groups that pass through each other, over a box."""
    rng, found = np.random.default_rng(seed), []
    for k in range(3):
        x, node = soft_brick((2, 2, 1), (0.2, 0.2, 0.05))
        found.append(SoftBody(f"{k}", x + rng.normal(size=3) * 0.05, node, 1000.0, 1e5, 0.3, group=k))
    scene = Scene((), 0.04, 1, solids=tuple(found), floor=Floor(0.0), collision_filter=((1, 2), (0, 0)))
    scene = replace(scene, colliders=(wall(box([0.3, 0.2, 0.1])),))
    model, state, _ = assemble_solids(scene)
    lay_solids(model, state)
    return model, (state.x, state.bodies, (0.0, 0.0))


def features(model, at):
    """Of everything that can be a second: (of what, which thing, which kind of feature, its vertices, radius)."""
    found = []
    for of, surfaces in ((BODY, model.skins), (SOFT, model.solids.surface), (LED, model.surfaces)):
        v = [np.array(vertex_of(model, of, k, at)) for k in range(len(surfaces.vertices))]
        rows = (surfaces.faces, "corner"), (surfaces.edges, "end"), (np.arange(len(v))[:, None], None)
        for kind, (table, column) in zip(("face", "edge", "vertex"), rows, strict=True):
            for row in table if column is None else table[column]:
                thing = surfaces.vertices["collider"][row[0]]
                found.append((of, thing, kind, tuple(row), [v[k] for k in row], surfaces.colliders[thing]))
    return found


def distance(one, other, of_face):
    """Of two features' vertices [m], of a vertex and a face by either formula: the true one, and what lists go by."""
    one, other = [tuple(p.tolist()) for p in one], [tuple(p.tolist()) for p in other]
    if len(other) == 3:
        return of_face(one[0], *other)
    if len(other) == 2:
        return distance_of(*other, one[0], one[-1])
    return distance_to(one[0], one[-1], other[0])


def touch(model, one, other):
    """Whether the features of two surfaces may touch, the first no face, however far they are apart."""
    if {one[0], other[0]} == {LED} or (one[2] == "edge") != (other[2] == "edge" and one[2] == "edge"):
        return False
    if other[2] == "face" and len(set(other[3][1:])) < 2:
        return False
    if one[:2] == other[:2]:
        return one[0] == SOFT and other[2] != "vertex" and not set(one[3]) & set(other[3])
    return not model.collision_filter[one[5]["group"], other[5]["group"]]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", [bodies, solids])
def test_all_that_is_near_is_listed_once_and_nothing_else(kind, seed):
    model, at = kind(seed)
    skins, pairs = (0.02, 0.01), np.zeros(100_000, PAIR)
    count = features_near(model, at, skins, pairs)
    kinds = {BODY: model.skins, SOFT: model.solids.surface, LED: model.surfaces}
    listed, planes, rods = set(), 0, 0
    for i, j in pairs[:count][["i", "j"]].tolist():
        (of, k, is_edge), (its, m) = first_of(model, i), second_of(model, j)
        planes, rods = planes + (its == PLANE), rods + (of == ROD)
        if of == ROD or its == PLANE:
            continue
        faces, edges = len(kinds[its].faces), len(kinds[its].edges)
        which = ("face", m) if m < faces else ("edge", m - faces)
        which = which if m < faces + edges else ("vertex", m - faces - edges)
        pair = frozenset([(of, "edge" if is_edge else "vertex", k), (its, *which)])
        assert pair not in listed
        listed.add(pair)
    found, number, near, nearly = features(model, at), {}, set(), set()
    names = []
    for of, _, what, *_ in found:
        names.append((of, what, number.setdefault((of, what), 0)))
        number[of, what] += 1
    low = np.array([np.min(one[4], axis=0) - one[5]["thickness"] - skins[0] for one in found])
    high = np.array([np.max(one[4], axis=0) + one[5]["thickness"] for one in found])
    for k, one in enumerate(found):
        if one[2] == "face":
            continue
        for m in np.flatnonzero((low <= high[k] + skins[0]).all(1) & (low[k] <= high + skins[0]).all(1)):
            other = found[m]
            if m != k and touch(model, one, other):
                reach = skins[one[:2] == other[:2]] + one[5]["thickness"] + other[5]["thickness"]
                for those, formula in ((near, distance_to_triangle), (nearly, distance_to_face)):
                    if distance(one[4], other[4], formula) < reach:
                        those.add(frozenset([names[k], names[m]]))
    assert near <= listed <= nearly
    assert min(planes, len(near) - 100, rods if kind is bodies else 1) > 0
