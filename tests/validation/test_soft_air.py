"""Force fields on soft bodies: air drags at their faces as at a rigid silhouette, the others accelerate."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from solid_meshes import brick, clamped
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.elements.tetrahedra import volumes
from tendril.physics.forces.surface_drag import drag_forces
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import SCHEMES, ForceField, RigidBody, Rod, Scene, SoftBody
from tendril.physics.time_integration.velocity_verlet import verlet_steps

RHO, CD, FRAME, G = 1.2, 0.47, 1.0 / 24.0, 9.81
DOWN, NOTHING = np.array([0.0, 0.0, -G]), np.zeros(3)


def ball(n=2, radius=0.1):
    """(x, tetrahedra): shells of a cube drawn onto spheres."""
    x, node = brick((n, n, n), (2.0, 2.0, 2.0))
    x = x - 1.0
    cube, round_ = np.abs(x).max(axis=1, keepdims=True), np.linalg.norm(x, axis=1, keepdims=True)
    return radius * x * cube / np.where(round_ > 0.0, round_, 1.0), node


X, NODE = ball()
BALL = SoftBody("Ball", X, NODE, 20.0, 2e4, 0.3, drag_coefficient=CD)
MASS = 20.0 * volumes(X[NODE]).sum()
AREA = ConvexHull(X[:, :2]).volume  # of its silhouette from above or below
K = 0.5 * RHO * CD * AREA / MASS


def field(kind, along=(0.0, 0.0, 1.0), **options):
    """A force field at the origin whose z axis is `along`."""
    z = np.asarray(along) / np.linalg.norm(along)
    turn = np.array([1.0 + z[2], -z[1], z[0], 0.0])
    return ForceField(kind, kind, np.zeros(1), np.zeros((1, 3)), turn[None] / np.linalg.norm(turn), **options)


def moving(v, body=BALL):
    return replace(body, v=np.tile(np.asarray(v, float), (len(X), 1)))


def air(*bodies, frames=13, gravity=NOTHING, **options):
    return Scene((), FRAME, frames, solids=bodies, gravity=gravity, air_density=RHO, **options)


def places(scene):
    """(frames, N, 3)."""
    return np.array([item.x for item in simulate(scene)])


def way(scene):
    """(frames, 3) of the middle of the first soft body, which is of one density."""
    x = places(scene)[:, len(scene.rods[0].x) if scene.rods else 0 :][:, NODE].mean(axis=2)
    weight = volumes(X[NODE]) / volumes(X[NODE]).sum()
    return np.einsum("t,ftk->fk", weight, x) - weight @ X[NODE].mean(axis=1)


def blown(speed, time):
    """How far m dv/dt = k (U − v)² carries what stood still: U t − ln(1 + k U t)/k, k per mass."""
    return speed * time - np.log1p(K * speed * time) / K


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_falling_ball_nears_the_speed_at_which_its_drag_is_its_weight(scheme):
    """v_t = √(2mg/ρ C_D A): it falls ln cosh(gt/v_t) v_t²/g."""
    seconds, terminal = 24 * FRAME, np.sqrt(G / K)
    moved = way(air(BALL, frames=25, gravity=DOWN, scheme=scheme))
    assert G * seconds / terminal > 1.0
    assert moved[-1, 2] == pytest.approx(-np.log(np.cosh(G * seconds / terminal)) * terminal**2 / G, rel=2e-3)
    assert np.abs(moved[:, :2]).max() <= 1e-3 * np.abs(moved[-1, 2])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_wind_carries_what_stood_still(scheme):
    moved = way(air(BALL, fields=(field("WIND", (0.0, 1.0, 0.0), strength=9.0),), scheme=scheme))[-1]
    assert moved[1] == pytest.approx(blown(9.0, 12 * FRAME), rel=5e-3)
    assert moved[1] > 0.05


def test_wind_carries_a_rigid_body_of_the_same_silhouette_as_far():
    """Both beside a rod far away, and so by the steps of what may touch."""
    rod = Rod.from_material("far", np.linspace([9.0, 0.0, 0.0], [9.5, 0.0, 0.0], 6), 0.01, Material(1e6, 0.3, 1000.0))
    rigid = RigidBody("rigid", np.array([-9.0, 0.0, 0.0]), MASS, 1e-3 * np.eye(3), drag_area=CD * AREA)
    wind = field("WIND", (0.0, 1.0, 0.0), strength=9.0)
    scene = replace(air(BALL, fields=(wind,)), rods=(rod,), bodies=(rigid,), max_step=1e-3)
    frames = list(simulate(scene))
    assert way(scene)[-1, 1] == pytest.approx(frames[-1].bodies[0, 1], rel=2e-3)
    assert frames[-1].bodies[0, 1] == pytest.approx(blown(9.0, 12 * FRAME), rel=5e-3)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_force_that_is_the_same_everywhere_is_gravity(scheme):
    """To round-off, of a body that is held and wobbles."""
    body = replace(BALL, drag_coefficient=0.0, x=X + [0.0, 0.0, 1.0])
    scene = air(body, frames=7, holds=clamped(X, X[:, 0] < -0.08), scheme=scheme, consistent_mass=scheme != "VERLET")
    pulled = places(replace(scene, fields=(field("FORCE", strength=-G, shape="PLANE"),)))
    heavy = places(replace(scene, fields=(field("FORCE"),), gravity=DOWN))  # and looks at as many fields
    assert np.abs(heavy[-1] - heavy[0]).max() > 1e-3
    assert np.abs(pulled - heavy).max() <= 1e-12


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_drag_field_lets_speed_decay(scheme):
    """Without air, v = v₀ e^(−ct) goes v₀ (1 − e^(−ct))/c."""
    c, v0, time = 1.5, 4.0, 12 * FRAME
    moved = way(replace(air(moving([0.0, v0, 0.0]), fields=(field("DRAG", linear_drag=c),), scheme=scheme),
                        air_density=0.0))  # fmt: skip
    assert moved[-1, 1] == pytest.approx(v0 * (1.0 - np.exp(-c * time)) / c, rel=1e-3)


def test_weights_shelter():
    fields = (
        field("WIND", (0.0, 1.0, 0.0), strength=9.0), field("FORCE", strength=3.0, shape="PLANE"),
        field("DRAG", linear_drag=2.0),
    )  # fmt: skip
    away = replace(BALL, x=X + [0.0, 0.0, 1.0], drag_coefficient=0.0, weights=np.array([0.5, 0.0, 0.5, 1.0, 1.0, 0.0]))
    moved = way(air(away, fields=fields, gravity=DOWN))[-1] - [0.0, 0.0, 1.0]
    assert moved == pytest.approx([0.0, 0.0, 0.5 * 0.25 * (0.5 * 3.0 - 0.5 * G)], rel=1e-3, abs=1e-9)
    assert np.abs(way(air(replace(BALL, weights=np.zeros(6)), fields=fields))).max() <= 1e-14


def test_air_never_gives_energy_however_a_body_moves():
    """Against its own velocity, at every node; where all faces turn away from the way they go, nothing."""
    model, state, work = assemble_solids(air(BALL))
    rng, f = np.random.default_rng(5), np.zeros_like(X)
    for _ in range(20):
        f[:] = 0.0
        v, state.fields["air"][:] = rng.normal(size=X.shape), rng.normal(size=3)
        drag_forces(model, state.x, v, state.fields, work.solids.rate, f)
        assert np.all(np.sum(f * (v - state.fields["air"]), axis=1) <= 0.0)
        assert np.abs(f).max() > 0.0
    f[:], state.fields["air"][:] = 0.0, 0.0
    drag_forces(model, state.x, -state.x, state.fields, work.solids.rate, f)
    assert np.abs(f).max() == 0.0


@pytest.mark.parametrize("relaxation", [0.0, 1e-3])
def test_no_step_is_too_long_for_it(relaxation):
    """Air of 10 000 times its density stops a slow ball in a step: it takes as many, and its energy goes."""
    thrown, steps = moving([0.0, 0.03, 0.0], replace(BALL, mu=relaxation * 8e3)), []
    for density in (2e5, 0.0):
        model, state, work = assemble_solids(replace(air(thrown), air_density=density))
        energy = [soft_energies(model, state).total]
        for _ in range(10):
            status, count, _ = verlet_steps(model, state, work, relaxation > 0.0, 0.02, 0.8, np.inf)
            assert status == 0
            steps.append(count)
            energy.append(soft_energies(model, state).total)
        assert np.all(np.diff(energy) <= 1e-9 * energy[0])
        assert (energy[-1] < 1e-2 * energy[0]) == (density > 0.0)
    assert sum(steps[:10]) <= 1.1 * sum(steps[10:])


def test_no_step_beside_rods_is_too_long_for_it():
    rod = Rod.from_material("far", np.linspace([9.0, 0.0, 0.0], [9.5, 0.0, 0.0], 6), 0.01, Material(1e6, 0.3, 1000.0))
    scene = air(moving([0.0, 0.03, 0.0]), frames=4)
    moved = way(replace(scene, rods=(rod,), air_density=1e4, quality="PREVIEW"))
    k = K * 1e4 / RHO / (1.0 + 0.5 * 1e4 / BALL.density)  # with the air that goes along (test_buoyancy)
    assert moved[-1, 1] == pytest.approx(np.log1p(0.03 * k * 3 * FRAME) / k, rel=0.2)


def test_gusts_are_each_bodys_own_and_do_not_depend_on_others():
    wind = field("WIND", (0.0, 1.0, 0.0), strength=4.0, noise=8.0)
    far = replace(BALL, name="far", x=X + [0.0, 0.0, 50.0])
    alone, both = (places(air(*own, frames=5, fields=(wind,), contact=False))[-1] for own in ((BALL,), (BALL, far)))
    assert np.array_equal(both[: len(X)], alone)
    assert np.abs(both[len(X) :] - far.x - (alone - X)).max() > 1e-3


@pytest.mark.parametrize("beside", [False, True])
def test_a_bake_in_wind_that_is_resumed_gives_the_same_bytes(beside):
    wind = field("WIND", (0.0, 1.0, 0.0), strength=4.0, noise=8.0)
    rod = Rod.from_material("far", np.linspace([9.0, 0.0, 0.0], [9.5, 0.0, 0.0], 6), 0.01, Material(1e6, 0.3, 1000.0))
    scene = replace(air(BALL, frames=5, gravity=DOWN, fields=(wind, field("DRAG", linear_drag=1.0))),
                    rods=(rod,) if beside else ())  # fmt: skip
    whole = list(simulate(scene))
    again = list(simulate(scene, whole[2].state))
    for one, other in zip(whole[3:], again, strict=True):
        assert one.x.tobytes() == other.x.tobytes()
        assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)
