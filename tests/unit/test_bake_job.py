"""A scene comes back from its job folder as it went in, or is refused with one sentence."""

import json
import os
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from tendril.bake import job
from tendril.bake.continuing import KEYED
from tendril.bake.errors import BakeError
from tendril.physics.materials import Material
from tendril.physics.scene import (
    Collider,
    Floor,
    ForceField,
    Hold,
    Keyed,
    Load,
    Pin,
    Pulley,
    RigidBody,
    Rod,
    Scene,
    Shape,
    Sheet,
    SoftBody,
    Tie,
    Weld,
)

STEEL = Material(young=2e11, poisson=0.3, density=7850.0)


def pushes(**options):
    return Load("Push", np.array([0.0, 0.5]), np.array([[0.0, 0.0, 1.0], [0.0, 2.0, 1.0]]), **options)


def make_scene():
    """A scene in which every field differs from its default, in its first rod, pin and body too."""
    angle = np.linspace(0.1, 2.0, 5)
    x = np.stack([np.cos(angle), np.sin(angle), 0.1 * angle], axis=1)
    rope = Rod.from_material(
        "Seil ü", x, np.linspace(0.01, 0.02, 5), STEEL, aspect=0.5, closed=True, stretchable=True,
        inner_radius=0.004, spin_factor=2.0, m1=np.array([0.0, 0.0, 1.0]), twist=0.1 * angle, rest_x=1.1 * x,
        rest_m1=np.array([0.0, 1.0, 0.0]), rest_twist=0.2 * angle, shape_memory=0.3,
        rest_length_factor=1.05, v=x[::-1].copy(), internal_damping=1 / 3, stretch_damping_factor=2.0,
        twist_damping_factor=3.0, drag_coefficient=0.7, friction=0.2,
        balanced=True, touches=False, rolls=True, leaf_area=0.01 * angle, rougher=1.0 + angle,
        weights=np.linspace(0.0, 1.0, 6), group=1,
        model="cosserat", parallel_stiffness=1e4, director_inertia=np.linspace(1.0, 2.0, 10).reshape(5, 2),
        bend_limit=0.05, tension_limit=30.0, transverse_limit=40.0, tautness=0.3,
        natural_curvature=np.array([2.0, 3.0]), loads=(pushes(nodes=np.arange(2)),),
        keyed=Keyed("Seil ü", np.array([0.0, 0.5]), winch=-1, **dict.fromkeys(KEYED, np.array([1.0, 0.7]))),
    )  # fmt: skip
    wire = Rod.from_material("Wire", x + 1.0, 0.01, STEEL)
    turn = np.array([[1.0, 0.0, 0.0, 0.0], [0.8, 0.6, 0.0, 0.0]])
    led = Pin("Hand", 0, 4, "TWIST", np.array([0.0, 0.5]), x[:2], turn, np.array([1.0, 0.5]), 12.5, True)
    wall = Pin.fixed(wire, 0, rod=1)
    crane = RigidBody(
        "Crane", x[0], 5.0, np.diag([1.0, 2.0, 2.5]), v=x[1], omega=x[2], drag_area=0.3, times=np.array([0.0, 0.5]),
        track=x[:2], turn=turn, weights=np.full(6, 0.5), shape=Shape(x, np.array([[0, 1, 1], [2, 3, 4]]), 0.03),
        friction=0.9, restitution=0.4, rolling_resistance=0.002, group=2, volume=0.02, suspended=True,
        loads=(pushes(torque=x[3:], arm=x[0], follows=True),),
    )  # fmt: skip
    gale = ForceField("Gale", "WIND", np.zeros(1), x[:1], turn[:1], np.array([12.0]), max_distance=9.0, radial_max=3.0)
    faces, drop = np.array([[0, 1, 2], [2, 3, 4]]), np.array([0.0, 0.0, -0.5])
    ways = np.stack([x, x + drop]).astype(np.float32)
    character = Collider("Character", faces, np.array([0.0, 0.5]), ways, 0.02, 0.7, group=3, aside=6, rim=1)
    corner = np.vstack([x[:3], x[4:] + 1.0])
    jelly = SoftBody(
        "Jelly", corner, np.arange(4)[None], 1000.0, 1e5, 0.3, 2.0, 3.0, np.arange(1.0, 5.0), np.arange(2.0, 6.0),
        1.1 * corner, v=0.1 * corner, energy="LIESENFELD", elements="AFFINE", friction=0.5, group=4,
        pressure=np.array([10.0, 20.0]), times=np.array([0.0, 0.5]), sealed=True, gas_density=0.2,
        loads=(pushes(nodes=np.arange(3)),),
    )  # fmt: skip
    cube = SoftBody("Cube", corner, np.arange(4)[None], 1.0, 2.0, 0.1, balanced=True)
    paper = Sheet(
        "Paper", corner, density=800.0, young=3e9, poisson=0.2, triangles=np.array([[0, 1, 2], [2, 1, 3]]), plate=1e-4,
        curvature=np.arange(18.0).reshape(2, 3, 3), relaxation=0.001, membrane=0.01, rest_x=1.2 * corner,
        thicker=np.ones(4), stiffness=np.ones(4), weight=np.ones(4),
        keyed=Keyed("Paper", np.array([0.0, 0.5]), stretching=np.array([1.0, 2.0])),
    )  # fmt: skip
    string = Hold("String", "DISTANCE", 0, 1, (1, 2), x[0], np.array([0.0, 0.5]), x[:2], 1e4, 2.0)
    steps = Collider("Steps", faces[:1], np.zeros(1), x[None], 0.0, 0.0)
    return Scene(
        (rope, wire), 1 / 24, 250, (led, wall), (crane,), (Weld("Hook", 0, 1, 4, "POSITION", x[0], turn[1]),), (gale,),
        np.array([0.0, 1e-300, -1.62]), Floor(-0.1, 0.25), (character, steps), 1.1,
        solids=(jelly, cube, paper), holds=(string, Hold("Nail", "POINT", 1, 0)),
        ties=(Tie("Loop", 1, np.arange(2), vertex=(0, 1)), Tie("Glue", 1, np.array([2]), body=0)),
        scheme="FEHLBERG", consistent_mass=True, tolerance=1e-5,
        contact=False, settle=True, push_apart=True, solver="IMPLICIT", quality="FINE", keep_swing=True, max_step=1e-4,
        pulleys=(Pulley("Block", 1, 2, np.array([0.0, 0.5]), x[:2], 0),), treatment="SPRINGS",
        collision_filter=((1, 2), (3, 4)),
    )  # fmt: skip


def assert_same(one, two, path="scene"):
    assert type(one) is type(two) or isinstance(one, np.memmap), path
    if is_dataclass(one):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(two, field.name), f"{path}.{field.name}")
    elif isinstance(one, tuple):
        assert len(one) == len(two), path
        for index, (left, right) in enumerate(zip(one, two, strict=True)):
            assert_same(left, right, f"{path}.{index}")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape, one.tobytes()) == (two.dtype, two.shape, two.tobytes()), path
    else:
        assert one == two, path


def refused(folder):
    with pytest.raises(BakeError) as refusal:
        job.read(folder)
    assert str(refusal.value).count(".") >= 1
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


def rewrite(folder, change):
    """Applies `change` to the settings on the disk."""
    path = folder / job.SETTINGS
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def test_every_field_of_the_test_scene_differs_from_its_default():
    """Else the round trip would prove little."""
    scene = make_scene()
    for made in (scene, scene.rods[0], scene.pins[0], scene.bodies[0], scene.welds[0], scene.colliders[0],
                 scene.bodies[0].shape, scene.rods[0].keyed):  # fmt: skip
        for field in fields(made):
            value = getattr(made, field.name)
            assert isinstance(value, np.ndarray) or value != field.default, field.name
            assert value is not None, field.name


def test_arrays_in_what_goes_with_a_job_come_back(tmp_path):
    place = np.arange(12.0).reshape(2, 2, 3)
    job.write(tmp_path, make_scene(), {"soft": [{"name": "Jelly", "seen": {"place": place}}]})
    (found,) = job.read(tmp_path).meta["soft"]
    assert np.array_equal(found["seen"]["place"], place)
    settings = tmp_path / job.SETTINGS
    settings.write_text(settings.read_text().replace("meta.soft.0.seen.place", "elsewhere"))
    with pytest.raises(BakeError, match="lost where what is held is seen"):
        job.read(tmp_path)


def test_a_scene_comes_back_from_its_folder_field_by_field(tmp_path):
    scene, meta = make_scene(), {"first_frame": 12, "objects": ["Seil ü", "Wire"], "uid": 4294967295}
    written = job.write(tmp_path / "new" / "folder", scene, meta)
    found = job.read(written.folder)
    assert_same(found.scene, scene)
    assert found.meta == meta
    assert found.input_hash == written.input_hash == job.input_hash(scene)


def test_numpy_scalars_come_back_as_numbers(tmp_path):
    scene = replace(make_scene(), frame_count=np.int64(250), max_step=np.float32(0.5), contact=np.True_)
    job.write(tmp_path, scene, {})
    found = job.read(tmp_path).scene
    assert (found.frame_count, found.max_step, found.contact) == (250, 0.5, True)
    assert type(found.frame_count) is int


def test_the_same_scene_gives_the_same_bytes(tmp_path):
    written = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        settings = job.write(folder, make_scene(), {}).path.read_text()
        files = json.loads(settings)["samples"].values()  # of names that nobody can know
        for number, file in enumerate(files):
            settings = settings.replace(file, str(number))
        written.append([settings, *(name.read_bytes() for name in [folder / job.ARRAYS, *map(folder.joinpath, files)])])
    assert written[0] == written[1]
    assert len(written[0]) == 3


def test_bodies_come_back_without_rods(tmp_path):
    bodies = make_scene().bodies
    scene = Scene((), 1 / 24, 250, bodies=bodies)
    written = job.write(tmp_path, scene, {})
    assert_same(job.read(tmp_path).scene, scene)
    assert not list(tmp_path.glob("tendril_samples_*"))  # a shape does not move by itself
    for field in fields(Shape):
        shape = replace(bodies[0].shape, **{field.name: changed(getattr(bodies[0].shape, field.name))})
        other = replace(scene, bodies=(replace(bodies[0], shape=shape),))
        assert job.input_hash(other) != written.input_hash, field.name


@pytest.mark.parametrize("owner", ["scene", "rods", "pins", "bodies", "welds", "fields", "floor", "colliders"])
def test_the_hash_sees_every_field_that_is_felt(owner):
    scene = make_scene()
    owned = scene if owner == "scene" else getattr(scene, owner)
    made = owned[0] if isinstance(owned, tuple) else owned
    for field in fields(made):
        value = getattr(made, field.name)
        other = changed(value)
        new = replace(made, **{field.name: other})
        kept = getattr(new, field.name) is value  # by what else is set, as the model of a rod
        if owner != "scene":
            new = replace(scene, **{owner: (new, *owned[1:]) if isinstance(owned, tuple) else new})
        same = job.input_hash(new) == job.input_hash(scene)
        assert same == (kept or field.name in {"name", "bend_limit", "tension_limit", "transverse_limit"}), field.name


def changed(value):
    """Something of the same type that differs as little as possible."""
    if isinstance(value, np.ndarray):
        other = value.copy()
        other.flat[0] = (
            np.nextafter(other.flat[0], other.dtype.type(np.inf)) if other.dtype.kind == "f" else other.flat[0] + 1
        )
        return other
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return float(np.nextafter(value, np.inf))
    if isinstance(value, int):
        return value + 1
    if isinstance(value, tuple):
        return value[:-1]
    return value + "x" if isinstance(value, str) else None


def test_the_hash_is_the_same_in_another_process():
    program = (
        "import sys, runpy; from tendril.bake import job;"
        "print(job.input_hash(runpy.run_path(sys.argv[1])['make_scene']()))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    call = [sys.executable, "-c", program, __file__]
    answer = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == job.input_hash(make_scene())


def test_arrays_of_objects_are_never_written(tmp_path):
    scene = replace(make_scene(), gravity=np.array([0.0, None, 1.0]))
    with pytest.raises(TypeError, match="Python objects"):
        job.write(tmp_path, scene, {})


def test_a_pickle_in_the_folder_is_not_opened(tmp_path):
    job.write(tmp_path, make_scene(), {})
    np.savez(tmp_path / job.ARRAYS, gravity=np.array([print], dtype=object))
    assert "damaged" in refused(tmp_path)


def test_an_empty_folder_and_no_folder_are_refused(tmp_path):
    assert "no bake job" in refused(tmp_path)
    assert "no bake job" in refused(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda content: content.update(format=job.FORMAT + 1), "another version"),
        (lambda content: content.pop("format"), "another version"),
        (lambda content: content.update(colour="red"), "unknown entry 'colour'"),
        (lambda content: content["scene"].update(colour="red"), "Scene has an unknown entry 'colour'"),
        (lambda content: content["scene"]["rods"][1].pop("mass"), "Rod lacks the entry 'mass'"),
        (lambda content: content["scene"]["floor"].update({"is": "Ceiling"}), "unknown description"),
        (lambda content: content["scene"]["gravity"].update(array="elsewhere"), "unknown description"),
        (lambda content: content["scene"].update(frame_count=251), "was changed"),
        (lambda content: content.update(scene=None), "was changed"),
    ],
)
def test_a_changed_job_is_refused(tmp_path, change, said):
    job.write(tmp_path, make_scene(), {})
    rewrite(tmp_path, change)
    assert said in refused(tmp_path)


@pytest.mark.parametrize("name", [job.SETTINGS, job.ARRAYS])
@pytest.mark.parametrize("kept", [0.0, 0.3, 0.999])
def test_a_truncated_job_is_refused(tmp_path, name, kept):
    job.write(tmp_path, make_scene(), {})
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: int(kept * len(content))])
    assert "damaged" in refused(tmp_path)


def test_arrays_of_another_job_are_noticed(tmp_path):
    """As when writing a job was interrupted between its two files."""
    job.write(tmp_path / "other", replace(make_scene(), gravity=np.zeros(3)), {})
    job.write(tmp_path, make_scene(), {})
    (tmp_path / "other" / job.ARRAYS).replace(tmp_path / job.ARRAYS)
    assert "was changed" in refused(tmp_path)


def test_a_file_in_place_of_the_folder_is_a_sentence(tmp_path):
    (tmp_path / "cache").write_text("mine")
    with pytest.raises(BakeError, match="lies in a file"):
        job.write(tmp_path / "cache" / "scene", make_scene(), {})
    assert (tmp_path / "cache").read_text() == "mine"


def test_more_arrays_than_can_be_read_again_are_refused_before_they_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(job, "_LARGEST_ARRAYS", 1000)
    with pytest.raises(BakeError, match="of which a bake takes 0.0: bake fewer frames or less hair"):
        job.write(tmp_path, make_scene(), {})
    assert not list(tmp_path.glob("*.npz"))
