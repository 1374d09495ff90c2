"""What carries the points of a contact, whatever touches: as its row says, and as easily as it is weighed."""

from dataclasses import replace

import numpy as np
import pytest
from as_bound import attempt
from meshes import sheet
from solid_meshes import brick as cells
from solids import brick, sphere, wall
from tendril.physics.assemble import assemble
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.contact.carriers.points import moved, push
from tendril.physics.contact.scratch import (
    BODY,
    FRAMES,
    HELD,
    LED,
    PLANES,
    VERTICES,
    WORLD,
)
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES, FEATURES, SURFACES
from tendril.physics.scene import Floor, Rod, Scene, SoftBody, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.symplectic_euler import DONE, keep
from tendril.physics.time_integration.velocity_verlet import verlet_steps

R = 0.01  # m
RUBBER = Material(1e6, 0.45, 1000.0, friction=0.5)
CARRIED = {  # what touches: (list, what carries the first, the second), but for who holds and turns them
    "rods": (CAPSULES, VERTICES, VERTICES),
    "a rod on the floor": (PLANES, VERTICES, WORLD),
    "a rod on a mesh": (SURFACES, VERTICES, LED),
    "a rod on a body": (FEATURES, VERTICES, BODY),
    "bodies": (FEATURES, BODY, BODY),
    "a body on the floor": (FEATURES, BODY, WORLD),
    "a body on a mesh": (FEATURES, BODY, LED),
}


def rod(name, begin, end, **options):
    side = np.linspace(0.0, 1.0, 6)[:, None]
    return Rod.from_material(name, np.array(begin) + side * (np.array(end) - begin), R, RUBBER, **options)


def touching(**options):
    """A Scene in which all of these touch: two rods, one of which a body holds, crossed on the floor; on a mesh beside
    them a rod, and a body with another one and a rod on it.
    """
    low, high = 0.999 * R, 2.998 * R
    rods = (
        rod("low", [0.0, 0.0, low], [0.5, 0.0, low], **options),
        rod("across", [0.31, -0.2, high], [0.31, 0.2, high], **options),
        rod("beside", [0.0, 2.0, 0.1 + low], [0.5, 2.0, 0.1 + low], **options),
        rod("on top", [1.0, 1.8, 0.16 + low], [1.0, 2.2, 0.16 + low], **options),
    )
    bodies = (
        brick((0.55, 0.0, 0.0299), name="holds"),
        brick((1.0, 2.0, 0.1299), name="below"),
        sphere((1.0, 2.0 + 0.03, 0.1598 + 0.0199), 0.02, name="above"),
    )
    points, triangles = sheet(3, 4.0)
    mesh = wall((points + [0.0, 2.5, 0.1], triangles))
    welds = (Weld("weld", 0, 0, 5),)
    return Scene(rods, 1.0 / 24.0, 1, bodies=bodies, welds=welds, floor=Floor(0.0, 0.5), colliders=(mesh,))


def rows_of(scene):
    """(CONTACT of a step, State behind it, Workspace, what `carriers.points` takes)."""
    model, state, work = assemble(scene)
    assert take_steps(model, state, work, 1e-5, 1)[0] == DONE
    keep(state, work.old)
    status, _, count, _ = attempt(model, state, work, 1e-5, np.inf)
    assert status == DONE
    held = model.bodies, model.slaves, work.welded.slaves, work.contact.pushes
    return work.contact.contacts[:count], state, work, held


@pytest.mark.parametrize("rolls", [False, True])
def test_a_row_says_what_carries_its_points(rolls):
    rows, *_ = rows_of(touching(rolls=rolls))
    carrier = rows["carrier"] & ~(HELD | FRAMES)
    found = set(zip(rows["listing"].tolist(), *carrier.T.tolist(), strict=True))
    assert found == set(CARRIED.values())
    held = (rows["slave"] >= 0).reshape(-1, 2, 2).any(axis=2)
    assert held.any()
    np.testing.assert_array_equal(rows["carrier"] & HELD != 0, held)
    turning = (rows["frame"] >= 0).reshape(-1, 2, 2).any(axis=2)
    assert turning.any() == rolls
    np.testing.assert_array_equal(rows["carrier"] & FRAMES != 0, turning)
    np.testing.assert_array_equal(rows["rod"] >= 0, rows["carrier"] & VERTICES != 0)
    np.testing.assert_array_equal(rows["body"] >= 0, rows["carrier"] & BODY != 0)


@pytest.mark.parametrize("rolls", [False, True])
def test_a_push_moves_all_that_carries_a_contact_as_it_is_weighed(rolls):
    """Along n by the weight, across it by no more than `slide`, which is a bound for all directions."""
    rows, state, work, held = rows_of(touching(rolls=rolls))
    assert len(rows) > 10
    random = np.random.default_rng(1)
    for row in rows:

        def gives(direction, row=row):
            """How far [m/(kg m)] a unit impulse moves the points, along itself."""
            unit = direction / np.linalg.norm(direction)
            before = np.array(moved(row, state.x, work.old.x, held, work.contact.frames))
            push(row, state.x, state.w, held, work.contact.frames, tuple(1e-6 * unit))
            return 1e6 * unit @ (np.array(moved(row, state.x, work.old.x, held, work.contact.frames)) - before)

        assert gives(row["n"]) == pytest.approx(row["weight"], rel=1e-6)
        assert 0.0 < gives(np.cross(row["n"], random.normal(size=3))) <= row["slide"] * (1.0 + 1e-6)


def test_soft_bodies_are_carried_by_their_nodes():
    """On each other, a floor and a mesh: of no rod and no body."""
    x, node = cells((1, 1, 1), (0.1,) * 3)
    soft = SoftBody("low", x + [0.0, 0.0, 0.0005], node, 1000.0, 1e5, 0.3, friction=0.3)
    high = replace(soft, name="high", x=x + [0.01, 0.02, 0.101])
    beside = replace(soft, name="beside", x=x + [1.5, 0.0, 0.1005])
    points, triangles = sheet(3, 1.0)
    ground = wall((points + [1.5, 0.0, 0.1], triangles))
    scene = Scene((), 1.0 / 24.0, 1, solids=(soft, high, beside), floor=Floor(0.0), colliders=(ground,))
    model, state, work = assemble_solids(scene)
    assert verlet_steps(model, state, work, False, 1e-3, 0.7, np.inf)[0] == DONE
    rows = work.contact.contacts[: int((state.feature_pairs["force"][:, 0] > 0.0).sum())]
    assert set(rows["listing"].tolist()) == {FEATURES}
    assert set(map(tuple, rows["carrier"].tolist())) <= {(VERTICES, VERTICES), (VERTICES, WORLD), (VERTICES, LED)}
    assert (rows["rod"] < 0).all()
    assert (rows["body"] < 0).all()
