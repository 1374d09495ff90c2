"""Sections and materials to stiffness, mass and rotary inertia."""

import numpy as np
import pytest
from scipy.integrate import dblquad, quad
from tendril.physics.materials import Material
from tendril.physics.scene import Rod
from tendril.physics.sections import gyration, section
from tendril.physics.validate import SceneError
from tendril.physics.validate.rods import check_rod

STEEL = Material(210e9, 0.3, 7850.0)


def over(a, b, power):
    """∫ power(x, y) dA over an ellipse."""
    return dblquad(lambda y, x: power(x, y), -a, a, lambda x: -b * np.sqrt(1.0 - (x / a) ** 2),
                   lambda x: b * np.sqrt(1.0 - (x / a) ** 2))[0]  # fmt: skip


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

    assert found.bend_stiffness[0] == pytest.approx(210e9 * over(a, b, lambda x, y: x * x), rel=1e-3)
    assert found.bend_stiffness[1] == pytest.approx(210e9 * over(a, b, lambda x, y: y * y), rel=1e-3)
    assert found.bend_stiffness[0] < found.bend_stiffness[1]
    assert found.mass_per_length == pytest.approx(7850.0 * over(a, b, lambda x, y: 1.0), rel=1e-3)


def test_bend_factor_is_for_bending_and_twisting_only():
    rope = Material(210e9, 0.3, 7850.0, bend_factor=0.01)
    loose, solid = section(0.01, 1.0, rope), section(0.01, 1.0, STEEL)
    assert loose.bend_stiffness == pytest.approx(0.01 * solid.bend_stiffness)
    assert loose.twist_stiffness == pytest.approx(0.01 * solid.twist_stiffness)
    assert loose.stretch_stiffness == solid.stretch_stiffness
    assert loose.mass_per_length == solid.mass_per_length


def test_a_section_of_radius_0_has_no_stiffness():
    found = section(np.array([0.01, 0.0]), 1.0, STEEL)
    assert found.twist_stiffness[1] == 0.0
    assert np.all(found.bend_stiffness[1] == 0.0)


def test_round_tube():
    """A steel tube, 20 mm outside and 16 inside: π(D⁴ − d⁴)/64, /32, π(D² − d²)/4."""
    found, fourth, square = section(0.01, 1.0, STEEL, 0.008), 0.02**4 - 0.016**4, 0.02**2 - 0.016**2
    assert found.bend_stiffness == pytest.approx(np.full(2, 210e9 * np.pi * fourth / 64.0))
    assert found.twist_stiffness == pytest.approx(STEEL.shear * np.pi * fourth / 32.0)
    assert found.stretch_stiffness == pytest.approx(210e9 * np.pi * square / 4.0)
    assert found.mass_per_length == pytest.approx(7850.0 * np.pi * square / 4.0)


@pytest.mark.parametrize("aspect", [0.5, 1.0, 3.0])
def test_flat_tube_has_what_is_between_two_similar_ellipses(aspect):
    b, inner = 0.01, 0.007
    found = section(b, aspect, STEEL, inner)

    def between(power):
        return over(aspect * b, b, power) - over(aspect * inner, inner, power)

    area, second = between(lambda x, y: 1.0), (between(lambda x, y: x * x), between(lambda x, y: y * y))
    assert found.mass_per_length == pytest.approx(7850.0 * area, rel=1e-3)
    assert found.bend_stiffness == pytest.approx(210e9 * np.array(second), rel=1e-3)
    assert gyration(b, aspect, inner) == pytest.approx(np.array(second) / area, rel=1e-3)


def test_a_thin_flat_tube_twists_as_bredts():
    """J = 4A²/∮ds/t (Bredt), t the wall between the similar ellipses, across it."""
    a, b, thin = 0.03, 0.01, 1e-5

    def compliance(phi):
        along = np.hypot(a * np.sin(phi), b * np.cos(phi))
        return along / (thin * a * b / along)

    j = 4.0 * (np.pi * a * b) ** 2 / quad(compliance, 0.0, 2.0 * np.pi)[0]
    found = section(b, a / b, STEEL, (1.0 - thin) * b)
    assert found.twist_stiffness == pytest.approx(STEEL.shear * j, rel=1e-4)


def test_a_tapered_tube():
    """Of each edge the mean radii count, at each vertex its own."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 4)
    radius, inner = np.array([0.04, 0.03, 0.02, 0.01]), np.array([0.03, 0.02, 0.005, 0.0])
    rod = Rod.from_material("tube", x, radius, STEEL, inner_radius=inner)
    outer, hollow = (0.5 * (each[1:] + each[:-1]) for each in (radius, inner))
    assert rod.mass.sum() == pytest.approx(7850.0 * np.pi * np.sum(outer**2 - hollow**2) * 0.1)
    assert rod.bend_stiffness[:, 1] == pytest.approx(210e9 * np.pi * (outer**4 - hollow**4) / 4.0)
    assert rod.twist_stiffness == pytest.approx(STEEL.shear * np.pi * (radius**4 - inner**4) / 2.0)
    assert np.all(rod.inner_radius == inner)
    assert Rod.from_material("bar", x, radius, STEEL, inner_radius=0.0).inner_radius is None


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        (
            0.01,
            "the inner radius at point 0 is 0.01 m: keep it from 0, which is solid, to less than the radius, 0.01 m",
        ),
        (0.02, "is 0.02 m: keep it"),
        (-0.001, "is -0.001 m: keep it"),
        (np.nan, "the inner radius of point 0 is not a number"),
        (np.array([0.0, 0.0, 0.01]), "the inner radius at point 2 is 0.01 m"),
    ],
)
def test_an_inner_radius_is_inside_of_the_rod(inner, said):
    rod = Rod.from_material("Tube", np.eye(3), 0.01, STEEL, inner_radius=inner)
    with pytest.raises(SceneError, match=f"'Tube': .*{said}"):
        check_rod(rod)


def test_an_inner_radius_is_one_for_each_vertex():
    with pytest.raises(ValueError, match=r"'Tube': inner_radius has the shape \(2,\) in place of \(3,\): give one for"):
        Rod.from_material("Tube", np.eye(3), 0.01, STEEL, inner_radius=np.zeros(2))
