"""What a step fills before it reads it: each room's scratch, and what an attempt changes, for it to be taken back; and
where vertices have been, which it widens.
"""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..constraints.scratch import ConstraintScratch, constraint_scratch
from ..contact.scratch import ContactScratch, contact_room, contact_scratch
from ..implicit.scratch import ImplicitScratch, implicit_scratch
from ..model import Model, OldState, State
from ..rigid_bodies.scratch import WeldedScratch, welded_scratch
from ..rods.scratch import ElasticScratch, elastic_scratch
from ..solids.scratch import SolidScratch, solid_scratch


@by_reference
class Workspace(NamedTuple):
    old: OldState
    elastic: ElasticScratch
    welded: WeldedScratch
    constraints: ConstraintScratch
    contact: ContactScratch
    implicit: ImplicitScratch
    solids: SolidScratch
    low: np.ndarray  # (N, 3) each vertex's least and largest coordinates since whoever runs the steps reset them [m]
    high: np.ndarray  # (N, 3)


def workspace(model: Model, state: State) -> Workspace:
    """The Workspace of a state; made anew when the list of pairs has grown."""
    return Workspace(
        old=OldState(*(np.zeros_like(getattr(state, name)) for name in OldState._fields)),
        elastic=elastic_scratch(model),
        welded=welded_scratch(model),
        constraints=constraint_scratch(model),
        contact=contact_scratch(model, state),
        implicit=implicit_scratch(model, len(state.pairs) + len(state.shape_pairs), contact_room(state)),
        solids=solid_scratch(model),
        low=state.x.copy(),
        high=state.x.copy(),
    )
