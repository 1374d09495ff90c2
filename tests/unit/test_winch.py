"""What a winch lays into the Model's tables, for every length that is paid out."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import laid_out
from tendril.physics.constraints.reeling import leave_slack, reel_step
from tendril.physics.materials import Material
from tendril.physics.rods.keyed_numbers import PAID_OUT, lay_now, number
from tendril.physics.run.joining import join_models
from tendril.physics.scene import LEAST_PIECE, Keyed, Pin, Rod, Scene
from tendril.physics.scenes.at_winch import start_of

RUBBER = Material(2e6, 0.5, 1000.0)
SHORTEST = 0.25  # of the rod, paid out


def on_winch(end=0, pieces=12, stretchable=False):
    """(Model, the rod, its edges' lengths from the winch on) of a tapered rod of uneven pieces, paid out evenly from
    all of it to SHORTEST in a second.
    """
    s = np.cumsum(np.append(0.0, 1.0 + 0.3 * np.sin(np.arange(pieces)))) / pieces
    x = np.stack([0.0 * s, 0.0 * s, -s], axis=1)
    radius = np.linspace(0.01, 0.02, pieces + 1)
    x, radius = (x, radius) if end == 0 else (x[::-1].copy(), radius[::-1].copy())
    rod = Rod.from_material("rope", x, radius, RUBBER, stretchable=stretchable)
    times = np.linspace(0.0, 1.0, 1001)
    rod = replace(rod, keyed=Keyed("rope", times, paid_out=s[-1] * (1.0 - (1.0 - SHORTEST) * times), winch=end))
    return laid_out(Scene((rod,), 0.04, 25, (Pin.fixed(rod, end),)))[0], rod, np.diff(s)


def seen(model, end, time):
    """(what is out [m], f, and from the winch on lengths, masses, inverse masses and stiffness) at a time [s]."""
    lay_now(model, time)
    row = model.rods[0]["reeled"]
    turn = slice(None, None, 1 if end == 0 else -1)
    lengths = model.edges["length"][: len(model.nodes) - 1][turn]
    return int(row.max()), lengths, *(model.nodes[name][turn] for name in ("mass", "w")), model.hinges["bend"][turn]


@pytest.mark.parametrize("end", [0, -1])
def test_edges_are_as_long_as_what_is_out_and_weigh_so(end):
    model, rod, own = on_winch(end)
    masses = rod.mass if end == 0 else rod.mass[::-1]
    before = None
    for out in np.linspace(1.0, SHORTEST, 400):
        time = (1.0 - out) / (1.0 - SHORTEST)
        f, lengths, mass, w, _ = seen(model, end, time)
        paid_out = out * own.sum()
        assert lengths.sum() == pytest.approx(paid_out, rel=1e-12)
        assert np.array_equal(lengths[f:], own[f:])
        assert lengths[f - 1] > 0.99 * LEAST_PIECE * own[f - 1]
        assert lengths[f - 1] < own[f - 1] + LEAST_PIECE * own[max(f - 2, 0)]
        assert np.array_equal(mass[f + 2 :], masses[f + 2 :])
        assert np.all(mass[f:] > 0.0)
        moving = mass[f:].sum()
        if before is not None:  # evenly along a piece: at most by the heaviest one's share
            assert 0.0 <= before[0] - moving <= 1.2 * (before[1] - paid_out) * (masses / own.min()).max()
            assert np.abs(before[2] - mass).max(where=np.arange(len(mass)) >= f, initial=0.0) < 0.05 * masses.max()
        swings = w[f] * (1.0 / lengths[f - 1] + 1.0 / own[f])
        assert swings < 4.0 / (masses[1:-1].min() * own.min())
        before = moving, paid_out, mass.copy()


def test_mass_goes_with_what_is_out_to_round_off():
    """Of a rod as thick everywhere."""
    s = np.linspace(0.0, 1.0, 13)
    x = np.stack([s, 0.0 * s, 0.0 * s], axis=1)
    rod = Rod.from_material("rope", x, 0.01, RUBBER)
    rod = replace(rod, keyed=Keyed("rope", np.array([0.0, 1.0]), paid_out=np.array([1.0, 0.2])))
    model = laid_out(Scene((rod,), 0.04, 25, (Pin.fixed(rod, 0),)))[0]
    for time in np.linspace(0.0, 1.0, 101):
        f, lengths, mass, _, _ = seen(model, 0, time)
        assert mass[f:].sum() == pytest.approx(rod.mass.sum() * lengths.sum(), rel=1e-13)


def test_a_vertex_that_comes_or_goes_has_a_thousandth_of_what_it_bears_next():
    """Little enough for energy, which rises by that much of it, and enough for implicit steps, which divide by it."""
    model, rod, own = on_winch()
    out = own[6:].sum() + LEAST_PIECE * own[5] * (1.0 + 1e-9)
    f, _, mass, _, _ = seen(model, 0, (own.sum() - out) / (own.sum() * (1.0 - SHORTEST)))
    assert f == 6
    assert mass[f] / (mass[f] + mass[f + 1] - rod.mass[f + 1]) == pytest.approx(1e-3, rel=1e-3)


def test_it_turns_freely_at_the_winch():
    model, _, own = on_winch()
    whole = model.keyed.hinges["bend"].copy()
    f, lengths, _, _, bend = seen(model, 0, 0.5)
    assert np.all(bend[:f] == 0.0)
    assert bend[f] == pytest.approx(whole[f] * min(lengths[f - 1] / own[f - 1], 1.0) ** 2)
    assert np.array_equal(bend[f + 1 :], whole[f + 1 :])


def test_what_is_reeled_in_at_the_start_lies_at_the_winch():
    model, rod, _ = on_winch()
    keyed = replace(rod.keyed, paid_out=0.5 * rod.keyed.paid_out)
    place = rod.x[-1] * (1.0 - 0.5)
    model, state = laid_out(Scene((replace(rod, keyed=keyed),), 0.04, 25, (Pin.fixed(rod, 0, rod=0),)))
    f = int(model.rods[0]["reeled"][0])
    assert np.abs(state.x[:f] - place).max() < 1e-5
    assert np.array_equal(state.x[f:], rod.x[f:])
    assert np.all(state.w[1:f] == 0.0)
    assert np.all(state.w[f:] > 0.0)
    assert np.allclose(np.linalg.norm(np.diff(state.x, axis=0), axis=1), model.edges["length"][:-1], rtol=1e-6)


@pytest.mark.parametrize("end", [0, -1])
def test_what_is_reeled_in_at_the_start_lies_there_too_where_the_rod_is_drawn_with_kinks(end):
    angle = np.linspace(0.0, 2.0, 13)
    x = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)[:: 1 if end == 0 else -1].copy()
    rod, edge = Rod.from_material("rope", x, 0.01, RUBBER), np.linalg.norm(x[1] - x[0])
    keyed = Keyed("rope", np.array([0.0, 1.0]), paid_out=edge * np.array([8.1, 7.0]), winch=end)
    rod = replace(rod, keyed=keyed)
    turn = slice(None, None, 1 if end == 0 else -1)
    model, state = laid_out(Scene((rod,), 0.04, 25, (Pin.fixed(rod, end, rod=0),)))
    x, f = state.x[turn], int(model.rods[0]["reeled"].max())
    assert f == 5
    assert np.array_equal(x[0], start_of(rod, end % 13))
    assert np.abs(x[:f] - x[0]).max() < 1e-5 * edge
    way = x[f] - x[0]
    t = state.t[1:-1][turn][:f] * (1 if end == 0 else -1)
    assert np.allclose(t, way / np.linalg.norm(way), atol=1e-12)
    assert np.abs(np.sum(t * state.u[1:-1][turn][:f], axis=1)).max() < 1e-12


def first_at(model, time):
    lay_now(model, time)
    return int(model.rods[0]["reeled"].max())


@pytest.mark.parametrize("speed", [-0.3, 0.2, 2.0])
def test_steps_reel_half_a_piece_at_a_steady_speed(speed):
    model, _ = paying_out(lambda t: 0.6 + speed * (t - 1.0))
    step = 0.5 * model.rods[0]["shortest"] / abs(speed)
    assert reel_step(model, 1.0, np.inf) == pytest.approx(step, rel=1e-6)
    assert reel_step(model, 1.0, 0.1 * step) == 0.1 * step


@pytest.mark.parametrize("jump", [-0.6, 0.6])
def test_steps_foresee_that_what_is_paid_out_jumps(jump):
    """Within one frame, from rest: no step has more than half a piece in it, wherever it begins, and one vertex."""
    model, _ = paying_out(lambda t: np.clip(0.6 - 0.5 * jump + jump * (t > 0.95), 0.3, 0.9))
    keys, most = model.keyed, 0.5 * model.rods[0]["shortest"]
    assert reel_step(model, 0.0, 0.5) == 0.5
    time, steps = 0.0, 0
    while time < 1.2:
        h = reel_step(model, time, 0.1)
        out = [number(keys.keys, keys.keyed[0], PAID_OUT, time + part * h) for part in np.linspace(0.0, 1.0, 9)]
        assert np.ptp(out) < (1.0 + 1e-9) * most
        assert abs(first_at(model, time + h) - first_at(model, time)) <= 1
        time, steps = time + h, steps + 1
    assert 0.6 / most < steps < 2.0 * 0.6 / most + 30.0


def paying_out(out):
    """(Model, State) of an even rod of 1 m in 40 pieces, on a winch that pays out so much at a time [s]."""
    x = np.linspace((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 41)
    rod, times = Rod.from_material("rope", x, 0.01, RUBBER), np.arange(49) / 24.0
    rod = replace(rod, keyed=Keyed("rope", times, paid_out=np.clip(out(times), 0.1, 1.0)))
    pin = replace(Pin.fixed(rod, 0), position=start_of(rod, 0)[None])
    return laid_out(Scene((rod,), 1.0 / 24.0, 49, (pin,)))


@pytest.mark.parametrize(("change", "more"), [(4e-4, 5e-4), (-4e-4, 0.0)])
def test_slack_comes_out_a_quarter_faster_than_the_winch_lets_out(change, more):
    """And with none of what is slack while the rod is reeled in or held."""
    model, state = paying_out(lambda t: 0.61 + change * 24.0 * t)
    f = first_at(model, 1.0 / 24.0)
    state.x[f:] -= [2e-3, 0.0, 0.0]
    way = np.linalg.norm(state.x[f] - state.x[f - 1])
    leave_slack(model, state, model.keyed.keyed[0], 1.0 / 24.0)
    assert model.edges["length"][f - 1] == pytest.approx(way + more, rel=1e-9)


def test_islands_with_winches_are_joined():
    one, other = on_winch()[0], on_winch(-1)[0]
    joined = join_models([one, other])
    for model in (one, other, joined):
        lay_now(model, 0.7)
    assert joined.rods["reeled"].tolist() == [*one.rods["reeled"].tolist(), *other.rods["reeled"].tolist()]
    assert np.array_equal(joined.nodes["mass"], np.concatenate([one.nodes["mass"], other.nodes["mass"]]))
    assert np.array_equal(joined.edges["length"], np.concatenate([one.edges["length"], other.edges["length"]]))
