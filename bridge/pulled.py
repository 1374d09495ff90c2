"""Length that is pulled out of cables by hand: between two pins that hold fast one becomes longer by as much as the way
from pin to pin does, along those that slide. Its slack stays, so no order of moves changes what it has in one place.

That the part keeps its tension (physics/cables/lengths.pull_length) would not do: what hangs lower than .45 T over its
weight per length then becomes longer for ever (physics/cables/own_length).
"""

from itertools import pairwise

import numpy as np

from .hanging import hanging_on

LEAST = 1e-2  # of a part's length, that is left of it at once
STILL = 1e-6  # of a way: what single precision changes


class Pulled:
    """Of cables as they are `Drawn`. each: [(number of the rod, the pins of a part, by number, in its order)], lengths:
    of these parts now [m], behind what is before the first pin of its rod; ways: from pin to pin, when they were
    looked at last.
    """

    def __init__(self, drawn):
        pins, self.parts, self.lengths, self.before, self.of = [*drawn.pins()], [], [], {}, {}
        for own in drawn.each:
            if hanging_on([own.source]) or own.source.tendril.rod.own_length:
                continue
            for rod in range(own.first, own.first + len(own.lines)):
                held = sorted((k for k, pin in enumerate(pins) if pin.rod == rod), key=lambda k: pins[k].vertex)
                fast = [place for place, k in enumerate(held) if not pins[k].slides]
                drawn_so = drawn.scene.rods[rod]
                edges = np.linalg.norm(drawn_so.edges(), axis=1) * drawn_so.rest_length_factor
                arc = np.concatenate([[0.0], np.cumsum(edges)])
                self.of[rod] = own.source
                self.before[rod] = arc[pins[held[fast[0]]].vertex] if fast else 0.0
                for one, other in pairwise(fast):
                    self.parts.append((rod, held[one : other + 1]))
                    self.lengths.append(float(np.diff(arc[[pins[held[k]].vertex for k in (one, other)]])[0]))
        x = np.array([drawn.scene.rods[pin.rod].x[pin.vertex] for pin in pins]).reshape(-1, 3)
        self.ways = [_way(x[part]) for _, part in self.parts]

    def rows(self, places, pulls):
        """(what an order has as lengths, the cables that get one) where pins lead to places (P, 3) [m] now, if that
        pulls length out of them.
        """
        found, cables, begin = [], set(), dict(self.before)
        for number, (rod, part) in enumerate(self.parts):
            way, was, start = _way(places[part]), self.ways[number], begin[rod]
            if abs(way - was) > STILL * was:
                self.ways[number] = way
                if pulls:
                    long = max(self.lengths[number] + way - was, (1.0 + STILL) * way, LEAST * self.lengths[number])
                    found.append([rod, start, start + self.lengths[number], long])
                    self.lengths[number] = long
                    cables.add(self.of[rod])
            begin[rod] = start + self.lengths[number]
        return found, cables


def _way(x):
    """[m] from point to point (k, 3)."""
    return float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum())
