"""All knots there are to order, by name."""

from dataclasses import dataclass
from pathlib import Path

from . import diagram, shape_file
from .knot import Knot
from .torus import torus
from .turks_head import turks_head

DRAWINGS, SHAPES = (Path(__file__).parent / folder for folder in ("drawings", "shapes"))

KNOTS = {  # kind: {name: (label, description)}
    "Stoppers": {
        "overhand": ("Overhand", "The simplest knot, and the beginning of many others"),
        "double_overhand": ("Double Overhand", "An overhand knot with one more turn"),
        "triple_overhand": ("Triple Overhand", "An overhand knot with two more turns, as in a monk's belt"),
        "figure_eight": ("Figure Eight", "A stopper that does not jam"),
        "stevedore": ("Stevedore", "A figure eight with one more turn"),
        "monkeys_fist": ("Monkey's Fist", "Three times three turns: the ball at the end of a heaving line"),
    },
    "Loops": {
        "slip_knot": ("Slip Knot", "A loop that vanishes when its free end is pulled"),
        "bowline": ("Bowline", "A loop that neither slips nor jams"),
    },
    "Bends": {
        "square": ("Square", "The reef knot: ties a parcel, a bandage or a sail"),
        "granny": ("Granny", "A square knot gone wrong, which slips"),
        "bow": ("Bow", "A square knot with two loops, as in a shoelace: holds until a free end is pulled"),
        "surgeons": ("Surgeon's", "A square knot with one more turn, so that its first half does not slip meanwhile"),
        "sheet_bend": ("Sheet Bend", "Joins two ropes, also if one is thicker"),
        "carrick_bend": ("Carrick Bend", "Joins two hawsers"),
        "fishermans": ("Fisherman's", "Two overhand knots, each around the other line, that slide together"),
        "water_knot": ("Water Knot", "Two ropes, or flat tapes, led side by side through an overhand knot"),
    },
    "Hitches": {
        "clove_hitch": ("Clove Hitch", "Two turns around a post, crossed: holds while it is pulled"),
        "cow_hitch": ("Cow Hitch", "A bight around a post, and both ends through it"),
        "constrictor": ("Constrictor", "A clove hitch over an overhand knot: grips for good"),
        "round_turn": ("Round Turn and Two Half Hitches", "Ties a rope to a post, also under load"),
    },
    "Closed": {
        "trefoil": ("Trefoil", "An overhand knot whose ends are joined"),
        "figure_eight_closed": ("Figure Eight, Closed", "A figure eight knot whose ends are joined"),
        "cinquefoil": ("Cinquefoil", "A double overhand knot whose ends are joined"),
        "endless": ("Endless Knot", "The Buddhist knot with seven crossings"),
        "torus": ("Torus Knot", "Winds around a ring; with a common divisor of both numbers, several do"),
        "turks_head": ("Turk's Head", "A braid closed to a wreath"),
        "borromean": ("Borromean Rings", "Three rings that hold together, though no two are linked"),
    },
}


@dataclass(frozen=True)
class Turns:
    """Of a torus knot: turns around the ring's axis and around its tube; of a Turk's head: leads and bights."""

    first: int
    second: int


TORUS, TURKS_HEAD = Turns(3, 4), Turns(3, 5)


def knot(name: str, turns: Turns) -> Knot:
    """The knot of that name, in radii of its rope; turns are asked for where a formula draws it. Raises KeyError."""
    formulas = {
        "trefoil": lambda: torus(2, 3),
        "cinquefoil": lambda: torus(2, 5),
        "torus": lambda: torus(turns.first, turns.second),
        "turks_head": lambda: turks_head(turns.first, turns.second),
    }
    if name in formulas:
        return Knot.of_rings(formulas[name]())
    if not any(name in kind for kind in KNOTS.values()):
        raise KeyError(name)
    drawn = diagram.read(DRAWINGS / f"{name}.toml")
    return Knot(
        shape_file.read(SHAPES / f"{name}.csv"),
        tuple(rope.closed for rope in drawn.ropes),
        tuple(rope.leads for rope in drawn.ropes),
        drawn.post(),
        drawn.post_radius,
    )
