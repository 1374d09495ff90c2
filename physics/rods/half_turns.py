"""Joints of Cosserat rods that are turned by more than half a turn, which two frames cannot tell from less than half a
one the other way.

A joint's angle θ counts up to a whole turn (elements/bending_and_torsion), where its parameters are endless and no step
is short enough. At half a turn both ways have the same energy where the joint is straight at rest, so a joint goes over
to the other as soon as that has less: what turns it further then slips, and gains nothing. It is so whipped round, or
wound, by more than its edges are fine enough for. A quaternion stands for the same frame whatever its sign, and a
joint's way goes by the signs of both: all behind the joint change theirs. A closed rod has no such end, and counts on.
"""

from .._jit import kernel
from ..arithmetic.turns import quaternion
from ..arithmetic.vectors import vector
from ..elements.bending_and_torsion import moments, rodrigues
from ..model import Model, State
from .director_forces import bends_of


@kernel
def turn_the_short_way(model: Model, r: int, state: State) -> bool:
    """Let joints of rod r slip: state.q in place. Returns whether any has."""
    rod, slipped = model.rods[r], False
    if rod.closed:
        return False
    first, end = bends_of(model.rods, r, state.ghosts)
    for k in range(first, end):
        bend = model.bends[k]
        a, b = quaternion(state.q[bend.before]), quaternion(state.q[bend.behind])
        if bend.sign * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) < 0.0:
            rest, stiffness = vector(bend.rest), vector(bend.stiffness)
            now = moments(rodrigues(a, b, bend.sign), bend.length, rest, stiffness)[0]
            other = moments(rodrigues(a, b, -bend.sign), bend.length, rest, stiffness)[0]
            if not now <= other:
                slipped = True
                for s in range(bend.behind, rod.segment + rod.last - rod.first + 2):
                    for c in range(4):
                        state.q[s, c] = -state.q[s, c]
    return slipped
