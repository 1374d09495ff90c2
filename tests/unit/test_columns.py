"""A column of State is declared, and all else follows from that."""

from collections import namedtuple

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.assemble.coupled import assemble_coupled
from tendril.physics.assemble.solids import solids_laid_out
from tendril.physics.assemble.surfaces import surfaces_of
from tendril.physics.compiling.by_reference import by_reference
from tendril.physics.materials import Material
from tendril.physics.model import COLUMNS, PAIR, Column, OldState, State, blank, copied, number, rows_of, table
from tendril.physics.run import checkpoint
from tendril.physics.run.joining import join_models, join_states, split_state
from tendril.physics.run.kept import Keeper
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, SoftBody, Weld
from tendril.physics.time_integration.symplectic_euler import keep, take_back
from tendril.physics.time_integration.workspace import workspace
from tendril.physics.validate import CheckpointError

MARK = table(rod=number("rods"), weight=float)
JELLY = SoftBody("jelly", np.vstack([np.zeros(3), np.eye(3)]), np.array([[0, 1, 2, 3]]), 1000.0, 1e5, 0.45)
NEW = {"warmth": Column("nodes", past=2), "marks": Column("rods bodies", MARK)}


def rigs():
    """Two rods, each with a body, over a floor."""
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.0, 2.0], 9)
    rods = tuple(
        Rod.from_material(f"{k}", x[: 9 - k] + [0.0, k, 0.0], 0.01, Material(1e7, 0.45, 1100.0), model=model)
        for k, model in enumerate(("cosserat", "kirchhoff"))
    )
    bodies = tuple(RigidBody(f"lamp {k}", rod.x[-1], 1.0, np.eye(3)) for k, rod in enumerate(rods))
    welds = tuple(Weld(f"ring {k}", k, k, len(rod.x) - 1) for k, rod in enumerate(rods))
    return Scene(rods, 1 / 24, 3, (Pin.fixed(rods[0], 0, "TWIST"),), bodies, welds, floor=Floor(0.0))


def one(k):
    """The k-th of them alone."""
    whole = rigs()
    return Scene(
        (whole.rods[k],), 1 / 24, 3, whole.pins if k == 0 else (), (whole.bodies[k],),
        (Weld("ring", 0, 0, len(whole.rods[k].x) - 1),), floor=whole.floor,
    )  # fmt: skip


def laid_out():
    """(Model, State) of each kind of scene."""
    yield assemble(rigs())[:2]
    soft = Scene((), 1 / 24, 3, solids=(JELLY,), floor=Floor(-1.0))
    yield solids_laid_out(soft, surfaces_of(soft))
    both = Scene(rigs().rods, 1 / 24, 3, solids=(JELLY,), floor=Floor(-1.0))
    models, states = assemble_coupled(both)
    yield from zip(models[:2], states[:2], strict=True)


def test_states_are_as_their_columns_are_declared():
    for model, state in laid_out():
        rows = rows_of(model)
        for name, column in COLUMNS.items():
            array, kind = getattr(state, name), np.dtype(column.kind)
            shape = (*[column.past] * (column.past > 0), *kind.shape)
            assert (array.dtype, array.shape[1:]) == (kind.base, shape), name
            assert column.of in ("room", "on_planes") or len(array) == sum(rows[of] for of in column.of.split()), name


@pytest.fixture
def warm(monkeypatch):
    """(Models, States) of two parts with columns more that nothing but their declaration knows."""
    models, states = zip(*(assemble(one(k))[:2] for k in range(2)), strict=True)
    for name, column in NEW.items():
        monkeypatch.setitem(COLUMNS, name, column)
    kind, rng, found = by_reference(namedtuple("Warm", (*State._fields, *NEW))), np.random.default_rng(0), []
    for model, state in zip(models, states, strict=True):
        new = {name: blank(model)[name] for name in NEW}
        new["warmth"][:] = rng.random(new["warmth"].shape)
        new["marks"]["weight"] = rng.random(2)
        found.append(kind(*state, **new))
    return models, found


def same(one, other):
    for name in NEW:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


def test_a_new_column_is_joined_and_taken_apart(warm):
    models, states = warm
    whole = join_states(models, states, np.zeros(0, PAIR), 12)
    assert whole.warmth.shape == (17, 2)
    np.testing.assert_array_equal(whole.marks["weight"], [s.marks["weight"][k] for k in range(2) for s in states])
    assert len(blank(join_models(models))["marks"]) == 4
    for own, state in zip(split_state(models, whole), states, strict=True):
        same(own, state)


def test_a_new_column_is_kept_and_copied(warm):
    _, (state, _) = warm
    before, kept = copied(state), Keeper(state).keep()
    state.warmth[:] += 1.0
    state.marks["weight"] = 0.0
    same(kept.copy(), before)


def test_a_new_column_is_in_checkpoints_and_checked(warm):
    models, states = warm
    arrays = checkpoint.pack(states, np.arange(2), 0)
    assert all(array.dtype.metadata is None for array in arrays.values())  # which numpy would warn of
    for own, state in zip(checkpoint.restored(arrays, states, models, 0.0), states, strict=True):
        same(own, state)
    for change in (
        {"warmth": arrays["warmth"][:-1]},
        {"warmth": np.full_like(arrays["warmth"], np.nan)},
        {"marks.rod": arrays["marks.rod"] + 1},  # there is but one rod
        {"marks.rod": arrays["marks.rod"] - 1},
    ):
        with pytest.raises(CheckpointError):
            checkpoint.restored(arrays | change, states, models, 0.0)


def test_what_an_attempt_changes_is_taken_back():
    """Of all that OldState has, and by kernels, in which each field is copied by hand."""
    model, state, _ = assemble(rigs())
    before, old, rng = copied(state), workspace(model, state).old, np.random.default_rng(0)
    assert {*OldState._fields} <= {*COLUMNS}
    keep(state, old)
    for name in OldState._fields:
        array = getattr(state, name)
        array.view(np.uint8)[:] = rng.integers(1, 255, array.view(np.uint8).shape)
        assert array.tobytes() != getattr(before, name).tobytes(), name
    take_back(state, old)
    for name in OldState._fields:
        array, then = getattr(state, name), getattr(before, name)
        for column in array.dtype.names or [...]:
            assert array[column].tobytes() == then[column].tobytes(), (name, column)
