"""Pairs of rods are listed by how they are expected to go: none that may meet is left out, few of one rod are in."""

import numpy as np
import pytest
from as_bound import are_missed, list_pairs
from scipy.spatial.transform import Rotation
from tendril.physics.assemble import assemble
from tendril.physics.contact.capsule_pairs import capsule_pairs, runs_of
from tendril.physics.contact.detect import detect
from tendril.physics.contact.pair_list import contact_margin
from tendril.physics.contact.segment_distance import closest_parameters
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULE, CAPSULES, PAIR, ROD, changed
from tendril.physics.scene import Rod, Scene

R = 0.005  # m
RUBBER = Material(5e6, 0.45, 1000.0)
STEP = 1.0 / 48.0  # s


def gap(a, b, c, d):
    s, t = closest_parameters(a - c, b - a, d - c, 0.0)
    return np.linalg.norm(a + s * (b - a) - c - t * (d - c))


@pytest.mark.parametrize("lasting", [0.05, 0.3])
def test_no_pair_is_missed_that_comes_near(lasting):
    """Capsules of all directions and velocities: those whose surfaces are ever nearer than the skin are listed, with at
    least the speed at which they close."""
    rng, n, skin = np.random.default_rng(3), 60, 0.02
    x = np.empty((2 * n, 6))
    x[:n, :3] = rng.uniform(size=(n, 3))
    x[n:, :3] = x[:n, :3] + rng.normal(0.0, 0.05, (n, 3))
    x[:, 3:] = 5.0 + rng.normal(0.0, 1.0, (2 * n, 3))
    tail, radius = np.arange(n), rng.uniform(0.01, 0.03, n)
    capsules = changed(np.zeros(n, CAPSULE), tail=tail, head=tail + n, radius=radius, rod=tail)
    pairs, nothing = np.zeros(5000, PAIR), (np.zeros(0, np.int64), np.zeros((0, 0), bool))
    count = capsule_pairs(capsules, np.zeros(n, ROD), *nothing, x, (skin, lasting, 0.0), runs_of(capsules), pairs)
    found = {(pair["i"], pair["j"]): pair for pair in pairs[:count]}
    assert len(found) == count
    met = 0
    for i in range(n):
        for j in range(i + 1, n):
            gaps = []
            for time in np.linspace(0.0, lasting, 13):
                y = x[:, :3] + time * x[:, 3:]
                gaps.append(gap(y[i], y[i + n], y[j], y[j + n]) - radius[i] - radius[j])
            if min(gaps) < skin:
                met += 1
                assert gaps[0] - min(gaps) <= found[i, j]["closing"] * lasting + 1e-12
    assert 8 < met <= count < n * (n - 1) / 2


def assembled(*lines):
    rods = tuple(Rod.from_material(f"rod {k}", x, R, RUBBER) for k, x in enumerate(lines))
    return assemble(Scene(rods, 1.0 / 24.0, 2, gravity=np.zeros(3), solver="IMPLICIT"))


@pytest.mark.parametrize("turn", [0.0, 0.05, 0.1])
def test_few_pairs_of_a_rod_that_swings_are_listed(turn):
    """A straight rope turns, and will in a step, its end by 20 radii: neighbours hardly come nearer, and none meet."""
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 200)
    model, state, work = assembled(x)
    work.old.x[:] = x
    state.x[:] = Rotation.from_rotvec([0.0, 0.0, turn]).apply(x)
    work.contact.foreseen[:] = state.x - x
    assert list_pairs(model, state, x, work.contact, 0.5 * R, STEP)
    assert state.listings["count"][CAPSULES] < 3 * 200
    assert detect(model, state, work.old, work.welded.slaves, work.contact, 0.5 * R, (STEP, 1.0), False) == 0


def test_a_list_lasts_while_things_go_as_expected():
    """Two rods pass each other at an even speed: listed once for three steps, at once when one is thrown."""
    lower, upper = np.linspace([-0.1, 0, 0], [0.1, 0, 0], 11), np.linspace([0, -0.1, 0.05], [0, 0.1, 0.05], 11)
    model, state, work = assembled(lower, upper)
    way, times = np.zeros((22, 3)), []
    way[11:, 0] = 4.0 * R  # a step
    for step in range(7):
        x0 = state.x.copy()
        state.clock["time"] = step * STEP
        work.contact.foreseen[:] = way
        state.x[:] = x0 + way
        assert list_pairs(model, state, x0, work.contact, 0.5 * R, STEP)
        times.append(round(state.listings["time"][CAPSULES] / STEP))
    assert times == [0, 0, 0, 3, 3, 3, 6]
    x0 = state.x.copy()
    state.clock["time"] = 7 * STEP
    work.contact.foreseen[:] = 2.0 * way
    state.x[:] = x0 + 2.0 * way
    assert list_pairs(model, state, x0, work.contact, 0.5 * R, STEP)
    assert state.listings["time"][CAPSULES] == 7 * STEP


@pytest.mark.parametrize(
    ("apart", "falls", "seen"),
    [
        (10.0, 0.4, False),  # within the margin
        (10.0, 0.9, False),  # beyond it, but what it may have met is listed, and far away
        (0.6, 0.9, True),  # listed, and no contact
        (10.0, 12.0, True),  # not even listed
    ],
)
def test_what_was_not_expected_is_noticed_where_rods_may_have_met(apart, falls, seen):
    """A rod that lay still so many radii above another falls by so many in a step, which nobody expected. Only where it
    may have met the other one need the step be taken again."""
    lower, upper = np.linspace([-0.1, 0, 0], [0.1, 0, 0], 11), np.linspace([0, -0.1, 0], [0, 0.1, 0], 11)
    upper[:, 2] = (2.0 + apart) * R
    model, state, work = assembled(lower, upper)
    work.old.x[:] = state.x
    assert list_pairs(model, state, work.old.x, work.contact, 0.5 * R, STEP)
    assert detect(model, state, work.old, work.welded.slaves, work.contact, 0.5 * R, (STEP, 1.0), False) == 0
    state.x[11:, 2] -= falls * R
    assert are_missed(model, state, work.old.x, work.contact) == seen


def parting(lift, moved, steps, points=11):
    """(numbers of the steps at which pairs are listed, skins [of the world's] of the lists) of two rods that part, so
    many radii above each other, by so much of the world's skin each, a step, which nothing foresees.
    """
    lower, upper = (np.linspace(-end, end, points) for end in (np.array([0.1, 0.0, 0.0]), np.array([0.0, 0.1, 0.0])))
    upper[:, 2] = (2.0 + lift) * R
    model, state, work = assembled(lower, upper)
    skin, times, skins = model.world["skin"][0], [], []
    margin = contact_margin(model.world[0], moved * skin)
    for step in range(steps):
        state.clock["time"] = step
        assert list_pairs(model, state, state.x.copy(), work.contact, margin, 0.0)
        if not times or state.listings["time"][CAPSULES] != times[-1]:
            times.append(int(state.listings["time"][CAPSULES]))
            skins.append(state.listings["skin"][CAPSULES] / skin)
        state.x[:points, 0] -= moved * skin
        state.x[points:, 0] += moved * skin
    return times, skins


@pytest.mark.parametrize(("moved", "lasts"), [(0.1, 9), (0.3, 4)])
def test_a_list_lasts_for_some_steps_that_nothing_foresees(moved, lasts):
    """A step of m needs a margin of 2.4 m and a tenth of the skin s, and a list has six of these: with each step gaps
    close by 2 m, so it is good for 5 (2.4 m + s/10)/2 m. Where that were more than 3 s, for 3 s less a margin: of edges
    side by side there are as many pairs as the square of it.
    """
    times, skins = parting(0.3, moved, lasts + 1)
    assert times == [0, lasts]
    assert skins[0] == pytest.approx(min(6.0 * (2.4 * moved + 0.1), 3.0))


def test_where_nothing_is_near_lists_are_ever_longer():
    """Four times as long each: what goes d further apart makes log₄ d lists, and none is far too long."""
    _, skins = parting(30.0, 0.1, 40, 5)
    assert skins[1] == pytest.approx(4.0 * skins[0])
