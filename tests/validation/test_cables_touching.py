"""Cables that touch each other and themselves: laws, and what no contact may do, looked for without its own eyes."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from links import linking_number
from meshes import tube
from statics import straight_rod
from tendril.physics import Collider, Handle, settle_cable, settle_harness
from tendril.physics.arithmetic.quaternions import exponential, product
from tendril.physics.geometry.neighbours import nearest

GRAVITY = np.array([0.0, 0.0, -9.81])
TIGHT = 1e-6  # of the radius, by which gaps are off


def along(rod, name, start, direction, **options):
    """The rod, drawn from there that way."""
    t = np.asarray(direction, float) / np.linalg.norm(direction)
    s = np.linalg.norm(rod.x - rod.x[0], axis=1)[:, None]
    return replace(rod, name=name, x=np.asarray(start, float) + s * t, m1=np.cross(t, [0.3, 0.5, 0.81]), **options)


def ends(rod, start, end, **options):
    """Handles of both."""
    last = len(rod.x) - 1
    return [
        Handle("start", np.array(start, float), vertex=0),
        Handle("end", np.array(end, float), vertex=last, **options),
    ]


def distance(one, other=None, apart=0.0):
    """Least distance [m] of two cables, or of places of one that are further apart along it."""
    a, b = one.points[:-1], one.points[1:]
    if other is None:
        arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(b - a, axis=1))])
        i, j = np.triu_indices(len(a), 2)
        far = arc[j] - arc[i + 1] > apart
        i, j, c, d = i[far], j[far], a, b
    else:
        i, j = (k.ravel() for k in np.indices((len(a), len(other.points) - 1)))
        c, d = other.points[:-1], other.points[1:]
    return float(nearest(a[i], b[i], c[j], d[j])[2].min())


def closed_over(x, up):
    """The curve, closed far below, or far above."""
    deep = np.array([0.0, 0.0, -1e3 * up])
    return np.concatenate([x, x[-1:] + deep, x[:1] + deep])


def test_crossed():
    """A weightless cable hung across another, both taut by given tensions: forces are equal and opposite, depths those
    of springs in series. A strut of stiffness B under tension T between a hook and, half its length L beyond its end, a
    weight gives by F (L/3T − √(B/T)/2T) in the middle: a third of a string's, less what its corner is round.
    """
    bend, radius, low, tensions = 1e-2, 5e-3, 0.011, (5.0, 8.0)
    one = straight_rod(80, bend=bend, twist=bend, radius=radius, line_density=1e-9)
    other = along(one, "other", [0.5, -0.5, 2.2 * radius], [0.0, 1.0, 0.0])
    cables = []
    for rod, tension, shift in zip((one, other), tensions, (0.0, low), strict=True):
        down, t = np.array([0.0, 0.0, -shift]), rod.x[-1] - rod.x[0]
        cables.append((rod, ends(rod, rod.x[0] + down, rod.x[-1] + down + 0.5 * t, strength=tension)))
    whole = settle_harness(cables, gravity=np.zeros(3), collision_filter=())
    forces = [cable.contact_force.sum(axis=0) for cable in whole.cables]
    np.testing.assert_allclose(forces[0], -forces[1], rtol=1e-9)
    gives = [1.0 / (3.0 * t) - np.sqrt(bend / t) / (2.0 * t) for t in tensions]
    assert forces[1][2] == pytest.approx((low - 0.2 * radius) / sum(gives), rel=1e-2)
    assert distance(*whole.cables) == pytest.approx(2.0 * radius, abs=TIGHT * radius)
    for cable, gap in zip(whole.cables, (-1.0, 1.0), strict=True):
        assert cable.contacts > 0
        assert (gap * cable.contact_force[:, 2] >= 0.0).all()


def test_draped():
    """A cable laid across a taut one hangs on it: what presses on the taut cable is what does not hang from handles."""
    taut = straight_rod(60, bend=1e-2, twist=1e-2, radius=5e-3)
    laid = along(replace(taut, bend_stiffness=0.1 * taut.bend_stiffness), "laid", [0.5, -0.5, 0.02], [0.0, 1.0, 0.0])
    cables = [(taut, ends(taut, [0, 0, 0], [0.99, 0, 0])), (laid, ends(laid, [0.5, -0.25, -0.1], [0.5, 0.25, -0.1]))]
    whole = settle_harness(cables, gravity=GRAVITY, collision_filter=())
    below, above = whole.cables
    assert distance(below, above) == pytest.approx(1e-2, abs=TIGHT * 5e-3)
    np.testing.assert_allclose((below.contact_force.sum(axis=0) + above.contact_force.sum(axis=0)), 0.0, atol=1e-12)
    held = above.handle_force.sum(axis=0) + above.contact_force.sum(axis=0)
    np.testing.assert_allclose(held, [0.0, 0.0, 9.81], atol=1e-6)
    assert above.contact_force[:, 2].sum() > 0.2 * 9.81
    there = [(rod, [replace(h, position=h.position + [0.0, 0.0, 0.01]) for h in handles]) for rod, handles in cables]
    moved = settle_harness(there, gravity=GRAVITY, collision_filter=(), start=whole)
    for cable, before in zip(moved.cables, whole.cables, strict=True):
        np.testing.assert_allclose(cable.points, before.points + [0.0, 0.0, 0.01], atol=1e-6)


def test_twisted_to_a_loop():
    """A cable wound up between clamps that come nearer goes to a loop whose sides touch, and winds them around each
    other: it is nowhere in itself, and forces on it are in balance.
    """
    rod = straight_rod(80, bend=1e-2, twist=1e-2, line_density=1e-3, radius=1e-2)
    first = Handle.drawn(rod, "first", vertex=0, oriented=True)
    last = Handle.drawn(rod, "last", vertex=-1, oriented=True)
    whole, touching = None, []
    for turns in np.linspace(0.0, 3.0, 25):
        place = np.array([0.99 - 0.4 * min(1.0, 0.75 * turns), 0.0, 0.0])
        turned = product(exponential(np.array([2.0 * np.pi * turns, 0.0, 0.0])), last.orientation)
        handles = [first, replace(last, position=place, orientation=turned)]
        whole = settle_harness([(rod, handles)], collision_filter=(), start=whole)
        cable = whole.cables[0]
        assert distance(cable, apart=np.pi * 1e-2) > (2.0 - TIGHT) * 1e-2
        np.testing.assert_allclose(cable.contact_force.sum(axis=0), 0.0, atol=1e-12)
        touching.append(cable.contacts)
    assert touching[8] == 0
    assert touching[-1] >= 2
    assert distance(cable, apart=np.pi * 1e-2) == pytest.approx(2e-2, abs=TIGHT * 1e-2)


CASES = 100


def past_a_post(rng):
    """Two or three cables past an upright post, each above the one before, whose ends are led below those of it."""
    wide = rng.uniform(0.01, 0.05)
    x, triangles = tube(wide, 1.0, int(rng.integers(8, 25)))
    post = Collider("post", triangles[:, ::-1], np.zeros(1), x[None][:, :, [0, 2, 1]])
    cables, height = [], 0.0
    for k in range(int(rng.integers(2, 4))):
        radius = rng.uniform(3e-3, 8e-3)
        height += radius * rng.uniform(1.1, 2.0)
        bend, twist = 10.0 ** rng.uniform(-3.0, -1.0, 2)
        turn = rng.uniform(0.0, 2.0 * np.pi)
        t, side = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
        start = (wide + 1.5 * radius) * side - 0.5 * t + [0.0, 0.0, height]
        rod = along(straight_rod(40, bend=bend, twist=twist, radius=radius), f"cable {k}", start, t)
        low, near = np.array([0.0, 0.0, -k * rng.uniform(0.0, 0.1)]), 0.5 - rng.uniform(0.42, 0.47)
        end = start + (1.0 - near) * t - rng.uniform(0.0, wide) * side
        cables.append((rod, ends(rod, start + low + near * t, end + low)))
        height += radius * rng.uniform(1.1, 2.0)
    return cables, post


def test_resolved(random_case):
    """From straight at once, of any stiffness: all come to rest, are in nothing, and none has gone through another."""
    cables, post = past_a_post(np.random.default_rng(random_case))
    whole = settle_harness(cables, gravity=GRAVITY, collision_filter=(), colliders=[post])
    radius = [rod.radius[0] for rod, _ in cables]
    for one, other in combinations(range(len(cables)), 2):
        apart = distance(whole.cables[one], whole.cables[other])
        assert apart > radius[one] + radius[other] - TIGHT * min(radius[one], radius[other])
        drawn = closed_over(cables[one][0].x, 1.0), closed_over(cables[other][0].x, -1.0)
        now = closed_over(whole.cables[one].points, 1.0), closed_over(whole.cables[other].points, -1.0)
        assert linking_number(*now) == linking_number(*drawn)
    forces = np.zeros(3)
    for r, cable in zip(radius, whole.cables, strict=True):
        assert distance(cable, apart=np.pi * r) > (2.0 - TIGHT) * r
        forces += cable.handle_force.sum(axis=0) + cable.contact_force.sum(axis=0) + GRAVITY
    np.testing.assert_allclose(forces, 0.0, atol=1e-4 * 9.81)


def piled(rng):
    """Two to five cables across each other, drawn straight, whose ends are led below those of the ones beneath."""
    cables, height = [], 0.0
    for k in range(int(rng.integers(2, 6))):
        radius = rng.uniform(3e-3, 8e-3)
        height += 1.2 * radius
        rod = straight_rod(int(rng.integers(30, 70)), bend=10.0 ** rng.uniform(-3.0, -1.0), twist=1e-2, radius=radius)
        turn = rng.uniform(0.0, 2.0 * np.pi)
        t = np.array([np.cos(turn), np.sin(turn), 0.0])
        start = -0.5 * t + [*rng.uniform(-0.05, 0.05, 2), height]
        height += 1.2 * radius
        rod, low = along(rod, f"cable {k}", start, t), np.array([0.0, 0.0, -k * rng.uniform(0.0, 0.05)])
        reach, length = rng.uniform(0.85, 0.99), np.linalg.norm(rod.x[-1] - rod.x[0])
        place = [start + low + 0.5 * (1.0 + side * reach) * length * t for side in (-1.0, 1.0)]
        cables.append((rod, ends(rod, *place)))
    return cables


@pytest.mark.parametrize("case", [0, 3, 5, 9])
def test_piled(case):
    """From far apart, where stiff springs let Newton's method crawl: at rest, forces in balance, in few factors."""
    cables = piled(np.random.default_rng(case))
    whole = settle_harness(cables, gravity=GRAVITY, collision_filter=())
    radius = [rod.radius[0] for rod, _ in cables]
    for one, other in combinations(range(len(cables)), 2):
        apart = distance(whole.cables[one], whole.cables[other])
        assert apart > radius[one] + radius[other] - TIGHT * min(radius[one], radius[other])
    for cable in whole.cables:
        total = cable.handle_force.sum(axis=0) + cable.contact_force.sum(axis=0) + GRAVITY
        np.testing.assert_allclose(total, 0.0, atol=1e-6 * 9.81)
    assert whole.effort.factors < 1000


def test_groups():
    """Cables of groups that do not touch go through each other, and come to what they come to alone."""
    one = straight_rod(40, bend=1e-2, twist=1e-2, radius=5e-3)
    other = along(one, "other", [0.5, -0.5, 0.02], [0.0, 1.0, 0.0], group=1)
    cables = [(one, ends(one, [0, 0, 0], [0.9, 0, 0])), (other, ends(other, [0.5, -0.45, -0.3], [0.5, 0.45, -0.3]))]
    whole = settle_harness(cables, gravity=GRAVITY, collision_filter=[(0, 1)])
    for (rod, handles), cable in zip(cables, whole.cables, strict=True):
        assert cable.contacts == 0
        np.testing.assert_allclose(cable.points, settle_cable(rod, handles, gravity=GRAVITY).points, atol=1e-7)


def test_one_hook():
    """Cables that hang from one place touch each other, but not there."""
    one = straight_rod(60, bend=1e-2, twist=1e-2, radius=5e-3)
    other = along(one, "other", [0, 0, 0], [1.0, 0.1, 0.0])
    cables = [(one, ends(one, [0, 0, 0], [0.8, -0.05, 0])), (other, ends(other, [0, 0, 0], [0.8, 0.05, 0.0]))]
    whole = settle_harness(cables, gravity=GRAVITY, collision_filter=())
    for cable in whole.cables:
        assert np.linalg.norm(cable.handle_force, axis=1).max() < 20.0


@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-7, 1e-5])
def test_one_that_falls_far_onto_another_lies_on_it(off):
    """Drawn straight, its ends come together; the other, held all along, swings aside meanwhile. However little that is
    turned off, nothing goes through.
    """
    base = straight_rod(24, bend=0.0234, twist=0.0167, radius=5e-3, line_density=0.1606)
    base = replace(base, x=0.8 * base.x)
    upper, lower = along(base, "upper", [-0.4, 0.0, 0.1], [1, 0, 0]), along(base, "lower", [0, -0.4, 0], [0, 1, 0])
    hangs = settle_cable(lower, ends(lower, [0.0, -0.4, 0.0], [0.0, 0.35, 0.0]), gravity=GRAVITY).points
    drawn, there = (hangs + [np.sin(a), 0.0, np.cos(a) - 1.0] * hangs[:, 2:] for a in (off, 0.33))
    lower = replace(lower, x=drawn, m1=np.broadcast_to([1.0, 0.0, 0.0], lower.m1.shape))
    held = [Handle(f"stays {v}", place, vertex=v) for v, place in enumerate(there)]
    led = ends(upper, [-0.25, 0.0, 0.1], [0.25, 0.0, 0.1])
    whole = settle_harness([(upper, led), (lower, held)], gravity=GRAVITY, collision_filter=(), rubs=True)
    falls, stays = whole.cables
    assert distance(falls, stays) == pytest.approx(0.01, abs=1e-6)
    up = falls.contact_force[:, 2].sum()
    assert up > 0.1
    assert up == pytest.approx(-stays.contact_force[:, 2].sum(), rel=1e-6)
