"""Every knot that can be ordered is the knot it is named for, as drawn and as relaxed, and one wrong crossing shows.

Ends are led far away and joined there. What comes out is told by Jones polynomials, of which most are in Jones, *A
polynomial invariant for knots via von Neumann algebras* (1985), by the determinants of the curves, and by linking
numbers. Names are those of Rolfsen's table; where a knot or link is rational its Conway notation is given too, whose
continued fraction has the determinant for its numerator.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from links import jones, linking_number
from tendril.knots import catalogue, diagram, spline
from tendril.physics.diagnostics.knots import knot_determinant

T = np.exp(0.7j)
FAR = 500.0  # radii
LEFT, RIGHT, TOP, BOTTOM = (np.array([[x * FAR, y * FAR, 0.0]]) for x, y in ((-1, 0), (1, 0), (0, 1), (0, -1)))
FRONT = np.array([[0.0, 0.0, FAR]])

POLYNOMIALS = {  # of right-handed ones, where there is a choice, {power: coefficient}
    "unknot": {0: 1},
    "3_1": {1: 1, 3: 1, 4: -1},
    "4_1": {-2: 1, -1: -1, 0: 1, 1: -1, 2: 1},
    "5_1": {2: 1, 4: 1, 5: -1, 6: 1, 7: -1},
    "6_1": {-4: 1, -3: -1, -2: 1, -1: -2, 0: 2, 1: -1, 2: 1},
    "6_2": {-5: 1, -4: -2, -3: 2, -2: -2, -1: 2, 0: -1, 1: 1},
    "6_3": {-3: -1, -2: 2, -1: -2, 0: 3, 1: -2, 2: 2, 3: -1},
    "7_1": {3: 1, 5: 1, 6: -1, 7: 1, 8: -1, 9: 1, 10: -1},
    "7_4": {1: 1, 2: -2, 3: 3, 4: -2, 5: 3, 6: -2, 7: 1, 8: -1},
    "8_18": {-4: 1, -3: -4, -2: 6, -1: -7, 0: 9, 1: -7, 2: 6, 3: -4, 4: 1},
    "8_20": {-5: -1, -4: 1, -3: -1, -2: 2, -1: -1, 0: 2, 1: -1},
    "apart": {-0.5: -1, 0.5: -1},
    "hopf": {0.5: -1, 2.5: -1},
    "torus 2 4": {1.5: -1, 3.5: -1, 4.5: 1, 5.5: -1},
    "torus 2 6": {2.5: -1, 4.5: -1, 5.5: 1, 6.5: -1, 7.5: 1, 8.5: -1},
    # One ring of it the other way round: V times t^−3λ for a linking number λ, here 3 (Lickorish & Millett 1986).
    "torus 2 6, against": {-6.5: -1, -4.5: -1, -3.5: 1, -2.5: -1, -1.5: 1, -0.5: -1},
    "borromean": {-3: -1, -2: 3, -1: -2, 0: 4, 1: -2, 2: 3, 3: -1},
}


def value(name, t=T):
    """V(t) of a knot; "-" before its name: of its mirror image; "+" between names: of a sum."""
    if "+" in name:
        return np.prod([value(part, t) for part in name.split("+")])
    t = t.conjugate() if name.startswith("-") else t
    return sum(factor * t**power for power, factor in POLYNOMIALS[name.removeprefix("-")].items())


def out(rope, end):
    """Where a line from the middle through an end of a rope is far away."""
    place = rope[end] * [1.0, 1.0, 0.0]
    return FAR * place[None] / np.linalg.norm(place)


def joined(*parts):
    """A closed curve along ropes, each led outwards at its ends, and far points between them."""
    return np.vstack([part if len(part) == 1 else np.vstack([out(part, 0), part, out(part, -1)]) for part in parts])


def post_of(post):
    """A post, closed in front of everything."""
    along = post[1] - post[0]
    ends = np.vstack([post[:1] - 50.0 * along, post[1:] + 50.0 * along])
    return np.vstack([ends, ends[::-1] + 4.0 * FRONT])


def behind_or_before(rope, height):
    """A rope with ends left and right, closed behind or in front of its post."""
    past = np.array([[FAR, 0.0, height], [-FAR, 0.0, height]])
    return np.vstack([rope, out(rope, -1), past, out(rope, 0)])


def open_rope(ropes, _post):
    return {"": [joined(ropes[0], TOP)]}


def rings(ropes, _post):
    return {"": list(ropes)}


def slip_knot(ropes, _post):
    """It is none; but the rope as far as the middle of the loop is in an overhand knot."""
    (rope,) = ropes
    half = rope[: np.argmax(rope[:, 1]) + 1]
    return {"whole": [joined(rope, TOP)], "cut": [np.vstack([half, TOP, LEFT])]}


def bowline(ropes, _post):
    """Its end is in the loop, so that it may be led away over the loop or under it."""
    (rope,) = ropes
    lead = np.vstack([BOTTOM, BOTTOM + RIGHT, TOP + RIGHT, TOP])
    return {
        side: [np.vstack([rope, rope[-1:] + height * FRONT, lead[:1] + height * FRONT, lead[1:]])]
        for side, height in (("over", 0.1), ("under", -0.1))
    }


def bights(ropes, _post):
    """Two ropes with their ends left and right: each closed to a ring, and both one rope, joined above and below."""
    left, right = ropes
    up, down = (right[::-1], right) if right[0, 1] > right[-1, 1] else (right, right[::-1])
    return {"rings": [joined(left), joined(down)], "sum": [joined(left, BOTTOM, up, TOP)]}


def bow(ropes, _post):
    """Its free ends can be pulled out: the first half knot is left, closed as a braid. The ropes as far as the middles
    of their loops, the lowest points, are a square knot. What comes back from there is one more half knot, against the
    first; and one rope's way back is twisted around the other's way out as often.
    """
    middles = [np.argmin(rope[:, 1]) for rope in ropes]
    out = [rope[: k + 1] for rope, k in zip(ropes, middles, strict=True)]
    back = [rope[k:] for rope, k in zip(ropes, middles, strict=True)]
    ways = {
        "pulled": [joined(ropes[0], BOTTOM, ropes[1][::-1], TOP)],
        "back": [joined(back[0], TOP, back[1][::-1], BOTTOM)],
        "left": [joined(out[0]), np.vstack([back[1], back[1][-1:] + FRONT, back[1][:1] + FRONT])],
        "right": [joined(out[1]), np.vstack([back[0], back[0][-1:] - FRONT, back[0][:1] - FRONT])],
    }
    return ways | bights(out, _post)


def side_by_side(ropes, _post):
    """Two ropes from left to right: the upper one closed above, the other below."""
    over, under = sorted(ropes, key=lambda rope: -rope[[0, -1], 1].max())
    return {"rings": [joined(over, TOP), joined(under, BOTTOM)]}


def hitch(ropes, post):
    """The rope alone, and with its post, closed behind or in front of that."""
    (rope,) = ropes
    return {
        "rope": [joined(rope, TOP)],
        "behind": [behind_or_before(rope, -60.0), post_of(post)],
        "before": [behind_or_before(rope, 60.0), post_of(post)],
    }


def hitch_from_one_side(ropes, post):
    """Both ends lead away to one side of the post."""
    return {"rope": [joined(ropes[0])], "post": [joined(ropes[0]), post_of(post)]}


def round_turn(ropes, post):
    """The same; and the rope up to the post as what the rest of it is hitched to."""
    (rope,) = ropes
    standing, rest = rope[: np.argmax(rope[:, 0])], rope[np.flatnonzero(rope[:, 0] > 0.0)[-1] :]
    line = np.vstack([2.0 * LEFT, standing, 2.0 * RIGHT, 2.0 * RIGHT + 4.0 * FRONT, 2.0 * LEFT + 4.0 * FRONT])
    cut = {
        way: [np.vstack([rest, BOTTOM, BOTTOM + height * FRONT, TOP + height * FRONT, TOP]), line]
        for way, height in (("behind", -0.1), ("before", 0.1))
    }
    return hitch_from_one_side(ropes, post) | cut


def knot(name, determinant):
    return {"": (name, determinant, ())}


# How each is closed, and for each way: its name, the determinant of a single rope, the linking numbers of several.
EXPECTED = {
    "overhand": (open_rope, knot("3_1", 3)),
    "double_overhand": (open_rope, knot("5_1", 5)),  # its ends turn around each other by 5 half turns, not 3
    "triple_overhand": (open_rope, knot("7_1", 7)),
    "figure_eight": (open_rope, knot("4_1", 5)),  # C(2 2)
    "stevedore": (open_rope, knot("6_1", 9)),  # C(4 2)
    "slip_knot": (slip_knot, {"whole": ("unknot", 1, ()), "cut": ("3_1", 3, ())}),
    "bowline": (bowline, {"over": ("6_3", 13, ()), "under": ("8_20", 9, ())}),  # C(2 1 1 2)
    # Two twists of three half turns, against each other or alike: sums of trefoils, or as rings T(2, 3 ± 3).
    "square": (bights, {"rings": ("apart", 0, (0,)), "sum": ("3_1+-3_1", 9, ())}),
    "granny": (bights, {"rings": ("torus 2 6, against", 6, (-3,)), "sum": ("3_1+3_1", 9, ())}),
    "bow": (
        bow,
        {
            "pulled": ("3_1", 3, ()),
            "rings": ("apart", 0, (0,)),
            "sum": ("3_1+-3_1", 9, ()),
            "back": ("-3_1", 3, ()),
            "left": ("-torus 2 4", 4, (-2,)),  # three half turns, and one in front or behind, where it is closed
            "right": ("-torus 2 4", 4, (-2,)),
        },
    ),
    "surgeons": (bights, {"rings": ("-hopf", 2, (-1,)), "sum": ("5_1+-3_1", 15, ())}),  # 5 and −3 half turns
    "sheet_bend": (bights, {"rings": ("hopf", 2, (1,)), "sum": ("6_2", 11, ())}),  # C(3 1 2)
    "carrick_bend": (bights, {"sum": ("8_18", 45, ())}),  # a Turk's head of 3 leads and 4 bights, cut twice
    "clove_hitch": (
        hitch,
        {
            "rope": ("unknot", 1, ()),
            "behind": ("-torus 2 6, against", 6, (3,)),  # as if it were three turns: the post can be slipped out of it
            "before": (None, 12, (2,)),  # 6²₃, C(2 2 2)
        },
    ),
    "constrictor": (
        hitch,
        {
            "rope": ("unknot", 1, ()),  # it can be tied in the bight (ABOK 1249)
            "behind": (None, 10, (3,)),  # 6²₂, C(3 3)
            "before": (None, 20, (2,)),
        },
    ),
    "cow_hitch": (
        hitch_from_one_side,
        {"rope": ("unknot", 1, ()), "post": ("apart", 0, (0,))},
    ),  # one half turn each way
    "round_turn": (
        round_turn,
        {
            "rope": ("3_1+3_1", 9, ()),
            "post": ("3_1+3_1+torus 2 4", 36, (2,)),  # two turns around the post
            "behind": ("torus 2 6", 6, (3,)),  # two half hitches are a clove hitch around the rope itself
            "before": (None, 12, (2,)),
        },
    ),
    "trefoil": (rings, knot("3_1", 3)),
    "cinquefoil": (rings, knot("5_1", 5)),
    "figure_eight_closed": (rings, knot("4_1", 5)),
    "endless": (rings, knot("7_4", 15)),  # C(3 1 3)
    "borromean": (rings, {"": ("borromean", 16, (0, 0, 0))}),
}


def measured(name, ropes, post):
    """{way of closing: (V(T), determinant, linking numbers)}"""
    found = {}
    for way, curves in EXPECTED[name][0](ropes, post).items():
        numbers = tuple(linking_number(x, y) for k, x in enumerate(curves) for y in curves[:k])
        found[way] = (jones(curves, T), round(abs(jones(curves, -1.0 + 0.0j))), numbers)
        if len(curves) == 1:
            assert knot_determinant(curves[0]) == found[way][1]
    return found


def differences(name, ropes, post):
    """The ways of closing that show something else than is expected."""
    found = measured(name, ropes, post)
    return [
        (way, found[way])
        for way, (expected, determinant, numbers) in EXPECTED[name][1].items()
        if found[way][1:] != (determinant, numbers) or (expected and abs(found[way][0] - value(expected)) > 1e-6)
    ]


@cache
def drawing(name):
    return diagram.read(catalogue.DRAWINGS / f"{name}.toml")


DRAWN = [name for name in EXPECTED if (catalogue.DRAWINGS / f"{name}.toml").exists()]


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("spacing", [1.0, 4.0])
def test_what_is_added_is_the_knot_it_is_named_for(name, spacing):
    knot = catalogue.knot(name, catalogue.TORUS).spaced(spacing, 30.0)
    assert differences(name, knot.ropes, knot.post) == []


@pytest.mark.parametrize("name", DRAWN)
def test_so_is_what_is_drawn(name):
    assert differences(name, raised(drawing(name)), drawing(name).post()) == []


def raised(drawn):
    """The ropes of a diagram in space, with few points."""
    ropes = zip(diagram.raised(drawn), drawn.ropes, strict=True)
    return [spline.evenly(rope, strand.closed, 0.6) for rope, strand in ropes]


def with_wrong_crossings(drawn):
    """The diagram with over and under exchanged at one crossing, once for each."""
    ways = [spline.evenly(rope.way, rope.closed, diagram.CROSSING_SPACING) for rope in drawn.ropes]
    met = diagram.crossings(ways, [rope.closed for rope in drawn.ropes], drawn.post_ends)
    for rope, passed in enumerate(met):
        for place, (_, other, back) in enumerate(passed):
            if (rope, place) > (other, back):  # had from the other strand
                continue
            words = [list(strand.passes) for strand in drawn.ropes]
            for number, k in ((rope, place), (other, back)):
                if number < len(words):  # no post
                    words[number][k] = "U" if words[number][k] == "O" else "O"
            ropes = [replace(strand, passes="".join(word)) for strand, word in zip(drawn.ropes, words, strict=True)]
            yield replace(drawn, ropes=tuple(ropes))


@pytest.mark.parametrize("name", DRAWN)
def test_a_wrong_crossing_shows(name):
    drawn = drawing(name)
    wrong = list(with_wrong_crossings(drawn))
    assert len(wrong) >= 2
    for number, other in enumerate(wrong):
        assert differences(name, raised(other), drawn.post()), number


def angle_around(post, rope):
    """How far a rope turns around its post [turns]."""
    along = (post[1] - post[0]) / np.linalg.norm(post[1] - post[0])
    across = np.cross(along, [0.0, 0.0, 1.0])
    angle = np.unwrap(np.arctan2((rope - post[0])[:, 2], (rope - post[0]) @ across))
    return np.ptp(angle) / (2.0 * np.pi), abs(angle[-1] - angle[0]) / (2.0 * np.pi)


@pytest.mark.parametrize(
    ("name", "most", "whole"),  # turns
    [("clove_hitch", 2.5, 2.5), ("constrictor", 2.5, 2.5), ("cow_hitch", 1.0, 0.0), ("round_turn", 2.0, 2.0)],
)
def test_how_often_a_rope_turns_around_its_post(name, most, whole):
    """From left to right half a turn more than from one side back to it; a cow hitch turns back."""
    knot = catalogue.knot(name, catalogue.TORUS).spaced(1.0, 200.0)
    assert angle_around(knot.post, knot.ropes[0]) == pytest.approx((most, whole), abs=0.1)


@pytest.mark.parametrize(("name", "writhe"), [("water_knot", 3)])
def test_a_water_knot_is_an_overhand_knot_twice(name, writhe):
    """Each rope is; and they wind around each other as often as the sum of signs of an overhand knot's crossings."""
    ropes = catalogue.knot(name, catalogue.TORUS).spaced(2.0, 30.0).ropes
    one, other = side_by_side(ropes, None)["rings"]
    assert abs(jones([one], T) - value("3_1")) < 1e-6
    assert abs(jones([other], T) - value("3_1")) < 1e-6
    assert abs(linking_number(one, other)) == writhe


def test_a_fishermans_knot_is_two_overhand_knots_each_around_the_other_rope():
    ropes = catalogue.knot("fishermans", catalogue.TORUS).spaced(2.0, 30.0).ropes
    one, other = side_by_side(ropes, None)["rings"]
    assert knot_determinant(one) == knot_determinant(other) == 3
    assert abs(linking_number(one, other)) == 2


def test_a_monkeys_fist_is_three_times_three_turns():
    """A turn of each, closed, are Borromean rings: each passes around one of the others and through the third."""
    (rope,) = catalogue.knot("monkeys_fist", catalogue.TORUS).ropes
    drawn = drawing("monkeys_fist").ropes[0].way
    place = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(drawn, axis=0), axis=1)))
    at = np.round(place / place[-1] * (len(rope) - 1)).astype(int)
    turns = [rope[at[first] : at[first + 10] + 1] for first in (12, 43, 74)]  # rows of the drawing, 10 for a turn
    assert [linking_number(turns[i], turns[j]) for i, j in ((0, 1), (0, 2), (1, 2))] == [0, 0, 0]
    assert abs(jones(turns, T) - value("borromean")) < 1e-6


@pytest.mark.parametrize(("p", "q"), [(2, 3), (3, 4), (3, 5), (2, 4), (4, 6), (3, 3), (5, 2)])
def test_torus_knots_and_links(p, q):
    """One ring: Jones's proposition 11. Several: any two wind around each other pq / g² times, g of them."""
    ropes = catalogue.knot("torus", catalogue.Turns(p, q)).ropes
    assert len(ropes) == np.gcd(p, q)
    if len(ropes) == 1:
        expected = T ** ((p - 1) * (q - 1) / 2) * (1 - T ** (p + 1) - T ** (q + 1) + T ** (p + q)) / (1 - T**2)
        assert abs(jones(list(ropes), T) - expected) < 1e-6
    for k, one in enumerate(ropes):
        assert [linking_number(one, other) for other in ropes[:k]] == [p * q // len(ropes) ** 2] * k


@pytest.mark.parametrize(("leads", "bights"), [(2, 3), (2, 5), (3, 2), (3, 4), (3, 5), (3, 3), (3, 6), (4, 2), (5, 2)])
def test_turks_heads(leads, bights):
    """Their determinants. Of 2 leads: T(2, b). Of 3: the spanning trees of a wheel, a Lucas number less 2. Of 2 bights:
    of C(2 2 … 2) with one 2 less than leads, a Pell number.
    """
    ropes = list(catalogue.knot("turks_head", catalogue.Turns(leads, bights)).ropes)
    assert len(ropes) == np.gcd(leads, bights)
    determinant = round(abs(jones(ropes, -1.0 + 0.0j)))
    golden, silver = (1.0 + np.sqrt(5.0)) / 2.0, 1.0 + np.sqrt(2.0)
    if bights == 2:
        assert determinant == round(silver**leads / np.sqrt(8.0))
    elif leads == 3:
        assert determinant == round(golden ** (2 * bights)) - 2
    else:
        assert determinant == bights
