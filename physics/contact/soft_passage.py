"""Whether soft bodies' surfaces have passed through something in a step: a vertex through a face, an edge through an
edge, a vertex through a plane; all points move along straight lines.
"""

import numpy as np

from .._jit import kernel
from ..model import Model, State
from ..rods.vectors import dot, plus, vector
from .carriers.led_surface import moment
from .continuous_detection import Motion, at, passes_face, passes_segment
from .shape_passage import motion_at
from .soft_pairs import closed_by, firsts, lay, seconds

WHOLE = (0.0, 1.0)  # of a step, between a soft surface's samples


@kernel
def soft_passed(model: Model, state: State, h: float) -> bool:
    """Whether any of State.soft_pairs have passed through each other in a step of h [s], or may have without being
    listed.
    """
    listing, time = state.soft_listing[0], state.clock[0].time
    gone = closed_by(model, state, state.x, time + h)
    if not gone <= listing.skin:
        return True
    lay(model, state.x, 1)
    parts = moment(model.surfaces, time), moment(model.surfaces, time + h)
    for p in range(listing.count):
        if state.soft_pairs[p].gap <= gone and passes(model, state.soft_pairs[p], parts):
            return True
    return False


@kernel
def passes(model: Model, pair: np.record, parts: tuple[float, float]) -> bool:
    """Whether the first of a PAIR has passed through its second; parts of the frame that are over before and behind."""
    own, led, (edge, collider), (its, plane) = model.solids.surface, model.surfaces, firsts(model), seconds(model)
    i, alone = pair.i, edge <= pair.i < collider
    if alone:
        end = own.edges[i - edge].end
        a, b = motion_at(own, end[0], WHOLE), motion_at(own, end[1], WHOLE)
        if pair.j < its:
            other = own.edges[pair.j - len(own.faces)].end
            return passes_segment(a, b, motion_at(own, other[0], WHOLE), motion_at(own, other[1], WHOLE))
        other = led.edges[pair.j - its - len(led.faces)].end
        return passes_segment(a, b, motion_at(led, other[0], parts), motion_at(led, other[1], parts))
    a = motion_at(own, i, WHOLE) if i < edge else motion_at(led, i - collider, parts)
    if pair.j >= plane:
        return sinks(model.planes[pair.j - plane], a)
    if pair.j < its:
        return pair.j < len(own.faces) and passes_face(
            a,
            motion_at(own, own.faces[pair.j].corner[0], WHOLE),
            motion_at(own, own.faces[pair.j].corner[1], WHOLE),
            motion_at(own, own.faces[pair.j].corner[2], WHOLE),
        )
    j = pair.j - its
    return j < len(led.faces) and passes_face(
        a,
        motion_at(led, led.faces[j].corner[0], parts),
        motion_at(led, led.faces[j].corner[1], parts),
        motion_at(led, led.faces[j].corner[2], parts),
    )


@kernel
def sinks(plane: np.record, a: Motion) -> bool:
    """Whether a point goes through a PLANE."""
    before = dot(plus(a[0], -1.0, vector(plane.point)), plane.n)
    return before >= 0.0 and dot(plus(at(a, 1.0), -1.0, vector(plane.point)), plane.n) < 0.0
