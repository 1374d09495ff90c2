"""Which places of a rod can touch goes by how far apart they are along it. Where that changes, none is missed."""

import numpy as np
import pytest
from as_bound import list_pairs, verify
from tendril.physics.assemble import assemble
from tendril.physics.contact.capsule_pairs import capsule_pairs, runs_of
from tendril.physics.contact.pair_list import STRETCH, spread
from tendril.physics.diagnostics.overlap import segment_distance
from tendril.physics.geometry.neighbours import apart_along
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULE, CAPSULES, PAIR, ROD, changed
from tendril.physics.scene import Rod, Scene
from tendril.physics.time_integration.symplectic_euler import DONE, TOO_DEEP

R = 0.005  # m
LIMP = Material(5e4, 0.45, 1000.0)
STEP = 1.0 / 240.0  # s
KINDS = [{"stretchable": True}, {"model": "cosserat"}]


def gaps(x, closed=False, r=R):
    """(i, j, gap [m]) of all pairs of edges of a rod that have places πr apart along it, of the nearest of these."""
    n = len(x)
    tail = np.arange(n if closed else n - 1)
    head = (tail + 1) % n
    size = np.linalg.norm(x[head] - x[tail], axis=1)
    arc = np.cumsum(size)[:, None] + np.stack([-size, 0.0 * size], axis=1)
    i, j = np.triu_indices(len(tail), 1)
    i, j = (k[(head[i] != tail[j]) & (head[j] != tail[i])] for k in (i, j))
    around = np.full(len(i), size.sum() if closed else np.inf)
    s, t, distance = segment_distance(x[tail[i]], x[head[i]], x[tail[j]], x[head[j]])
    along = np.abs(arc[i, 0] + s * size[i] - arc[j, 0] - t * size[j])
    bent = np.minimum(along, around - along) < np.pi * r
    ends = x[tail[i]], x[head[i]], x[tail[j]], x[head[j]]
    by_way = apart_along(ends, arc[i], arc[j], around, np.full(len(i), np.pi * r))
    gap = np.where(bent, by_way, distance) - 2.0 * r
    return i[np.isfinite(gap)], j[np.isfinite(gap)], gap[np.isfinite(gap)]


def hairpin(edge, turn=1.03 * R, legs=6.0 * R):
    """Vertices (n, 3) of two legs and a half circle in between, in edges of such a part of R."""
    bend = np.pi * turn
    s = np.linspace(0.0, bend + 2.0 * legs, round((bend + 2.0 * legs) / (edge * R)) + 1)
    angle = (np.clip(s, legs, legs + bend) - legs) / turn
    along = np.where(s < legs, s - legs, np.where(s > legs + bend, legs + bend - s, turn * np.sin(angle)))
    return np.stack([along, -turn * np.cos(angle), 0.0 * s], axis=1)


def crumpled(x, edge, longer):
    """The vertices so far aside by turns, out of the plane they are in, that edges grow by such a part."""
    aside = 0.5 * edge * R * np.sqrt((1.0 + longer) ** 2 - 1.0)
    return x + np.outer(np.where(np.arange(len(x)) % 2, 1.0, -1.0), [0.0, 0.0, aside])


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("edge", [0.15, 0.4, 1.1])
def test_no_pair_is_missed_while_edges_grow_by_no_more(edge, closed):
    """Rods wind about; each edge grows by its own part, or becomes shorter, and vertices go a little aside."""
    rng, longer, skin, known, come = np.random.default_rng(round(100 * edge)), 0.3, 1.6 * R, 0, 0
    for _ in range(4):
        n = round(16.0 / edge)
        turns = np.cumsum(rng.normal(size=(n, 3)) * 0.9 * np.sqrt(edge), axis=0)
        way = turns / np.linalg.norm(turns, axis=1)[:, None] * R * edge * rng.uniform(0.6, 1.4, (n, 1))
        way -= way.mean(axis=0) * closed
        x = np.cumsum(way, axis=0)
        m = n - 1 + closed
        capsules = changed(np.zeros(m, CAPSULE), tail=np.arange(m), head=(np.arange(m) + 1) % n, radius=R)
        capsules["arc"] = edge * R * (np.arange(m) + 0.5)
        rods = changed(np.zeros(1, ROD), last=n - 1, closed=closed, stretchable=True)
        pairs, nothing = np.zeros(40000, PAIR), (np.zeros(0, np.int64), np.zeros((0, 0), bool))
        still = np.hstack([x, np.zeros((n, 3))])
        count = capsule_pairs(capsules, rods, *nothing, still, (skin, 0.0, longer), runs_of(capsules), pairs)
        found = {(pair["i"], pair["j"]): pair["gap"] for pair in pairs[:count]}
        before = set(zip(*gaps(x, closed)[:2], strict=True))
        for _ in range(6):
            y = x + np.cumsum(way * rng.uniform(-0.4, longer, (n, 1)), axis=0)
            y[1::2] += rng.normal(0.0, 0.05 * R, (len(y[1::2]), 3))
            head = (np.arange(m) + 1) % n
            grown = np.linalg.norm(y[head] - y[:m], axis=1) / np.linalg.norm(x[head] - x[:m], axis=1)
            y = x + (y - x) * min(1.0, longer / max(grown.max() - 1.0, 1e-9))
            closer = 2.0 * spread(y, x)
            for i, j, gap in zip(*gaps(y, closed), strict=True):
                if gap + closer <= skin:
                    assert found[i, j] <= gap + closer + 1e-12
                    known, come = known + 1, come + ((i, j) not in before)
    assert known > 40
    assert come > 0 or edge > 1.0


@pytest.mark.parametrize("h", [0.0, STEP])
@pytest.mark.parametrize("edge", [0.12, 0.3])
@pytest.mark.parametrize("options", KINDS, ids=str)
def test_lists_are_complete_as_a_rod_is_stretched_fast_or_crumples(options, edge, h):
    """A tight bend grows to 1.5 times its length, in steps of .4 to 25 %, is drawn lengthwise, and slackens: whatever
    of it is near at a step's begin is listed, though vertices hardly stray. A third of the steps need no new list.
    """
    x = hairpin(edge)
    rod = Rod.from_material("rod", x, R, LIMP, **options)
    model, state, work = assemble(Scene((rod,), 1.0 / 24.0, 2, gravity=np.zeros(3), solver="IMPLICIT"), times=4)
    margin, kept, news, touching = 0.3 * R if h == 0.0 else 0.5 * R, 0, 0, set()
    parts = [*np.arange(0.0, 0.06, 0.004), 0.1, 0.15, 0.25, 0.5, 0.5, 0.4, 0.2, 0.21, 0.22, 0.0, 0.0]
    ways = [(crumpled(x, edge, part), part) for part in parts]
    ways += [(x * [1.0 + part, 1.0, 1.0], part) for part in parts]
    for k in range(len(ways) - 1):
        x0, ahead = ways[k][0], ways[k + 1][0]
        state.x[:] = ahead
        state.clock["time"] = k * STEP
        work.contact.foreseen[:] = ahead - x0
        count, time = state.listings["count"][CAPSULES], state.listings["time"][CAPSULES]
        assert list_pairs(model, state, x0, work.contact, margin, h)
        new = count < 0 or state.listings["time"][CAPSULES] != time or state.listings["near"][CAPSULES] == margin
        kept, news = kept + (not new), news + new
        listing = state.listings[CAPSULES]
        own = state.pairs[: listing["count"]]
        near = own["gap"] <= listing["near"] + listing["age_at_step_end"] * own["closing"]
        found = set(zip(own["i"][near], own["j"][near], strict=True))
        i, j, gap = gaps(x0)
        met = set(zip(i[gap <= margin], j[gap <= margin], strict=True))
        assert met <= found
        touching.add(frozenset(met))
    assert len(touching) > 5
    assert kept >= news // 2


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_straight_fine_rods_that_stretch_list_nothing(options):
    """Of edges of r/6 and r/30, at rest and as they are drawn out."""
    for edge, part in ((1.0 / 6.0, 0.0), (1.0 / 30.0, 0.0), (1.0 / 6.0, 0.01)):
        x = np.linspace([0.0, 0.0, 0.0], [20.0 * R, 0.0, 0.0], round(20.0 / edge) + 1)
        rod = Rod.from_material("rod", x, R, LIMP, **options)
        model, state, work = assemble(Scene((rod,), 1.0 / 24.0, 2, gravity=np.zeros(3), solver="IMPLICIT"))
        state.x[:] = x * (1.0 + part)
        work.contact.foreseen[:] = state.x - x
        assert list_pairs(model, state, x, work.contact, 0.5 * R, STEP)
        assert state.listings["count"][CAPSULES] == 0
        assert state.listings["longer"][CAPSULES] == pytest.approx(STRETCH + part)


@pytest.mark.parametrize(("bend", "status"), [(0.75, TOO_DEEP), (2.0, DONE)])
@pytest.mark.parametrize("options", KINDS, ids=str)
def test_what_grew_unforeseen_is_looked_at_whole(options, bend, status):
    """A bend so tight that its legs would be in each other, if it were longer, has become 1.4 times as long in a step
    that expected nothing: nothing is listed, and it is seen."""
    edge = 0.12
    x = hairpin(edge, bend * R, 0.0)
    rod = Rod.from_material("rod", x, R, LIMP, **options)
    model, state, work = assemble(Scene((rod,), 1.0 / 24.0, 2, gravity=np.zeros(3), contact=True, solver="IMPLICIT"))
    work.old.x[:] = x
    work.contact.foreseen[:] = 0.0
    assert list_pairs(model, state, x, work.contact, 0.1 * R, STEP)
    assert not any(gaps(x)[2] < 0.0)
    state.listings["count"][CAPSULES] = 0
    state.x[:] = crumpled(x, edge, 0.4)
    work.contact.done[:] = state.x - x
    assert verify(model, state, work, np.inf, np.inf, 0, STEP)[0] == status


def listed_as_it_grows(edge, count, growth):
    """(pairs, whether they are listed anew) of a straight rod that stretches, in so many edges of such a part of R,
    which all grow by such a part.
    """
    x = np.linspace([-0.5 * edge * count * R, 0.0, 0.0], [0.5 * edge * count * R, 0.0, 0.0], count + 1)
    rod = Rod.from_material("rod", x, R, LIMP, stretchable=True)
    model, state, work = assemble(Scene((rod,), 1.0 / 24.0, 2, gravity=np.zeros(3), solver="IMPLICIT"))
    assert list_pairs(model, state, x, work.contact, 0.1 * R, 0.0)
    found, state.clock["time"] = int(state.listings["count"][CAPSULES]), 1.0
    state.x[:] = (1.0 + growth) * x
    assert list_pairs(model, state, state.x.copy(), work.contact, 0.1 * R, 0.0)
    return found, state.listings["time"][CAPSULES] == 1.0


def test_of_a_straight_rod_nothing_is_listed_however_fine():
    """Also beside what its edges may grow by while a list is good."""
    assert listed_as_it_grows(0.05, 200, 0.0) == (0, False)


@pytest.mark.parametrize(("growth", "anew"), [(0.02, False), (0.03, True)])
def test_lists_are_made_anew_where_edges_grow_by_a_fiftieth(growth, anew):
    """That many of them are not made, and none is wrong."""
    assert listed_as_it_grows(0.4, 20, growth)[1] == anew
