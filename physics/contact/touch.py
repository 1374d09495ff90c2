"""Contacts and what carries them solved together: sweeps over the contacts alternate with the carriers' answers."""

from math import inf

from .._jit import kernel
from ..arrays import copy_rows
from ..model import Model, State, Workspace
from .carriers import body, chain
from .inequality_constraints import gains, sweep, warm_start

CONTACT_ROUNDS = 24  # at most
CONTACT_PRECISION = 1e-3  # of the smaller radius: what is missing after the last round is left to the next step


@kernel
def touch(model: Model, state: State, work: Workspace, count: int, h: float) -> None:
    """Rounds of sweeps over `count` contacts and their carriers' answers, until what is missing is small."""
    contacts, x, w, rods = work.contacts[:count], state.x, state.w, model.rods
    held = model.bodies, model.slaves, work.slaves, work.body_pushes
    body.stand_in(held, model.articulation.links, work.o, w)
    chain.prepare(rods, w, work.o, work.band)
    gains(contacts, rods, w, work.o, work.band, held)
    body.stand_down(model.slaves, w)
    copy_rows(x, work.pushed)
    warm_start(contacts, x, w, held)
    missing = inf
    for k in range(CONTACT_ROUNDS + 1):
        if len(model.bodies) > 0:
            body.answer(model, state, work, h)
        chain.answer(model, state, work, k)
        if missing < CONTACT_PRECISION or k == CONTACT_ROUNDS:
            break
        copy_rows(x, work.pushed)
        missing = sweep(contacts, x, work.x0, w, held, h)
