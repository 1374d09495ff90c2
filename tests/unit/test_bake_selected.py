"""*Bake Selected*: what is selected is simulated anew among all others, which stay to the byte, act and are touched."""

from dataclasses import replace

import numpy as np
import pytest
from on_disk import frame_bytes
from tendril.bake import job
from tendril.bake.baking import STAYS, bake
from tendril.bake.cache import Cache
from tendril.bake.selected import KINDS, Selected, fits, rows_of
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import events, simulate
from tendril.physics.scene import Collider, Floor, Frame, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Tie, Weld

FPS, COUNT, R = 24, 14, 0.01
RUBBER = Material(2e6, 0.45, 1100.0, internal_damping=0.002, friction=0.3)
CUBE = np.array([[x, y, z] for x in (0.0, 0.1) for y in (0.0, 0.1) for z in (0.0, 0.1)])
FIVE = np.array([[0, 4, 2, 1], [6, 2, 4, 7], [3, 1, 2, 7], [5, 4, 1, 7], [1, 2, 4, 7]])  # tetrahedra of a cube


def rope(name, x, radius=R, **options):
    return Rod.from_material(name, np.asarray(x, float), radius, RUBBER, **options)


def strung(name="Line", y=0.0, n=17, **options):
    """A rope that sags between two ends."""
    s = np.linspace(0.0, 1.0, n)
    return rope(name, np.stack([s, y + 0.0 * s, 1.0 - 0.4 * (s - s * s)], axis=1), **options)


def pinned(*rods):
    return tuple(Pin.fixed(rod, end, rod=r) for r, rod in enumerate(rods) for end in (0, -1))


def fallen(name="Falling", x=0.5, z=1.1, **options):
    y = np.linspace(-0.25, 0.25, 13)
    return rope(name, np.stack([x + 0.0 * y, y, z + 0.0 * y], axis=1), v=np.tile([0.0, 0.0, -1.0], (13, 1)), **options)


def ball(name, at, radius=0.06, **options):
    mass = 1000.0 * 4.2 * radius**3
    shape = {"shape": Shape(np.array([at], float), np.zeros((1, 3), np.int64), radius)}
    return RigidBody(name, np.array(at, float), mass, 0.4 * mass * radius**2 * np.eye(3), **(shape | options))


def jelly(name, at, **options):
    turned = FIVE.copy()
    x = CUBE + at
    edges = x[turned[:, 1:]] - x[turned[:, :1]]
    wrong = np.einsum("ti,ti->t", edges[:, 0], np.cross(edges[:, 1], edges[:, 2])) < 0.0
    turned[wrong] = turned[wrong][:, [0, 2, 1, 3]]
    return SoftBody(name, x, turned, 1000.0, 1e5, 0.3, mu=100.0, friction=0.4, **options)


def made(rods=(), pins=(), **options):
    return Scene(tuple(rods), 1.0 / FPS, COUNT, tuple(pins), **options)


def crossing():
    line = strung()
    return made((line, fallen()), pinned(line))


def lamps():
    one, two = strung("One", 0.0), strung("Two", 0.5)
    arm = np.array([0.02, 0.0, 0.0])
    bodies = tuple(ball(name, rod.x[-1] + arm, shape=None) for name, rod in (("A", one), ("B", two)))
    welds = (Weld("a", 0, 0, 16), Weld("b", 1, 1, 16))
    return made((one, two), (Pin.fixed(one, 0, rod=0), Pin.fixed(two, 0, rod=1)), bodies=bodies, welds=welds)


def balls():
    return made(bodies=(ball("Low", [0.0, 0.0, 0.07]), ball("High", [0.02, 0.0, 0.3])), floor=Floor(0.0))


def on_a_line():
    line = strung()
    return made((line,), pinned(line), bodies=(ball("Ball", [0.5, 0.0, 1.05]),))


def jellies():
    return made(solids=(jelly("Low", [0.0, 0.0, 0.02]), jelly("High", [0.02, 0.02, 0.2])), floor=Floor(0.0))


def over_jelly():
    y = np.linspace(-0.1, 0.2, 13)
    over = rope("Over", np.stack([0.05 + 0.0 * y, y, 0.2 + 0.0 * y], axis=1))
    return made((over,), solids=(jelly("Jelly", [0.0, 0.0, 0.005]),), floor=Floor(0.0))


def tapered():
    line = strung(radius=np.linspace(0.005, 0.02, 17))
    return made((line, fallen()), pinned(line))


def closed():
    around = np.linspace(0.0, 2.0 * np.pi, 17)[:-1]
    ring = rope(
        "Ring", np.stack([0.5 + 0.15 * np.cos(around), 0.15 * np.sin(around), 1.0 + 0.0 * around], 1), closed=True
    )
    line = strung()
    return made((line, ring), pinned(line))


def untouching():
    line = strung()
    return made((line, fallen(touches=False)), pinned(line))


def walled():
    wall = Collider(
        "Wall", np.array([[0, 1, 2]]), np.zeros(1), np.array([[[0.0, -1, 0.7], [1, -1, 0.7], [0.5, 2, 0.7]]])
    )
    return replace(crossing(), colliders=(wall,), settle=False)


SCENES = {  # and what is selected
    "crossing": (crossing, "Falling"), "lamps": (lamps, "One"), "balls": (balls, "High"),
    "ball on a line": (on_a_line, "Ball"), "line under a ball": (on_a_line, "Line"), "jellies": (jellies, "High"),
    "over jelly": (over_jelly, "Over"), "tapered": (tapered, "Falling"), "closed": (closed, "Ring"),
    "untouching": (untouching, "Falling"), "walled": (walled, "Falling"),
}  # fmt: skip


def chosen(scene, *names):
    """Numbers of the things of these names."""
    return {kind: [k for k, thing in enumerate(getattr(scene, kind)) if thing.name in names] for kind in KINDS}


def changed(scene, name):
    """The scene, in which a thing of this name is heavier."""

    def other(thing):
        if thing.name != name:
            return thing
        if isinstance(thing, SoftBody):
            return replace(thing, density=2000.0)
        more = (
            {"inertia": 3.0 * thing.inertia}
            if isinstance(thing, RigidBody)
            else {"bend_stiffness": 20.0 * thing.bend_stiffness}
        )
        return replace(thing, mass=3.0 * thing.mass, **more)

    return replace(scene, **{kind: tuple(map(other, getattr(scene, kind))) for kind in KINDS})


def baked(place, **options):
    said = list(bake(place, **options))
    assert said[-1]["kind"] in {"done", "cancelled"}, said
    return [message["text"] for message in said if message["kind"] == "warning"]


def all_rows(folder, scene):
    cache = Cache(folder)
    return rows_of(scene, [cache.read(index) for index in cache.frames])


@pytest.mark.parametrize("name", SCENES)
def test_the_rest_stays_to_the_byte(name, tmp_path):
    scene, selected = SCENES[name][0](), SCENES[name][1]
    baked(job.write(tmp_path, scene, {}).folder)
    before, now = all_rows(tmp_path, scene), changed(scene, selected)
    baked(job.propose(tmp_path, now, {}, anew=chosen(now, selected)).path)
    after, new = all_rows(tmp_path, now), job.read(tmp_path).anew
    assert len(Cache(tmp_path).frames) == COUNT
    others = 0
    for kind in KINDS:
        for number, thing in enumerate(getattr(now, kind)):
            same = all(
                a.tobytes() == b.tobytes()
                for a, b in zip(before[kind, thing.name], after[kind, thing.name], strict=True)
            )
            assert same == (number not in new[kind])
            others += same
    assert others


def test_what_is_new_lies_on_what_stays(tmp_path):
    """The line goes on under the weight of a rope that fell on it: another one that falls beside that is caught."""
    scene = crossing()
    baked(job.write(tmp_path, scene, {}).folder)
    now = replace(scene, rods=(scene.rods[0], fallen(x=0.3)))
    baked(job.propose(tmp_path, now, {}, anew=chosen(now, "Falling")).path)
    x = Cache(tmp_path).read(COUNT - 1)[0]
    line, falling = x[:17], x[17:]
    middle = falling[6]
    assert middle[2] > np.interp(middle[0], line[:, 0], line[:, 2]) + 1.5 * R
    assert deepest_overlap(now.rods, x, relative=True) < 0.1


def test_without_contact_it_falls_through(tmp_path):
    scene = replace(crossing(), contact=False)
    baked(job.write(tmp_path, scene, {}).folder)
    baked(job.propose(tmp_path, scene, {}, anew=chosen(scene, "Falling")).path)
    assert Cache(tmp_path).read(COUNT - 1)[0][17:, 2].max() < 0.7


def test_what_touches_nothing_still_meets_walls(tmp_path):
    scene = untouching()
    wall = Collider(
        "Wall", np.array([[0, 1, 2]]), np.zeros(1), np.array([[[-1.0, -2, 0.7], [2, -2, 0.7], [0.5, 3, 0.7]]])
    )
    scene = replace(scene, colliders=(wall,))
    baked(job.write(tmp_path, scene, {}).folder)
    once = all_rows(tmp_path, scene)["rods", "Falling"][0]
    baked(job.propose(tmp_path, scene, {}, anew=chosen(scene, "Falling")).path)
    again = all_rows(tmp_path, scene)["rods", "Falling"][0]
    assert np.abs(once - again).max() < 1e-9
    assert 0.7 < again[-1, :, 2].min() < 0.75


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("aside", [0.0, 0.02])
def test_a_rope_is_caught_by_a_straight_one_also_over_its_vertex(aside, solver):
    """Over the very vertex it is beside both edges there."""
    line = rope("Line", np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 17))
    scene = made((line, fallen(x=0.5 + aside)), solver=solver)
    still = {("rods", "Line"): tuple(np.repeat(of[None], COUNT, axis=0) for of in (line.x, np.zeros((16, 3))))}
    frames = simulate(Selected.of(scene, chosen(scene, "Falling"), still).reduced(scene))
    assert abs(min(frame.x[6, 2] for frame in frames) - (1.0 + 2.0 * R)) < 0.1 * R  # contact may lack .05


LED_THROUGH = {  # what is led where a taut line is
    "rope": lambda: (fallen(z=1.3),), "ball": lambda: (ball("Ball", [0.5, 0.0, 1.3]),),
    "jelly": lambda: (jelly("Jelly", [0.45, -0.05, 1.2]),),
}  # fmt: skip


def led_through(kind, **options):
    """(scene with a line that is nearly taut, and what falls freely through it as it was baked, the Selected)"""
    line = strung()
    flat = rope("Line", line.x * [1.0, 1.0, 0.02] + [0.0, 0.0, 0.98])
    (thing,) = LED_THROUGH[kind]()
    of = {"rope": "rods", "ball": "bodies", "jelly": "solids"}[kind]
    things = {"rods": (flat, thing) if kind == "rope" else (flat,)} | ({of: (thing,)} if of != "rods" else {})
    scene = replace(made(pins=pinned(flat), **things, **options), frame_count=20)
    times = np.arange(20) / FPS
    way = np.stack([0.0 * times, 0.0 * times, -times - 0.5 * 9.81 * times**2], axis=1)[:, None]
    went = {
        "rope": lambda: (thing.x + way, np.zeros((20, 12, 3))), "jelly": lambda: (thing.x + way,),
        "ball": lambda: (np.append(thing.position + way, np.tile([1.0, 0.0, 0.0, 0.0], (20, 1, 1)), axis=2),),
    }[kind]()  # fmt: skip
    return scene, Selected.of(scene, chosen(scene, "Line"), {(of, thing.name): went})


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("kind", LED_THROUGH)
def test_what_cannot_give_way_is_gone_through_and_told(kind, solver):
    """A line that is 0.4 per mille longer than its pins are apart hangs on, and keeps its length."""
    scene, selected = led_through(kind, solver=solver)
    told, frames = [], []
    for event in events(selected.reduced(scene)):
        (frames if isinstance(event, Frame) else told).append(event)
    assert len(frames) == 20
    edges = np.linalg.norm(np.diff([frame.x for frame in frames], axis=1), axis=2)
    assert np.allclose(edges, np.linalg.norm(scene.rods[0].edges(), axis=1), rtol=1e-6)
    name = scene.rods[-1].name if kind == "rope" else (*scene.bodies, *scene.solids)[0].name
    assert any(f"cannot give way to '{name}'" in notice.text for notice in told)
    assert frames[-1].x[:, 2].min() > 0.9
    for begin in range(4, 12):
        behind = next(simulate(selected.reduced(scene), frames[begin].state))
        assert behind.x.tobytes() == frames[begin + 1].x.tobytes()


TOUCHING = [("AUTOMATIC", "GOOD"), ("EXPLICIT", "GOOD"), ("IMPLICIT", "FINE"), ("IMPLICIT", "PREVIEW")]


@pytest.mark.parametrize(("solver", "quality"), TOUCHING)
def test_of_two_that_touch_one_is_baked_anew_with_nothing_changed(solver, quality):
    """A rope that lies between the floor and another one, which was baked upon it."""
    low = rope("Low", np.linspace([-0.5, 0.0, 0.3], [0.5, 0.0, 0.3], 17), friction=0.3)
    high = rope("High", np.linspace([-0.4, -0.3, 0.6], [0.4, 0.3, 0.62], 15), friction=0.3)
    scene = made((low, high), (Pin.fixed(low, 0),), floor=Floor(0.0), solver=solver, quality=quality)
    scene = replace(scene, frame_count=20)
    whole = rows_of(scene, [(frame.x, frame.m1, frame.bodies) for frame in simulate(scene)])
    for name in ("Low", "High"):
        assert len([*simulate(Selected.of(scene, chosen(scene, name), whole).reduced(scene))]) == 20


def test_a_body_leads_the_rope_that_is_tied_to_it(tmp_path):
    scene = lamps()
    baked(job.write(tmp_path, scene, {}).folder)
    now = changed(scene, "One")
    assert baked(job.propose(tmp_path, now, {}, anew=chosen(now, "One")).path) == []
    rows = all_rows(tmp_path, now)
    assert np.abs(rows["rods", "One"][0][:, -1] - rows["bodies", "A"][0][:, 0, :3]).max() < 0.021


def test_a_rope_that_a_new_body_hangs_on_is_baked_anew_and_told(tmp_path):
    scene = lamps()
    baked(job.write(tmp_path, scene, {}).folder)
    now = changed(scene, "A")
    text = "'One' is tied to 'A', which is baked anew and acts on it: it is baked anew too."
    assert baked(job.propose(tmp_path, now, {}, anew=chosen(now, "A")).path) == [text]
    assert job.read(tmp_path).anew == {"rods": [0], "bodies": [0], "solids": []}


def test_what_is_tied_to_soft_bodies_is_baked_anew(tmp_path):
    top = np.flatnonzero(CUBE[:, 2] > 0.05)
    rod = rope("Rope", np.linspace([0.05, 0.05, 0.5], [0.05, 0.05, 0.1], 9))
    scene = made((rod, strung(y=2.0)), (Pin.fixed(rod, 0, rod=0), *pinned(rod, strung(y=2.0))[2:]),
                 solids=(jelly("Jelly", 0.0),), ties=(Tie("Glue", 0, top, vertex=(0, 8)),))  # fmt: skip
    baked(job.write(tmp_path, scene, {}).folder)
    (text,) = baked(job.propose(tmp_path, scene, {}, anew=chosen(scene, "Rope")).path)
    assert text.startswith("'Jelly' is tied to 'Rope'")


def test_what_was_added_or_drawn_otherwise_is_baked_anew(tmp_path):
    scene = crossing()
    baked(job.write(tmp_path, scene, {}).folder)
    before = all_rows(tmp_path, scene)
    now = replace(scene, rods=(*scene.rods, fallen("New", 0.8)))
    texts = baked(job.propose(tmp_path, now, {}, anew=chosen(now, "Falling")).path)
    assert texts == ["'New' was added, or drawn otherwise, since the bake: it is baked anew too."]
    after = all_rows(tmp_path, now)
    assert after["rods", "Line"][0].tobytes() == before["rods", "Line"][0].tobytes()
    assert after["rods", "New"][0].shape == (COUNT, 13, 3)


def test_cancelled_it_resumes_to_the_same_bytes_or_begins_again(tmp_path):
    scene = crossing()
    now, bytes_of = changed(scene, "Falling"), []
    for place, stop in ((tmp_path / "once", 99), (tmp_path / "twice", 4)):
        baked(job.write(place, scene, {}).folder)
        said = []
        stopped = lambda: any(one["kind"] == "progress" and one["frame"] >= stop for one in said)  # noqa: B023, E731
        for message in bake(job.propose(place, now, {}, anew=chosen(now, "Falling")).path, stopped=stopped):
            said.append(message)
        if stop == 4:
            assert said[-1]["frames"] == 4
            baked(job.propose(place, now, {}).path, resume=True)
        bytes_of.append(frame_bytes(place))
    assert bytes_of[0] == bytes_of[1]
    said = []
    for message in bake(job.propose(place, scene, {}, anew=chosen(now, "Falling")).path, stopped=lambda: True):
        said.append(message)
    baked(job.propose(place, now, {}, anew=chosen(now, "Falling")).path)
    assert frame_bytes(place) == bytes_of[0]


def test_bake_from_here_goes_on_from_it_and_the_others_stay(tmp_path):
    scene = crossing()
    baked(job.write(tmp_path, scene, {}).folder)
    now = changed(scene, "Falling")
    baked(job.propose(tmp_path, now, {}, anew=chosen(now, "Falling")).path)
    before = frame_bytes(tmp_path)
    assert baked(job.propose(tmp_path, scene, {}, 6).path) == [f"'Line' {STAYS}"]
    after = frame_bytes(tmp_path)
    assert after[:7] == before[:7]
    assert after[-1] != before[-1]
    line = [Cache(tmp_path).read(index)[0][:17].tobytes() for index in range(COUNT)]
    baked(job.write(tmp_path / "whole", scene, {}).folder)
    assert line == [Cache(tmp_path / "whole").read(index)[0][:17].tobytes() for index in range(COUNT)]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda scene: replace(scene, frame_duration=0.1), "The frame rate changed"),
        (lambda scene: replace(scene, frame_count=COUNT + 1), f"Only {COUNT} of {COUNT + 1} frames are baked"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_changes_nothing(change, text, tmp_path):
    scene = crossing()
    baked(job.write(tmp_path, scene, {}).folder)
    before, names = frame_bytes(tmp_path), sorted(path.name for path in tmp_path.iterdir())
    said = list(bake(job.propose(tmp_path, change(scene), {}, anew=chosen(scene, "Falling")).path))
    assert said[-1]["kind"] == "verdict"
    assert said[-1]["text"].startswith(text)
    assert frame_bytes(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_what_a_job_says_of_the_others_has_to_fit():
    scene = crossing()
    anew = chosen(scene, "Falling")
    others = np.zeros((COUNT, 17 * 3 + 16 * 3))
    assert fits(scene, anew, others)
    assert not fits(scene, anew, others[1:])
    assert not fits(scene, anew, others[:, 1:])
    assert not fits(scene, anew, np.full_like(others, np.nan))
    assert Selected(scene, anew, others).names == ["Line"]
