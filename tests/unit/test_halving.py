"""One driver takes the steps of any scheme: even ones, halved where they fail, quartered where they win energy."""

import numpy as np
import pytest
from tendril.physics._jit import entry, kernel
from tendril.physics.time_integration.even_division import driver
from tendril.physics.time_integration.halving import QUARTERS, halving
from tendril.physics.time_integration.symplectic_euler import DONE, GAINS, TOO_FAR

Own = tuple[np.ndarray, float, float, float]  # (how many were tried, each), the longest that can be taken, that wins
# nothing, and that is tried


@kernel
def begin(own: Own) -> tuple[int, int, float]:
    return DONE, 0, 7.0


@kernel
def attempt(own: Own, h: float, usual: float, begun: float, last: bool) -> tuple[int, int, int]:
    tried = own[0]
    tried[0] += 1.0
    tried[int(tried[0])] = h
    if h > own[1]:
        return TOO_FAR, 3, 4
    return GAINS if h > own[2] and not last else DONE, 3, 4


@kernel
def attempt_running_away(own: Own, h: float, usual: float, begun: float, last: bool) -> tuple[int, int, int]:
    """What wins something always, and so much down to `furthest` that it never counts."""
    attempt((own[0], 1.0, 1.0, own[3]), h, usual, begun, last)
    return GAINS if not last or h > own[1] else DONE, 3, 4


@kernel
def take_back(own: Own) -> None:
    own[0][-1] += 1.0


@kernel
def shorter(own: Own, status: int, h: float, usual: float) -> float:
    h *= 0.25 if status == GAINS else 0.5
    return h if h >= own[3] else 0.0


@kernel
def longest(own: Own, taken: int, halved: bool, kept: float) -> tuple[float, float]:
    return 0.3, kept


step = halving(begin, attempt, take_back, shorter)
step_away = halving(begin, attempt_running_away, take_back, shorter)
go_on, grows = driver(longest, step, 1.3, 0.25, 32), driver(longest, step, 0.0, 0.0, 1, np.inf)


@entry
def one(own: Own, h: float) -> tuple[int, int, int, float]:
    return step(own, h, h)


@entry
def one_away(own: Own, h: float) -> tuple[int, int, int, float]:
    return step_away(own, h, h)


@entry
def stretch(own: Own, known: bool) -> tuple[int, int, int, int, float]:
    return grows(own, 1.0, 0.0, 0.0) if known else go_on(own, 1.0, 0.0, 0.0)


def tried_by(run, furthest=1.0, quiet=1.0, least=1e-9):
    """(what it returns, the steps [s] it tried, how many were taken back)"""
    tried = np.zeros(200)
    ended = run((tried, furthest, quiet, least))
    return ended, tried[1 : 1 + int(tried[0])], int(tried[-1])


@pytest.mark.parametrize("known", [False, True])
def test_a_stretch_is_divided_evenly(known):
    ended, tried, back = tried_by(lambda own: stretch(own, known))
    assert (ended, back) == ((DONE, 0, 0, 4, 0.0), 0)
    np.testing.assert_allclose(tried, 0.25)


@pytest.mark.parametrize("known", [False, True])
def test_halved_steps_still_fill_a_stretch(known):
    """Those of which the limit knows nothing are tried as long as was proven, and a little more."""
    ended, tried, back = tried_by(lambda own: stretch(own, known), furthest=0.07)
    assert ended[0] == DONE
    assert ended[4] == 0.0
    assert tried[tried <= 0.07].sum() == pytest.approx(1.0)
    assert len(tried) == ended[3] + back
    assert back <= 4 if not known else back >= 2 * ended[3] - 4


def test_what_wins_energy_is_quartered_and_then_counts():
    (status, _, _, h), tried, back = tried_by(lambda own: one(own, 1.0), quiet=0.0)
    assert (status, back) == (DONE, QUARTERS)
    np.testing.assert_allclose(tried, 0.25 ** np.arange(QUARTERS + 1))
    assert h == 0.25**QUARTERS
    (status, _, _, h), tried, _ = tried_by(lambda own: one(own, 1.0), quiet=0.0, least=0.1)
    assert (status, h, len(tried)) == (DONE, 0.25, 2)  # where no shorter one may be tried, it counts at once


def test_what_runs_away_counts_as_soon_as_it_does_not():
    (status, _, _, h), tried, _ = tried_by(lambda own: one_away(own, 1.0), furthest=2.0**-11)
    assert (status, h, len(tried)) == (DONE, 2.0**-12, 7)


def test_what_no_shorter_step_cures_is_told_and_taken_back():
    ended, tried, back = tried_by(lambda own: one(own, 1.0), furthest=0.0, least=0.1)
    assert ended == (TOO_FAR, 3, 4, 0.0)
    np.testing.assert_allclose(tried, [1.0, 0.5, 0.25, 0.125])
    assert back == 4
