"""Which places of cables are listed: each threshold, from either side. Lengths are of both radii together."""

import numpy as np
import pytest
from tendril.physics.cables.contact_between import PAIR_CONTACT
from tendril.physics.cables.pair_list import list_pairs, list_places
from tendril.physics.contact.capsule_pairs import runs_of
from tendril.physics.model import CAPSULE, PAIR, ROD, changed

NOTHING = np.zeros(0, np.int64), np.zeros((0, 0), bool)  # that is joined, and no groups


def tables(*counts):
    """Of cables with so many vertices, one behind the other."""
    end = np.cumsum(counts)
    tail = np.concatenate([np.arange(b - n, b - 1) for n, b in zip(counts, end, strict=True)])
    rod = np.repeat(np.arange(len(counts)), np.array(counts) - 1)
    capsules = changed(np.zeros(len(tail), CAPSULE), tail=tail, head=tail + 1, radius=0.5, rod=rod)
    return capsules, changed(np.zeros(len(counts), ROD), first=end - counts, last=end - 1), *NOTHING


def places(x, pairs, *counts):
    """PAIR_CONTACT of such pairs (k, 2) of segments."""
    x, rows = np.array(x, float), np.zeros(99, PAIR_CONTACT)
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])
    listed = changed(np.zeros(len(pairs), PAIR), i=[i for i, _ in pairs], j=[j for _, j in pairs])
    return rows[: list_places(tables(*counts), listed, x, arc, 1.0, rows)]


@pytest.mark.parametrize(("turned", "listed"), [(0.6, False), (1.76, True)])
def test_what_turns_too_little_in_between_is_not_listed(turned, listed):
    """Of two legs side by side. Places that can touch turn by 1.76 in between, by Schur's theorem; of what turns less,
    down to one radian, those are listed that may come to that on a step, and no more: else a bend is full of them.
    """
    x = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [5.0, 0.6, 0.0], [4.0, 1.2, 0.0], [0.0, 1.2, 0.0]])
    own, pairs = tables(5), np.zeros(99, PAIR)
    own[0]["arc"] = [2.0, 4.6, 5.8, 8.3]
    bent = turned * np.array([0.0, 0.25, 0.5, 1.0, 1.0])
    count = list_pairs(own, np.hstack([x, 0.0 * x]), bent, 0.5, runs_of(own[0]), pairs)
    assert ((0, 3) in {(int(p["i"]), int(p["j"])) for p in pairs[:count]}) == listed


@pytest.mark.parametrize(
    ("at_end", "behind", "dropped"),
    [
        (0.90, 0.85, True),  # a tenth of both radii deep, and deeper behind the end: that one is the contact
        (0.97, 0.92, False),  # hardly deep: both are, for motion parts them
        (0.80, 0.78, True),
        (0.80, 0.794, False),  # behind the end it is as deep, but for half a hundredth
    ],
)
def test_an_end_beyond_which_one_is_deeper_is_no_contact(at_end, behind, dropped):
    """A cable of two segments in line lies across another, drawn into it a little behind the middle."""
    aside = np.sqrt(at_end**2 - behind**2)
    x = [[-4.0, 0.0, behind], [0.0, 0.0, behind], [4.0, 0.0, behind], [aside, -4.0, 0.0], [aside, 4.0, 0.0]]
    found = places(x, [(0, 2), (1, 2)], 3, 2)
    assert len(found) == 2 - dropped
    assert found["point"][-1].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(("distance", "has_side"), [(0.5e-9, False), (2e-9, True)])
def test_lines_in_each_other_part_across_both(distance, has_side):
    """An end lies on a line of another cable, which is nearly along it, or a little beside: then on that side."""
    x = [[0.0, 0.0, distance], [4.0, 0.05, distance], [-4.0, 0.0, 0.0], [4.0, 0.0, 0.0]]
    found = [row for row in places(x, [(0, 1)], 2, 2) if row["key"] == 3]  # vertex 0 and segment 1
    row = found[0]
    assert np.hypot(*row["n"][:2]) < 1e-6
    assert (row["n"][2] > 0.0) == has_side
