"""Sheets in motion: what is conserved, the order in time, a frequency, damping, air, contact from both sides."""

from dataclasses import replace

import numpy as np
import pytest
from plates import net
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.run.simulate import simulate
from tendril.physics.run.taking_over import taken_over
from tendril.physics.scene import Collider, Floor, ForceField, Hold, Scene, Sheet
from tendril.physics.time_integration.velocity_verlet import verlet_steps

G, FRAME = np.array([0.0, 0.0, -9.81]), 1.0 / 24.0
RUBBER = {"density": 1100.0, "young": 5e6, "poisson": 0.45, "plate": 0.005}


def sheet_on(x, triangles, **changed):
    """Of rubber, 5 mm."""
    return Sheet("sheet", np.asarray(x, float), triangles=triangles, **RUBBER | changed)


def scene_of(*sheets, **given):
    return Scene((), FRAME, **{"frame_count": 2, "solids": sheets, "gravity": 0.0 * G} | given)


class Moving:
    """A scene of sheets, by its steps."""

    def __init__(self, scene):
        self.model, self.state, self.work = assemble_solids(scene)

    def go_on(self, duration, fraction=0.5):
        status, steps, left = verlet_steps(self.model, self.state, self.work, False, duration, fraction, np.inf)
        assert (status, left) == (0, 0.0)
        return steps

    def energy(self):
        return soft_energies(self.model, self.state).total

    def momenta(self):
        """Linear, and angular about the origin, of nodes and of directors."""
        p = self.model.nodes["mass"][:, None] * self.state.v
        turning = self.state.directors["rate"] / self.model.solids.plate_edges["w"]
        return p.sum(axis=0), np.cross(self.state.x, p).sum(axis=0) + turning @ self.state.directors["t"]


def tumbling():
    x, triangles = net(8, 8, 1.0, 1.0, "random")
    v = np.cross([0.0, 3.0, 2.0], x) + 0.1 * np.sin(9.0 * x[:, [1, 0, 0]])
    return sheet_on(x, triangles, v=v)


def test_free_flight():
    """It tumbles and ripples: momentum to round-off, angular momentum and energy to second order in time."""
    errors, lost = [], []
    for fraction in (0.8, 0.4, 0.2):
        one = Moving(scene_of(tumbling()))
        before, energy = one.momenta(), one.energy()
        one.go_on(0.25, fraction)
        after = one.momenta()
        assert after[0] == pytest.approx(before[0], abs=1e-11 * np.abs(before[0]).max())
        errors.append(np.abs(after[1] - before[1]).max() / np.abs(before[1]).max())
        lost.append(abs(one.energy() / energy - 1.0))
    assert errors[2] < errors[1] < errors[0] < 1e-3
    assert lost[2] < lost[0] < 1e-3


def test_damping_keeps_momentum():
    one = Moving(scene_of(replace(tumbling(), relaxation=5e-3)))
    before, energy = one.momenta(), one.energy()
    for _ in range(10):
        one.go_on(0.5 * FRAME)
    after = one.momenta()
    assert after[0] == pytest.approx(before[0], abs=1e-11 * np.abs(before[0]).max())
    assert after[1] == pytest.approx(before[1], abs=1e-3 * np.abs(before[1]).max())
    assert one.energy() < energy


def test_no_damping_is_too_strong():
    """So strong that it asks for more stages than there are, it slows down what it can, and momentum is kept."""
    one = Moving(scene_of(replace(tumbling(), relaxation=1e5)))
    before, energy = one.momenta(), one.energy()
    for _ in range(3):
        one.go_on(1e-3)
        after = one.energy()
        assert after < energy
        energy = after
    assert one.momenta()[0] == pytest.approx(before[0], abs=1e-11 * np.abs(before[0]).max())


def tip(squares, stretch=None, part=1.0, damping=0.0, fraction=0.5):
    """Of a clamped strip struck in the shape of its first mode, after part of a period [of its amplitude]; its damping
    times ω is taken in stretches of such a part of the period.
    """
    x, triangles = net(squares, 2, 1.0, 0.1)
    b, s = 1.875104, x[:, 0]
    k = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
    omega = b * b * np.sqrt(1e7 * 0.01**2 / 12.0 / 1000.0)
    v = 0.0 * x
    v[:, 2] = 0.5e-3 * omega * (np.cosh(b * s) - np.cos(b * s) - k * (np.sinh(b * s) - np.sin(b * s)))
    given = {"young": 1e7, "poisson": 0.0, "plate": 0.01, "density": 1000.0}
    # Held beyond the clamp as well: the director there is what two held triangles make it.
    behind = x[x[:, 0] < 1e-9] - [1.0 / squares, 0.0, 0.0]
    x, v, n = np.concatenate([x, behind]), np.concatenate([v, 0.0 * behind]), len(x)
    first = np.flatnonzero(x[:n, 0] < 1e-9)
    more = [(n, first[0], first[1]), (n, first[1], n + 1), (n + 1, first[1], first[2]), (n + 1, first[2], n + 2)]
    one = sheet_on(x, np.concatenate([triangles, more]), v=v, relaxation=damping / omega, **given)
    held = tuple(Hold("hold", "POINT", 0, int(i)) for i in [*first, n, n + 1, n + 2])
    moving, period = Moving(scene_of(one, holds=held)), 2.0 * np.pi / omega
    stretch = stretch or part
    for _ in range(round(part / stretch)):
        moving.go_on(stretch * period, fraction)
    free = np.argmax(moving.state.x[:, 0])
    return moving.state.x[free, 2] / 1e-3


def test_first_mode_of_a_strip():
    """ω = 3.5160 √(D/ρh)/L²: after a period it is back. Of second order in the triangles' size."""
    found = [abs(tip(squares)) / (2.0 * np.pi) for squares in (8, 16)]
    assert found[1] < 0.006  # .0053; .0065 with three times GYRATION, .0068 with a third of CLAMPED
    assert found[1] < 0.4 * found[0]


def test_internal_damping():
    """exp(−ω²τt/2) of a mode, as rods; the nearer the shorter a stretch is."""
    free, expected = tip(16, part=1.25), np.exp(-0.1 * 2.5 * np.pi / 2.0)
    errors = [tip(16, part=1.25, damping=0.1, stretch=1.25 / n) / free / expected - 1.0 for n in (5, 40)]
    assert abs(errors[1]) < 0.02
    assert abs(errors[1]) < 0.5 * abs(errors[0])


def test_slow_swings_are_damped_beside_fast_waves():
    """A flat square that is curled by nature rings in its plane as it curls, and is there within .4 s all the same."""
    x, triangles = net(10, 10, 0.2, 0.2)
    curl = np.zeros((len(triangles), 3, 3))
    curl[:, 0, 0] = -5.0
    one = sheet_on(x, triangles, plate=0.003, relaxation=0.05, curvature=curl)
    frames = [frame.x for frame in simulate(scene_of(one, frame_count=24, contact=False)) if hasattr(frame, "x")]
    rims, middle = np.abs(x[:, 0] - 0.1) > 0.099, np.abs(x[:, 0] - 0.1) < 1e-9
    for frame in frames[10:]:
        height = frame[rims, 2].mean() - frame[middle, 2].mean()
        assert height == pytest.approx(0.2 * (1.0 - np.cos(0.5)), rel=0.03)


def test_a_sheet_that_swings_wins_nothing():
    """Rubber held at two corners, let go, as long as it swings and folds."""
    x, triangles = net(10, 10, 1.0, 1.0)
    corners = np.flatnonzero((x[:, 0] < 1e-9) & ((x[:, 1] < 1e-9) | (x[:, 1] > 1.0 - 1e-9)))
    held = tuple(Hold("hold", "POINT", 0, int(i)) for i in corners)
    moving = Moving(scene_of(sheet_on(x, triangles), holds=held, gravity=G))
    first, most = moving.energy(), 0.0
    for _ in range(36):
        moving.go_on(FRAME, 0.7)
        most = max(most, soft_energies(moving.model, moving.state).kinetic)
        assert moving.energy() < first + 1e-3 * most
    assert most > 0.2 * 9.81 * moving.model.nodes["mass"].sum()


@pytest.mark.parametrize("rolled", [False, True])
@pytest.mark.parametrize("plate", [1e-4, 5e-3, 1e-2])
def test_steps_are_as_long_as_waves_allow(plate, rolled):
    """Directors, thin plates and bent ones do not limit them: .97 of the smallest height over the speed of sound."""
    x, triangles = net(8, 8, 0.4, 0.4)
    places = x.copy()
    if rolled:
        places[:, 0], places[:, 2] = 0.1 * np.sin(x[:, 0] / 0.1), 0.1 * np.cos(x[:, 0] / 0.1)
    one = sheet_on(places, triangles, plate=plate, rest_x=x)
    moving = Moving(scene_of(one))
    moving.go_on(1e-7)
    longest, steps = one.smallest_height() / one.wave_speed(), moving.go_on(0.004)
    assert 0.9 * longest < 0.004 / steps / 0.5 < 1.1 * longest


def dropped(up, turned):
    """Frames of a small sheet that falls on a plate held by a collider, below or above, its front up or down."""
    x, triangles = net(6, 6, 0.3, 0.3, "crossed")
    x = x - [0.15, 0.15, -0.03 * up]
    wide = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    ground = Collider(
        "ground",
        points=wide[None],
        triangles=np.array([[0, 1, 2], [0, 2, 3]]),
        times=np.zeros(1),
        thickness=1e-3,
        friction=0.5,
    )
    one = sheet_on(x, triangles[:, ::-1] if turned else triangles, relaxation=5e-3, friction=0.5)
    scene = scene_of(one, colliders=(ground,), gravity=up * G, frame_count=24)
    return [frame.x for frame in simulate(scene) if hasattr(frame, "x")]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("up", [1.0, -1.0])
def test_it_lies_on_either_side(up, turned):
    """As far off as both are rounded by, at rest."""
    frames = dropped(up, turned)
    assert up * frames[-1][:, 2] == pytest.approx(0.0035, abs=2e-4)
    assert np.abs(frames[-1] - frames[-2]).max() < 1e-4


def test_it_lies_on_itself():
    """Folded over, one half lies on the other, twice half of its thickness apart."""
    x, triangles = net(16, 4, 0.64, 0.16)
    s = x[:, 0] - 0.32
    r = 0.02
    bend = np.clip(s / r, -0.5 * np.pi, 0.5 * np.pi)
    over = s - bend * r
    folded = np.stack([r * np.cos(bend) - np.abs(over), x[:, 1], r * np.sin(bend) + r + 0.004], axis=1)
    soft = {"young": 1e5, "relaxation": 2e-2, "friction": 0.5, "density": 1000.0, "poisson": 0.3}
    one = sheet_on(folded, triangles, rest_x=folded, **soft)
    scene = scene_of(one, floor=Floor(0.0, 0.5), gravity=G, frame_count=30)
    last = [frame.x for frame in simulate(scene) if hasattr(frame, "x")][-1]
    upper, lower = last[s > 0.2], last[s < -0.2]
    assert lower[:, 2].max() < 0.006
    assert upper[:, 2].min() > 0.0068


def test_wind_acts_on_both_sides():
    """A board of area A in a wind U: ½ ρ C A U², from either side, on its nodes evenly."""
    x, triangles = net(4, 4, 0.5, 0.5)
    x = x[:, [2, 0, 1]]
    speeds = []
    for side in (1.0, -1.0):
        wind = ForceField(
            "wind",
            "WIND",
            np.zeros(1),
            np.zeros((1, 3)),
            np.array([[np.sqrt(0.5), 0.0, side * np.sqrt(0.5), 0.0]]),
            strength=5.0,
        )
        one = sheet_on(x, triangles, drag_coefficient=1.3)
        *_, last = simulate(scene_of(one, fields=(wind,), air_density=1.2))
        speeds.append(last.x[:, 0].mean() / (0.5 * FRAME**2))
    expected = 0.5 * 1.2 * 1.3 * 25.0 / (1100.0 * 0.005)
    assert speeds == pytest.approx([expected, -expected], rel=0.02)


def test_the_same_bytes():
    ends = []
    for _ in range(2):
        one = Moving(scene_of(replace(tumbling(), relaxation=1e-3), gravity=G))
        one.go_on(FRAME)
        ends.append((one.state.x.tobytes(), one.state.directors.tobytes()))
    assert ends[0] == ends[1]


def test_it_settles():
    """A strip clamped at one end sags to where it hangs at rest: drop over reach of Γ = 5, .5857."""
    n, length = 20, 0.5
    x, triangles = net(n, 2, length, 0.05)
    young, plate = 1e7, 5e-3
    rigidity = young * plate**3 / 12.0
    density = 5.0 * rigidity / (9.81 * plate * length**3)
    behind = x[x[:, 0] < 1e-9] - [length / n, 0.0, 0.0]
    k, first = len(x), np.flatnonzero(x[:, 0] < 1e-9)
    more = [(k, first[0], first[1]), (k, first[1], k + 1), (k + 1, first[1], first[2]), (k + 1, first[2], k + 2)]
    one = sheet_on(
        np.concatenate([x, behind]),
        np.concatenate([triangles, more]),
        young=young,
        poisson=0.0,
        plate=plate,
        density=density,
    )
    held = tuple(Hold("hold", "POINT", 0, int(i)) for i in [*first, k, k + 1, k + 2])
    frame = next(f for f in simulate(scene_of(one, holds=held, gravity=G, settle=True)) if hasattr(f, "x"))
    tip = frame.x[np.argmax(x[:, 0])]
    assert -tip[2] / tip[0] == pytest.approx(0.58572, rel=0.01)


def table(thickness=1e-3):
    wide = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    return Collider(
        "table", points=wide[None], triangles=np.array([[0, 1, 2], [0, 2, 3]]), times=np.zeros(1), thickness=thickness,
        friction=0.5,
    )  # fmt: skip


def test_it_may_be_drawn_on_what_it_lies_on():
    """Two of them in the very plane of a table: both come to lie on it, one on the other."""
    x, triangles = net(6, 6, 0.3, 0.3, "crossed")
    given = {"relaxation": 5e-3, "friction": 0.5, "plate": 2e-3, "membrane": 0.1}
    lower, upper = (
        replace(sheet_on(x + [shift, 0.0, 0.0], triangles, **given), name=name)
        for name, shift in (("lower", 0.0), ("upper", 0.01))
    )
    scene = scene_of(lower, upper, colliders=(table(),), gravity=G, frame_count=24)
    frames = [frame.x.reshape(2, -1, 3) for frame in simulate(scene) if hasattr(frame, "x")]
    low, high = sorted(frames[-1][:, :, 2].mean(axis=1))
    assert np.ptp(frames[-1][:, :, 2], axis=1).max() < 1e-3
    assert low > 1e-3
    assert high - low > 1e-3
    assert np.abs(frames[-1] - frames[-2]).max() < 1e-3


def test_it_goes_on_with_other_settings_as_it_was_turned():
    """A flag that has fallen by a quarter turn, baked on from there with other air: no jolt, which directors as drawn
    would be.
    """
    x, triangles = net(8, 4, 0.4, 0.2)
    held = tuple(Hold("hold", "POINT", 0, int(i)) for i in np.flatnonzero(x[:, 0] < 1e-9))
    one = sheet_on(x, triangles, relaxation=0.02, drag_coefficient=1.0)
    scene = scene_of(one, holds=held, gravity=G, frame_count=13, air_density=1.2)
    frames = {frame.index: frame for frame in simulate(scene) if hasattr(frame, "x")}
    assert frames[8].x[:, 2].min() < -0.2
    other = replace(scene, air_density=1.19)
    for frame in simulate(other, taken_over(other, scene, frames[8].state)):
        assert frame.index > 8
        assert frame.x == pytest.approx(frames[frame.index].x, abs=2e-3)


def test_jaws_close_on_it_as_far_as_it_is_thick():
    """A collider comes down on a sheet on the floor, further than there is room: it yields, and the bake goes on."""
    x, triangles = net(6, 6, 0.3, 0.3, "crossed")
    one = sheet_on(x + [0.0, 0.0, 0.01], triangles, relaxation=5e-3, friction=0.5)
    times = np.linspace(0.0, 0.5, 13)
    down = table().points[0] * 0.2 + [0.15, 0.15, 0.0]
    way = np.maximum(0.03 - 0.08 * times, 0.0)
    jaw = Collider(
        "jaw", points=down[None] + np.array([0.0, 0.0, 1.0]) * way[:, None, None], times=times, thickness=1e-3,
        triangles=np.array([[0, 2, 1], [0, 3, 2]]), friction=0.5,
    )  # fmt: skip
    scene = scene_of(one, colliders=(jaw,), floor=Floor(0.0, 0.5), gravity=G, frame_count=13)
    frames = [frame for frame in simulate(scene) if hasattr(frame, "x")]
    assert len(frames) == 13
    under = np.abs(x[:, :2] - 0.15).max(axis=1) < 0.09
    assert frames[-1].x[under, 2].max() < 0.004
    assert frames[-1].x[:, 2].min() > 0.0022
