"""Parts put together are what the whole scene would be, and come apart as they were."""

import numpy as np
import pytest
from tendril.physics.assemble import laid_out
from tendril.physics.contact.room import room_for
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES, PAIR
from tendril.physics.run.joining import join_models, join_states, pressed_pairs, split_state
from tendril.physics.run.parts import parts_of, together
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.workspace import workspace

RUBBER = Material(2e6, 0.45, 1100.0, internal_damping=0.002)
STEP, STEPS = 1e-4, 20  # s
NO_PAIRS, ROOM = np.zeros(0, PAIR), room_for(1)


def rod(name, y, n=9, **options):
    s = np.linspace(0.0, 1.0, n)
    return Rod.from_material(name, np.column_stack([s, y + 0.1 * s**2, 1.0 - 0.2 * s]), 0.01, RUBBER, **options)


def ropes():
    """Of all kinds, none welded."""
    around = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    ring = np.column_stack([0.2 * np.cos(around), 0.2 * np.sin(around) + 3.0, np.ones(12)])
    rods = (
        rod("plain", 0.0), rod("flat", 1.0, 7, aspect=0.5), Rod.from_material("ring", ring, 0.012, RUBBER, closed=True),
        rod("thin", 2.0, touches=False), rod("last", 4.0, 5, stretchable=True),
    )  # fmt: skip
    moving = Pin("hand", 3, 8, "TWIST", np.array([0.0, 1.0]), rods[3].x[8] + np.array([[0, 0, 0], [0, 0, 0.1]]))
    pins = (
        Pin.fixed(rods[0], 0, "TWIST", rod=0),
        Pin.fixed(rods[1], 3, "TWIST", rod=1),
        moving,
        Pin.fixed(rods[4], 4, rod=4),
    )
    return Scene(rods, 1 / 24, 3, pins, floor=Floor(0.0))


def rigs():
    """Two bodies on two rods each, their rods one among the other."""
    rods = tuple(rod(f"{k}", 0.5 * k, n, friction=0.1 * k) for k, n in enumerate((7, 9, 8, 6)))
    bodies = tuple(RigidBody(f"{b}", rods[b].x[-1], 0.1 + b, 1e-3 * np.eye(3), omega=np.ones(3)) for b in range(2))
    welds = (Weld("a", 0, 0, 6), Weld("b", 1, 1, 8, "DIRECTION"), Weld("c", 0, 2, 3, "POSITION"), Weld("d", 1, 3, 0))
    return Scene(rods, 1 / 24, 3, (Pin.fixed(rods[3], 5, rod=3),), bodies, welds, floor=Floor(0.0))


def parts(scene):
    found = parts_of(scene)
    models, states = zip(*(laid_out(part.scene) for part in found), strict=True)
    return found, models, states


def tables(model):
    """(name, table) of all that rows of which have numbers; what bodies that touch are in is never joined."""
    own = {**model._asdict(), **model.length_system._asdict()}
    del own["shapes"]
    return {name: table for name, table in own.items() if isinstance(table, np.ndarray) and table.dtype.names}


def test_every_column_of_numbers_says_of_what():
    """And still does so where models are joined: else it would not be moved on."""
    scene = rigs()
    _, models, _ = parts(scene)
    for model in (laid_out(scene)[0], join_models(models)):
        for name, table in tables(model).items():
            for column in table.dtype.names:
                kind = table.dtype[column].base
                assert kind.kind != "i" or name == "world" or kind.metadata, (name, column)


def same(one, other, names=None):
    """Arrays and columns of named tuples, but for the padding between columns."""
    for name in names or one._fields:
        pair = getattr(one, name), getattr(other, name)
        if isinstance(pair[0], tuple):
            same(*pair)
            continue
        assert pair[0].dtype == pair[1].dtype
        for column in pair[0].dtype.names or [...]:
            assert pair[0][column].tobytes() == pair[1][column].tobytes(), (name, column)


def test_parts_together_are_the_whole():
    found, models, states = parts(ropes())
    model, state = laid_out(ropes())
    same(join_models(models), model)
    same(join_states(models, states, NO_PAIRS, ROOM), state, state._fields[:-2])
    assert together(found).pins.tolist() == [0, 1, 2, 3]
    assert [pin.rod for pin in together(found).scene.pins] == [0, 1, 3, 4]


def test_what_is_welded_is_one_part():
    found = parts_of(rigs())
    assert [part.rods.tolist() for part in found] == [[0, 2], [1, 3]]
    assert [part.bodies.tolist() for part in found] == [[0], [1]]
    scene = together(found).scene
    assert [rod.name for rod in scene.rods] == ["0", "2", "1", "3"]
    assert [(scene.rods[weld.rod].name, weld.body) for weld in scene.welds] == [("0", 0), ("2", 0), ("1", 1), ("3", 1)]
    assert [pin.rod for pin in scene.pins] == [3]


def test_welded_parts_move_together_as_they_do_alone():
    _, models, states = parts(rigs())
    model, state = join_models(models), join_states(models, states, NO_PAIRS, ROOM)
    assert take_steps(model, state, workspace(model, state), STEP, STEPS)[0] == 0
    for own, begun in zip(models, states, strict=True):
        assert take_steps(own, begun, workspace(own, begun), STEP, STEPS)[0] == 0
    for own, begun in zip(split_state(models, state), states, strict=True):
        assert np.abs(own.x - begun.x).max() < 1e-12
        for column in ("x", "q"):
            assert np.abs(own.bodies[column] - begun.bodies[column]).max() < 1e-12


@pytest.mark.parametrize("scene", [ropes(), rigs()])
def test_states_come_apart_as_they_were(scene):
    _, models, states = parts(scene)
    rng = np.random.default_rng(0)
    for state in states:
        for array in (state.x, state.v, state.theta, state.fields["air"], state.plane_pairs["force"]):
            array[...] = rng.standard_normal(array.shape)
        state.holds["lags"] = rng.integers(3, size=len(state.holds))
    again = split_state(models, join_states(models, states, NO_PAIRS, ROOM))
    for own, state in zip(again, states, strict=True):
        same(
            own,
            state,
            [n for n in state._fields if n == "plane_pairs" or not n.endswith(("pairs", "listings", "clock"))],
        )


def test_what_presses_keeps_pressing():
    """Forces of pairs go along, by the numbers the capsules have in the whole; other pairs are listed anew."""
    _, models, states = parts(ropes())
    pressed = np.zeros(2, PAIR)
    pressed["i"], pressed["j"], pressed["force"] = [1, 3], [9, 20], np.arange(1.0, 9.0).reshape(2, 4)
    state = join_states(models, states, pressed, 100)
    assert state.listings["count"][CAPSULES] == 2
    assert state.listings["skin"][CAPSULES] == 0.0
    assert len(state.pairs) == 100
    state.pairs["force"][1, 0] = 0.0
    (left,) = pressed_pairs(state, np.arange(100, 200))
    assert (left["i"], left["j"]) == (101, 109)
    assert left["force"].tolist() == [1.0, 2.0, 3.0, 4.0]
