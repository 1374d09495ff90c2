"""Cables that are settled by orders: from where they rested before, of jobs that are read once."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.bake import job
from tendril.bake.messages import decode_order, order
from tendril.bake.settling import Settling
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Pin, Rod, Scene

STILL = [1.0, 0.0, 0.0, 0.0]


def scene(length=1.0, points=31, **around):
    x = np.linspace([0.0, 0.0, 0.0], [length, 0.0, 0.0], points)
    rod = Rod.from_material("Hose", x, 0.005, Material(1e7, 0.45, 1200.0), model="cable")
    ends = [Pin(f"Pin {v}", 0, v, "TWIST", np.zeros(1), x[v][None], np.array([STILL])) for v in (0, points - 1)]
    return Scene((rod,), 0.04, 1, pins=tuple(ends), **around)


def proposed(folder, **settings):
    return str(job.propose(folder, scene(**settings), {}).path)


def settled(settling, path, end, turn=STILL, moved=(), lengths=()):
    """What is said when the second end is at a place."""
    pins = [[0.0, 0.0, 0.0, *STILL], [*end, *turn]]
    return list(settling.settle(path, {"pins": pins, "moved": moved, "held": (), "lengths": lengths}, lambda: False))


def test_it_gets_another_length(tmp_path):
    """As a whole and between two places, from rest or from where it is too short to reach; twice a tenth is 21 %."""
    settling, path = Settling(), proposed(tmp_path)
    lengths = [[], [[0, 0.0, 1.0, 1.1]], [[0, 0.2, 0.4, 0.31]], []]
    for more, whole in zip(lengths, (1.0, 1.1, 1.21, 1.21), strict=True):
        found = settled(settling, path, (0.9, 0.0, 0.0), lengths=more)[-2]
        assert found["length"][0] == pytest.approx(whole, rel=1e-8)
    far = settled(Settling(), proposed(tmp_path), (1.5, 0.0, 0.0), lengths=[[0, 0.0, 1.0, 1.6]])[-2]
    assert far["length"][0] == pytest.approx(1.6, rel=1e-8)
    np.testing.assert_allclose(far["x"][-1], [1.5, 0.0, 0.0], atol=1e-8)
    (refused,) = settled(settling, path, (0.9, 0.0, 0.0), lengths=[[0, 0.0, 1.21, 0.0]])
    assert "length greater than 0" in refused["text"]
    (refused,) = settled(settling, path, (0.9, 0.0, 0.0), lengths=[[0, 0.0, 1.21, 0.8]])
    assert "too short to reach" in refused["text"]
    assert settled(settling, path, (0.9, 0.0, 0.0))[-2]["length"][0] == pytest.approx(1.21, rel=1e-8)


def test_it_goes_on_from_where_it_rested(tmp_path):
    """So turns add up, which one settling at once takes the shorter way; its job is gone meanwhile."""
    settling, path = Settling(), proposed(tmp_path)
    for k in range(9):  # two turns
        half = 0.25 * np.pi * k
        said = settled(settling, path, (0.98, 0.0, 0.0), [np.cos(half), np.sin(half), 0.0, 0.0])
        assert [one["kind"] for one in said if one["kind"] != "compiling"] == ["settled", "done"]
        assert not list(tmp_path.glob("tendril_job*"))
    wound = said[-2]
    (straight,) = settled(Settling(), proposed(tmp_path), (0.98, 0.0, 0.0))[-2:-1]
    turned = np.linalg.norm(np.diff(wound["m1"], axis=0), axis=1).sum()
    assert turned == pytest.approx(4.0 * np.pi, rel=0.2)
    assert np.linalg.norm(np.diff(straight["m1"], axis=0), axis=1).sum() < 0.1
    np.testing.assert_allclose(wound["x"][-1], [0.98, 0.0, 0.0], atol=1e-8)


def test_cables_of_several_jobs_are_kept_apart(tmp_path):
    settling, first, second = Settling(), proposed(tmp_path), proposed(tmp_path, length=2.0)
    for place in (0.9, 0.8, 0.7):
        for path, scale in ((first, 1.0), (second, 2.0)):
            found = settled(settling, path, (scale * place, 0.0, 0.0))[-2]
            np.testing.assert_allclose(found["x"][-1], [scale * place, 0.0, 0.0], atol=1e-8)
            assert found["missing"] == [0.0]


def test_what_cannot_be_is_refused_and_the_next_goes_on(tmp_path):
    settling, path = Settling(), proposed(tmp_path)
    (refusal,) = [one for one in settled(settling, path, (1.5, 0.0, 0.0)) if one["kind"] != "compiling"]
    assert (refusal["kind"], refusal["ok"]) == ("verdict", False)
    assert "0.5 m too short" in refusal["text"]
    assert settled(settling, path, (0.9, 0.0, 0.0))[-1]["kind"] == "done"
    found, warned, _ = settled(settling, path, (1.5, 0.0, 0.0))
    assert found["missing"][0] == pytest.approx(0.5, rel=1e-3)
    assert "0.5 m too short" in warned["text"]


def test_it_goes_with_what_it_lies_on(tmp_path):
    """A plate that is raised, taken far away at once and put back: it lies its radius above it, or hangs free."""
    corners = np.array([[-3.0, -3.0, -0.2], [3.0, -3.0, -0.2], [0.0, 4.0, -0.2]])
    plate = Collider("Plate", np.arange(3)[None], np.zeros(1), corners[None])
    settling, path, lowest = Settling(), proposed(tmp_path, colliders=(plate,)), []
    for height in (0.0, 0.06, 0.1, -3.0, 0.0):
        moved = [[0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, height]] if height else []
        lowest.append(np.min(settled(settling, path, (0.7, 0.0, 0.0), moved=moved)[-2]["x"], axis=0)[2])
    np.testing.assert_allclose(np.array(lowest)[[0, 1, 2, 4]], np.array([-0.2, -0.14, -0.1, -0.2]) + 0.005, atol=1e-7)
    assert lowest[3] < -0.25


def test_a_job_that_is_not_there_is_refused(tmp_path):
    (said,) = settled(Settling(), str(tmp_path / "tendril_job_0123456789abcdef.json"), (1.0, 0.0, 0.0))
    assert "There is no bake job" in said["text"]


@pytest.mark.parametrize("pins", [[1.0], [[1.0, 2.0]], [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, "0"]], {}])
def test_an_order_with_other_pins_is_none(pins):
    with pytest.raises(ValueError, match="order"):
        decode_order(order("settle", job="here", pins=pins, moved=[], held=[], lengths=[]))


def test_an_order_comes_back_from_its_line():
    pins = [[0.1, -2.0, 1e300, *STILL]]
    given = {"job": "hü", "pins": pins, "moved": [[2] + 12 * [0.5]], "held": [[0, *pins[0]]]}
    given["lengths"] = [[0, 0.0, 1.0, 2.0]]
    assert decode_order(order("settle", **given)).items() >= given.items()
    with pytest.raises(ValueError, match="JSON"):
        order("settle", **{**given, "pins": [[np.nan] * 7]})


FIT = {"rods": [0], "points": [[0.1, -2.0, 1e300, 1.0]], "unknown": ["stiffness"], "connector": None}


def test_an_order_to_fit_comes_back_from_its_line():
    """And one that does not say what is to be fitted to what is none."""
    for given in (FIT, {**FIT, "connector": 3}):
        assert decode_order(order("fit", job="hü", **given)).items() >= given.items()
    for name, value in (
        ("rods", []), ("rods", [[0]]), ("points", []), ("points", [[0.0, 1.0, 2.0]]), ("unknown", [1]),
        ("connector", "End"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="order"):
            decode_order(order("fit", job="here", **{**FIT, name: value}))


def test_a_cable_is_fitted_to_where_it_hung(tmp_path):
    """By a job whose pins hold it there: nothing is to be changed."""
    sagged = replace(scene(), gravity=np.array([0.0, 0.0, -9.81]), contact=False)
    led = replace(sagged.pins[1], position=np.array([[0.6, 0.0, 0.1]]))
    sagged = replace(sagged, pins=(sagged.pins[0], led))
    settling, none = Settling(), {"moved": [], "held": [], "lengths": []}
    pins = [[*pin.position[0], *STILL] for pin in sagged.pins]
    path = str(job.propose(tmp_path, sagged, {}).path)
    hung = list(settling.settle(path, {"pins": pins, **none}, lambda: False))[-2]
    points = [[*place, 1.0] for place in hung["x"]]
    path = str(job.propose(tmp_path, sagged, {}).path)
    *_, fitted, done = settling.fit(path, {**FIT, "points": points}, lambda: False)
    assert (fitted["kind"], done["kind"]) == ("fitted", "done")
    assert fitted["numbers"]["stiffness"] == pytest.approx(1.0, rel=1e-3)
    assert fitted["rms"] < 1e-6
