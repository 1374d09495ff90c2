"""How soft bodies step: orders, stability, conservation, the guard of their elements, frequencies of bars."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from solid_meshes import brick, clamped
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.materials import shear_modulus
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Hold, Scene, SoftBody
from tendril.physics.solids.critical_step import applied_forces, critical_step
from tendril.physics.solids.forces import elastic_forces
from tendril.physics.start.soft_rest_in_equilibrium import stiffness
from tendril.physics.time_integration.runge_kutta import PAIRS, runge_kutta_steps
from tendril.physics.time_integration.velocity_verlet import verlet_steps

X, NODE = brick((6, 2, 2), (1.0, 0.3, 0.3))
BODY = SoftBody("Jelly", X, NODE, 1000.0, 2e5, 0.3)
SHEAR = shear_modulus(BODY.young, BODY.poisson)
FREE = Scene((), 1 / 24, 2, solids=(BODY,), gravity=np.zeros(3))
HELD = replace(FREE, holds=clamped(X, X[:, 0] == 0.0), gravity=np.array([0.0, 0.0, -9.81]))


def viscous(scene, relaxation):
    """The scene with μ = G · relaxation and half as much ζ."""
    mu = SHEAR * relaxation
    return replace(scene, solids=(replace(scene.solids[0], mu=mu, zeta=0.5 * mu),))


def verlet(scene, duration, h=np.inf, fraction=0.7):
    """(Model, State, steps) after `duration` [s]."""
    model, state, work = assemble_solids(scene)
    lossy = bool(model.solids.bodies["viscous"].any())
    status, steps, _ = verlet_steps(model, state, work, lossy, duration, fraction, h)
    assert status == 0
    return model, state, steps


@pytest.mark.parametrize("relaxation", [0.0, 1e-3, 1e-2, 1e-1])
def test_verlet_is_of_second_order_however_viscous(relaxation):
    scene = viscous(HELD, relaxation)
    ends = [verlet(scene, 0.05, 0.05 / count, 1.0)[1] for count in (64, 128, 256)]
    for name in ("x", "v"):
        coarse, middle, fine = (getattr(state, name) for state in ends)
        ratio = np.linalg.norm(coarse - middle) / np.linalg.norm(middle - fine)
        assert 3.4 < ratio < 4.6


@pytest.mark.parametrize("relaxation", [1e-3, 1e-2, 1e-1])
def test_nothing_is_solved_for_in_free_fall(relaxation):
    """Its elastic forces are rounding errors, which took the more iterations the fewer digits they have."""
    high = replace(BODY, x=X + [0.0, 0.0, 2.0])
    scene = viscous(replace(FREE, solids=(high,), gravity=HELD.gravity), relaxation)
    model, state, work = assemble_solids(scene)
    verlet_steps(model, state, work, True, 0.05, 0.7, np.inf)
    assert np.abs(work.solids.acceleration - HELD.gravity).max() < 1e-15 * 9.81


def test_viscous_verlet_and_runge_kutta_agree():
    scene = viscous(HELD, 1e-2)
    model, state, work = assemble_solids(scene)
    runge_kutta_steps(model, state, work, PAIRS["DORMAND_PRINCE"], True, 0.05, 1e-8, np.inf)
    assert np.abs(verlet(scene, 0.05, 0.05 / 512)[1].x - state.x).max() <= 1e-6 * np.abs(state.x - X).max()


def test_putty_is_stable_at_the_elastic_step():
    """μ/G = .1 s: as many steps as without viscosity, and a pulse dies away in them."""
    stirred = replace(BODY, v=0.05 * np.random.default_rng(1).normal(size=X.shape))
    still = replace(HELD, solids=(stirred,), gravity=np.zeros(3))
    plain, lossy = verlet(still, 0.2)[2], [verlet(viscous(still, 0.1), t) for t in (1e-9, 0.05, 0.1, 0.2)]
    assert lossy[-1][2] <= plain + 2
    energy = [soft_energies(model, state).total for model, state, _ in lossy]
    assert energy[0] > energy[1] > energy[2] > energy[3] > 0.0


def test_viscosity_leaves_momentum_and_angular_momentum_as_they_are():
    """Of a free body with μ/G = .1 s that turns and is stirred, to round-off, though equations are solved to 1e-5."""
    v = np.cross([0.0, 3.0, 5.0], X - X.mean(axis=0)) + 0.5 * np.random.default_rng(2).normal(size=X.shape)
    body = replace(BODY, v=v + [1.0, 2.0, 3.0])
    scene = viscous(replace(FREE, solids=(body,)), 0.1)
    model, begin, _ = assemble_solids(scene)
    _, end, _ = verlet(scene, 0.05)
    mass = model.nodes["mass"][:, None]
    for moment in (lambda s: (mass * s.v).sum(axis=0), lambda s: np.cross(s.x, mass * s.v).sum(axis=0)):
        assert np.abs(moment(end) - moment(begin)).max() <= 1e-10 * np.abs(moment(begin)).max()


def test_verlet_keeps_energy_and_momenta_of_a_free_body():
    body = replace(BODY, v=np.random.default_rng(3).normal(size=X.shape))
    scene = replace(FREE, solids=(body,))
    model, begin, _ = assemble_solids(scene)
    _, end, _ = verlet(scene, 1.0, fraction=0.5)
    mass = model.nodes["mass"][:, None]
    for moment in (lambda s: (mass * s.v).sum(axis=0), lambda s: np.cross(s.x, mass * s.v).sum(axis=0)):
        assert np.abs(moment(end) - moment(begin)).max() <= 1e-11 * np.abs(mass * begin.v).sum()
    start = soft_energies(model, begin).total
    assert abs(soft_energies(model, end).total - start) <= 0.05 * start  # all of it in the fastest vibrations


def amplification(scheme, phase):
    """R(iy) for the phases y (k,) by which y' = iωy goes on in a step."""
    pair = PAIRS[scheme]
    weights, z = np.ones(len(pair.b)), 1j * phase
    found = np.ones_like(z)
    for power in range(1, len(pair.b) + 1):
        found = found + (pair.b @ weights) * z**power
        weights = pair.a @ weights
    return found


def test_fehlbergs_step_calms_all_that_oscillates_and_slow_things_hardly():
    phase = np.linspace(0.2, 3.88, 1000)
    size = np.abs(amplification("FEHLBERG", phase))
    assert np.all(size < 1.0)
    slow = np.array([0.2, 0.4])
    lost = 1.0 - np.abs(amplification("FEHLBERG", slow))
    assert np.log2(lost[1] / lost[0]) == pytest.approx(8.0, abs=0.05)


@pytest.mark.parametrize(("scheme", "order"), [("FEHLBERG", 4), ("DORMAND_PRINCE", 5)])
def test_what_adapts_is_of_its_order(scheme, order):
    """In equal steps that no tolerance shortens, clamped and with viscosity."""
    ends, duration = [], 0.04
    for count in (32, 64, 128):
        model, state, work = assemble_solids(viscous(HELD, 1e-4))
        state.clock["step"] = duration
        status, steps, _ = runge_kutta_steps(model, state, work, PAIRS[scheme], True, duration, 1.0, duration / count)
        assert (status, steps) == (0, count)
        ends.append(state.x)
    ratio = np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(ends[1] - ends[2])
    assert 0.7 * 2**order < ratio < 1.4 * 2**order


def hookes(model):
    """K (3N, 3N) of small displacements, by P_ik = λ tr(ε) δ_ik + 2 G ε_ik."""
    domains, one = model.solids.domains, np.eye(3)
    G, lame = domains["shear"], domains["bulk"] - 2.0 / 3.0 * domains["shear"]
    whole = np.einsum("t,ik,jl->tikjl", lame, one, one) + np.einsum("t,ij,kl->tikjl", G, one, one)
    whole += np.einsum("t,il,kj->tikjl", G, one, one)
    return stiffness(domains, model.solids.slopes, whole, len(model.nodes))


def test_small_displacements_pull_as_hooke_says():
    model, state, _ = assemble_solids(FREE)
    u, f = np.random.default_rng(4).normal(size=state.x.shape), np.zeros_like(state.x)
    elastic_forces(model.solids, state.x + 1e-7 * u, f, np.zeros(len(NODE)))
    expected = -1e-7 * (hookes(model) @ u.ravel()).reshape(-1, 3)
    assert np.abs(f - expected).max() <= 1e-5 * np.abs(expected).max()


def test_the_critical_step_is_that_of_the_fastest_vibration():
    model, state, work = assemble_solids(HELD)
    applied_forces(model, work.solids, state, 0.0, work.solids.force)
    found = critical_step(model, work.solids, state)
    root = sp.diags(np.sqrt(np.repeat(state.w, 3)))
    largest = eigsh(root @ hookes(model) @ root, 1, return_eigenvectors=False)[0]
    exact = 2.0 / np.sqrt(largest)
    assert exact <= found <= 1.03 * exact


def test_verlet_is_stable_just_below_the_critical_step_and_not_above():
    """A small pulse, for 3000 steps; beyond the limit, steps are halved when it has grown."""
    pulse = replace(BODY, v=1e-6 * np.random.default_rng(5).normal(size=X.shape))
    scene = replace(FREE, solids=(pulse,))
    model, state, work = assemble_solids(scene)
    applied_forces(model, work.solids, state, 0.0, work.solids.force)
    limit = critical_step(model, work.solids, state) / 1.03
    _, below, steps = verlet(scene, 3000 * 0.97 * limit, 0.97 * limit, 10.0)
    assert abs(steps - 3000) <= 1
    assert np.abs(below.v).max() < 1e-5
    _, above, steps = verlet(scene, 3000 * 1.1 * limit, 1.1 * limit, 10.0)
    assert steps > 3100 or np.abs(above.v).max() > 1e-3


def frequencies(n):
    """First six of a free bar of 4 × 1 × 1 m in n × 2 × 2 cells, past rigid motions [1/s]."""
    x, node = brick((n, 2, 2), (4.0, 1.0, 1.0))
    model, _, _ = assemble_solids(replace(FREE, solids=(replace(BODY, x=x, tetrahedra=node, elements="AFFINE"),)))
    root = sp.diags(1.0 / np.sqrt(np.repeat(model.nodes["mass"], 3)))
    found = eigsh((root @ hookes(model) @ root).tocsc(), 12, sigma=-10.0, return_eigenvectors=False)
    return np.sqrt(np.sort(found)[6:]) / (2.0 * np.pi)


def test_frequencies_of_a_bar_converge_at_second_order_in_the_length_of_its_elements():
    """Bending about both axes, torsion, and their next ones."""
    coarse, middle, fine = (frequencies(n) for n in (16, 32, 64))
    ratio = (coarse - middle) / (middle - fine)
    assert np.all(np.abs(ratio - 4.0) < 0.2)


@pytest.mark.parametrize("scheme", ["VERLET", "FEHLBERG", "DORMAND_PRINCE"])
def test_no_element_turns_inside_out_where_steps_would_let_it(scheme):
    """A node shot at the rest at 200 m/s crosses its elements in a tenth of a step."""
    shot = np.zeros_like(X)
    shot[-1] = [-200.0, 0.0, 0.0]
    scene = replace(FREE, solids=(replace(BODY, v=shot),), frame_count=5, scheme=scheme, frame_duration=1e-3)
    for frame in simulate(scene):
        corner = frame.x[NODE]
        assert np.linalg.det(corner[:, 1:] - corner[:, :1]).min() > 0.0


@pytest.mark.parametrize("scheme", ["VERLET", "FEHLBERG", "DORMAND_PRINCE"])
def test_a_bake_that_is_resumed_gives_the_same_bytes(scheme):
    track = X[-1] + np.array([[0.0] * 3, [0.3] * 3])
    hand = Hold("hand", "POINT", 0, len(X) - 1, times=np.array([0.0, 0.12]), track=track, release=0.17)
    scene = replace(viscous(HELD, 1e-3), holds=(*HELD.holds[:-1], hand), frame_count=8, scheme=scheme)
    frames = list(simulate(scene))
    for begin in (0, 3, 4):
        for one, other in zip(frames[begin + 1 :], simulate(scene, frames[begin].state), strict=True):
            assert one.x.tobytes() == other.x.tobytes()
            assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)


def test_numbering_of_nodes_and_elements_changes_nothing_but_round_off():
    random = np.random.default_rng(6)
    nodes, elements = random.permutation(len(X)), random.permutation(len(NODE))
    back = np.argsort(nodes)
    other = replace(BODY, x=X[nodes], tetrahedra=back[NODE][elements])
    holds = clamped(other.x, other.x[:, 0] == 0.0)
    one = [frame.x for frame in simulate(replace(HELD, frame_count=4))]
    two = [frame.x for frame in simulate(replace(HELD, frame_count=4, solids=(other,), holds=holds))]
    assert np.abs(np.array(one) - np.array(two)[:, back]).max() <= 1e-9
