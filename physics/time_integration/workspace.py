"""What a step fills before it reads it: each room's scratch, and what an attempt changes, for it to be taken back; and
where vertices have been, which it widens.
"""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..constraints.scratch import ConstraintScratch, constraint_scratch
from ..contact.scratch import ContactScratch, contact_scratch
from ..implicit.scratch import ImplicitScratch, implicit_scratch
from ..model import BODY_STATE, Model, OldState, State, table
from ..rigid_bodies.scratch import WeldedScratch, welded_scratch
from ..rods.scratch import ElasticScratch, elastic_scratch
from ..solids.scratch import SolidScratch, solid_scratch

LOOK = table(  # at the energy of a step, see `energy_look`
    known=bool,  # when an implicit step begins: elastic, twist and what pulls at pins
    won=float,  # [J] out of nothing,
    given=float,  # and by what leads and acts
    shown=float,  # what of that shows in the step
    past=float,  # and what the change of velocities in the one before does in it
    held=float,  # [J] kinetic and elastic energy when it began
    quiet=float,  # [J] that nothing sees
    elastic=float,  # [J] when it began, of all but frames without inertia,
    twist=float,  # and of these
    elastic_now=float,
    twist_now=float,
    closed=float,  # [J] that all energy rises by, with what friction took, where nothing leads and nothing overlaps
    rubbed=float,  # [J] that friction took,
    most=float,  # [J] the largest of `closed` since whoever runs the steps reset it,
    took=float,  # [J] and what friction took since then
)

TRIED = table(  # what a scheme remembers from one try to the next, in a stretch
    rounds=int,  # of Newton's so far
    failed=int,  # implicit tries,
    resists=bool,  # since one of which frames turn against their inertia, until a step is a usual one
    known=bool,  # whether slopes where a step begins are those at hand
    error=float,  # of the last step, of Runge and Kutta's,
    error_now=float,  # and of the one tried; 0: none
)
PULL = table(  # at a pin, see `energy_look`
    force=(float, (2, 3)),  # [N] on its vertices, of edges and hinges,
    moment=float,  # [N m] the largest of what bends or twists there
)


@by_reference
class Workspace(NamedTuple):
    old: OldState
    elastic: ElasticScratch
    welded: WeldedScratch
    constraints: ConstraintScratch
    contact: ContactScratch
    implicit: ImplicitScratch
    solids: SolidScratch
    foreseen: np.ndarray  # BODY_STATE (B,) where forces alone bring bodies in an explicit step
    look: np.ndarray  # LOOK (1,)
    tried: np.ndarray  # TRIED (1,)
    pulls: np.ndarray  # PULL (P,) when the step began,
    pulls_now: np.ndarray  # PULL (P,)
    low: np.ndarray  # (N, 3) each vertex's least and largest coordinates since whoever runs the steps reset them [m]
    high: np.ndarray  # (N, 3)


def workspace(model: Model, state: State) -> Workspace:
    """The Workspace of a state; made anew when it asks for more room."""
    contact = contact_scratch(model, state)
    return Workspace(
        old=OldState(*(np.zeros_like(getattr(state, name)) for name in OldState._fields)),
        elastic=elastic_scratch(model),
        welded=welded_scratch(model),
        constraints=constraint_scratch(model),
        contact=contact,
        implicit=implicit_scratch(model, len(contact.contacts) - 1, state.clock["entries"][0]),
        solids=solid_scratch(model),
        foreseen=np.zeros(len(model.bodies), BODY_STATE),
        look=np.zeros(1, LOOK),
        tried=np.zeros(1, TRIED),
        pulls=np.zeros(len(model.pins), PULL),
        pulls_now=np.zeros(len(model.pins), PULL),
        low=state.x.copy(),
        high=state.x.copy(),
    )
