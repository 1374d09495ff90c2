"""Rods, soft bodies and sheets that are stiffer, denser or thicker in some places than in others."""

from dataclasses import replace

import numpy as np
import pytest
from plates import loaded, net, places, plate_on, settle, system_of
from solid_meshes import brick
from solvers import relaxed
from tendril.physics.assemble import assemble
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Frame, Hold, Pin, Rod, Scene, Sheet, SoftBody

STEEL = Material(young=2e9, poisson=0.3, density=1000.0, bend_factor=1.0, internal_damping=0.0, drag_coefficient=0.0)
RATIO = 10.0  # of the stiffnesses of both halves
RADIUS, G = 0.005, 9.81


def bar(n, stiffness, **options):
    x = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], n + 1)
    return Rod.from_material("bar", x, RADIUS, STEEL, factors=(stiffness, 1.0), **options)


def halves(n, first, second=1.0):
    return np.where(np.arange(n) < n // 2, first, second)


def sag(rod):
    """[m] of the end of a cantilever under its weight."""
    scene = Scene((rod,), 1.0 / 24.0, 2, (Pin.fixed(rod, 0, "TWIST"),), contact=False, air_density=0.0)
    _, state = relaxed(scene, 20.0, 3.0)
    return -state.x[-1, 2]


def euler_bernoulli(first, second):
    """∫ M (L − s)/B ds, M = ρAg (L − s)²/2: of the far half a sixteenth of the whole's B⁻¹."""
    area = np.pi * RADIUS**2
    bend = STEEL.young * area * RADIUS**2 / 4.0
    whole = STEEL.density * area * G * 0.5**4 / (8.0 * bend)
    return whole * ((1.0 - 1.0 / 16.0) / first + 1.0 / 16.0 / second)


@pytest.mark.parametrize(("first", "second"), [(RATIO, 1.0), (1.0, RATIO)])
def test_a_cantilever_of_two_stiffnesses_sags_as_beam_theory_has_it(first, second):
    """To first order: at the vertex between, a rod has the mean of both."""
    error = [sag(bar(n, halves(n, first, second))) / euler_bernoulli(first, second) - 1.0 for n in (16, 32)]
    assert abs(2.0 * error[1] - error[0]) < 5e-3, error
    assert abs(error[1]) < 0.05


def test_a_rod_of_two_stiffnesses_twists_as_two_springs_in_series():
    """Wherever the vertices are: Σ l/2β over it is ∫ ds/β."""
    rng = np.random.default_rng(3)
    place = np.sort(rng.uniform(0.0, 1.0, 9))
    x = np.stack([place, 0.0 * place, 0.0 * place], axis=1)
    factor = rng.uniform(0.1, 10.0, 8)
    rod, plain = (Rod.from_material("bar", x, RADIUS, STEEL, factors=(s, 1.0)) for s in (factor, 1.0))
    length = np.diff(place)
    cell = 0.5 * (np.append(length, 0.0) + np.append(0.0, length))
    assert (cell / rod.twist_stiffness).sum() == pytest.approx((length / factor).sum() / plain.twist_stiffness[0])
    ring = Rod.from_material("ring", x[[0, 4, 8]] + np.eye(3), RADIUS, STEEL, closed=True, factors=(factor[:3], 1.0))
    length = np.linalg.norm(ring.edges(), axis=1)
    cell = 0.5 * (length + np.roll(length, 1))
    assert (cell / ring.twist_stiffness).sum() == pytest.approx((length / factor[:3]).sum() / plain.twist_stiffness[0])


def test_a_rod_slides_by_the_friction_that_it_has_where_it_lies():
    """On a floor, with gravity aslant by tan .5, half of it at .4 and half at .1: by the mean of their roots."""
    x = np.stack([np.zeros(11), np.linspace(0.0, 0.3, 11), np.full(11, 0.01)], axis=1)
    rough = np.where(np.arange(11) < 5, 1.0, 0.25)
    rod = Rod.from_material("bar", x, 0.01, replace(STEEL, young=1e11), friction=0.4, rougher=rough)
    assert assemble(Scene((rod,), 1.0, 2))[0].capsules["friction"][[0, 4, 9]] == pytest.approx([0.4, 0.25, 0.1])
    down = G * np.array([0.5, 0.0, -1.0]) / np.hypot(0.5, 1.0)
    scene = Scene((rod,), 1.0 / 24.0, 13, floor=Floor(0.0, 0.4), gravity=down, air_density=0.0)
    gone = [frame.x @ [1.0, 0.0, 0.0] for frame in simulate(scene) if isinstance(frame, Frame)][-1]
    share = rod.mass / rod.mass.sum()
    slowed = (share * np.sqrt(0.4 * 0.4 * rough)).sum()
    assert share @ gone == pytest.approx(0.5 * G * (0.5 - slowed) / np.hypot(0.5, 1.0) * 0.5**2, rel=0.02)


def share(n, factor):
    """Of the way by which one end of a bar of jelly is drawn away from the other, what its 7/16 go."""
    x, node = brick((n, 1, 1), (1.0, 0.2, 0.2))
    body = SoftBody("bar", x, node, 100.0, 1e4, 0.0, zeta=400.0, mu=400.0, stiffness=factor(x[:, 0]))
    holds = [Hold(f"wall {i}", "PLANE", 0, int(i), direction=[1.0, 0.0, 0.0]) for i in np.flatnonzero(x[:, 0] == 0.0)]
    for i in np.flatnonzero(x[:, 0] > 0.999):
        track = x[i] + np.array([[0.0, 0.0, 0.0], [0.01, 0.0, 0.0]])
        holds.append(Hold(f"end {i}", "PLANE", 0, int(i), direction=[1.0, 0.0, 0.0], times=np.arange(2.0), track=track))
    scene = Scene((), 1.0 / 24.0, 49, solids=(body,), holds=tuple(holds), gravity=np.zeros(3), air_density=0.0)
    found = [frame.x for frame in simulate(scene) if isinstance(frame, Frame)][-1] - x
    return found[np.abs(x[:, 0] - 7.0 / 16.0) < 1e-9, 0].mean() / 0.01


@pytest.mark.parametrize("ratio", [1.0, 4.0])
def test_a_soft_bar_of_two_stiffnesses_is_two_springs_in_series(ratio):
    """What is painted goes on evenly from node to node, over one cell in 16."""
    found = share(16, lambda s: 1.0 + (ratio - 1.0) * np.clip(8.0 - 16.0 * s, 0.0, 1.0))
    over = np.log(ratio) / (ratio - 1.0) if ratio > 1.0 else 1.0
    parts = np.array([7.0 / ratio, over, 8.0])
    assert found == pytest.approx(parts[0] / parts.sum(), rel=0.01), (found, parts / parts.sum())


def strip(**given):
    """[m] by which the end of a strip of 1 m sags under a load of w [N/m²], over w L⁴/8EI of the plain one."""
    x, triangles = net(32, 2, 1.0, 0.06)
    far = x[triangles].mean(axis=1)[:, 0] > 0.5
    own = {name: np.where(far, 1.0, factor) * {"young": 1e7, "thickness": 0.01}[name] for name, factor in given.items()}
    system = system_of(plate_on(x, triangles, poisson=0.0, **own), x, x[:, 0] < 1e-9, lambda m: m[:, 0] < 1e-9)
    settle(loaded(system, [0.0, 0.0, -1e-4]))
    return -places(system)[x[:, 0] > 1.0 - 1e-9, 2].mean() / (1e-4 / (8.0 * 1e7 * 0.01**3 / 12.0))


def test_a_strip_of_two_stiffnesses_or_thicknesses_sags_as_beam_theory_has_it():
    """Of the far half a sixteenth of the whole's; its bending goes with the cube of how thick it is."""
    assert strip() == pytest.approx(1.0, rel=0.01)
    assert strip(young=RATIO) == pytest.approx(15.0 / 16.0 / RATIO + 1.0 / 16.0, rel=0.02)
    assert strip(thickness=2.0) == pytest.approx(15.0 / 16.0 / 8.0 + 1.0 / 16.0, rel=0.02)


def test_what_is_painted_on_a_sheet_is_in_its_mass_and_its_waves():
    """What goes on evenly from node to node is in the mass to the last bit, on any mesh."""
    x, triangles = net(7, 5, 1.0, 0.5, "random")
    plain = Sheet("felt", x, 300.0, 1e6, 0.2, triangles=triangles, plate=0.004)
    heavy, thick = 1.0 + 3.0 * x[:, 0], 1.0 + x[:, 1]
    for sheet, more in ((replace(plain, weight=heavy), 2.5), (replace(plain, thicker=thick), 1.25)):
        model, _, _ = assemble_solids(Scene((), 1.0, 2, solids=(sheet,)))
        assert model.nodes["mass"].sum() == pytest.approx(more * 300.0 * 0.004 * 0.5, rel=1e-12)
        assert sheet.masses().sum() == pytest.approx(model.nodes["mass"].sum(), rel=1e-12)
    waves = replace(plain, stiffness=np.full(len(x), 4.0), weight=np.full(len(x), 2.0), thicker=thick)
    assert waves.wave_speed() == pytest.approx(np.sqrt(2.0) * plain.wave_speed())
