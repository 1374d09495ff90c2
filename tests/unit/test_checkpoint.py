"""What a simulation goes on from is checked before a kernel follows it: names, types, shapes, ranges, version."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import by_hand
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES, FEATURES, LISTS, State, copied, listed
from tendril.physics.run import checkpoint
from tendril.physics.run.checkpoint import columns
from tendril.physics.run.kept import Beside, Keeper
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Shape, Weld
from tendril.physics.validate import CheckpointError


def drawn():
    """(State as drawn, Model) of a hanging rod with a body, a ball, over a floor; some pairs are listed."""
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.0, 2.0], 9)
    rod = Rod.from_material("Rope", x, 0.01, Material(1e7, 0.45, 1100.0))
    ball = Shape(x[-1:], np.zeros((1, 3), int), 0.1)
    lamp = RigidBody("Lamp", x[-1], 1.0, np.eye(3), shape=ball)
    scene = Scene((rod,), 1 / 24, 3, (Pin.fixed(rod, 0),), (lamp,), (Weld("Ring", 0, 0, 8),), floor=Floor(0.0))
    model, state, _ = assemble(scene)
    state.listings["count"][CAPSULES], state.listings["count"][FEATURES] = 3, 2
    return state, model


NAMES = [name for name, _ in columns(drawn()[0])]


@pytest.fixture(scope="module")
def laid_out():
    return drawn()


@pytest.fixture
def island(laid_out):
    """The same, to change."""
    state, model = laid_out
    return copied(state), model


def pack(state):
    return checkpoint.pack([state], np.zeros(1, int), 0)


def restore(arrays, island, time=0.0):
    checkpoint.unpack(arrays, 1)
    (state,) = checkpoint.restored(arrays, [island[0]], [island[1]], time)
    return state


def test_a_state_comes_back_bit_by_bit(island):
    state = restore(pack(island[0]), island)
    for (name, column), (_, before) in zip(columns(state), columns(island[0]), strict=True):
        assert column.tobytes() == before.tobytes(), name


def test_lists_come_back_without_the_room_that_they_had(island):
    """But for what they begin with: what goes on asks for it again."""
    state, _ = by_hand(island[1], island[0], 4)
    before, after = (sum(array.nbytes for array in pack(own).values()) for own in (island[0], state))
    assert before == after
    back = restore(pack(state), island)
    for name in LISTS:
        assert len(getattr(back, name)) == len(getattr(island[0], name))
        assert listed(back, name).tobytes() == listed(state, name).tobytes()


def test_pairs_that_are_not_as_many_as_are_listed_are_refused(island):
    """Kernels go through as many as are told to be listed."""
    for count in (-1, 2, 4, 2**24, 2**62):
        arrays = pack(island[0])
        arrays["listings.count"][0] = count
        with pytest.raises(CheckpointError):
            restore(arrays, island)


def test_a_copy_is_as_compiled_code_takes_it_and_has_all_that_is_in_it_to_itself(island):
    """What lies behind listed pairs is not copied."""
    state = island[0]
    state.listings["count"] = 0
    for copy in (copied(state), Keeper(state).keep().copy()):
        for name, own, other in zip(State._fields, copy, state, strict=True):
            assert (own.dtype, own.shape) == (other.dtype, other.shape)
            assert all(own.flags[kind] for kind in ("C_CONTIGUOUS", "ALIGNED", "WRITEABLE"))
            assert not np.shares_memory(own, other)
            assert name in LISTS or own.tobytes() == other.tobytes()


def test_what_is_kept_is_the_state_as_it_was_with_what_was_listed(island):
    """Of two lists, in each as much as tells its own count."""
    state = island[0]
    keeper, rng = Keeper(state), np.random.default_rng(0)
    for name, count in (("pairs", 3), ("feature_pairs", 2)):
        getattr(state, name)["force"] = rng.random(getattr(state, name)["force"].shape)
        state.listings["count"][LISTS[name]] = count
    expected, kept = copied(state), keeper.keep()
    state.x[:] += 1.0
    state.pairs["force"] = 0.0
    state.listings["count"][CAPSULES] = 1
    for own, other in zip(kept.copy(), expected, strict=True):
        assert own.tobytes() == other.tobytes()


def test_what_lay_in_memory_means_nothing_to_new_room(island, monkeypatch):
    """What lists pairs there writes no more of a row than it needs."""
    empty = np.empty

    def littered(*args, **kwargs):
        array = empty(*args, **kwargs)
        array.view(np.uint8)[...] = 1
        return array

    monkeypatch.setattr(np, "empty", littered)
    state, _ = by_hand(island[1], copied(island[0]), 2)
    for name in ("pairs", "feature_pairs"):
        assert len(getattr(state, name)) > len(getattr(island[0], name))
        for column in ("wakes_beside", "wakes_near", "closing"):
            assert not np.any(getattr(state, name)[column])


def test_what_is_behind_the_pairs_that_are_listed_means_nothing(island):
    state = island[0]
    state.listings["count"][CAPSULES] = 3
    state.pairs["gap"] = np.arange(len(state.pairs)) - 1.5
    before = pack(state)
    state.pairs["gap"][3:] = np.nan
    after = pack(copied(state))
    assert after.keys() == before.keys()
    for name, array in before.items():
        assert after[name].tobytes() == array.tobytes(), name
    np.testing.assert_array_equal(restore(after, island).pairs["gap"][:3], [-1.5, -0.5, 0.5])


def is_refused(arrays, island):
    try:
        restore(arrays, island)
    except CheckpointError:
        return True
    return False


@pytest.mark.parametrize("change", ["gone", "one more", "shape", "type", "text", "nan"])
def test_an_array_that_is_not_the_scenes_is_refused(island, change):
    """Of each name."""
    whole, taken = pack(island[0]), []
    for name in NAMES:
        arrays, array = dict(whole), whole[name]
        match change:
            case "gone":
                del arrays[name]
            case "one more":
                arrays[f"{name}.again"] = array
            case "shape":
                arrays[name] = array[..., None]
            case "type":
                arrays[name] = array.astype(np.float32)
            case "text":
                arrays[name] = array.astype(str)
            case "nan" if array.dtype == np.float64 and array.size:
                arrays[name] = np.full_like(array, np.nan)
            case _:
                continue
        if not is_refused(arrays, island):
            taken.append(name)
    assert not taken


@pytest.mark.parametrize("rows", [-1, 1])
def test_an_array_with_a_row_more_or_less_is_refused(island, rows):
    """Of each name; also one of the two that grow together."""
    whole, taken = pack(island[0]), []
    for name in NAMES:
        array = whole[name]
        more = np.concatenate([array, np.zeros_like(array, shape=(1, *array.shape[1:]))])
        if rows > 0 or len(array):
            arrays = whole | {name: array[:-1] if rows < 0 else more}
            if not is_refused(arrays, island):
                taken.append(name)
    assert not taken


@pytest.mark.parametrize(
    ("name", "value"),
    [("pairs.i", -1), ("pairs.j", 10**6), ("listings.count", 10**12), ("listings.count", -2), ("clock.time", -1.0),
     ("clock.time", 1.0), ("clock.step", -1.0), ("holds.lags", 3), ("holds.state", 3), ("holds.state", -1),
     ("plane_pairs.i", 5), ("plane_pairs.j", 1), ("feature_pairs.i", 10**6), ("feature_pairs.j", -1),
     ("listings.count", 10**6), ("clock.winner", 2), ("clock.winner", -1)],
)  # fmt: skip
def test_a_number_out_of_range_is_refused(island, name, value):
    """Numbers of capsules above all: kernels read and write where they point."""
    arrays = pack(island[0])
    arrays[name].flat[0:2] = value
    with pytest.raises(CheckpointError):
        restore(arrays, island)


def test_every_array_of_whole_numbers_has_a_range(island):
    whole = {name for name, column in columns(island[0]) if column.dtype.kind == "i"}
    state, model = island
    count = {name: np.zeros(1, np.int64) for name in LISTS}
    assert checkpoint.ranges([state], [model], count).keys() == whole


def test_any_byte_stands_for_true(island):
    """Kernels count with what is true."""
    arrays = pack(island[0])
    arrays["ghosts.held"] = np.full(2, 77, np.uint8).view(bool)
    assert restore(arrays, island).ghosts["held"].view(np.uint8)[0] == 1


@pytest.mark.parametrize("version", [checkpoint.VERSION + 1, np.array([1, 1]), np.array("1")])
def test_another_version_is_refused(island, version):
    arrays = pack(island[0]) | {"version": np.asarray(version)}
    with pytest.raises(CheckpointError, match="version"):
        restore(arrays, island)
    del arrays["version"]
    with pytest.raises(CheckpointError, match="version"):
        restore(arrays, island)


def test_islands_come_back_each_to_its_own(island):
    """Also those whose lists of pairs have grown."""
    state, model = island
    grown = state._replace(pairs=np.zeros(3 * len(state.pairs), state.pairs.dtype), v=state.v + 1.0)
    islands = np.array([0, 1, 0])
    arrays = checkpoint.pack([state, grown], islands, 5)
    index, found = checkpoint.unpack(arrays, 3)
    assert (index, found.tolist()) == (5, islands.tolist())
    back = checkpoint.restored(arrays, [state, state], [model, model], 0.0)
    for both in zip(back, (state, grown), strict=True):
        own, before = (one._replace(**{name: listed(one, name) for name in LISTS}) for one in both)
        for (name, column), (_, then) in zip(columns(own), columns(before), strict=True):
            assert column.tobytes() == then.tobytes(), name


@pytest.mark.parametrize("islands", [[0, 0, 1], [0, 2, 2], [-1, 1, 2], [1, 1, 2], [0.0, 1.0, 2.0], [0, 1], [[0, 1, 2]]])
def test_islands_that_are_none_are_refused(island, islands):
    arrays = pack(island[0]) | {"islands": np.array(islands)}
    with pytest.raises(CheckpointError):
        checkpoint.unpack(arrays, 3)


def test_another_number_of_islands_is_refused(island):
    state, model = island
    with pytest.raises(CheckpointError):
        checkpoint.unpack(pack(state), 2)
    with pytest.raises(CheckpointError):
        checkpoint.restored(pack(state), [state] * 2, [model] * 2, 0.0)


def test_what_is_packed_later_is_the_state_as_it_was(island):
    state = island[0]
    expected, later = pack(state), checkpoint.Packed([Keeper(state).keep()], np.zeros(1, int), 0)
    state.x[:] += 1.0
    state.clock["time"] += 1.0
    assert later.keys() == expected.keys()
    assert all(later[name].tobytes() == array.tobytes() for name, array in expected.items())


def test_a_state_beside_another_follows_it_and_changes_nothing_of_it(island):
    state = island[0]
    beside = Beside(state, ("theta", "rods"))
    for turned in (1.0, 2.0):
        state.theta[:] = turned
        state.rods["cos_largest_turn"] = turned
        now = beside.now()
        assert now.x is state.x
        assert now.theta.tobytes() == state.theta.tobytes()
        assert now.rods.tobytes() == state.rods.tobytes()
        now.theta[:] = np.nan
        now.rods["cos_largest_turn"] = np.nan
        assert np.all(state.theta == turned)
        assert np.all(state.rods["cos_largest_turn"] == turned)
