"""What carries contacts: walls anywhere and as many as there are, bodies with their exact mobility."""

import numpy as np
import pytest
from as_bound import attempt
from scipy.spatial.transform import Rotation
from tendril.physics.assemble import assemble
from tendril.physics.assemble.planes import plane_pairs
from tendril.physics.contact.carriers import body, chain
from tendril.physics.contact.inequality_constraints import sweep
from tendril.physics.contact.scratch import CONTACT
from tendril.physics.materials import Material
from tendril.physics.model import PLANE, changed
from tendril.physics.rigid_bodies.slaves import put_arms
from tendril.physics.scene import Floor, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.symplectic_euler import DONE, keep
from tendril.physics.time_integration.workspace import workspace

R = 0.005  # m
RUBBER = Material(5e6, 0.45, 1000.0)
UNEVEN = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.2]]) * 1e-4
TURN = Rotation.from_rotvec([0.7, -0.4, 0.2])


def welded():
    """A rod of which two bodies hold an edge each, ready for contact where it is drawn: (Model, State, Workspace)."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.1, 0.0], 8)
    bodies = (
        RigidBody("one", np.array([-0.05, 0.02, 0.01]), 0.2, UNEVEN),
        RigidBody("two", np.array([0.33, 0.1, 0.05]), 0.35, 2.0 * UNEVEN[::-1, ::-1]),
    )
    welds = (Weld("one", 0, 0, 1), Weld("two", 1, 0, 5))
    model, state, work = assemble(Scene((Rod.from_material("rod", x, R, RUBBER),), 0.04, 1, (), bodies, welds))
    keep(state, work.old)
    put_arms(model.slaves, state.bodies, work.welded.slaves)
    body.prepare(model.bodies, work.old.bodies, work.old.bodies, work.contact.pushes)
    return model, state, work


def held(model, work):
    """What kernels of `carriers.body` take."""
    return model.bodies, model.slaves, work.welded.slaves, work.contact.pushes


def contact(model, vertices, share, n):
    """A CONTACT (1,) of vertices of the first rod."""
    row = np.zeros(1, CONTACT)
    row["node"] = model.rods["first"][0] + np.array(vertices)
    row["share"], row["n"] = share, n
    row["slave"] = np.where(row["share"] != 0.0, model.nodes["slave"][row["node"]], -1)
    return row


def mobility(model, state, row, turns=True):
    """The matrix (3, 3) that turns an impulse between the points of a contact into their displacement; bodies may be
    kept from turning.
    """
    total = np.zeros((3, 3))
    turn = Rotation.from_quat(np.roll(state.bodies["q"], -1, axis=1)).as_matrix()
    for b in range(len(model.bodies)):
        jacobian = np.zeros((3, 6))
        for node, share, slave in zip(row["node"][0], row["share"][0], row["slave"][0], strict=True):
            if slave >= 0 and model.slaves["body"][slave] == b:
                p = state.x[node] - state.bodies["x"][b]
                jacobian += share * np.hstack([np.eye(3), -np.cross(np.eye(3), p).T])
        inverse = np.zeros((6, 6))
        inverse[:3, :3] = np.eye(3) / model.bodies["mass"][b]
        inverse[3:, 3:] = turns * turn[b] @ np.diag(1.0 / model.bodies["inertia"][b]) @ turn[b].T
        total += jacobian @ inverse @ jacobian.T
    free = row["slave"][0] < 0
    return total + np.eye(3) * np.sum(row["share"][0] ** 2 * model.nodes["w"][row["node"][0]] * free)


POINTS = [
    ((1, 0, 0, 0), (1.0, 0.0, 0.0, 0.0)),  # a vertex that a body holds
    ((1, 2, 0, 0), (0.7, 0.3, 0.0, 0.0)),  # an edge that it holds
    ((2, 3, 5, 6), (0.7, 0.3, -0.4, -0.6)),  # against an edge of another, partly free
    ((1, 2, 6, 7), (0.2, 0.8, -0.9, -0.1)),
    ((0, 1, 2, 3), (0.2, 0.8, -0.3, -0.7)),  # of one body, partly free
]


@pytest.mark.parametrize(("vertices", "share"), POINTS)
def test_the_mobility_of_bodies_is_exact(vertices, share):
    """n (1/m + (p×)ᵀ I⁻¹ (p×)) n of all that carries the points; what is taken across n is enough, at most double."""
    model, state, work = welded()
    for n in (np.array([0.6, 0.0, 0.8]), np.array([0.0, 1.0, 0.0]), np.array([-0.48, 0.6, -0.64])):
        row = contact(model, vertices, share, n)
        exact = mobility(model, state, row)
        along, across = body.mobility(row[0], held(model, work))
        free = chain.mobility(row[0], state.w)
        assert along + free == pytest.approx(n @ exact @ n)
        project = np.eye(3) - np.outer(n, n)
        largest = np.linalg.eigvalsh(project @ exact @ project).max()
        assert 1.0 - 1e-9 < (across + free) / largest < 2.0
        shifting = mobility(model, state, row, turns=False)
        turning = exact - shifting
        assert across + free == pytest.approx(shifting[0, 0] + np.trace(turning) - n @ turning @ n, rel=1e-9)


@pytest.mark.parametrize(("vertices", "share"), POINTS)
def test_a_push_moves_as_the_mobility_says(vertices, share):
    model, state, work = welded()
    f = np.array([0.3, -0.2, 0.5])
    row = contact(model, vertices, share, f / np.linalg.norm(f))
    exact = mobility(model, state, row)
    chain.push(row[0], state.x, state.w, tuple(f))
    body.push(row[0], held(model, work), tuple(f))
    moved = np.array(chain.moved(row[0], state.x, work.old.x))
    moved += body.moved(row[0], held(model, work))
    np.testing.assert_allclose(moved, exact @ f, rtol=1e-12)


def test_points_of_one_body_do_not_move_against_each_other():
    """Two that face each other along n, but for rounding."""
    model, state, work = welded()
    first = model.rods["first"][0]
    n = state.x[first + 2] - state.x[first + 1]
    row = contact(model, (1, 2, 0, 0), (1.0, -1.0, 0.0, 0.0), n / np.linalg.norm(n))
    assert body.mobility(row[0], held(model, work)) == (0.0, 0.0)


def swept(model, state, work, contacts):
    """What a sweep over contacts was missing."""
    return sweep(contacts, state.x, work.old.x, state.w, held(model, work), work.contact.frames, 1e-5)


def struck(model, state, work, h):
    """The step in which a body that holds the rod's vertex 0 meets the floor there."""
    keep(state, work.old)
    status, _, count, _ = attempt(model, state, work, h, np.inf)
    assert status == DONE
    assert count == 1


def lopsided():
    """A body beside the end of a rod of next to no mass that it holds there, falling on its floor, at last."""
    x = np.linspace([0.0, 0.0, R], [0.0, 0.0, 0.4], 5)
    v = np.array([0.0, 0.0, -1.0])
    rod = Rod.from_material("rod", x, R, Material(1e3, 0.45, 1e-6), v=np.tile(v, (5, 1)))
    one = RigidBody("one", np.array([0.1, -0.05, 0.2]), 0.2, UNEVEN, v=v)
    scene = Scene((rod,), 0.04, 1, (), (one,), (Weld("one", 0, 0, 0, "POSITION"),), floor=Floor(0.0, 0.0))
    return assemble(scene)


def test_a_body_meets_the_floor_beside_its_centre():
    """The impulse v/(1/m + (p × n)ᵀ I⁻¹ (p × n)), which also turns it."""
    model, state, work = lopsided()
    model = model._replace(world=changed(model.world, gravity=0.0, air_density=0.0))
    arm = state.x[model.slaves["node"][0]] - state.bodies["x"][0]
    turn = Rotation.from_quat(np.roll(state.bodies["q"][0], -1)).as_matrix()
    spin = np.cross(arm, [0.0, 0.0, 1.0])
    inverse = turn @ np.diag(1.0 / model.bodies["inertia"][0]) @ turn.T
    impulse = 1.0 / (1.0 / model.bodies["mass"][0] + spin @ inverse @ spin)
    struck(model, state, work, 1e-5)
    assert state.bodies["v"][0, 2] == pytest.approx(-1.0 + impulse / model.bodies["mass"][0], rel=1e-3)
    np.testing.assert_allclose(state.bodies["l"][0], impulse * spin, rtol=1e-3, atol=1e-3 * impulse * arm.max())


def test_one_push_is_enough_for_a_body():
    model, state, work = lopsided()
    struck(model, state, work, 1e-5)
    contacts = changed(work.contact.contacts[:1], normal=0.0, along=0.0, gain=1.0, left=0.0, longest=1.0)
    state.x[:] = work.old.x
    state.x[:, 2] -= 0.01 * R
    assert swept(model, state, work, contacts) == pytest.approx(0.01, rel=1e-3)
    assert swept(model, state, work, contacts) < 1e-9


def thrown(turn):
    """A rod thrown on the floor, with friction, and all of it turned."""
    x = np.linspace([0.0, 0.0, 1.1 * R], [0.2, 0.0, 3.0 * R], 9)
    v = np.tile([0.2, 0.1, -0.5], (9, 1))
    rod = Rod.from_material("rod", turn.apply(x), R, RUBBER, v=turn.apply(v))
    scene = Scene((rod,), 0.04, 1, gravity=turn.apply([0.0, 0.0, -9.81]), floor=Floor(0.0, 0.5))
    model, state, work = assemble(scene)
    walls = changed(model.planes, point=turn.apply([3.0, -2.0, 0.0]), n=turn.apply([0.0, 0.0, 1.0]))
    model = model._replace(planes=walls)
    assert take_steps(model, state, work, 1e-4, 120)[0] == DONE
    return state


def test_a_wall_may_face_anywhere():
    flat, turned = thrown(Rotation.identity()), thrown(TURN)
    assert flat.plane_pairs["force"][:, 0].max() > 0.0
    np.testing.assert_allclose(turned.x, TURN.apply(flat.x), atol=1e-9)


def test_two_walls():
    """A rod that lies in a trough, straight across: each wall bears its weight over √2."""
    half = np.sqrt(0.5)
    x = np.linspace([0.0, 0.0, R / half], [0.0, 0.2, R / half], 9)
    rod = Rod.from_material("rod", x, R, RUBBER, friction=0.0)
    model, state, _ = assemble(Scene((rod,), 0.04, 1, floor=Floor(0.0)))
    model = model._replace(planes=changed(np.zeros(2, PLANE), n=[[half, 0.0, half], [-half, 0.0, half]], friction=0.0))
    state = state._replace(plane_pairs=plane_pairs(model, x))
    work = workspace(model, state)
    assert take_steps(model, state, work, 1e-4, 2000)[0] == DONE
    weight = 9.81 * model.nodes["mass"].sum()
    force = state.plane_pairs["force"][:, 0].reshape(2, -1).sum(axis=1)
    np.testing.assert_allclose(force, weight * half, rtol=1e-3)
