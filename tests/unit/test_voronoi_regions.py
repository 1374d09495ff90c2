"""What a point outside a surface is nearest to has it: no gaps lie between regions, and none reaches past its rim."""

import numpy as np
import pytest
from meshes import box
from tendril.physics.assemble.shapes import sharp
from tendril.physics.assemble.surfaces import lay_out
from tendril.physics.contact.surface_contact import SHARP, over_face
from tendril.physics.contact.voronoi_regions import vertex_over_edge, vertex_over_vertex

RNG = np.random.default_rng(5)
STILL = (0.0, 0.0)
HALF = 0.5 * np.array([0.063, 0.088, 2.8e-4])  # m, of a card


def places(surfaces, x):
    """Distances [m] to x (3,) of all that has it."""
    x, kinds = tuple(x), (surfaces.faces, surfaces.edges, surfaces.vertices)
    found = [over_face(surfaces, f, x, STILL, SHARP) for f in range(len(kinds[0]))]
    found += [vertex_over_edge(surfaces, k, x, STILL) for k in range(len(kinds[1]))]
    found += [vertex_over_vertex(surfaces, k, x, STILL) for k in range(len(kinds[2]))]
    return np.array([np.linalg.norm(d) for s, d, _ in found if s >= 0.0])


@pytest.mark.parametrize("height", [2e-5, 2e-3])
def test_what_is_nearest_has_it(height):
    surfaces = sharp(lay_out([(*box(2.0 * HALF), 0.0, 0.0)]))
    away = height * 10.0 ** RNG.uniform(-5.0, 0.0, (400, 3)) * RNG.choice([-1.0, 1.0], (400, 3))
    away[np.arange(400), RNG.integers(3, size=400)] = height  # outwards by as much, and about a rim or a corner
    for d, corner in zip(away, RNG.choice([-1.0, 1.0], (400, 3)), strict=True):
        x = corner * (HALF + d)
        distance = np.linalg.norm(np.maximum(np.abs(x) - HALF, 0.0))
        nearest = places(surfaces, x).min(initial=np.inf)
        assert nearest == pytest.approx(distance, rel=SHARP**2)
