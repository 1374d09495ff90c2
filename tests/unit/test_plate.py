"""A plate's triangles: derivatives against differences, what leaves them alone, and patch tests."""

import numpy as np
import pytest
from plates import MESHES, net, places, plate_on, settle, system_of
from sheet_system import carry, derivatives, energy, freedoms, pattern, unknowns_of
from tendril.physics.assemble.solids import no_solids
from tendril.physics.sheets.motion import bend, fastest_damping, oppose, turn

SIDE, POISSON, YOUNG, THICK = 1.0, 0.3, 1e3, 0.2


def bent(seed, mesh="random", curvature=None):
    """A plate of few triangles that is drawn curved and then deformed."""
    x, triangles = net(3, 3, SIDE, SIDE, mesh)
    rng = np.random.default_rng(seed)
    x[:, 2] = 0.1 * rng.normal(size=len(x))
    plate = plate_on(x, triangles, young=YOUNG, thickness=THICK, curvature=curvature)
    system = system_of(plate, x)
    y = np.concatenate([(x + 0.05 * rng.normal(size=x.shape)).ravel(), 0.3 * rng.normal(size=len(plate.edges))])
    return system, y


def matrix_of(system, y, convex=False):
    """The gradient and the whole Hessian at y, directors gone along to there."""
    plate = system.plate
    matrix, slot = pattern(unknowns_of(plate), np.arange(freedoms(plate)), freedoms(plate))
    shape, gradient = system.shape._replace(slot=slot), np.zeros(freedoms(plate))
    carry(y, shape)
    derivatives(y, shape, convex, gradient, matrix.data)
    return shape, gradient, matrix.toarray()


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_against_differences(seed):
    system, y = bent(seed, curvature=np.tile(np.diag([0.5, -0.3, 0.0]), (18, 1, 1)) if seed % 2 else None)
    rng, h = np.random.default_rng(seed), 1e-3
    shape, gradient, H = matrix_of(system, y)
    for _ in range(5):
        p = rng.normal(size=len(y))
        p /= np.linalg.norm(p)
        a, b, c, d = (energy(y + k * h * p, shape) for k in (-2, -1, 1, 2))
        middle = energy(y, shape)
        assert (8.0 * (c - b) - (d - a)) / (12.0 * h) == pytest.approx(gradient @ p, rel=1e-6, abs=1e-6)
        curve = (16.0 * (b + c) - 30.0 * middle - a - d) / (12.0 * h * h)
        assert curve == pytest.approx(p @ H @ p, rel=1e-6)
    assert np.abs(H - H.T).max() < 1e-12 * np.abs(H).max()


def forces_of(system, y, damped=None):
    """What explicit steps take at y, or −C of such velocities: (N,) of all unknowns."""
    shape, n = system.shape, 3 * len(system.plate.mass)
    carry(y, shape)
    solids = no_solids()._replace(plates=shape.triangles, plate_edges=shape.edges)
    x, f, directors = y[:n].reshape(-1, 3), np.zeros((n // 3, 3)), shape.directors.copy()
    if damped is not None:
        oppose(solids, x, damped[:n].reshape(-1, 3), damped[n:].copy(), f, directors)
    else:
        directors["rate"] = y[n:]
        turn(solids, x, directors, 1.0)
        bend(solids, x, directors, f)
    return np.concatenate([f.ravel(), directors["torque"]])


@pytest.mark.parametrize("seed", range(4))
def test_forces_are_the_gradient(seed):
    system, y = bent(seed)
    _, gradient, _ = matrix_of(system, y)
    assert forces_of(system, y) == pytest.approx(-gradient, rel=1e-9, abs=1e-9 * np.abs(gradient).max())


def test_damping_is_what_strains_oppose():
    """At rest −C v is −τ times the Hessian's, symmetric and never a help; what turns as a whole has none."""
    system, y = bent(2)
    system.shape.triangles["relaxation"] = 0.25
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, len(y)))
    assert a @ forces_of(system, y, b) == pytest.approx(b @ forces_of(system, y, a), rel=1e-9)
    assert a @ forces_of(system, y, a) < 0.0
    x = y[: -len(system.shape.edges)].reshape(-1, 3)
    carry(y, system.shape)
    spin = np.array([0.3, -0.7, 1.1])
    turning = np.concatenate([(np.cross(spin, x) + 1.0).ravel(), system.shape.directors["t"] @ spin])
    assert np.abs(forces_of(system, y, turning)).max() < 1e-12 * np.abs(forces_of(system, y, a)).max()
    flat, triangles = net(3, 3, SIDE, SIDE, "random")
    system = system_of(plate_on(flat, triangles, young=YOUNG, thickness=THICK), flat)
    system.shape.triangles["relaxation"] = 0.25
    _, _, H = matrix_of(system, system.z)
    assert forces_of(system, system.z, b) == pytest.approx(-0.25 * H @ b, rel=1e-9, abs=1e-9 * np.abs(H @ b).max())


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("thickness", [1e-3, 0.3])
def test_no_rate_of_damping_is_above_its_bound(mesh, thickness):
    """The largest eigenvalue of M⁻¹C: thin, stretching is the fastest, thick, bending."""
    flat, triangles = net(4, 4, SIDE, SIDE, mesh)
    plate = plate_on(flat, triangles, thickness=thickness, density=3.0)
    plate.triangles["relaxation"], plate.triangles["firm"] = 0.25, 1.0
    system, rng = system_of(plate, flat), np.random.default_rng(3)
    x = 1.2 * flat + 0.02 * rng.normal(size=flat.shape)
    y = np.concatenate([x.ravel(), np.zeros(len(plate.edges))])
    damped = np.array([forces_of(system, y, e) for e in np.eye(len(y))])
    root = np.sqrt(1.0 / np.concatenate([np.repeat(plate.mass, 3), plate.inertia]))
    fastest = -np.linalg.eigvalsh(root[:, None] * damped * root)[0]
    bound = fastest_damping(no_solids()._replace(plates=plate.triangles, plate_edges=plate.edges), x)
    assert fastest <= bound < 6.0 * fastest


def test_gradient_where_directors_have_not_gone_along():
    """Energy is one of places and directors alone: the same where it is looked at from elsewhere."""
    system, y = bent(0)
    before = energy(y, system.shape)
    carry(y, system.shape)
    assert energy(y, system.shape) == pytest.approx(before, rel=1e-12)


def test_rigid_motion_does_nothing():
    system, y = bent(1)
    shape, gradient, _ = matrix_of(system, y)
    x, xi = y[: -len(shape.edges)].reshape(-1, 3), y[-len(shape.edges) :]
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    moved = np.concatenate([(x @ turn.T + [1.0, 2.0, 3.0]).ravel(), xi])
    directors = shape.directors.copy()
    directors["t"], directors["r"] = directors["t"] @ turn.T, directors["r"] @ turn.T
    turned = shape._replace(directors=directors)
    assert energy(moved, turned) == pytest.approx(energy(y, shape), rel=1e-12)
    force, torque = gradient[: x.size].reshape(-1, 3), gradient[x.size :, None] * shape.directors["t"]
    assert np.abs(force.sum(axis=0)).max() < 1e-10 * np.abs(force).max()
    assert np.abs(np.cross(x, force).sum(axis=0) + torque.sum(axis=0)).max() < 1e-10 * np.abs(force).max()


def test_numbering_does_not_count():
    x, triangles = net(3, 3, SIDE, SIDE, "random")
    x[:, 2] = 0.1 * np.sin(5.0 * x[:, 0] + 3.0 * x[:, 1])
    order = np.random.default_rng(0).permutation(len(x))
    back = np.argsort(order)
    energies = []
    for points, faces in ((x, triangles), (x[order], np.roll(back[triangles], 1, axis=1)[::-1])):
        plate = plate_on(points, faces)
        system = system_of(plate, points)
        flat = np.concatenate([(points * [1.1, 1.0, 0.5]).ravel(), np.zeros(len(plate.edges))])
        energies.append(energy(flat, system.shape))
    assert energies[0] == pytest.approx(energies[1], rel=1e-12)


def test_at_rest_as_drawn():
    x, triangles = net(3, 3, SIDE, SIDE, "random")
    x[:, 2] = 0.1 * np.random.default_rng(0).normal(size=len(x))
    system = system_of(plate_on(x, triangles), x)
    shape, gradient, H = matrix_of(system, system.z)
    values = np.linalg.eigvalsh(H)
    assert abs(energy(system.z, shape)) < 1e-20
    assert np.abs(gradient).max() < 1e-9
    assert np.abs(values[:6]).max() < 1e-9 * values[-1] < 1e-2 * values[6]  # rigid motions and nothing else


@pytest.mark.parametrize("mesh", MESHES)
def test_constant_strain(mesh):
    """Hooke's energy of plane stress per area, ½ A h σ·ε; no force on what is inside."""
    x, triangles = net(4, 4, SIDE, SIDE, mesh)
    plate = plate_on(x, triangles, young=YOUNG, thickness=THICK)
    strain = 1e-6 * np.array([[3.0, 1.0], [1.0, -2.0]])
    moved = x.copy()
    moved[:, :2] += x[:, :2] @ strain
    system = system_of(plate, x)
    shape, gradient, _ = matrix_of(system, np.concatenate([moved.ravel(), np.zeros(len(plate.edges))]))
    trace = np.trace(strain)
    density = 0.5 * YOUNG / (1.0 - POISSON**2) * ((1.0 - POISSON) * np.sum(strain**2) + POISSON * trace**2)
    y = np.concatenate([moved.ravel(), np.zeros(len(plate.edges))])
    assert energy(y, shape) == pytest.approx(density * THICK * SIDE**2, rel=1e-5)
    inside = ((x[:, :2] > 1e-9) & (x[:, :2] < SIDE - 1e-9)).all(axis=1)
    force = gradient[: x.size].reshape(-1, 3)
    assert np.abs(force[inside]).max() < 1e-9 * np.abs(force).max()


@pytest.mark.parametrize("mesh", MESHES)
def test_constant_curvature(mesh):
    """w = ½ xᵀ κ x, directors upright on it: ½ A D ((1 − ν) |κ|² + ν tr² κ), and in balance inside."""
    x, triangles = net(4, 4, SIDE, SIDE, mesh)
    plate = plate_on(x, triangles, young=YOUNG, thickness=THICK)
    kappa = 1e-6 * np.array([[3.0, 1.0], [1.0, -2.0]])
    system = system_of(plate, x)
    moved = x.copy()
    moved[:, 2] = 0.5 * np.einsum("na,ab,nb->n", x[:, :2], kappa, x[:, :2])
    ends = x[plate.edges["node"]]
    middle, along = ends.mean(axis=1)[:, :2], (ends[:, 1] - ends[:, 0])[:, :2]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    slope = np.einsum("ea,ab,eb->e", across, kappa, middle)  # the director leans back by it, about the edge
    y = np.concatenate([moved.ravel(), slope])
    shape, gradient, _ = matrix_of(system, y)
    rigidity = YOUNG * THICK**3 / (12.0 * (1.0 - POISSON**2))
    density = 0.5 * rigidity * ((1.0 - POISSON) * np.sum(kappa**2) + POISSON * np.trace(kappa) ** 2)
    assert energy(y, shape) == pytest.approx(density * SIDE**2, rel=1e-5)
    inside = ((x[:, :2] > 1e-9) & (x[:, :2] < SIDE - 1e-9)).all(axis=1)
    force, moment = gradient[: x.size].reshape(-1, 3), gradient[x.size :]
    assert np.abs(force[inside, 2]).max() < 1e-5 * np.abs(force[:, 2]).max()
    assert np.abs(moment[plate.edges["faces"] == 2]).max() < 1e-5 * np.abs(moment).max()


@pytest.mark.parametrize("mesh", MESHES)
def test_curvature_at_rest(mesh):
    """A plate of a curvature in one direction rolls up to a cylinder, and stores next to nothing."""
    x, triangles = net(12, 4, 1.0, 0.3, mesh)
    curve = np.tile(np.diag([3.0, 0.0, 0.0]), (len(triangles), 1, 1))
    plate = plate_on(x, triangles, poisson=0.0, curvature=curve)
    system = system_of(plate, x, x[:, 0] < 1e-9, lambda middle: middle[:, 0] < 1e-9)
    flat = energy(system.z, system.shape)
    settle(system)
    assert energy(system.z, system.shape) < 1e-5 * flat
    assert np.linalg.norm(places(system)[:, [0, 2]] + [0.0, 1.0 / 3.0], axis=1) == pytest.approx(1.0 / 3.0, rel=2e-3)


def test_convex_matrix_has_no_negative_eigenvalue():
    for seed in range(3):
        system, y = bent(seed)
        y[-len(system.plate.edges) :] *= 2.0
        assert np.linalg.eigvalsh(matrix_of(system, y)[2])[0] < 0.0
        values = np.linalg.eigvalsh(matrix_of(system, y, convex=True)[2])
        assert values[0] > -1e-9 * values[-1]
