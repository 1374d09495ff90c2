"""Relaxed shapes under which soft bodies stand still as drawn, against closed forms and laws."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import DENSITY, FRAME, GRAVITY, jelly, rope
from meshes import ball
from scipy.spatial.transform import Rotation
from solid_meshes import brick, clamped, torus
from tendril.meshing.fill import fill
from tendril.meshing.volume import enclosed_volume
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.elements.domain_tangent import cofactors, deformation_of, determinants, tangents
from tendril.physics.elements.domains import gradients_at
from tendril.physics.elements.tetrahedra import volumes
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import ELEMENTS, Floor, Hold, Pin, RigidBody, Scene, Tie
from tendril.physics.solids.forces import elastic_forces
from tendril.physics.start.soft_rest_in_equilibrium import soft_rest_in_equilibrium
from tendril.physics.validate import SimulationError

TWO_SECONDS = 49  # frames
SIZE = (0.5, 0.5, 1.1)
TALL, TALL_NODE = brick((4, 4, 9), SIZE)
TOP = np.flatnonzero(TALL[:, 2] == SIZE[2])


def muscle(x=TALL, node=TALL_NODE, **options):
    """Of 12 kPa and 1000 kg/m³: it sags by half its height where it is held at one side."""
    options = {"relaxation": 0.05, "young": 12e3} | options
    return replace(jelly(x, node, **options), poisson=0.47, balanced=True)


def held(soft, where, **options):
    return Scene((), FRAME, TWO_SECONDS, solids=(soft,), holds=clamped(soft.x, where), air_density=0.0, **options)


def belly():
    return held(muscle(), TALL[:, 0] == 0.0)


def undamped():
    return held(muscle(relaxation=0.0), TALL[:, 0] == 0.0)


def uneven():
    """Stiffer and lighter at one end, of two materials; gravity aslant."""
    soft = replace(muscle(), stiffness=1.0 + 4.0 * TALL[:, 2], weight=1.5 - TALL[:, 2])
    return held(soft, TALL[:, 0] == 0.0, gravity=np.array([3.0, -2.0, -8.0]))


def ring():
    x, node = torus()
    return held(muscle(x, node, young=1e5), x[:, 0] < -0.25)


def sliding():
    """On its back as on a wall, held at one point of it in that as well."""
    back = np.flatnonzero(TALL[:, 0] == 0.0)
    wall = tuple(Hold(f"wall {i}", "PLANE", 0, int(i), direction=np.array([1.0, 0.0, 0.0])) for i in back)
    nails = tuple(Hold(f"nail {i}", "POINT", 0, int(i)) for i in TOP)
    return replace(belly(), holds=(*wall, *nails))


def joined():
    """Two, one on the other, the upper one held."""
    below = replace(muscle(TALL - [0.0, 0.0, SIZE[2]]), name="below")
    pairs = [(i, int(np.flatnonzero((below.x == TALL[i]).all(axis=1))[0])) for i in np.flatnonzero(TALL[:, 2] == 0.0)]
    both = tuple(Hold(f"seam {i}", "JOIN", 0, int(i), (1, j)) for i, j in pairs)
    return replace(
        held(muscle(), TALL[:, 2] == SIZE[2]),
        solids=(muscle(), below),
        holds=(*clamped(TALL, TALL[:, 2] == SIZE[2]), *both),
    )


def in_a_hand():
    place = np.array([0.25, 0.25, 1.3])
    hand = RigidBody(
        "hand", place, 1.0, np.eye(3), times=np.array([0.0, 3.0]), track=np.tile(place, (2, 1)),
        turn=np.tile([1.0, 0.0, 0.0, 0.0], (2, 1)),
    )  # fmt: skip
    return replace(belly(), bodies=(hand,), ties=(Tie("grip", 0, TOP, body=0),), holds=())


def on_a_rope():
    line = rope(np.linspace([0.25, 0.25, 2.0], [0.25, 0.25, SIZE[2]], 11), 0.01)
    tie = Tie("hook", 0, TOP, vertex=(0, 10))
    return replace(belly(), rods=(line,), pins=(Pin.fixed(line, 0, rod=0),), ties=(tie,), holds=())


SCENES = [belly, undamped, uneven, ring, sliding, joined, in_a_hand, on_a_rope]


def way(scene):
    """How far [m] soft nodes ever are from where they are drawn."""
    frames = list(simulate(scene))
    assert len(frames) == scene.frame_count
    first = sum(len(rod.x) for rod in scene.rods)
    return max(np.abs(frame.x - frames[0].x)[first:].max() for frame in frames)


@pytest.mark.parametrize("build", SCENES)
def test_it_stands_still_as_drawn(build):
    assert way(build()) < 1e-4 * SIZE[2]


def test_as_drawn_it_would_sag():
    """What the test before would see without the relaxed shape."""
    for build in SCENES:
        scene = build()
        limp = tuple(replace(solid, balanced=False) for solid in scene.solids)
        assert way(replace(scene, solids=limp, frame_count=9)) > 0.02 * SIZE[2], build.__name__


def test_it_goes_on_from_a_checkpoint_to_the_byte():
    scene = replace(belly(), gravity=np.array([0.0, 0.0, -GRAVITY]), frame_count=5)
    scene = replace(scene, solids=(replace(scene.solids[0], v=0.1 * np.ones_like(TALL)),))
    frames = [*simulate(scene)]
    for one, other in zip(frames[3:], simulate(scene, frames[2].state), strict=True):
        assert one.x.tobytes() == other.x.tobytes()


@pytest.mark.parametrize("share", [0.75, pytest.param(1.1, marks=pytest.mark.slow)])
def test_a_column_is_held_as_far_as_it_bears_itself(share):
    """Greenhill (1881): clamped at its foot, upright, of even section, it buckles where ρ g A L³ is 7.837 E I."""
    width, length = 0.1, 0.6
    x, node = brick((4, 4, 24), (width, width, length))
    young = share * DENSITY * GRAVITY * length**3 * 12.0 / (7.837 * width**2)
    scene = held(replace(muscle(x, node, young=young), poisson=0.0), x[:, 2] == 0.0)
    if share > 1.0:
        assert way(scene) < 1e-4 * length
        return
    with pytest.raises(SimulationError, match="'jelly' is too soft to hold its drawn shape"):
        way(scene)


@pytest.mark.parametrize(
    "options",
    [
        {"holds": ()},
        {"holds": (), "floor": Floor(-1e-3)},
        {"holds": tuple(replace(hold, stiffness=1e4) for hold in belly().holds)},
        {"holds": belly().holds[:1]},
    ],
    ids=["nothing", "a floor", "springs", "one point"],
)
def test_what_nothing_holds_is_told(options):
    with pytest.raises(SimulationError, match="'jelly' cannot stand still as it is drawn"):
        way(replace(belly(), **options))


def test_without_gravity_the_relaxed_shape_is_as_drawn():
    scene = replace(belly(), gravity=np.zeros(3))
    model, state, _ = assemble_solids(scene)
    assert soft_rest_in_equilibrium(scene, model, state) is model


@pytest.mark.parametrize("elements", ELEMENTS)
def test_forces_and_steps_agree_on_ratios_of_volume(elements):
    """Steps compare those that come with forces to those of tetrahedra by themselves."""
    scene = held(replace(muscle(), elements=elements), TALL[:, 0] == 0.0)
    model, state, _ = assemble_solids(scene)
    solids = soft_rest_in_equilibrium(scene, model, state).solids
    f, jacobian = np.zeros_like(state.x), np.zeros(len(solids.tetrahedra))
    elastic_forces(solids, state.x, f, jacobian)
    ratios = volumes(state.x[solids.tetrahedra["node"]]) / solids.tetrahedra["volume"]
    assert np.allclose(jacobian, ratios, rtol=1e-12, atol=0.0)
    assert (np.ptp(ratios) > 0.1) == (elements == "AFFINE")


def test_a_ball_keeps_its_mass_and_none_is_inside_out():
    points, triangles = ball(0.5, 8, 12)
    x, node = fill(points, triangles, 6, enclosed_volume(points, triangles))
    scene = held(muscle(x, node), x[:, 0] < -0.2)
    drawn, state, _ = assemble_solids(scene)
    model = soft_rest_in_equilibrium(scene, drawn, state)
    for one, other in ((model.nodes, drawn.nodes), (model.solids.tetrahedra, drawn.solids.tetrahedra)):
        np.testing.assert_array_equal(one["mass"], other["mass"])
    assert model.solids.domains["volume"].min() > 0.0
    assert np.linalg.det(gradients_at(model.solids.domains, model.solids.slopes, state.x)).min() > 0.0
    assert way(scene) < 1e-4


def some_F(spread):
    """Turned, of principal stretches spread around 1; with moduli."""
    rng = np.random.default_rng(5)
    turn, back = (Rotation.random(40, random_state=k).as_matrix() for k in range(2))
    F = turn @ (np.exp(spread * rng.normal(size=(40, 3)))[:, :, None] * back)
    return F, rng.uniform(1e3, 1e6, 40), rng.uniform(1e3, 1e5, 40)


def piola(F, bulk, shear):
    """As the module's formula is printed."""
    J, s = determinants(F), shear * determinants(F) ** (-2.0 / 3.0)
    k = 0.125 * bulk * (J**3 - J**-5.0) - s * np.sum(F * F, axis=(1, 2)) / (3.0 * J)
    return s[:, None, None] * F + k[:, None, None] * cofactors(F)


def test_tangents_are_the_derivative_of_the_stress():
    F, bulk, shear = some_F(0.2)
    found, unit = tangents(F, bulk, shear), 1e-6
    for j in range(3):
        for l in range(3):
            step = np.zeros((3, 3))
            step[j, l] = unit
            slope = (piola(F + step, bulk, shear) - piola(F - step, bulk, shear)) / (2.0 * unit)
            size = np.abs(found).max(axis=(1, 2, 3, 4), keepdims=True)[..., 0, 0]
            assert np.abs((found[..., j, l] - slope) / size).max() < 1e-7


@pytest.mark.parametrize("spread", [0.01, 0.3, 0.8])
def test_any_stress_has_its_deformation(spread):
    F, bulk, shear = some_F(spread)

    def cauchy(F):
        return np.einsum("tik,tjk->tij", piola(F, bulk, shear), F) / determinants(F)[:, None, None]

    stress = cauchy(F)
    found = deformation_of(stress, bulk, shear)
    size = np.abs(stress).max(axis=(1, 2), keepdims=True)
    assert np.abs((cauchy(found) - stress) / size).max() < 1e-8
    assert determinants(found) == pytest.approx(determinants(F), rel=1e-9)
