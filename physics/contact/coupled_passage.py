"""Whether rods or rigid bodies and soft bodies have passed through each other in a step, or may have without being
listed: see `coupled_pairs`. A rod's centre line, a body's surface and a soft body's do not cross, and none gets deeper
into what rounds another than contact leaves it: what the contacts of a step, which are those where it began, do not see
coming, a shorter one does.
"""

from .._jit import kernel
from ..model import FEATURES, SURFACES, Model, OldState, State
from .coupled_pairs import come
from .feature_passage import deepened, step_of, went_beyond
from .feature_passage import passed as features_passed
from .scratch import ContactScratch
from .surface_pairs import SKIN, closed
from .surface_passage import deepened as rods_deepened
from .surface_passage import passed


@kernel
def coupled_passed(
    model: Model, state: State, old: OldState, work: ContactScratch, h: float, limits: tuple[float, float]
) -> bool:
    """In a step of h [s] from `old`, the soft bodies' samples being where it began and where it ends; limits: see
    `feature_passage.deepened`.
    """
    pairs, time = state.feature_pairs[: max(state.listings[FEATURES].count, 0)], state.clock[0].time
    went = step_of(model, state, old, h)
    if went_beyond(state, went[2]) or features_passed(model, state, pairs, went) >= 0:
        return True
    if deepened(model, state, pairs, went, limits) >= 0:
        return True
    come(model, state, 1, time + h, 0.0)
    for i in range(len(state.x)):
        work.gone[i] = max(closed(model, state, state.x, time + h, i), closed(model, state, old.x, time, i))
        if not work.gone[i] <= state.surface_listed[i, SKIN]:
            return True
        work.went[i] = work.gone[i]
    rods = state.surface_pairs[: state.listings[SURFACES].count]
    if passed(model, state, rods, old.x, h, work.gone) >= 0:
        return True
    return rods_deepened(model, state, rods, old.x, h, limits, work) >= 0
