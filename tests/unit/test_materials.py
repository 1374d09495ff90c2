"""Materials, and rods made of them."""

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.scene import Rod

STEEL = Material(210e9, 0.3, 7850.0)


@pytest.mark.parametrize("closed", [False, True])
def test_rod_of_a_material(closed):
    """Each vertex has half the mass of the edges beside it; all of it is ρ times the volume of the edges."""
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 0.5]])
    radius = np.array([0.01, 0.02, 0.03, 0.04])
    rod = Rod.from_material("rod", x, radius, STEEL, closed=closed, rest_length_factor=0.5)
    length = 0.5 * np.linalg.norm(rod.edges(), axis=1)
    mean = 0.5 * (radius + np.roll(radius, -1))[: len(length)]
    edge = 7850.0 * np.pi * mean**2 * length
    assert rod.edge_count == (4 if closed else 3)
    assert rod.mass.sum() == pytest.approx(edge.sum())
    assert rod.mass[1] == pytest.approx(0.5 * (edge[0] + edge[1]))
    assert rod.mass[0] == pytest.approx(0.5 * (edge[0] + (edge[3] if closed else 0.0)))
    assert rod.bend_stiffness[1] == pytest.approx(np.full(2, 210e9 * np.pi * 0.025**4 / 4.0))
    assert rod.twist_stiffness[2] == pytest.approx(STEEL.shear * np.pi * 0.03**4 / 2.0)
    assert rod.friction == STEEL.friction
    assert rod.internal_damping == STEEL.internal_damping


def test_poissons_ratio_is_above_minus_one_and_a_half_at_most_but_for_rounding():
    assert Material(1e7, float(np.float32(0.5)), 1000.0).shear == pytest.approx(1e7 / 3.0)
    for poisson, told in ((0.6, "0.6"), (0.5001, "0.5001"), (-1.0, "-1"), (float("nan"), "nan")):
        with pytest.raises(ValueError, match=f"Poisson's ratio is {told}: it has to be above −1, and 0.5 at most."):
            Material(1e7, poisson, 1000.0)
