"""Elastic and viscous forces of soft bodies against energies written as matrices, and against closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solid_meshes import brick
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.diagnostics.soft_bodies import elastic_energy, energy_densities, viscous_losses
from tendril.physics.elements.domain_elasticity import inverse_cube_root
from tendril.physics.elements.domains import MODULI
from tendril.physics.elements.tetrahedra import volumes
from tendril.physics.materials import bulk_modulus, shear_modulus, young_and_poisson
from tendril.physics.model import changed
from tendril.physics.scene import ELEMENTS, ENERGIES, Scene, SoftBody
from tendril.physics.solids.forces import elastic_forces, viscoelastic_forces, viscous_forces

BULK, SHEAR = 7e5, 2e5  # Pa
YOUNG, POISSON = young_and_poisson(BULK, SHEAR)
X, NODE = brick((3, 2, 2), (1.0, 0.5, 0.4))
BODY = SoftBody("Jelly", X, NODE, 1000.0, YOUNG, POISSON, zeta=30.0, mu=20.0)


@pytest.fixture(autouse=True, params=ELEMENTS)
def elements(request, monkeypatch):
    """Each law is one of both kinds of elements."""
    monkeypatch.setitem(globals(), "BODY", replace(BODY, elements=request.param))


def model_of(energy="POLYCONVEX", body=None):
    return assemble_solids(Scene((), 1 / 24, 2, solids=(replace(body or BODY, energy=energy),)))[:2]


def warped(x, seed=1, size=0.05):
    random = np.random.default_rng(seed)
    stretch = np.eye(3) + 0.3 * random.normal(size=(3, 3))
    stretch[:, 0] *= np.sign(np.linalg.det(stretch))
    return x @ stretch.T + size * random.uniform(-1, 1, x.shape)


def forces(model, x):
    f, jacobian = np.zeros_like(x), np.zeros(len(model.solids.tetrahedra))
    elastic_forces(model.solids, x, f, jacobian)
    return f, jacobian


def energy(model, x):
    return elastic_energy(model.solids, x)


def difference(function, x, h=1e-6):
    found = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        for sign in (1.0, -1.0):
            y = x.copy()
            y[i] += sign * h
            found[i] += sign * function(y) / (2.0 * h)
    return found


@pytest.mark.parametrize("kind", ENERGIES)
def test_forces_are_minus_the_gradient_of_the_energy(kind):
    model, state = model_of(kind)
    x = warped(state.x)
    f, jacobian = forces(model, x)
    assert jacobian.min() > 0.0
    assert np.abs(f + difference(lambda y: energy(model, y), x)).max() <= 1e-6 * np.abs(f).max()


@pytest.mark.parametrize("kind", ENERGIES)
def test_the_volume_ratio_is_that_of_the_matrix(kind):
    model, state = model_of(kind)
    x = warped(state.x)
    exact = volumes(x[model.solids.tetrahedra["node"]]) / model.solids.tetrahedra["volume"]
    assert np.allclose(forces(model, x)[1], exact, rtol=1e-12)


@pytest.mark.parametrize("kind", ENERGIES)
def test_a_turn_and_a_shift_change_no_energy_and_turn_the_forces(kind):
    model, state = model_of(kind)
    x, turn = warped(state.x), Rotation.from_rotvec([0.7, -1.1, 0.4]).as_matrix()
    moved = x @ turn.T + [3.0, -2.0, 1.0]
    assert energy(model, moved) == pytest.approx(energy(model, x), rel=1e-12)
    f, g = forces(model, x)[0], forces(model, moved)[0]
    assert np.abs(g - f @ turn.T).max() <= 1e-12 * np.abs(f).max()
    assert np.abs(f.sum(axis=0)).max() <= 1e-12 * np.abs(f).max()
    assert np.abs(np.cross(x, f).sum(axis=0)).max() <= 1e-12 * np.abs(f).max()


@pytest.mark.parametrize("kind", ENERGIES)
def test_an_affine_deformation_leaves_no_force_inside(kind):
    """The patch test, on an irregular mesh: stress is uniform, so forces on nodes inside cancel."""
    inside = np.all((X > 0.0) & (X.max(axis=0) > X), axis=1)
    x = X + 0.05 * np.random.default_rng(2).uniform(-1, 1, X.shape) * inside[:, None]
    model, state = model_of(kind, replace(BODY, x=x))
    own = np.all((state.x > 0.0) & (state.x < X.max(axis=0)), axis=1)
    assert own.sum() == inside.sum() > 0
    f, _ = forces(model, warped(state.x, size=0.0))
    assert np.abs(f[own]).max() <= 1e-13 * np.abs(f).max()


def stress(kind, F):
    """Of a uniform deformation [Pa], by differences of the energy density."""
    model, state = model_of(kind)
    volume = model.solids.tetrahedra["volume"].sum()
    return difference(lambda G: energy(model, state.x @ G.T) / volume, F, 1e-5)


@pytest.mark.parametrize("kind", ENERGIES)
def test_moduli_at_small_strain(kind):
    """K and G as pressure over change of volume and shear stress over angle; E and ν of a bar with free sides."""
    strain = 1e-4
    squeezed = stress(kind, np.eye(3) * (1.0 - strain) ** (1.0 / 3.0))
    assert -np.trace(squeezed) / 3.0 / strain == pytest.approx(BULK, rel=1e-3)
    sheared = stress(kind, np.eye(3) + strain * np.outer([1.0, 0, 0], [0, 1.0, 0]))
    assert sheared[0, 1] / strain == pytest.approx(SHEAR, rel=1e-3)
    tangent = np.array([[stress(kind, np.diag(1.0 + strain * np.eye(3)[j]))[i, i] / strain for j in range(3)] for i in
                        range(3)])  # fmt: skip
    compliance = np.linalg.inv(tangent)
    assert 1.0 / compliance[0, 0] == pytest.approx(YOUNG, rel=1e-3)
    assert -compliance[1, 0] / compliance[0, 0] == pytest.approx(POISSON, rel=1e-3)


@pytest.mark.parametrize("kind", ENERGIES)
def test_energies_of_a_scaling_and_of_a_stretch_and_squeeze(kind):
    """As Fig. 2 of the paper: of s in volume, and of s along one axis with 1/s along another; without end at 0."""
    model, state = model_of(kind)
    for s in (0.02, 0.5, 2.0):
        scaled = energy_densities(model.solids, state.x * s ** (1.0 / 3.0))
        D = np.diag([s * s, 1.0 / (s * s), 1.0])
        deviator = D - np.trace(D) / 3.0 * np.eye(3)
        expected = BULK / 32.0 * (s**4 + s**-4.0 - 2.0)
        assert scaled == pytest.approx(np.full(len(scaled), expected), rel=1e-9)
        both = energy_densities(model.solids, state.x * [s, 1.0 / s, 1.0])
        shear = SHEAR / 4.0 * np.sum(deviator**2) if kind == "LIESENFELD" else SHEAR / 2.0 * (np.trace(D) - 3.0)
        assert both == pytest.approx(np.full(len(both), shear), rel=1e-9)


def test_the_inverse_cube_root_is_exact():
    for J in np.concatenate([np.geomspace(1e-6, 1e6, 200), np.linspace(0.55, 1.55, 400)]):
        assert inverse_cube_root(J) == pytest.approx(J ** (-1.0 / 3.0), rel=4e-16)


def test_factors_at_nodes_scale_moduli_viscosities_and_density():
    factor = np.linspace(1.0, 3.0, len(X))
    model, _ = model_of(body=replace(BODY, stiffness=factor, weight=factor))
    plain, _ = model_of()
    mean = factor[NODE].mean(axis=1)
    ratio = model.solids.tetrahedra["mass"] / plain.solids.tetrahedra["mass"]
    assert np.sort(ratio) == pytest.approx(np.sort(mean))
    own, volume = model.solids.domains, plain.solids.domains["volume"]
    for column in MODULI:
        ratio = own[column] / plain.solids.domains[column]
        if BODY.elements == "AFFINE":
            assert np.sort(ratio) == pytest.approx(np.sort(mean))
        assert volume @ ratio == pytest.approx(volumes(X[NODE]) @ mean)  # as much of it in all
        assert np.all((ratio >= mean.min()) & (ratio <= mean.max()))


def test_a_body_may_be_drawn_deformed():
    """With its relaxed shape given, whole or element by element, it pulls as one that was deformed so."""
    x = warped(X)
    expected = energy(*(model_of()[0], warped_state()))
    for rest in (X, X[NODE]):
        model, state = model_of(body=replace(BODY, x=x, rest_x=rest))
        assert energy(model, state.x) == pytest.approx(expected, rel=1e-9)


def warped_state():
    """The nodes of the plain model where `warped` puts those of the mesh."""
    _, state = model_of(body=replace(BODY, v=warped(X)))
    return state.v


# viscosity


def loss(F, rate, zeta, mu):
    """Per relaxed volume [W/m³], from forces, of a uniform deformation at a uniform rate."""
    model, state = model_of(body=replace(BODY, zeta=zeta, mu=mu))
    x, v, f = state.x @ F.T, state.x @ rate.T, np.zeros_like(state.x)
    viscous_forces(model.solids, x, v, f)
    return -np.sum(f * v) / model.solids.tetrahedra["volume"].sum()


def test_shear_loses_mu_and_expansion_zeta_times_the_square_of_the_rate():
    rate = 0.7  # 1/s
    shear, expansion = rate * np.outer([1.0, 0, 0], [0, 1.0, 0]), rate / 3.0 * np.eye(3)
    assert loss(np.eye(3), shear, 30.0, 20.0) == pytest.approx(20.0 * rate**2, rel=1e-13)
    assert loss(np.eye(3), expansion, 30.0, 20.0) == pytest.approx(30.0 * rate**2, rel=1e-13)


def test_a_stretched_body_loses_as_the_formula_says():
    """At an isochoric stretch of 2: twice in shear across it, 6.9 times in expansion."""
    F = np.diag([2.0, 0.5**0.5, 0.5**0.5])
    shear, expansion = np.outer([0.0, 1.0, 0], [1.0, 0, 0]), np.eye(3) / 3.0
    assert loss(F, shear @ F, 0.0, 1.0) == pytest.approx(2.0, rel=1e-12)
    assert loss(F, expansion @ F, 1.0, 0.0) == pytest.approx((4.0 + 0.5 + 0.5) ** 2 / 9.0, rel=1e-12)


def test_viscous_power_is_that_of_the_formula_and_forces_are_half_its_gradient():
    model, state = model_of()
    x, v, f = warped(state.x), np.random.default_rng(5).normal(size=state.x.shape), np.zeros_like(state.x)
    viscous_forces(model.solids, x, v, f)
    assert -np.sum(f * v) == pytest.approx(viscous_losses(model.solids, x, v).sum(), rel=1e-12)
    half = 0.5 * difference(lambda u: viscous_losses(model.solids, x, u).sum(), v, 1e-4)
    assert np.abs(f + half).max() <= 1e-6 * np.abs(f).max()


def test_rigid_motion_loses_nothing():
    model, state = model_of()
    x, f = warped(state.x), np.zeros_like(state.x)
    v = np.cross([1.0, -2.0, 0.5], x) + [3.0, 1.0, 2.0]
    viscous_forces(model.solids, x, v, f)
    stirred = np.zeros_like(f)
    viscous_forces(model.solids, x, v + x, stirred)
    assert np.abs(f).max() <= 1e-12 * np.abs(stirred).max()


@pytest.mark.parametrize("kind", ENERGIES)
def test_both_at_once_are_the_sum(kind):
    model, state = model_of(kind)
    x, v = warped(state.x), np.random.default_rng(6).normal(size=state.x.shape)
    both, (alone, jacobian) = np.zeros_like(x), forces(model, x)
    viscoelastic_forces(model.solids, x, v, both, jacobian)
    viscous_forces(model.solids, x, v, alone)
    assert np.abs(both - alone).max() <= 1e-12 * np.abs(both).max()


def test_bodies_pull_beside_others_as_they_do_alone():
    """Of another energy, without viscosity, pressed far: whatever shares a lane's neighbours."""
    bodies = [replace(BODY, energy=kind, zeta=k * 30.0, mu=k * 20.0) for k, kind in enumerate((*ENERGIES, *ENERGIES))]
    alone, expected, flow = [model_of(body.energy, body) for body in bodies], [], []
    for k, (model, state) in enumerate(alone):
        x, v = (0.6 if k == 2 else 1.0) * warped(state.x, k), np.random.default_rng(k).normal(size=state.x.shape)
        expected.append((x, v, forces(model, x)[0]))
        flow.append(np.zeros_like(x))
        viscous_forces(model.solids, x, v, flow[-1])
    model, _, _ = assemble_solids(Scene((), 1 / 24, 2, solids=tuple(bodies)))
    x, v, f = (np.concatenate(parts) for parts in zip(*expected, strict=True))
    both, viscous, jacobian = np.zeros_like(x), np.zeros_like(x), np.zeros(len(model.solids.tetrahedra))
    assert np.abs(forces(model, x)[0] - f).max() <= 1e-13 * np.abs(f).max()
    viscous_forces(model.solids, x, v, viscous)
    assert np.abs(viscous - np.concatenate(flow)).max() <= 1e-13 * np.abs(viscous).max()
    viscoelastic_forces(model.solids, x, v, both, jacobian)
    assert np.abs(both - f - viscous).max() <= 1e-13 * np.abs(both).max()


def test_constants_are_felt():
    """That the checks above can fail: a modulus or viscosity off by a part of ten thousand is seen by their measure."""
    model, state = model_of()
    wrong = model.solids._replace(domains=changed(model.solids.domains, shear=1.0001 * model.solids.domains["shear"]))
    f, x = np.zeros_like(state.x), warped(state.x)
    elastic_forces(wrong, x, f, np.zeros(len(model.solids.tetrahedra)))
    assert np.abs(f + difference(lambda y: energy(model, y), x)).max() > 1e-6 * np.abs(f).max()
    assert bulk_modulus(YOUNG, POISSON) == pytest.approx(BULK)
    assert shear_modulus(YOUNG, POISSON) == pytest.approx(SHEAR)


@pytest.mark.parametrize("several", [(*ELEMENTS, *ELEMENTS[::-1]), ("AFFINE", "AFFINE")])
def test_bodies_side_by_side_are_as_each_alone(several):
    """Of other elements and energies: forces, and the ratios of volume of their tetrahedra."""
    kinds = [(kind, energy) for energy in ENERGIES for kind in several]
    bodies = [
        replace(BODY, name=f"Jelly {k}", x=X + [2.0 * k, 0.0, 0.0], elements=kind, energy=energy)
        for k, (kind, energy) in enumerate(kinds)
    ]
    model, state, _ = assemble_solids(Scene((), 1 / 24, 2, solids=tuple(bodies)))
    x = warped(state.x)
    f, jacobian = forces(model, x)
    tetrahedra = model.solids.tetrahedra
    assert np.allclose(jacobian, volumes(x[tetrahedra["node"]]) / tetrahedra["volume"], rtol=1e-12, atol=0.0)
    for k, body in enumerate(bodies):
        first, end = model.solids.bodies[k]["node"]
        alone = assemble_solids(Scene((), 1 / 24, 2, solids=(body,)))[0]
        assert np.allclose(f[first:end], forces(alone, x[first:end])[0], rtol=0.0, atol=1e-12 * np.abs(f).max())
