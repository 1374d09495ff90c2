"""What is tried when a stretch of time fails: each status has its cures, in their order."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.contact.room import room_for
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES, HELD, YIELDING
from tendril.physics.run.driver import SMALLER, Driver
from tendril.physics.run.steps import RodSteps
from tendril.physics.scene import Pin, Rod, Scene, SoftBody
from tendril.physics.time_integration.symplectic_euler import (
    DONE,
    GAINS,
    NOT_FINITE,
    OVERSTRETCHED,
    PAIRS_FULL,
    TOO_FAR,
)

END = 0.5  # s
MANY = 1000  # pairs, and contacts


class Scripted(RodSteps):
    """Steps that move all by 1 m, let a quarter of the time pass, and end as they are told, and at last DONE."""

    def __init__(self, scene, statuses, push=0.0):
        super().__init__(scene)
        self.statuses, self.push, self.tried = list(statuses), push, []

    def attempt(self, duration, smaller):
        self.tried.append((duration, smaller, float(self.state.x[0, 0])))
        self.state.x[:] += 1.0
        self.state.clock["time"][0] += 0.25 * duration
        self.state.holds["push"][:], self.push = self.push, 0.0
        status = self.statuses.pop(0) if self.statuses else DONE
        if status == PAIRS_FULL:
            self.state.listings["asked"][CAPSULES] = self.state.clock["rows"] = MANY
        return status, 0, 0, 0.75 * duration


def driven(kind, statuses, led=False, push=0.0, max_force=None, bent=0.0, solids=()):
    """(what was tried, the Driver, whether it arrived) of a rope along x that a pin holds."""
    x = np.linspace([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 7)
    rope = Rod.from_material("rope", x + bent, 0.005, Material(1e6, 0.45, 1000.0))
    other = Rod.from_material("other", x + [0.0, 0.5, 0.0], 0.005, Material(1e6, 0.45, 1000.0))
    scene = Scene((rope, other), END, 2, pins=(Pin.fixed(rope, 0),))
    model, state, _ = assemble(scene)
    if max_force is not None:
        model.pins["max_force"] = max_force
    state.holds["state"] = HELD
    driver = Driver(replace(scene, solids=solids), kind(scene, statuses, push), (model,), (state,), np.array([led]))
    driver.reached[0][:] = -7.0
    return driver.steps.tried, driver, driver.go_to(END) is None


def test_smaller_steps_begin_again_and_are_tried_twice():
    tried, _, arrived = driven(Scripted, [NOT_FINITE] * 2)
    assert arrived
    assert tried == [(END, smaller, 0.0) for smaller in (1.0, *SMALLER)]
    _, driver, arrived = driven(Scripted, [NOT_FINITE] * 3)
    assert not arrived
    assert driver.states[0].x[0, 0] == 0.0  # as before what failed
    assert driver.states[0].clock["time"][0] == 0.0


def test_full_lists_grow_and_all_begins_again():
    """And where vertices have been is known still, by which it is found whom they met."""
    tried, driver, arrived = driven(Scripted, [PAIRS_FULL])
    assert arrived
    assert tried == [(END, 1.0, 0.0)] * 2
    assert len(driver.states[0].pairs) == room_for(MANY)
    with driver.steps.at_work() as work:
        assert len(work.contact.contacts) == room_for(MANY) + 1
        assert np.all(work.low == -7.0)


@pytest.mark.parametrize("status", [OVERSTRETCHED, TOO_FAR])
def test_what_leads_yields_before_steps_are_smaller(status):
    tried, driver, _ = driven(Scripted, [status, status], led=True)
    assert [own[1] for own in tried] == [1.0, 1.0, SMALLER[0]]
    assert driver.states[0].holds["state"].tolist() == [YIELDING]
    tried, driver, _ = driven(Scripted, [status])
    assert [own[1] for own in tried] == [1.0, SMALLER[0]]
    assert driver.states[0].holds["state"].tolist() == [HELD]


def test_a_pin_that_pushes_too_hard_yields_from_the_beginning():
    tried, driver, _ = driven(Scripted, [], push=2.0, max_force=1.0)
    assert tried == [(END, 1.0, 0.0)] * 2
    assert driver.states[0].holds["state"].tolist() == [YIELDING]


def test_a_soft_body_that_wins_energy_has_its_tries():
    """It is counted on from rods, colliders and bodies: two rods here."""

    class Wins(Scripted):
        def attempt(self, duration, smaller):
            status, _, _, left = super().attempt(duration, smaller)
            return status, 2, 2, left

    x = np.vstack([np.zeros(3), np.eye(3)])
    soft = SoftBody("jelly", x, np.arange(4)[None], 1000.0, 1e5, 0.3)
    tried, _, arrived = driven(Wins, [GAINS], solids=(soft,))
    assert arrived
    assert [own[1] for own in tried] == [1.0, SMALLER[0]]


def test_a_pin_that_takes_hold_again_is_not_begun_again_for_ever():
    """Where its influence rises within the stretch: it is taken up as one that holds each time."""

    class TakesHold(Scripted):
        def attempt(self, duration, smaller):
            ended = super().attempt(duration, smaller)
            self.state.holds["state"][:], self.state.holds["push"][:] = HELD, 2.0
            assert len(self.tried) < 5
            return ended

    tried, _, arrived = driven(TakesHold, [], max_force=1.0)
    assert arrived
    assert len(tried) == 2


def test_what_is_taken_again_stays_where_it_was():
    """But straight rods, which a push along them would else buckle nowhere: what is a little bent is no drawing."""
    bow = 1e-3 * np.sin(np.linspace(0.0, np.pi, 7))[:, None] * [0.0, 0.0, 1.0]
    for bent, moved in ((bow, False), (0.0 * bow, True)):
        tried, driver, _ = driven(Scripted, [NOT_FINITE], bent=bent)
        x = driver.states[0].x[:7] - 1.0  # that the last attempt moved it by
        drawn = np.linspace([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 7) + bent
        assert len(tried) == 2
        assert (np.abs(x - drawn).max() > 1e-12) == moved
        assert np.abs(x - drawn).max() < 1e-4
