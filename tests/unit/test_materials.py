"""Section and material to stiffness and mass, and rods made of them."""

import numpy as np
import pytest
from scipy.integrate import dblquad
from tendril.physics.materials import Material, section
from tendril.physics.scene import Rod

STEEL = Material(210e9, 0.3, 7850.0)


def test_round_bar():
    """A 20 mm steel bar: EI = Eπd⁴/64, GJ = Gπd⁴/32, EA = Eπd²/4, ρA; G = 80.8 GPa."""
    found = section(0.01, 1.0, STEEL)
    assert STEEL.shear == pytest.approx(80.77e9, rel=1e-4)
    assert found.bend_stiffness == pytest.approx(np.full(2, 210e9 * np.pi * 0.02**4 / 64.0))
    assert found.twist_stiffness == pytest.approx(STEEL.shear * np.pi * 0.02**4 / 32.0)
    assert found.stretch_stiffness == pytest.approx(65.97e6, rel=1e-4)
    assert found.mass_per_length == pytest.approx(2.466, rel=1e-3)


def test_flat_bar_bends_easily_across_its_thin_side():
    """I = ∫ x² dA over the ellipse, half-width aspect · r along m₁; B₁ resists bending towards m₁."""
    a, b = 0.5 * 0.01, 0.01
    found = section(b, 0.5, STEEL)

    def moment(power):
        return dblquad(lambda y, x: power(x, y), -a, a, lambda x: -b * np.sqrt(1.0 - (x / a) ** 2),
                       lambda x: b * np.sqrt(1.0 - (x / a) ** 2))[0]  # fmt: skip

    assert found.bend_stiffness[0] == pytest.approx(210e9 * moment(lambda x, y: x * x), rel=1e-3)
    assert found.bend_stiffness[1] == pytest.approx(210e9 * moment(lambda x, y: y * y), rel=1e-3)
    assert found.bend_stiffness[0] < found.bend_stiffness[1]
    assert found.mass_per_length == pytest.approx(7850.0 * moment(lambda x, y: 1.0), rel=1e-3)


def test_bend_factor_is_for_bending_and_twisting_only():
    rope = Material(210e9, 0.3, 7850.0, bend_factor=0.01)
    loose, solid = section(0.01, 1.0, rope), section(0.01, 1.0, STEEL)
    assert loose.bend_stiffness == pytest.approx(0.01 * solid.bend_stiffness)
    assert loose.twist_stiffness == pytest.approx(0.01 * solid.twist_stiffness)
    assert loose.stretch_stiffness == solid.stretch_stiffness
    assert loose.mass_per_length == solid.mass_per_length


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


def test_a_section_of_radius_0_has_no_stiffness():
    found = section(np.array([0.01, 0.0]), 1.0, STEEL)
    assert found.twist_stiffness[1] == 0.0
    assert np.all(found.bend_stiffness[1] == 0.0)
