"""Forces and gas that are refused, each in a sentence, and what goes on with other samples of them."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.bake.continuing import changed
from tendril.physics.materials import Material
from tendril.physics.scene import Load, Pin, RigidBody, Rod, Scene, Sheet, SoftBody, Weld
from tendril.physics.validate import SceneError, check

CORNERS = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]])
CHIP = SoftBody("Chip", CORNERS, np.array([[0, 1, 2, 3]]), 1000.0, 1e5, 0.3)
MAT = Sheet("Mat", CORNERS[:3], density=1000.0, young=1e6, poisson=0.3, triangles=np.array([[0, 1, 2]]), plate=0.001)
ROPE = Rod.from_material("Rope", np.linspace([0, 0, 1.0], [1, 0, 1.0], 6), 0.01, Material(1e7, 0.5, 1000.0))
CRATE = RigidBody("Crate", np.array([0.0, 0.0, 1.0]), 1.0, 0.1 * np.eye(3))
PUSH = Load("Push", np.zeros(1), np.array([[0.0, 0.0, 1.0]]))
ON_NODE = replace(PUSH, nodes=np.array([1]))
TURNING = np.array([[0.0, 0.0, 1.0]])


def scene(thing, **options):
    kind = {Rod: "rods", RigidBody: "bodies", SoftBody: "solids", Sheet: "solids"}[type(thing)]
    return Scene(**{"rods": (), "frame_duration": 1 / 24, "frame_count": 5, kind: (thing,), **options})


def loaded(thing, *loads, **options):
    return scene(replace(thing, loads=loads), **options)


def hanging(*loads):
    """A crate that hangs on a cable."""
    body = replace(CRATE, suspended=True, loads=loads)
    pins, welds = (Pin.fixed(ROPE, 0, rod=0),), (Weld("knot", 0, 0, 5, "POSITION"),)
    return scene(replace(ROPE, model="cable"), bodies=(body,), welds=welds, pins=pins)


def test_what_makes_sense_is_taken():
    check(hanging(replace(PUSH, arm=np.array([0.1, 0.0, 0.0]))))
    check(loaded(replace(ROPE, model="cable"), ON_NODE, pins=(Pin.fixed(ROPE, 0, rod=0),)))
    for thing, load in (
        (CHIP, ON_NODE),
        (MAT, ON_NODE),
        (ROPE, replace(ON_NODE, torque=TURNING)),
        (CRATE, replace(PUSH, torque=TURNING, follows=True)),
    ):
        check(loaded(thing, load))
    check(scene(replace(CHIP, pressure=np.array([1.0, 2.0]), times=np.array([0.0, 1.0]), sealed=True, gas_density=0.0)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (loaded(CHIP, PUSH), "'Push' acts on the soft body 'Chip': give the nodes that share its force"),
        (loaded(MAT, PUSH), "'Push' acts on the sheet 'Mat': give the nodes that share its force"),
        (loaded(ROPE, replace(ON_NODE, follows=True)), "neither arm nor follows, which are a rigid body's"),
        (loaded(CHIP, replace(ON_NODE, torque=TURNING)), "and neither torque nor arm nor follows"),
        (loaded(ROPE, replace(ON_NODE, torque=np.full((1, 3), np.inf))), "'Push': its torque is not a number at 0 s"),
        (loaded(ROPE, replace(ON_NODE, nodes=np.array([7]))), "points that 'Rope', of 6, has not"),
        (loaded(CHIP, replace(ON_NODE, nodes=np.array([1, 1]))), "'Push' acts on no points of 'Chip', or on one twice"),
        (loaded(CRATE, ON_NODE), "'Push' acts on the rigid body 'Crate', which has no nodes: give arm"),
        (loaded(CRATE, replace(PUSH, arm=np.zeros(2))), "'Push': its arm is .*: give three finite numbers"),
        (loaded(CRATE, replace(PUSH, force=np.full((1, 3), np.nan))), "'Push': its force is not a number at 0 s"),
        (loaded(CRATE, replace(PUSH, times=np.zeros(2))), "'Push': the times of its 2 samples have to increase"),
        (loaded(CRATE, "Push"), "Among the loads of 'Crate' is a str"),
        (
            loaded(replace(ROPE, model="cable"), replace(ON_NODE, torque=TURNING), pins=(Pin.fixed(ROPE, 0, rod=0),)),
            "'Push' turns the cable 'Rope', on which forces alone act",
        ),
        (hanging(replace(PUSH, torque=TURNING)), "'Push' acts on 'Crate', which hangs on cables: give it neither"),
        (hanging(replace(PUSH, follows=True)), "which hangs on cables: give it neither torque nor follows"),
        (
            loaded(ROPE, ON_NODE, bodies=(CRATE,), welds=(Weld("knot", 0, 0, 1, "POSITION"),)),
            "'Push' acts on a point of 'Rope' that a rigid body carries",
        ),
        (
            loaded(replace(CRATE, times=np.zeros(1), track=np.array([[0.0, 0.0, 1.0]]), turn=np.eye(4)[:1]), PUSH,
                   rods=(ROPE,)),
            "'Push' acts on 'Crate', which follows an animation",
        ),
        (scene(replace(CHIP, pressure=np.nan)), "'Chip': its pressure is not a number"),
        (scene(replace(CHIP, pressure=np.ones(2))), r"'Chip': its pressure has the shape \(2,\): give one for each"),
        (scene(replace(CHIP, pressure=1.0, times=np.zeros(2))), "'Chip': the times of its pressure have to increase"),
        (scene(replace(CHIP, pressure=-2e5, sealed=True)), "'Chip' is sealed, at a pressure of -200000 Pa: there is"),
        (scene(replace(CHIP, gas_density=-1.0)), "'Chip': the density of its gas is -1 kg/m³: it must not be negative"),
    ],
)  # fmt: skip
def test_what_does_not_is_refused(wrong, sentence):
    with pytest.raises(SceneError, match=sentence):
        check(wrong)


def test_more_frames_of_the_same_keys_are_no_change():
    """As where a bake is prolonged: samples are other ones, but not what they say of the frames that both have."""
    times = np.arange(5) / 24
    push = replace(PUSH, times=times, force=np.outer(times, [1.0, 0.0, 0.0]))
    blown = replace(CHIP, pressure=100.0 * times, times=times, loads=(replace(push, nodes=np.array([1])),))
    more = np.arange(9) / 24
    longer = replace(
        blown, pressure=100.0 * more, times=more,
        loads=(replace(push, times=more, force=np.outer(more, [1.0, 0.0, 0.0]), nodes=np.array([1])),),
    )  # fmt: skip
    before = scene(blown)
    assert changed(before, replace(before, frame_count=9, solids=(longer,))) == []
    assert changed(before, replace(before, solids=(replace(longer, pressure=99.0 * more),))) == ["pressure of 'Chip'"]
    other = replace(longer.loads[0], force=2.0 * longer.loads[0].force)
    assert changed(before, replace(before, solids=(replace(longer, loads=(other,)),))) == ["forces of 'Chip'"]
    assert changed(before, replace(before, solids=(replace(longer, loads=()),))) == ["forces of 'Chip'"]
