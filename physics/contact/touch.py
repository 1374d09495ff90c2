"""Contacts and what carries them solved together: sweeps over the contacts alternate with the carriers' answers."""

from math import inf

from .._jit import kernel
from ..arrays import copy_rows
from .carriers import body, chain
from .inequality_constraints import gains, sweep, warm_start

CONTACT_ROUNDS = 24  # at most
CONTACT_PRECISION = 1e-3  # of the smaller radius: what is missing after the last round is left to the next step


@kernel
def touch(model, state, work, count: int, h: float) -> None:
    """Rounds of sweeps over `count` contacts and their carriers' answers, until what is missing is small."""
    contacts = work.contacts[:count]
    gains(model, state, work, contacts)
    copy_rows(state.x, work.pushed)
    warm_start(model, state, work, contacts)
    missing = inf
    for k in range(CONTACT_ROUNDS + 1):
        if len(model.bodies) > 0:
            body.answer(model, state, work, h)
        chain.answer(model, state, work, k)
        if missing < CONTACT_PRECISION or k == CONTACT_ROUNDS:
            break
        copy_rows(state.x, work.pushed)
        missing = sweep(model, state, work, contacts, h)
