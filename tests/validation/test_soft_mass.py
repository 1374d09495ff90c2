"""Lumped and consistent mass of soft bodies: eq. (25), accelerations, free fall."""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick, clamped
from tendril.physics.assemble import solids as assembled
from tendril.physics.assemble.solids import assemble_solids, in_force
from tendril.physics.diagnostics.soft_bodies import kinetic_energy
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Scene, SoftBody
from tendril.physics.solids.mass import accelerate, apply_mass
from tendril.physics.solids.scratch import solid_scratch

X, NODE = brick((3, 2, 2), (1.0, 0.6, 0.5))
BODY = SoftBody("Jelly", X, NODE, 1200.0, 1e5, 0.3, weight=np.linspace(1.0, 2.0, len(X)))
SCENE = Scene((), 1 / 24, 6, solids=(BODY,))


def consistent(holds=()):
    model, state, _ = assemble_solids(replace(SCENE, holds=tuple(holds)))
    return in_force(model, state, True), state


def matrix(model, state):
    """Of the free nodes, column by column (N, N)."""
    found = np.zeros((len(state.x), len(state.x)))
    for i in range(len(state.x)):
        one, column = np.zeros_like(state.x), np.zeros_like(state.x)
        one[i, 0] = 1.0
        apply_mass(model.solids.tetrahedra, np.ones(len(state.x)), one, column)
        found[i] = column[:, 0]
    return found


def test_all_masses_are_of_the_density():
    model, state = consistent()
    total = 1200.0 * np.sum(BODY.weight[NODE].mean(axis=1)) * 0.3 / len(NODE)
    assert model.nodes["mass"].sum() == pytest.approx(total, rel=1e-12)
    assert matrix(model, state).sum() == pytest.approx(total, rel=1e-12)


def test_the_matrix_is_that_of_eq_25():
    """Half the second derivative of K = Σ m/20 (Σ v_i² + Σ_{i>j} v_i·v_j), tetrahedron by tetrahedron."""
    model, state = consistent()
    v = np.random.default_rng(1).normal(size=state.v.shape)
    written = 0.0
    for row in model.solids.tetrahedra:
        own = v[row["node"]]
        pairs = sum(own[i] @ own[j] for i in range(4) for j in range(i))
        written += row["mass"] / 20.0 * (np.sum(own * own) + pairs)
    M = matrix(model, state)
    assert 0.5 * np.sum(v * (M @ v)) == pytest.approx(written, rel=1e-13)
    assert kinetic_energy(model.solids.tetrahedra, v) == pytest.approx(written, rel=1e-13)


def test_an_affine_velocity_has_its_own_kinetic_energy():
    """½ρ∫|c + Gx|² of a uniform body, by the moments of a box; lumped mass has more."""
    model, _, _ = assemble_solids(replace(SCENE, solids=(replace(BODY, weight=None),)))
    state = assemble_solids(replace(SCENE, solids=(replace(BODY, v=X, weight=None),)))[1]
    places, (a, b, c) = state.v, X.max(axis=0)
    shift, G = np.array([1.0, 2.0, -1.0]), np.random.default_rng(2).normal(size=(3, 3))
    second = np.outer(X.max(axis=0), X.max(axis=0)) / 4.0 + np.diag(X.max(axis=0) ** 2) / 12.0
    mean = shift @ shift + 2.0 * shift @ G @ X.max(axis=0) / 2.0 + np.sum(G @ second * G)
    exact = 0.5 * 1200.0 * a * b * c * mean
    v = places @ G.T + shift
    assert kinetic_energy(model.solids.tetrahedra, v) == pytest.approx(exact, rel=1e-12)
    assert 0.5 * np.sum(model.nodes["mass"][:, None] * v * v) > 1.001 * exact


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("way", ["factor", "iteration"])
def test_forces_become_accelerations(held, way, monkeypatch):
    if way == "iteration":
        monkeypatch.setattr(assembled, "FACTORISED", 0)
    model, state = consistent(clamped(X, X[:, 0] == 0.0) if held else ())
    assert (len(model.solids.mass.order) == 0) == (way == "iteration")
    f = np.random.default_rng(3).normal(size=state.x.shape)
    free = state.w > 0.0
    a, M = f.copy(), matrix(model, state)
    accelerate(model, solid_scratch(model), state.w, a)
    exact = np.linalg.solve(M[np.ix_(free, free)], f[free])
    assert np.abs(a[free] - exact).max() <= (1e-12 if way == "factor" else 1e-6) * np.abs(exact).max()
    assert np.all(a[~free] == 0.0)


@pytest.mark.parametrize("scheme", ["VERLET", "FEHLBERG", "DORMAND_PRINCE"])
def test_free_fall_is_a_parabola(scheme):
    scene = replace(SCENE, scheme=scheme, consistent_mass=scheme != "VERLET")
    frames = list(simulate(scene))
    time = scene.frame_duration * (scene.frame_count - 1)
    fallen = frames[-1].x - frames[0].x - 0.5 * scene.gravity * time**2
    share = BODY.weight[NODE].mean(axis=1)
    middle = share @ fallen[NODE].mean(axis=1) / share.sum()
    assert np.abs(middle).max() <= 1e-13
    # Where steps are as long as stability allows, what adapts lets round-off grow as far as the tolerance allows.
    assert np.abs(fallen).max() <= (1e-12 if scheme == "VERLET" else scene.tolerance * np.ptp(X))
