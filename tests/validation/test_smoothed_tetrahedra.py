"""Smoothed tetrahedra bend as the material does, where affine ones lock; and none of them collapses.

References are quadratic tetrahedra of the same energy (see `quadratic`).
"""

import re

import numpy as np
import pytest
from meshes import box
from quadratic import Static, refined
from scipy.optimize import brentq
from scipy.sparse.linalg import spsolve
from solid_meshes import brick
from tendril.meshing.fill import fill
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.elements.domain_tangent import cofactors, determinants
from tendril.physics.elements.domains import gradients_at
from tendril.physics.model import changed
from tendril.physics.scene import ELEMENTS, Hold, Scene, SoftBody
from tendril.physics.solids.critical_step import applied_forces, critical_step
from tendril.physics.time_integration.symplectic_euler import DONE, TOO_FAR
from tendril.physics.time_integration.velocity_verlet import verlet_steps
from tendril.physics.validate import notices

GRAVITY = np.array([0.0, 0.0, -9.81])
PER_TETRAHEDRON = {"SMOOTHED": 68e-9, "AFFINE": 33e-9}  # [s] a step without viscosity takes, measured in 2026


def body(mesh, poisson=0.3, young=1e6, **options):
    return SoftBody("Bar", *mesh, 1000.0, young, poisson, **{"elements": "SMOOTHED"} | options)


def filled(size, resolution):
    points, triangles = box(size)
    return fill(points, triangles, resolution, float(np.prod(size)))


def tip(static, u):
    """Mean displacement of its end, downwards."""
    return -u[static.x[:, 0] > static.x[:, 0].max() - 1e-6, 2].mean()


def sag(static):
    """By Hooke's law, clamped at x = 0 [m]."""
    return tip(static, static.linear(static.x[:, 0] < static.x[:, 0].min() + 1e-6, GRAVITY))


# [m] of `refined` bars of 24 × 6 × 6 and 36 × 5 × 5 cells, by how slender they are and Poisson's ratio
SAGS = {
    (5, 0.3): 0.37571, (5, 0.45): 0.36617, (5, 0.49): 0.36094, (10, 0.3): 1.47093, (10, 0.45): 1.44706,
    (10, 0.49): 1.43284,
}  # fmt: skip
QUICK = [pytest.param(*bar, marks=[pytest.mark.slow] * (bar[0] == 10 and bar[1] < 0.49)) for bar in SAGS]


def bar_size(slender):
    return np.array([1.0, 1.0 / slender, 1.0 / slender])


def test_what_they_are_held_against():
    assert sag(refined(body(brick((20, 4, 4), bar_size(5))))) == pytest.approx(SAGS[5, 0.3], rel=2e-3)


@pytest.mark.parametrize(("slender", "poisson"), QUICK)
def test_filled_bars_sag_as_far_as_they_should(slender, poisson):
    """Four cells high within 3 %, where affine ones are 16 to 20 % short; eight within 1.5 %; two within 10 %."""
    for times, bound in ((1, 0.1), (2, 0.03), (4, 0.015)):
        mesh = filled(bar_size(slender), times * slender)
        assert sag(Static(body(mesh, poisson))) == pytest.approx(SAGS[slender, poisson], rel=bound)
    locked = Static(body(filled(bar_size(slender), 2 * slender), poisson, elements="AFFINE"))
    assert sag(locked) < 0.85 * SAGS[slender, poisson]


@pytest.mark.parametrize("poisson", [0.3, 0.45, 0.49])
@pytest.mark.parametrize("cells", [1, 2, 4])
def test_a_mesh_that_is_too_coarse_to_bend_is_told_with_what_is_wrong(cells, poisson):
    """Told is what locks by more than a fifth, and by how much; and not of a filled bar, which bends as it should."""
    bar = body(brick((10 * cells, cells, cells), bar_size(10)), poisson)
    wrong = 100.0 * (1.0 - sag(Static(bar)) / SAGS[10, poisson])
    texts = [notice.text for notice in notices(Scene((), 1 / 24, 2, solids=(bar,)))]
    assert len(texts) == (wrong > 20.0)
    if texts:
        told = re.search(r"'Bar' is (one cell|two .*) of tetrahedra thick at .* up to (\d+) % too little", texts[0])
        assert float(told[2]) == pytest.approx(wrong, abs=1.0)
        assert (told[1] == "one cell") == (cells == 1)
    assert not notices(Scene((), 1 / 24, 2, solids=(body(filled(bar_size(10), 10 * cells), poisson),)))


def test_what_is_far_from_the_origin_is_told():
    """Where places are rounded to 1e-8 of an edge: at 1.5e8 edges from it a cube came to rest 8e-5 of its size off."""
    x, node = brick((3, 3, 3), (0.2, 0.2, 0.2))
    for far, told in ((1e6, False), (1e7, True)):
        texts = notices(Scene((), 1 / 24, 2, solids=(body((x + [far, 0.0, 0.0], node)),)))
        assert [("1e+07 m from the origin" in notice.text) for notice in texts] == [True] * told


@pytest.mark.parametrize(("slender", "poisson"), QUICK)
def test_the_same_accuracy_takes_an_eighth_of_the_time(slender, poisson):
    """Within 3 %, at four cells. Affine ones' error falls as the square of their size, as whose fourth power their time
    grows: what they take for as much follows from eight cells.
    """
    cost, wrong = {}, {}
    for elements, times in (("SMOOTHED", 2), ("AFFINE", 4)):
        solid = body(filled(bar_size(slender), times * slender), poisson, elements=elements)
        cost[elements] = PER_TETRAHEDRON[elements] * len(solid.tetrahedra) / step(solid)
        wrong[elements] = abs(sag(Static(solid)) / SAGS[slender, poisson] - 1.0)
    assert wrong["SMOOTHED"] < 0.03 < wrong["AFFINE"]
    assert cost["AFFINE"] * (wrong["AFFINE"] / 0.03) ** 2 > 8.0 * cost["SMOOTHED"]


@pytest.mark.parametrize("poisson", [pytest.param(0.3, marks=pytest.mark.slow), 0.49])
def test_a_free_cube_rings_as_it_should(poisson):
    cube = np.ones(3)
    expected, rigid = refined(body(brick((4, 4, 4), cube), poisson)).frequencies(3)
    found, still = Static(body(filled(cube, 12), poisson)).frequencies(3)
    assert found == pytest.approx(expected, rel=0.025)
    assert max(rigid, still) < 1e-3 * found[0]  # six rigid modes, and no other that costs nothing


def test_a_bar_bent_far():
    """Its tip drops by half of its length."""
    size, young = (1.0, 0.2, 0.2), 5.6e5
    drops = []
    for static in (refined(body(brick((12, 2, 2), size), young=young)), Static(body(filled(size, 10), young=young))):
        held = static.x[:, 0] < static.x[:, 0].min() + 1e-6
        drops.append(tip(static, static.equilibrium(held, GRAVITY, 4) - static.x))
    assert drops[0] == pytest.approx(0.5, abs=0.05)
    assert drops[1] == pytest.approx(drops[0], rel=0.03)


def test_bending_is_of_second_order():
    """Bars of 2, 4 and 8 cells: what is wrong falls as the square of their size."""
    size = (1.0, 0.25, 0.25)
    expected = sag(refined(body(brick((16, 4, 4), size))))
    wrong = [abs(sag(Static(body(brick((4 * n, n, n), size)))) / expected - 1.0) for n in (2, 4, 8)]
    assert wrong[1] < 0.4 * wrong[0]
    assert wrong[2] < 0.4 * wrong[1]


def stretched(elements, cells):
    """Pull [N] of a bar whose modulus is E (1 + 9 s) along it, over that of E u/∫ ds/(1 + 9 s)."""
    mesh = brick(cells, (1.0, 0.25, 0.25))
    bar = Static(body(mesh, 0.0, elements=elements, stiffness=1.0 + 9.0 * mesh[0][:, 0]))
    x, u = bar.x, np.zeros(bar.x.size)
    far, led = x[:, 0] > 0.999, np.zeros(x.shape, bool)
    led[(x[:, 0] < 1e-3) | far, 0] = True
    led[np.argsort(np.abs(x).sum(axis=1))[:4]] = True  # nor can it turn
    u[0::3][far] = 1e-3
    K, free = bar.stiffness(x), ~led.ravel()
    u[free] = spsolve(K[free][:, free].tocsc(), -(K @ u)[free])
    return (K @ u)[0::3][far].sum() / (1e6 * 0.25**2 * 1e-3 * 9.0 / np.log(10.0))


def test_stiffness_that_differs_counts_by_volume():
    """Of second order, and no worse than where each tetrahedron has its own."""
    wrong = [stretched("SMOOTHED", (4 * n, n, n)) - 1.0 for n in (3, 6)]
    assert 0.0 < wrong[1] < 0.01
    assert wrong[1] < 0.3 * wrong[0]
    assert wrong[0] < stretched("AFFINE", (12, 3, 3)) - 1.0


def piola(F, bulk, shear):
    """P (3, 3) [Pa] of the polyconvex energy."""
    F, J = F[None], determinants(F[None])[0]
    s = shear * J ** (-2.0 / 3.0)
    return (s * F + (0.125 * bulk * (J**3 - J**-5.0) - s * np.sum(F * F) / (3.0 * J)) * cofactors(F))[0]


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.49])
@pytest.mark.parametrize("along", [2.5, 0.3])
def test_pulled_and_pressed_far_it_is_as_the_law_says(along, poisson):
    """With free sides: section and volume are the law's, nothing pulls there, and the ends pull by A P."""
    static = Static(body(brick((4, 3, 3), (1.0, 0.5, 0.5)), poisson))
    bulk, shear = (static.solids.domains[0][name] for name in ("bulk", "shear"))
    across = brentq(lambda b: piola(np.diag([along, b, b]), bulk, shear)[1, 1], 0.3, 3.0)
    f = static.forces(static.x * [along, across, across])
    ends, pull = static.x[:, 0] > 0.999, 0.25 * piola(np.diag([along, across, across]), bulk, shear)[0, 0]
    assert -f[ends, 0].sum() == pytest.approx(pull, rel=0.01)
    assert np.abs(f[:, 1:]).max() <= 0.01 * abs(pull)


@pytest.mark.parametrize(
    "F", [np.diag([0.4, 0.9, 0.9]), np.eye(3) + np.outer([1.5, 0, 0], [0, 0, 1.0])], ids=["squashed", "sheared"]
)
def test_squashed_and_sheared_it_is_as_the_law_says(F):
    static = Static(body(brick((4, 3, 3), (1.0, 0.5, 0.5))))
    bulk, shear = (static.solids.domains[0][name] for name in ("bulk", "shear"))
    f = static.forces(static.x @ F.T)
    pull = 0.25 * piola(F, bulk, shear)[:, 0]
    assert np.abs(f[static.x[:, 0] > 0.999].sum(axis=0) + pull).max() <= 0.01 * np.abs(pull).max()


def flattened(collapses):
    """(status, least det F of a tetrahedron, of a domain) of a filled cube whose ends are led to 30 % of its height."""
    x, node = filled((0.4, 0.4, 0.4), 6)
    low, high = x[:, 2].min(), x[:, 2].max()
    ends = np.flatnonzero((x[:, 2] < low + 1e-6) | (x[:, 2] > high - 1e-6))
    way = (0.3 - 1.0) * (x[ends, 2] - low)
    holds = tuple(
        Hold(f"{i}", "POINT", 0, int(i), times=np.array([0.0, 1.0]), track=x[i] + [[0.0, 0, 0], [0, 0, down]])
        for i, down in zip(ends, way, strict=True)
    )
    scene = Scene((), 1.0, 2, solids=(body((x, node), young=1e5),), holds=holds, gravity=np.zeros(3))
    model, state, work = assemble_solids(scene)
    if collapses:
        tetrahedra = changed(model.solids.tetrahedra, collapse=0.0)
        model = model._replace(solids=model.solids._replace(tetrahedra=tetrahedra))
    status, _, _ = verlet_steps(model, state, work, False, 1.0, 0.7, np.inf)
    solids = model.solids
    return status, work.solids.jacobian.min(), determinants(gradients_at(solids.domains, solids.slopes, state.x)).min()


def test_no_tetrahedron_collapses_where_rings_keep_their_mean():
    status, least, _ = flattened(False)
    assert status == DONE
    assert least > 0.1
    status, least, ring = flattened(True)  # what would be: the guard stops it, and nothing goes on
    assert status == TOO_FAR
    assert least < 1e-6 < 0.1 < ring


def step(solid):
    """Largest stable one [s] at rest."""
    model, state, work = assemble_solids(Scene((), 1 / 24, 2, solids=(solid,)))
    applied_forces(model, work.solids, state, 0.0, work.solids.force)
    return [critical_step(model, work.solids, state) for _ in range(8)][-1]


@pytest.mark.parametrize("resolution", [10, 20])
@pytest.mark.parametrize("poisson", [0.3, 0.49])
def test_steps_are_longer(poisson, resolution):
    mesh = filled((1.0, 0.2, 0.2), resolution)
    steps = {elements: step(body(mesh, poisson, elements=elements)) for elements in ELEMENTS}
    assert steps["SMOOTHED"] >= 1.08 * steps["AFFINE"]
