"""Plates at rest: closed forms, rates of convergence, and the same on any mesh."""

import numpy as np
import pytest
from plates import MESHES, loaded, net, places, plate_on, settle, system_of, tube
from sheet_system import energy
from tendril.physics.schemes.static import Equilibrium

THIN = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)  # of membranes: steps that turn edges stretch them, a stiff one makes them small


def square(n, mesh, clamped):
    """Largest deflection of a square plate of side a = 1 m under q, in q a⁴/D."""
    x, triangles = net(n, n, 1.0, 1.0, mesh)
    plate = plate_on(x, triangles)
    rim = ((x[:, :2] < 1e-9) | (x[:, :2] > 1.0 - 1e-9)).any(axis=1)
    system = system_of(plate, x, rim, lambda _: (plate.edges["faces"] == 1) & clamped)
    rigidity = 1e7 * 0.01**3 / (12.0 * (1.0 - 0.3**2))
    settle(loaded(system, [0.0, 0.0, 1e-6 * rigidity]))
    return places(system)[:, 2].max() * 1e6


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize(("clamped", "exact", "most"), [(False, 0.00406235, 0.004), (True, 0.00126532, 0.023)])
def test_square_plate(mesh, clamped, exact, most):
    """.00406 and .00126 (Timoshenko & Woinowsky-Krieger, *Plates and Shells*, tables 8 and 35), at second order."""
    coarse, fine = (abs(square(n, mesh, clamped) / exact - 1.0) for n in (16, 32))
    assert fine < (0.5 * most if mesh == "crossed" and clamped else most)
    assert 1.8 < np.log2(coarse / fine) < 2.2


@pytest.mark.parametrize("thickness", [1e-2, 1e-3, 1e-4])
def test_heavy_sheet_sags_alike_on_any_mesh(thickness):
    """Clamped along one side, ν = 0, Γ = w L³/D = 5: drop over reach .58572, whatever the triangles, however thin."""
    for mesh in MESHES:
        x, triangles = net(12, 12, 1.0, 1.0, mesh)
        plate = plate_on(x, triangles, poisson=0.0, thickness=thickness)
        system = system_of(plate, x, x[:, 0] < 1e-9, lambda middle: middle[:, 0] < 1e-9)
        settle(loaded(system, [0.0, 0.0, -5.0 * 1e7 * thickness**3 / 12.0]), THIN)
        end = places(system)[x[:, 0] > 1.0 - 1e-9].mean(axis=0)
        assert -end[2] / end[0] == pytest.approx(0.58572, rel=0.01)


def test_heavy_strip():
    """Romero et al. 2021's cantilever: drop over reach, of strips a tenth as wide as long."""
    x, triangles = net(40, 4, 1.0, 0.1)
    plate = plate_on(x, triangles, poisson=0.0, thickness=0.002)
    for gamma, ratio in ((0.5, 0.06244), (5.0, 0.58572), (50.0, 3.7056)):
        system = system_of(plate, x, x[:, 0] < 1e-9, lambda middle: middle[:, 0] < 1e-9)
        settle(loaded(system, [0.0, 0.0, -gamma * 1e7 * 0.002**3 / 12.0]), THIN)
        end = places(system)[x[:, 0] > 1.0 - 1e-9].mean(axis=0)
        assert -end[2] / end[0] == pytest.approx(ratio, rel=0.01)


@pytest.mark.parametrize(("guided", "modulus"), [(False, 1.0), (True, 1.0 / (1.0 - 0.3**2))])
def test_wide_and_narrow_strips(guided, modulus):
    """Slightly bent by its weight, w L⁴/8EI, a narrow strip by E; as part of a wide one, which cannot curl, by more."""
    x, triangles = net(40, 2, 1.0, 0.05)
    plate = plate_on(x, triangles)
    held = np.repeat((x[:, 0] < 1e-9)[:, None], 3, axis=1)
    held[:, 1] |= guided
    middle = x[plate.edges["node"]].mean(axis=1)
    side = (np.abs(middle[:, 1] - 0.025) > 0.025 - 1e-9) & guided
    system = system_of(plate, x, held, lambda middle: (middle[:, 0] < 1e-9) | side)
    settle(loaded(system, [0.0, 0.0, -1e-4]))
    drop = -places(system)[x[:, 0] > 1.0 - 1e-9, 2].mean()
    assert drop == pytest.approx(1e-4 / (8.0 * modulus * 1e7 * 0.01**3 / 12.0), rel=0.01)


def buckles(factor):
    """Whether a strip that stands upright, ν = 0, gives way under so many times its critical weight."""
    x, triangles = net(32, 4, 1.0, 0.2)
    x = x[:, [2, 1, 0]]
    plate = plate_on(x, triangles, poisson=0.0, thickness=0.005)
    weight = -7.837 * factor * 1e7 * 0.005**3 / 12.0
    foot = x[:, 2] < 1e-9
    stiff = np.repeat(foot[:, None], 3, axis=1)
    stiff[:, 0] = True
    upright = loaded(system_of(plate, x, stiff, lambda middle: middle[:, 2] > -1.0), [0.0, 0.0, weight])
    settle(upright)
    free = loaded(system_of(plate, x, foot, lambda middle: middle[:, 2] < 1e-9), [0.0, 0.0, weight])
    free.z = upright.z
    solver = Equilibrium(free)
    solver.differentiate(free.unknowns)
    return solver.factors_of(free.softest).negative > 0


def test_self_buckling():
    """w L³/D = 7.837 (Greenhill 1881)."""
    assert buckles(1.01)
    assert not buckles(0.99)


def test_pinched_cylinder():
    """1.8248e-5 under P = 1 between diaphragms (MacNeal & Harder 1985), 96 × 48 squares, five times as fine there."""
    angle, height, triangles = tube(96, 48)
    angle = angle - 0.4 * np.sin(2.0 * angle)
    height = height - 0.4 * np.sin(2.0 * np.pi * height - np.pi) / np.pi
    x = np.stack([300.0 * np.cos(angle), 300.0 * np.sin(angle), 600.0 * height], axis=1)
    plate = plate_on(x, triangles, young=3e6, thickness=3.0)
    held = np.zeros((len(x), 3), bool)
    held[(height < 1e-9) | (height > 1.0 - 1e-9), :2] = True
    held[0, 2] = True
    system = system_of(plate, x, held)
    one, other = (int(np.argmin(np.linalg.norm(x - [r, 0.0, 300.0], axis=1))) for r in (300.0, -300.0))
    system.load[3 * one], system.load[3 * other] = -1.0, 1.0
    settle(system)
    assert 300.0 - places(system)[one, 0] == pytest.approx(1.8248e-5, rel=0.05)


def test_pinched_hemisphere():
    """.0935 under 2 (MacNeal & Harder 1985; with a hole of 18°), on 64 × 16 squares."""
    angle, height, triangles = tube(64, 16)
    up = np.radians(72.0) * height
    x = 10.0 * np.stack([np.cos(up) * np.cos(angle), np.cos(up) * np.sin(angle), np.sin(up)], axis=1)
    plate = plate_on(x, triangles, young=6.825e7, thickness=0.04)
    east, north, west, south = 0, 16, 32, 48
    held = np.zeros((len(x), 3), bool)
    held[[east, west], 1:] = held[north, 0] = held[-64, 1] = True
    system, part = system_of(plate, x, held), 1e-3  # of the load: in proportion
    for node, axis, force in ((east, 0, 2.0), (west, 0, -2.0), (north, 1, -2.0), (south, 1, 2.0)):
        system.load[3 * node + axis] = part * force
    settle(system)
    assert (places(system)[east, 0] - 10.0) / part == pytest.approx(0.0935, rel=0.05)


@pytest.mark.parametrize("mesh", ["regular", "random"])
def test_five_turns_unroll(mesh):
    """A flat strip that is drawn rolled up five times lies flat, straight on from where it is held."""
    x, triangles = net(80, 4, 1.0, 0.1, mesh)
    plate, turn = plate_on(x, triangles, thickness=0.002), 10.0 * np.pi
    rolled = np.stack([np.sin(turn * x[:, 0]), turn * x[:, 1], 1.0 - np.cos(turn * x[:, 0])], axis=1) / turn
    system = system_of(plate, rolled, x[:, 0] < 1e-9)
    effort = settle(system, (1e-2, 1.0))
    found = places(system)
    assert effort.stable
    assert energy(system.z, system.shape) < 1e-12
    along = found[x[:, 0] > 1.0 - 1e-9] - found[0]
    assert np.linalg.norm(along[:, [0, 2]], axis=1) == pytest.approx(1.0, rel=1e-6)
