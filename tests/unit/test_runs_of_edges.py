"""Fine rods: pairs of edges are found by runs of them, none is missed, at a cost that goes with how many there are."""

from time import process_time

import numpy as np
import pytest
from as_bound import list_pairs
from tendril.physics.assemble import assemble
from tendril.physics.contact.along_rod import are_near, lay_ways
from tendril.physics.contact.capsule_pairs import apart, capsule_pairs, runs_of
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULE, CAPSULES, PAIR, ROD, changed
from tendril.physics.scene import Rod, Scene

R = 0.005  # m
RUBBER = Material(5e6, 0.45, 1000.0)
NOTHING = np.zeros(0, np.int64), np.zeros((0, 0), bool)


def tangle(rng, n, closed, edge):
    """Vertices (n, 3) of a rod that winds about, in edges of such a part of R, give or take a half."""
    turns = np.cumsum(rng.normal(size=(n, 3)) * 0.5 * np.sqrt(edge), axis=0)
    way = turns / np.linalg.norm(turns, axis=1)[:, None] * R * edge * rng.uniform(0.5, 1.5, (n, 1))
    return np.cumsum(way - way.mean(axis=0) * closed, axis=0)


def tables(lines, closed, thick, stretchable):
    """(CAPSULE, ROD) of rods with these vertices, which become thicker along them by such a factor."""
    capsules, rods, first = [], changed(np.zeros(len(lines), ROD), closed=closed, stretchable=stretchable), 0
    for r, x in enumerate(lines):
        n = len(x)
        m = n - 1 + closed
        length = np.linalg.norm(x[(np.arange(m) + 1) % n] - x[:m], axis=1)
        capsules.append(
            changed(
                np.zeros(m, CAPSULE), tail=first + np.arange(m), head=first + (np.arange(m) + 1) % n, rod=r,
                radius=R * np.linspace(1.0, thick, m), arc=np.cumsum(length) - 0.5 * length,
            )
        )  # fmt: skip
        rods["first"][r], rods["last"][r], first = first, first + n - 1, first + n
    return np.concatenate(capsules), rods


@pytest.mark.parametrize("stretchable", [False, True])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("edge", [0.15, 0.6, 2.5])
def test_all_pairs_are_found_whatever_runs_they_are_in(edge, closed, stretchable):
    """Those whose gap is less than the skin and that are not near along their rod, and no others; of one whose edges
    may grow by a tenth, some besides whose gap may so close."""
    rng, skin, longer, met = np.random.default_rng(round(100 * edge)), 0.4 * R, 0.1 * stretchable, 0
    for thick in (1.0, 0.6, 1.8):
        lines = [tangle(rng, n, closed, edge) for n in (90, 50)]
        capsules, rods = tables(lines, closed, thick, stretchable)
        x = np.zeros((sum(map(len, lines)), 6))
        x[:, :3] = np.concatenate(lines)
        runs, pairs, ways = runs_of(capsules), np.zeros(20000, PAIR), np.zeros((len(capsules), 2))
        count = capsule_pairs(capsules, rods, *NOTHING, x, (skin, 0.0, longer), runs, pairs)
        found = {(pair["i"], pair["j"]) for pair in pairs[:count]}
        assert len(found) == count
        lay_ways(capsules, x, ways)
        near, may = set(), set()
        for i in range(len(capsules)):
            for j in range(i + 1, len(capsules)):
                if not are_near(capsules, rods, i, j, ways, longer):
                    gap, distance, _ = apart(capsules, rods, i, j, x, longer)
                    if gap <= skin:
                        may.add((i, j))
                        if distance <= capsules["radius"][i] + capsules["radius"][j] + skin:
                            near.add((i, j))
        assert near <= found <= may
        met += count
    assert met > 0


@pytest.mark.parametrize("lasting", [0.01, 0.1])
def test_no_pair_is_missed_that_comes_near_as_fine_rods_go(lasting):
    """Those whose gaps are ever less than the skin while vertices go on as they do."""
    rng, skin, edge = np.random.default_rng(5), 0.4 * R, 0.3
    lines = [tangle(rng, n, False, edge) for n in (70, 60)]
    capsules, rods = tables(lines, False, 1.0, False)
    x = np.zeros((130, 6))
    x[:, :3] = np.concatenate(lines)
    x[:70, 3:] = (x[:70, :3] - x[70:, :3].mean(axis=0)) @ rng.normal(0.0, 5.0, (3, 3))
    x[70:, 3:] = rng.normal(0.0, 0.2, 3) + rng.normal(0.0, 0.01, (60, 3))
    pairs, ways, met = np.zeros(20000, PAIR), np.zeros((len(capsules), 2)), 0
    count = capsule_pairs(capsules, rods, *NOTHING, x, (skin, lasting, 0.0), runs_of(capsules), pairs)
    found = {(pair["i"], pair["j"]): pair["closing"] for pair in pairs[:count]}
    for time in np.linspace(0.0, lasting, 7):
        y = x.copy()
        y[:, :3] += time * x[:, 3:]
        lay_ways(capsules, x, ways)
        for i in range(69):
            for j in range(69, 128):
                gap, _, _ = apart(capsules, rods, i, j, y, 0.0)
                if gap < skin:
                    assert (i, j) in found
                    met += 1
    assert met > 20


@pytest.mark.parametrize("options", [{}, {"closed": True}, {"stretchable": True}, {"model": "cosserat"}], ids=str)
def test_what_a_list_costs_goes_with_the_number_of_edges(options):
    """Of a rod that touches nothing: four times as many edges take four times as long, and no more pairs of runs."""
    cost = []
    for n in (400, 1600):
        around = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
        bent = 200.0 * R / (2.0 * np.pi) * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
        x = bent if "closed" in options else np.linspace([0.0, 0.0, 0.0], [115.0 * R, 115.0 * R, 115.0 * R], n + 1)
        rod = Rod.from_material("rod", x, R, RUBBER, **options)
        model, state, work = assemble(Scene((rod,), 1.0 / 24.0, 2, gravity=np.zeros(3), solver="IMPLICIT"))
        assert len(work.contact.runs.thin) <= 202
        best = np.inf
        for _ in range(12):
            state.listings["count"][CAPSULES] = -1
            begun = process_time()
            assert list_pairs(model, state, x, work.contact, 0.5 * R, 1.0 / 48.0)
            best = min(best, process_time() - begun)
        assert state.listings["count"][CAPSULES] == 0
        cost.append(best)
    assert cost[1] < 6.0 * cost[0]
