"""Force fields: closed forms of each kind, of falloff, of what changes in time."""

import numpy as np
import pytest
from tendril.bake import job
from tendril.physics.assemble.fields import field_arrays, groups
from tendril.physics.forces.fields import COLUMNS, GROUP, evaluate_fields
from tendril.physics.forces.noise import gust, perlin, turbulence
from tendril.physics.model import FIELD_EFFECT, changed
from tendril.physics.scene import ForceField, Rod, Scene

FRAME = 0.04
X = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, -1.0], [-2.0, 1.0, 2.0], [0.3, -0.4, 0.0]])
ALONG_X = np.array([[np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]])  # turns z to x


def field(kind, *, place=(0.0, 0.0, 0.0), rotation=((1.0, 0.0, 0.0, 0.0),), **options):
    return ForceField(kind, kind, np.zeros(1), np.array([place]), np.array(rotation), **options)


def act(*fields, x=X, time=0.0, start=None, weights=None, stream=None):
    """(air, push, brake) at points x."""
    start = np.array([0, len(x)] if start is None else start)
    count = len(start) - 1
    rows = changed(np.zeros(count, GROUP), first=start[:-1], end=start[1:])
    rows["weights"], rows["stream"] = 1.0 if weights is None else weights, range(count) if stream is None else stream
    out = changed(np.zeros(len(x), FIELD_EFFECT), air=np.nan, acceleration=np.nan, brake=np.nan)
    arrays = field_arrays(Scene((), FRAME, 10, fields=fields))
    evaluate_fields(arrays, time, rows, x, np.empty((len(fields), COLUMNS)), out)
    return out["air"], out["acceleration"], out["brake"]


def test_wind_blows_along_its_z():
    air, push, brake = act(field("WIND", strength=3.0, rotation=ALONG_X, flow=1.0))
    np.testing.assert_allclose(air, np.tile([3.0, 0.0, 0.0], (4, 1)), atol=1e-15)
    assert not push.any()
    assert not brake.any()


def test_fields_add_up():
    air, _, _ = act(field("WIND", strength=3.0), field("WIND", strength=4.0, rotation=ALONG_X))
    np.testing.assert_allclose(air, np.tile([4.0, 0.0, 3.0], (4, 1)), atol=1e-15)


@pytest.mark.parametrize(
    ("shape", "away"), [("POINT", X), ("LINE", X * [1.0, 1.0, 0.0]), ("PLANE", X * [0.0, 0.0, 1.0])]
)
def test_force_pushes_away_from_its_shape(shape, away):
    _, push, brake = act(field("FORCE", strength=5.0, shape=shape, flow=0.2))
    distance = np.linalg.norm(away, axis=1, keepdims=True)
    np.testing.assert_allclose(push, np.where(distance > 0.0, 5.0 * away / np.maximum(distance, 1e-9), 0.0), atol=1e-14)
    np.testing.assert_array_equal(brake, np.tile([0.2, 0.0], (4, 1)))


def test_gravitation():
    """S (unit/d)² towards the field: an orbit's acceleration."""
    place = np.array([0.5, 0.5, 3.0])
    _, push, _ = act(field("FORCE", strength=-5.0, place=place, gravitation=True, unit=0.1))
    r = X - place
    distance = np.linalg.norm(r, axis=1, keepdims=True)
    np.testing.assert_allclose(push, -5.0 * 0.1**2 * r / distance**3, rtol=1e-13)


def test_vortex():
    """S × distance around z; in its plane that is S n × r."""
    _, push, _ = act(field("VORTEX", strength=2.0))
    around = np.cross([0.0, 0.0, 1.0], X)
    np.testing.assert_allclose(np.linalg.norm(push, axis=1), 2.0 * np.linalg.norm(X, axis=1), rtol=1e-14)
    np.testing.assert_allclose(np.cross(push, around), 0.0, atol=1e-14)
    np.testing.assert_allclose(push[[0, 3]], 2.0 * around[[0, 3]], rtol=1e-14)


def test_leading_vortex_carries_around():
    """What moves on its circle at S per second has the acceleration of that, and nothing else is left of it."""
    _, push, brake = act(field("VORTEX", strength=2.0, shape="PLANE"))
    v = 2.0 * np.cross([0.0, 0.0, 1.0], X)
    np.testing.assert_allclose(push - brake[:, :1] * v, -4.0 * X * [1.0, 1.0, 0.0], atol=1e-13)


def test_turbulence_moves_with_its_field_unless_told_otherwise():
    place, one = np.array([3.0, -2.0, 0.7]), field("TURBULENCE", strength=2.0, size=0.8)
    moved = field("TURBULENCE", strength=2.0, size=0.8, place=place)
    np.testing.assert_allclose(act(moved, x=X + place)[1], act(one)[1], atol=1e-13)
    fixed = [field("TURBULENCE", strength=2.0, size=0.8, place=p, world_fixed=True) for p in ((0.0, 0.0, 0.0), place)]
    np.testing.assert_array_equal(act(fixed[0])[1], act(fixed[1])[1])
    for rotation, ahead in ((one.rotation, [0.0, 0.0, 1.0]), (ALONG_X, [1.0, 0.0, 0.0])):
        turned = field("TURBULENCE", strength=2.0, size=0.8, rotation=rotation)
        np.testing.assert_allclose(act(turned)[1], act(fixed[0], x=X + ahead)[1], atol=1e-13)


def test_drag_field():
    _, push, brake = act(field("DRAG", linear_drag=0.3, quadratic_drag=0.7, flow=5.0))
    assert not push.any()
    np.testing.assert_array_equal(brake, np.tile([0.3, 0.7], (4, 1)))
    brake = act(field("DRAG", linear_drag=3.0, quadratic_drag=70.0, unit=0.1))[2]
    np.testing.assert_array_equal(brake, np.tile([2.0, 20.0], (4, 1)))  # no more than 2 in Blender's units


def test_sphere_falloff():
    """(1 + (d − min)/unit)^−power between both distances."""
    x = np.array([[0.0, 0.0, d] for d in (0.4, 0.6, 1.0, 2.9, 3.1)])
    for power in (0.0, 1.0, 1.5, 2.0):
        air = act(field("WIND", strength=1.0, power=power, min_distance=0.5, max_distance=3.0, unit=0.5), x=x)[0]
        expected = [1.0, *(1.0 + (np.array([0.6, 1.0, 2.9]) - 0.5) / 0.5) ** -power, 0.0]
        np.testing.assert_allclose(air[:, 2], expected, rtol=1e-14)


def test_tube_and_cone_falloff():
    options = {"power": 1.0, "max_distance": 4.0, "radial_power": 2.0, "radial_min": 0.2}
    h, across = np.abs(X[:, 2]), np.linalg.norm(X[:, :2], axis=1)
    air = act(field("WIND", strength=1.0, falloff="TUBE", radial_max=2.1, **options))[0]
    expected = (across < 2.1) / (1.0 + h) / np.where(across < 0.2, 1.0, (0.8 + across) ** 2)
    np.testing.assert_allclose(air[:, 2], expected, rtol=1e-14)
    air = act(field("WIND", strength=1.0, falloff="CONE", radial_max=110.0, **options))[0]
    angle = np.degrees(np.arccos(X[:, 2] / np.linalg.norm(X, axis=1)))
    np.testing.assert_allclose(air[:, 2], (angle < 110.0) / (1.0 + h) / (0.8 + angle) ** 2, rtol=1e-13)
    assert 0 < np.count_nonzero(air[:, 2]) < 4


@pytest.mark.parametrize(("side", "acts"), [("BOTH", [1, 1, 1]), ("POSITIVE", [1, 0, 1]), ("NEGATIVE", [1, 1, 0])])
def test_sides(side, acts):
    assert act(field("WIND", strength=1.0, side=side))[0][:3, 2].tolist() == acts


def test_weights():
    fields = [field("WIND", strength=1.0), field("FORCE", strength=1.0), field("DRAG", linear_drag=0.5)]
    air, push, brake = act(*fields, start=[0, 1, 4], weights=[[1, 0, 2, 1, 1, 0.5], [1, 0.5, 0, 1, 1, 0]])
    np.testing.assert_allclose(air[:, 2], [0.0, 0.5, 0.5, 0.5])
    np.testing.assert_allclose(np.linalg.norm(push, axis=1), [2.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(brake[:, 0], [0.25, 0.0, 0.0, 0.0])


def test_weights_are_ones_unless_given():
    rod = Rod("a", X, *[np.ones(4)] * 3, *[np.ones(3)] * 2)
    given = Rod("b", X, *[np.ones(4)] * 3, *[np.ones(3)] * 2, weights=np.arange(6.0))
    np.testing.assert_array_equal(groups([rod, given], [0, 4], [4, 8], [0, 1])["weights"], [np.ones(6), np.arange(6)])
    assert len(groups([], [], [], [])) == 0


def test_what_is_animated_is_linear_between_samples():
    times = np.array([0.0, 0.1, 0.2])
    half = np.sqrt(0.5)
    wind = ForceField(
        "wind", "WIND", times, np.array([[0.0, 0, 0], [0, 0, 1], [0, 0, 1]]),
        np.array([[1.0, 0, 0, 0], [-half, 0, -half, 0], [half, 0, half, 0]]),
        strength=np.array([1.0, 3.0, 0.0]), max_distance=np.array([np.inf, 1.5, 1.5]),
    )  # fmt: skip
    x = np.zeros((1, 3))
    turned = [np.sin(np.pi / 4), 0.0, np.cos(np.pi / 4)]
    for time, expected in ((-1.0, [0, 0, 1]), (0.05, 2 * np.array(turned)), (0.15, [1.5, 0, 0]), (9.0, [0, 0, 0])):
        np.testing.assert_allclose(act(wind, x=x, time=time)[0][0], expected, atol=1e-14)


def test_noise_is_the_same_for_all_points_of_a_thing_and_new_every_frame():
    wind = field("WIND", strength=1.0, noise=0.5, seed=7)
    air = act(wind, start=[0, 2, 4])[0][:, 2]
    assert air[0] == air[1] != air[2] == air[3]
    assert air[0] == act(wind, x=X[:1])[0][0, 2]  # whatever the number of points
    assert air[2] == act(wind, x=X[:1], stream=[1])[0][0, 2]  # and the order of things
    assert air[0] == act(wind, time=0.9 * FRAME)[0][0, 2]
    assert air[0] != act(wind, time=1.0 * FRAME)[0][0, 2]
    assert air[0] != act(field("WIND", strength=1.0, noise=0.5, seed=8))[0][0, 2]


def test_gusts_are_distributed_as_blenders():
    """±k/(1 + U)/128: mean 31 ln 2/128, mean square ½ Σ k²/128³, never 1."""
    gusts = np.array([gust(seed, frame, stream) for seed in range(9) for frame in range(40) for stream in range(200)])
    assert gusts.mean() == pytest.approx(31.0 * np.log(2.0) / 128.0, abs=0.005)
    assert (gusts**2).mean() == pytest.approx(0.5 * np.sum(np.arange(128.0) ** 2) / 128.0**3, rel=0.01)
    assert np.abs(gusts).max() < 1.0
    series = gusts.reshape(9, 40, 200)
    for axis in range(3):
        a, b = np.moveaxis(series, axis, 0)[:-1].ravel(), np.moveaxis(series, axis, 0)[1:].ravel()
        assert abs(np.corrcoef(a, b)[0, 1]) < 0.02


def test_perlin_noise():
    """0 at integer points with the gradient of an edge of the cube there, smooth, of period 256."""
    h, x = 1e-5, np.array([3.0, -7.0, 11.0])
    assert perlin(*x) == 0.0
    gradient = [(perlin(*(x + h * e)) - perlin(*(x - h * e))) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(np.sort(np.abs(gradient)), [0.0, 1.0, 1.0], atol=1e-8)
    x = np.random.default_rng(0).uniform(-50.0, 50.0, (200, 3))
    values = np.array([perlin(*p) for p in x])
    np.testing.assert_allclose(values, [perlin(*p) for p in x + [256.0, -256.0, 512.0]], atol=1e-12)
    assert np.abs(values).max() < 1.0
    assert values.std() > 0.2
    at_corner = np.floor(x) - [0.0, 0.5, 0.3]
    before, after = (np.array([perlin(*p) for p in at_corner + d * np.eye(3)[0]]) for d in (-1e-4, 1e-4))
    np.testing.assert_allclose(before, after, atol=1e-3)


def test_turbulence_is_three_octaves():
    p = np.array([0.3, 1.7, -2.2])
    expected = 4.0 / 7.0 * sum(2.0**-k * perlin(*(2.0**k * p)) for k in range(3))
    assert turbulence(*p) == pytest.approx(expected, rel=1e-14)


def test_a_field_goes_through_the_job():
    sent = Scene((), FRAME, 3, fields=(field("WIND", strength=np.array([2.0]), max_distance=3.0, side="POSITIVE"),))
    received = job.decode(*job.encode(sent)).fields[0]
    assert received.side == "POSITIVE"
    assert received.max_distance == 3.0
    assert received.radial_max == np.inf
    np.testing.assert_array_equal(received.strength, [2.0])
