"""What steps are made of, for tests to call as kernels do. An entry that Python calls itself is compiled once more, and
these are the largest.
"""

from tendril.physics._jit import entry
from tendril.physics.contact import detect, pair_list, surface_pairs, surprise
from tendril.physics.time_integration import bdf2, symplectic_euler
from tendril.physics.time_integration import step as one_step
from tendril.physics.time_integration import verify as verify_step

_explicit, _implicit, _step = symplectic_euler.attempt, bdf2.attempt, one_step.step
_pairs, _surface_pairs = pair_list.list_pairs, surface_pairs.list_surface_pairs
_verify = verify_step.verify
_missed, _judge, _meeting = surprise.are_missed, verify_step.judge_surfaces, detect.meeting_surfaces


@entry
def attempt(model, state, work, h, furthest):
    """That of symplectic Euler."""
    return _explicit(model, state, work, h, furthest)


@entry
def attempt_implicit(model, state, work, h, of, resist):
    """That of BDF2."""
    return _implicit(model, state, work, h, of, resist)


@entry
def step(model, state, work, h, usual):
    """An explicit one."""
    return _step(model, state, work, h, usual)


@entry
def list_pairs(model, state, x0, scratch, margin, h):
    """Of capsules."""
    return _pairs(model, state, x0, scratch, margin, h)


@entry
def list_surface_pairs(model, state, x0, scratch, h, surprise):
    """Of points and edges with surfaces."""
    return _surface_pairs(model, state, x0, scratch, h, surprise)


@entry
def verify(model, state, work, clear, moved, count, h):
    """What is wrong with a step's end."""
    return _verify(model, state, work, clear, moved, count, h)


@entry
def are_missed(model, state, x0, scratch):
    """Pairs of capsules that met and are no contacts."""
    return _missed(model, state, x0, scratch)


@entry
def judge_surfaces(model, state, x0, scratch, count, h):
    """What `verify` says of surfaces."""
    return _judge(model, state, x0, scratch, count, h)


@entry
def meeting_surfaces(model, state, x0, scratch, count, h, ahead):
    """Contacts with surfaces, behind the first `count`."""
    return _meeting(model, state, x0, scratch, count, h, ahead)
