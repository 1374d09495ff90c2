"""Whether rods or rigid bodies and soft bodies have passed through each other in a step, or may have without being
listed: see `coupled_pairs`. A rod's centre line, a body's surface and a soft body's do not cross, and a body gets no
deeper into what a soft one is rounded by than contact leaves it: what the contacts of a step, which are those where it
began, do not see coming, a shorter one does.
"""

from .._jit import kernel
from ..model import Model, OldState, State
from .coupled_pairs import bodies_came, come
from .feature_passage import deepened
from .feature_passage import passed as features_passed
from .scratch import ContactScratch
from .surface_pairs import SKIN, closed
from .surface_passage import passed


@kernel
def coupled_passed(
    model: Model, state: State, old: OldState, work: ContactScratch, h: float, limits: tuple[float, float]
) -> bool:
    """In a step of h [s] from `old`, the soft bodies' samples being where it began and where it ends; limits: see
    `feature_passage.deepened`.
    """
    gone, time = bodies_came(model, state, 1), state.clock[0].time
    if not gone <= state.shape_listing[0].skin:
        return True
    before, behind = (old.x, old.bodies, (0.0, 0.0)), (state.x, state.bodies, (1.0, 1.0))
    pairs, came = state.shape_pairs[: state.shape_listing[0].count], (before, behind, (gone, 0.0))
    if features_passed(model, state, pairs, came) >= 0 or deepened(model, pairs, came, limits) >= 0:
        return True
    come(model, state, 1, time + h, 0.0)
    for i in range(len(state.x)):
        work.gone[i] = max(closed(model, state, state.x, time + h, i), closed(model, state, old.x, time, i))
        if not work.gone[i] <= state.surface_listed[i, SKIN]:
            return True
    return passed(model, state, state.surface_pairs[: state.surface_listing[0].count], old.x, h, work.gone) >= 0
