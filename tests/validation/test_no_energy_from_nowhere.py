"""What is drawn, dropped or struck has at most the energy that it had or was given."""

import numpy as np
import pytest
from meshes import tube
from solid_meshes import brick as cells
from solids import brick, wall
from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import grown
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene, SoftBody, Weld
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.runge_kutta import PAIRS, runge_kutta_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL

POLYESTER = Material(8.8e9, 0.4, 828.0, bend_factor=7.3e-5, friction=0.3, internal_damping=0.006, drag_coefficient=1.2)
LIMP = Material(5e6, 0.4, 1000.0, bend_factor=0.06, internal_damping=0.0, friction=0.4)
LOOK = 0.02  # of the most kinetic and elastic energy there has been: what a step may seem to win


def around_a_post(edges, radius=0.05, thick=0.0015):
    """A rope (edges + 33, 3) along x, around a quarter of a post about z, and on along −y."""
    reach, a = radius + thick, np.linspace(0.0, np.pi / 2.0, 13)[1:, None]
    straight = np.linspace(-1.2, 0.0, edges + 1)[:, None] * [1.0, 0.0, 0.0] + [0.0, reach, 0.0]
    led = np.linspace(0.0, -0.3, 21)[1:, None] * [0.0, 1.0, 0.0] + [reach, 0.0, 0.0]
    return np.concatenate([straight, reach * np.hstack([np.sin(a), np.cos(a), 0.0 * a]), led])


@pytest.mark.parametrize(
    ("quality", "mode", "edges"), [("GOOD", "POSITION", 80), ("FINE", "POSITION", 80), ("GOOD", "TWIST", 53)]
)
def test_a_block_that_a_rope_drags_around_a_post_stays_flat(quality, mode, edges):
    """Its side rises by its diagonal times the sine of what it turns by; where it slides flat that is none."""
    x, (points, triangles) = around_a_post(edges), tube(0.05, 0.08, 48)
    rope = Rod.from_material("rope", x, 0.0015, POLYESTER, shape_memory=0.0)
    post = wall((points[:, [0, 2, 1]], triangles), 0.3, "post")
    block = brick(x[0] - [0.05, 0.0, 0.0], (0.1, 0.1, 0.1), friction=0.3)
    t = np.arange(15) / 48.0
    hand = Pin("hand", 0, len(x) - 1, "POSITION", t, x[-1] - np.outer(2.4 * t**2, [0.0, 1.0, 0.0]), max_force=None)
    scene = Scene((rope,), 1.0 / 48.0, 12, pins=(hand,), bodies=(block,), welds=(Weld("weld", 0, 0, 0, mode),),
                  colliders=(post,), floor=Floor(-0.05, 0.3), quality=quality, solver="IMPLICIT")  # fmt: skip
    bodies = np.array([frame.bodies[0] for frame in simulate(scene)])
    turned = 2.0 * np.arcsin(np.linalg.norm(bodies[:, 4:6], axis=1))  # out of the plane
    assert np.abs(bodies[:, 2]).max() < 5e-4
    assert turned.max() < np.radians(1.0)


@pytest.mark.parametrize("lean", [0.0, 0.3])
def test_an_inextensible_rope_that_falls_on_its_end_does_not_rebound(lean):
    """It has no restitution: steps that meet the floor and those after them win nothing."""
    s = np.linspace(0.05, 1.0, 31)[:, None]
    rope = Rod.from_material("rope", s * [lean, 0.0, 1.0], 0.005, LIMP, shape_memory=0.0)
    model, state, work = assemble(Scene((rope,), 1.0 / 24.0, 2, floor=Floor(0.0, 0.4), air_density=0.0,
                                        solver="IMPLICIT"))  # fmt: skip
    most = 0.0
    for _ in range(120):
        before = sums(model, state)
        while (status := implicit_steps(model, state, work, 1.0 / 480.0, 1.0 / 480.0)[0]) == PAIRS_FULL:
            state, work = grown(model, state)
        assert status == DONE
        after = sums(model, state)
        most = max(most, before[1], after[1])
        assert after[0] - before[0] < LOOK * most


@pytest.mark.parametrize("consistent", [False, True], ids=["lumped", "consistent"])
@pytest.mark.parametrize("scheme", PAIRS)
@pytest.mark.parametrize("tolerance", [1e-3, 0.5])
def test_adapted_steps_of_a_soft_body_that_rings_win_none(scheme, tolerance, consistent):
    """However little the tolerance asks for: of what both energies rise by, 2 % pass, all steps together."""
    x, node = cells((2, 2, 3), (0.2, 0.2, 0.3))
    away = x - x.mean(axis=0)
    ringing = SoftBody("jelly", x, node, 1000.0, 1e7, 0.3, v=np.cross([3.0, 1.0, 5.0], away) + away * [0.0, 0.0, 10.0])
    scene = Scene((), 1.0 / 24.0, 2, solids=(ringing,), contact=False, air_density=0.0, gravity=np.zeros(3),
                  scheme=scheme, consistent_mass=consistent)  # fmt: skip
    model, state, work = assemble_solids(scene)
    first = soft_energies(model, state)
    for _ in range(4):
        status, *_ = runge_kutta_steps(model, state, work, PAIRS[scheme], False, 1.0 / 24.0, tolerance, np.inf)
        assert status == DONE
        assert soft_energies(model, state).total < 1.025 * first.total


def sums(model, state):
    """(All energy [J], what of it is kinetic or elastic), without twist where friction turns frames that weigh nothing:
    no work is done on these.
    """
    now = energies(model, state)
    of_friction = now.twisting[state.rods["loaded"]].sum()
    return now.total - of_friction, now.kinetic.sum() + now.body_kinetic.sum() + now.elastic.sum() - of_friction
