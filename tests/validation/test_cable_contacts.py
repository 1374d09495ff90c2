"""Cables at rest on what they touch: laws, and what no contact may do, looked for without the contacts' own eyes."""

import numpy as np
import pytest
from meshes import box
from scipy.optimize import brentq
from statics import straight_rod
from tendril.physics import Collider, Floor, Handle, SceneError, settle_cable
from tendril.physics.near_faces import distance_to_faces, near_faces

DOWN = np.array([0.0, 0.0, -1.0])
GRAVITY = 9.81 * DOWN
TIGHT = 1e-6  # of the radius, by which gaps are off


def at_places(rod, *places):
    """Handles that hold the rod's ends there."""
    return [Handle(f"end {k}", np.array(p, float), vertex=k * (len(rod.x) - 1)) for k, p in enumerate(places)]


def still(mesh, way=(0.0, 0.0, 0.0), name="thing"):
    """A collider that stands there."""
    return Collider(name, mesh[1], np.zeros(1), mesh[0][None] + way)


def clearance(cable, rod, colliders):
    """Least distance [m] of the cable from colliders, less its radius."""
    a, b, least = cable.points[:-1], cable.points[1:], np.inf
    for collider in colliders:
        corners = collider.points[0][collider.triangles]
        for i, j in near_faces(a, b, np.full(len(a), 3.0 * rod.radius[0]), corners):
            distance, _ = distance_to_faces(a[i], b[i], corners[j])
            least = min(least, float(distance.min(initial=np.inf)))
    return least - rod.radius[0]


def test_over_a_box():
    """A cable lies on a box and hangs over its edges: it touches, is not in it, and is in equilibrium."""
    rod = straight_rod(80, bend=1e-2, radius=5e-3)
    colliders = [still(box([0.3, 0.4, 0.2]), [0.45, 0.0, -0.2])]
    cable = settle_cable(rod, at_places(rod, [0, 0, 0], [0.9, 0, -0.1]), gravity=GRAVITY, colliders=colliders)
    assert abs(clearance(cable, rod, colliders)) < TIGHT * rod.radius[0]
    assert cable.contacts >= 2
    total = cable.handle_force.sum(axis=0) + cable.contact_force.sum(axis=0) + GRAVITY
    np.testing.assert_allclose(total, 0.0, atol=1e-6)
    arms = np.cross(cable.points[[0, -1]], cable.handle_force).sum(axis=0)
    arms += np.cross(cable.points, cable.contact_force + rod.mass[:, None] * GRAVITY).sum(axis=0)
    np.testing.assert_allclose(arms, 0.0, atol=1e-6)
    for _ in range(3):  # dragged, it takes a few outer iterations
        moved = at_places(rod, [0, 0, 0], cable.points[-1] + [0.004, 0.003, 0.0])
        cable = settle_cable(rod, moved, gravity=GRAVITY, colliders=colliders, start=cable)
        assert abs(clearance(cable, rod, colliders)) < TIGHT * rod.radius[0]


def test_catenary_on_the_seabed():
    """A chain from the bottom up: where it touches down."""
    n, height, reach = 400, 0.3, 0.85
    rod = straight_rod(n, bend=1e-6)

    def parts(a):
        """(length, reach) of what hangs, of the catenary whose horizontal tension over weight is a."""
        x = a * np.arccosh(1.0 + height / a)
        return a * np.sinh(x / a), x

    a = brentq(lambda a: 1.0 - parts(a)[0] + parts(a)[1] - reach, 1e-2, 2.0)
    ends = at_places(rod, [0, 0, 0], [reach, 0, height])
    cable = settle_cable(rod, ends, gravity=GRAVITY, colliders=[Floor(-rod.radius[0])])
    touching = np.flatnonzero(cable.contact_force[:, 2] > 0.0)
    down = (touching[-1] + 0.5) / n
    assert down == pytest.approx(1.0 - parts(a)[0], rel=1e-2)
    assert cable.force[0, 0] == pytest.approx(9.81 * a, rel=1e-2)
    assert (cable.contact_force[:, 2] >= 0.0).all()
    assert cable.points[:, 2].min() > -TIGHT * rod.radius[0]


def test_pushed_into_a_wall():
    """Drawn five radii deep in a wall, a cable comes out above it, whatever its stiffness."""
    for bend in (1e-3, 1e-1):
        rod = straight_rod(80, bend=bend, radius=5e-3)
        colliders = [still(box([0.2, 0.4, 0.3]), [0.5, 0.0, 0.025 - 0.15], "wall")]
        cable = settle_cable(rod, at_places(rod, [0, 0, 0], [0.9, 0, 0]), gravity=GRAVITY, colliders=colliders)
        assert abs(clearance(cable, rod, colliders)) < TIGHT * rod.radius[0]
        assert cable.points[:, 2].max() > 0.025


def test_led_against():
    """A plate that rises under a cable lifts it; one that sinks again lets it go, to the shape that it had."""
    rod = straight_rod(80, bend=1e-2, radius=5e-3)
    x, triangles = box([0.2, 0.3, 0.02])
    rise = np.array([0.0, 0.0, 0.25])
    start = x + [0.45, 0.0, -0.35]
    plate = Collider("plate", triangles, np.array([0.0, 1.0]), np.stack([start, start + rise]))
    ends = at_places(rod, [0, 0, 0], [0.9, 0, 0])
    low = settle_cable(rod, ends, gravity=GRAVITY, colliders=[plate])
    high = settle_cable(rod, ends, gravity=GRAVITY, colliders=[plate], time=1.0, start=low)
    assert low.contacts == 0
    assert high.contacts > 0
    assert high.points[:, 2].min() > low.points[:, 2].min() + 0.05
    there = [still((start + rise, triangles))]
    assert abs(clearance(high, rod, there)) < TIGHT * rod.radius[0]
    again = settle_cable(rod, ends, gravity=GRAVITY, colliders=[plate], time=0.0, start=high)
    np.testing.assert_allclose(again.points, low.points, atol=1e-6)


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (still((np.full((3, 3), np.nan), np.array([[0, 1, 2]]))), "not a number"),
        (Floor(np.inf), "a finite one"),
    ],
)
def test_refused(thing, words):
    rod = straight_rod(10)
    with pytest.raises(SceneError, match=words):
        settle_cable(rod, at_places(rod, [0, 0, 0], [0.9, 0, 0]), colliders=[thing])
