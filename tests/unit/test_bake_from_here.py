"""*Bake from Here*: frames up to one stay to the byte, the others are those of the scene as it is now."""

from dataclasses import replace

import numpy as np
import pytest
from on_disk import frame_bytes
from tendril.bake import cache as caches
from tendril.bake import job
from tendril.bake.baking import bake
from tendril.bake.cache import Cache
from tendril.bake.from_here import EARLIER, SAME_RODS, THICKER, drawn_as
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Keyed, Pin, Rod, Scene

ROPE = Material(young=1e7, poisson=0.45, density=1100.0)
FPS, COUNT = 8, 30  # a state is kept after frame 0, 8, 16 and 24


def hanging(frame_count=COUNT, density=1100.0, radius=0.01, **options):
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.0, 2.0], 9)
    rod = Rod.from_material("Rope", x, radius, replace(ROPE, density=density), drag_coefficient=5.0, **options)
    return Scene((rod,), 1 / FPS, frame_count, (Pin("Wall", 0, 0, "TWIST", np.zeros(1), x[:1]),))


def elsewhere():
    return replace(hanging().rods[0], name="Other", x=hanging().rods[0].x + [0.0, 3.0, 0.0])


def baked(place, **options):
    """Messages of a bake that is to end well."""
    said = list(bake(place, **options))
    assert said[-1]["kind"] in {"done", "cancelled"}, said
    return said


def new_from(folder, scene, begin, **options):
    return baked(job.propose(folder, scene, {}, begin).path, **options)


def warnings(said):
    return [message["text"] for message in said if message["kind"] == "warning"]


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = job.write(tmp_path_factory.mktemp("first"), hanging(), {}).folder
    baked(folder)
    return folder


@pytest.fixture
def folder(first, tmp_path):
    """The same bake, for each test."""
    for name in (caches.FRAMES, caches.STATES):
        (tmp_path / "bake" / name).mkdir(parents=True)
    for path in first.rglob("*"):
        if path.is_file():
            (tmp_path / "bake" / path.relative_to(first)).write_bytes(path.read_bytes())
    return tmp_path / "bake"


def test_a_state_is_kept_about_each_second(folder):
    assert Cache(folder).states == (0, 8, 16, 24)


@pytest.mark.parametrize("begin", [1, 8, 13, COUNT - 2])
def test_frames_before_stay_and_those_behind_are_new(folder, begin):
    before, now = frame_bytes(folder), hanging(density=3000.0)
    assert warnings(new_from(folder, now, begin)) == []
    after = frame_bytes(folder)
    assert after[: begin + 1] == before[: begin + 1]
    assert all(one != other for one, other in zip(after[begin + 1 :], before[begin + 1 :], strict=True))
    assert Cache(folder).input_hash == job.read(folder).input_hash == job.input_hash(now)
    assert not list(folder.glob("tendril_job_*"))


def test_it_gives_what_the_simulation_gives_that_goes_on(folder):
    before, now = hanging(), hanging(density=3000.0)
    frames = list(simulate(before))
    new_from(folder, now, 13)
    state = Cache(folder).restore(kept=13)[1]
    for frame in simulate(now, state):
        assert Cache(folder).read(frame.index)[0].tobytes() == frame.x.tobytes()
    assert state["x"].tobytes() == frames[13].state["x"].tobytes()


def test_cancelled_it_keeps_its_frames_and_resume_gives_the_same_bytes(folder, first, tmp_path):
    now, said = hanging(density=3000.0), []
    proposal = job.propose(folder, now, {}, 13).path
    for message in bake(proposal, stopped=lambda: any(one["kind"] == "progress" for one in said)):
        said.append(message)
    assert said[-1] == {"kind": "cancelled", "frames": 15}
    cut = frame_bytes(folder)
    assert cut[:14] == frame_bytes(first)[:14]
    baked(folder, resume=True)
    once = frame_bytes(folder)
    assert once[:15] == cut
    baked(job.write(tmp_path / "again", hanging(), {}).folder)
    new_from(tmp_path / "again", now, 13)
    assert frame_bytes(tmp_path / "again") == once


def test_a_second_time_it_goes_on_from_what_is_there(folder):
    new_from(folder, hanging(density=3000.0), 13)
    middle = frame_bytes(folder)
    said = new_from(folder, hanging(density=400.0), 22)
    assert warnings(said) == []
    assert frame_bytes(folder)[:23] == middle[:23]


def test_where_the_earlier_settings_are_gone_it_says_from_where_it_goes_on(folder):
    new_from(folder, hanging(density=3000.0), 13)
    middle = frame_bytes(folder)
    said = new_from(folder, hanging(density=400.0), 11)
    assert [(message["frame"], message["text"]) for message in said if message["kind"] == "warning"] == [(8, EARLIER)]
    assert frame_bytes(folder)[:9] == middle[:9]
    assert frame_bytes(folder)[9] != middle[9]


@pytest.mark.parametrize("other", ["friction", "length"])
def test_it_keeps_the_keys_of_its_length_alone(other):
    before, after = (keys(hanging(), length=share) for share in (0.5, 0.6))
    now = keys(hanging(2 * COUNT), friction=3.0, **({"length": 0.6} if other == "length" else {}))
    (rod,) = drawn_as(before, now, COUNT // 2)[0].rods
    at = np.arange(2 * COUNT)
    assert np.array_equal(rod.keyed.times, now.rods[0].keyed.times)
    assert np.array_equal(rod.keyed.friction, now.rods[0].keyed.friction)
    assert rod.keyed.length == pytest.approx(np.interp(at, [0, COUNT - 1], [1.0, 0.5]))
    (rod,) = drawn_as(hanging(), now if other == "length" else after, COUNT // 2)[0].rods
    assert rod.keyed is None or rod.keyed.length is None
    (rod,) = drawn_as(before, hanging(), COUNT // 2)[0].rods
    assert np.array_equal(rod.keyed.length, before.rods[0].keyed.length)


def keys(scene, **ends):
    """The scene, whose rod's numbers go evenly from 1 to these."""
    at = np.arange(scene.frame_count)
    ways = {name: np.linspace(1.0, end, len(at)) for name, end in ends.items()}
    return replace(scene, rods=(replace(scene.rods[0], keyed=Keyed("Rope", at / FPS, **ways)),))


def test_what_does_not_stretch_keeps_its_length_and_what_is_thicker_is_told(folder):
    said = new_from(folder, hanging(rest_length_factor=1.2, radius=0.02), 13)
    assert warnings(said) == [f"'Rope' {SAME_RODS}", f"'Rope' {THICKER}"]
    assert job.read(folder).scene.rods[0].rest_length_factor == 1.0
    edges = np.linalg.norm(np.diff(Cache(folder).read(COUNT - 1)[0], axis=0), axis=1)
    assert np.allclose(edges, 1.0 / 8.0, rtol=1e-7)


@pytest.mark.parametrize(
    ("change", "begin", "text"),
    [
        (lambda scene: replace(scene, frame_duration=0.1), 13, "The frame rate changed"),
        (lambda scene: scene, COUNT - 1, "There is no frame behind the current one"),
        (lambda scene: replace(scene, rods=(*scene.rods, elsewhere())), 13, "'Other' was added"),
        (lambda scene: replace(scene, frame_count=COUNT + 9), COUNT + 3, "Not all frames up to the current one"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_changes_nothing(folder, change, begin, text):
    before, names = frame_bytes(folder), sorted(path.name for path in folder.iterdir())
    said = list(bake(job.propose(folder, change(hanging()), {}, begin).path))
    assert said[-1]["kind"] == "verdict"
    assert said[-1]["text"].startswith(text)
    assert frame_bytes(folder) == before
    assert sorted(path.name for path in folder.iterdir()) == names


def test_without_a_bake_or_a_state_it_is_a_sentence(tmp_path, folder):
    assert "There is no bake" in list(bake(job.propose(tmp_path / "new", hanging(), {}, 3).path))[-1]["text"]
    for path in (folder / caches.STATES).iterdir():
        path.unlink()
    assert "No state was kept" in list(bake(job.propose(folder, hanging(), {}, 3).path))[-1]["text"]
