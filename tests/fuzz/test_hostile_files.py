"""Nothing in a cache folder, whatever it holds, does more than end a bake with one sentence.

A sound cache is changed at random: bytes, numbers, types, sizes, depth, whole files, links, pipes. Then all is done
with it that Tendril does: its size, its frames, a bake, a resumed bake, Free Cache. That ends within seconds, takes
little memory, says one sentence where it says anything, reports no mistake of its own, and touches nothing outside.
"""

import io
import json
import os
import random
import threading
import tracemalloc
import zipfile

import numpy as np
import pytest
from tendril.bake import baking, job
from tendril.bake import cache as caches
from tendril.bake.cache import Cache
from tendril.bake.errors import BakeError
from tendril.bake.lock import NAME as LOCK
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, ForceField, Frame, Notice, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.validate import CheckpointError

CASES = 200
PATIENCE, MOST_MEMORY = 20.0, 100e6  # s, bytes
FRAMES = 6
COUNTS = 12, 11, 1
FRAME_FILES = [f"{caches.FRAMES}/{index:06d}.npz" for index in range(FRAMES)]
ARRAYS = [job.ARRAYS, caches.CHECKPOINT, *FRAME_FILES]
FILES = [job.SETTINGS, caches.INDEX, LOCK, *ARRAYS]
VALUES = [
    None, True, False, 0, 1, -1, 2, 7, 2**31, 2**63, -(2**63), 10**400, 0.0, -1.0, 1e-300, 1e300, 0.5, "", "TWIST", "x",
    "\x1b[2J", "\ud800", "x" * 100_000, [], [[]], [None], {}, {"is": "Rod"}, {"is": "Floor"}, {"is": []}, {"array": []},
    {"array": "scene"}, {"array": "scene.rods.0.x"}, {"float": "nan"}, {"float": "-inf"}, {"float": 3},
]  # fmt: skip


def make_scene():
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 12)
    rod = Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0), twist=np.zeros(12), weights=np.ones(6))
    wind = ForceField("Wind", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]), np.ones(1))
    lamp = RigidBody("Lamp", x[-1].copy(), 2.0, np.eye(3), v=np.zeros(3))
    weld, wall = Weld("Ring", 0, 0, 11), Pin.fixed(rod, 0, rod=0)
    return Scene((rod,), 1e-3, FRAMES, (wall,), (lamp,), (weld,), (wind,), floor=Floor(-1.0))


def toy(scene, state=None):
    """In place of the physics: it refuses what is none of its states, as that does."""
    begin = 0
    if state is not None:
        if state.keys() != {"index", "x"} or state["x"].shape != scene.rods[0].x.shape or state["index"].shape:
            raise CheckpointError("none of its states")
        begin = int(state["index"]) + 1
    for index in range(begin, scene.frame_count):
        x = np.concatenate([rod.x for rod in scene.rods])
        m1 = np.concatenate([np.zeros((rod.edge_count, 3)) for rod in scene.rods])
        yield Notice("Rope", index, "It is long.")
        yield Frame(index, x, m1, {"x": x, "index": np.int64(index)}, np.zeros((len(scene.bodies), 7)))


def bake(place, resume=False):
    """The sentences of a bake, ended after a few frames, but for how long it will take."""
    told = []
    stopped = lambda: len(told) > 3 * FRAMES  # noqa: E731
    for said in baking.bake(place, resume=resume, stopped=stopped, solver=lambda _scene: ((), toy)):
        told.append(said)
    assert told[-1]["kind"] in {"done", "cancelled", "error", "verdict"}
    return [said["text"] for said in told if said.get("text") and not said.get("ok")]


def look(place):
    """At the size and all that the index says."""
    cache = Cache(place)
    assert cache.size() >= 0
    assert len(cache.notices) <= 1000
    assert len(cache.frames) <= 2**20
    return caches.sound_frames(cache, COUNTS)[1:]


def free(place):
    assert Cache(place).free() >= 0
    return []


def use(place):
    """All that is done with a cache; the sentences said. BakeError is a sentence, any other error is a mistake."""
    said = []
    for deed in (look, resume, propose, bake, look, free):
        try:
            said += [text for text in deed(place) if text]
        except BakeError as error:
            said.append(str(error))
    return said


def resume(place):
    return bake(place, resume=True)


def propose(place):
    return bake(job.propose(place, make_scene(), {}).path, resume=True)


@pytest.fixture
def place(tmp_path):
    """A cancelled bake with its job, checkpoint, index, notices and frames."""
    made = job.write(tmp_path / "shot", make_scene(), {"sources": [], "first": 1}).folder
    cache = Cache(made)
    cache.begin(job.read(made).input_hash, FRAMES)
    for item in toy(make_scene()):
        cache.note(item) if isinstance(item, Notice) else cache.write(item)
    cache.checkpoint(item)
    return made


def test_whatever_lies_in_a_cache_ends_in_a_sentence(random_case, tmp_path, place):
    chance = random.Random(random_case)
    mine = tmp_path / "mine"
    mine.write_text("mine")
    for _ in range(chance.choice([1, 1, 1, 3])):
        chance.choice(CHANGES)(place, chance, mine)
    said, trouble = [], []

    def watched():
        tracemalloc.start()
        try:
            said.extend(use(place))
        except BaseException as error:
            trouble.append(error)
        trouble.extend(["memory"] * (tracemalloc.get_traced_memory()[1] > MOST_MEMORY))
        tracemalloc.stop()

    deed = threading.Thread(target=watched, daemon=True)
    deed.start()
    deed.join(PATIENCE)
    assert not deed.is_alive(), "it hangs"
    assert not trouble, trouble
    for text in said:
        assert "mistake in Tendril" not in text
        assert "\n" not in text
        assert len(text) < 1000
    assert mine.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} <= {"mine", "shot", "frames"}
    for path in tmp_path.rglob("*.npz"):
        assert path.is_relative_to(place), "something outside was changed"


def test_the_sound_cache_is_used_without_a_word(place):
    """Else the cases prove little."""
    assert [text for text in use(place) if "long" not in text] == []
    assert not place.exists()


# What is done to the files. Each takes the folder, a random.Random, and a file outside.


def change_bytes(place, chance, _mine):
    path = place / chance.choice(FILES)
    content = bytearray(path.read_bytes()) if path.is_file() else bytearray()
    for _ in range(chance.choice([1, 3, 30])):
        at = chance.randrange(len(content) + 1)
        content[at : at + chance.choice([0, 1, 4])] = chance.randbytes(chance.choice([0, 1, 4]))
    write(path, content)


def cut_short(place, chance, _mine):
    path = place / chance.choice(FILES)
    write(path, path.read_bytes()[: chance.randrange(path.stat().st_size + 1)] if path.is_file() else b"")


def replace_whole(place, chance, _mine):
    contents = (
        b"", b"\0" * 100, b"\xff\xfe[", b"{}", b"[]", b"null", b"NaN", b"[" * 200_000, b'{"a":' * 100_000, b"1" * 10**5,
        b'{"format": 2}', b'{"tendril_cache": 2}\n', b"PK\x05\x06" + b"\0" * 18, b"PK\x03\x04" + b"\xff" * 200,
    )  # fmt: skip
    write(place / chance.choice(FILES), chance.choice(contents))


def swap_files(place, chance, _mine):
    one, two = place / chance.choice(FILES), place / chance.choice(FILES)
    write(one, two.read_bytes() if two.is_file() else b"")


def take_away(place, chance, _mine):
    remove(place / chance.choice([caches.FRAMES, *FILES[:5]]))


def change_settings(place, chance, _mine):
    """A value of another kind or size anywhere in the job, whose hash is made true again where that is possible."""
    path = place / job.SETTINGS
    try:
        content = json.loads(path.read_bytes())
    except ValueError:
        return
    owner, key = chance.choice([*places_in(content)])
    if chance.random() < 0.8:
        owner[key] = chance.choice(VALUES)
    elif isinstance(owner, dict):
        owner[chance.choice(["rods", "colour"])] = owner.pop(key)
    write(path, json.dumps(content).encode())
    make_hash_true(place)


def change_arrays(place, chance, _mine):
    """Another shape, kind or number in the arrays of a file, whose checksums are right."""
    path = place / chance.choice(ARRAYS)
    try:
        with np.load(path, allow_pickle=False) as found:
            arrays = dict(found)
    except (ValueError, OSError, zipfile.BadZipFile, EOFError):
        return
    if not arrays:
        return
    name = chance.choice(sorted(arrays))
    array = arrays[name]
    arrays[name] = chance.choice([
        lambda: array[:-1] if array.ndim else array[None], lambda: array[None], array.ravel, lambda: array.T,
        lambda: array.astype(chance.choice(["f4", "i8", "u1", "?", "c16", ">f8", "S3", "U2", "m8[s]"])),
        lambda: np.full_like(array, chance.choice([0, 1, 7, 1e12])), lambda: -array, lambda: array * 1e300,
        lambda: np.full(array.shape, chance.choice([np.nan, np.inf, -np.inf])), lambda: np.zeros((0, 3)),
        lambda: np.array([print, None], dtype=object), lambda: np.zeros(array.shape, dtype=[("a", "f8"), ("b", "i4")]),
        lambda: np.repeat(array[..., None], 5, axis=-1), lambda: np.array(3), lambda: np.zeros((2, 0, 3)),
    ])()  # fmt: skip
    if chance.random() < 0.2:
        arrays[chance.choice(["more", "state.x", "x.npy", "../x"])] = arrays.pop(name)
    content = io.BytesIO()
    np.savez(content, **arrays)
    write(path, content.getvalue())
    make_hash_true(place)


def pack_a_bomb(place, chance, _mine):
    """Small files that would be large: deflated, overlapping, with a shape that is not there, with a hole inside."""
    path = place / chance.choice(ARRAYS)
    header = b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (%s, 3), }"
    small = header % b"99999999999" + b" " * 100
    match chance.choice(["deflated", "shape", "sparse", "many", "sizes"]):
        case "deflated":
            content = io.BytesIO()
            with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
                for name in ("x.npy", "m1.npy", "bodies.npy", "index.npy"):
                    archive.writestr(name, (header % b"8000000").ljust(127) + b"\n" + b"\0" * 32_000_000)
            write(path, content.getvalue())
        case "shape":
            write(path, stored({"x": small[:127] + b"\n", "m1": small[:127] + b"\n", "bodies": small[:127] + b"\n"}))
        case "sparse" if not path.parent.is_symlink():
            write(path, b"")
            os.truncate(path, 2**40)
        case "many":
            write(path, stored({f"{number}": b"" for number in range(30_000)}))
        case "sizes":
            whole = bytearray(stored({"x": small}))
            whole[18:26] = b"\xff\xff\xff\x7f" * 2
            write(path, whole)


def lengthen_the_index(place, chance, _mine):
    line = chance.choice([
        b'{"notice": ["Rope", %d, "' + b"long " * 20 + b'"]}\n', b'{"frame": %d}\n', b'{"frame": 1000%d}\n',
        b'{"frame": -%d}\n', b'{"frame": 1e%d}\n', b'{"notice": [%d]}\n', b'{"frame": %d, ',
        b'{"notice": ["Rope", 1%d000000000000000000, ""]}\n',
        b'{"tendril_cache": 2, "input_hash": "", "frame_count": %d}\n',
    ])  # fmt: skip
    path = place / caches.INDEX
    if path.is_file():
        lines = (line % number for number in range(chance.choice([1, 100, 50_000])))
        write(path, path.read_bytes() + b"".join(lines))


def change_the_header(place, chance, _mine):
    header = {"tendril_cache": 2, "input_hash": "abc", "frame_count": FRAMES, "begun": 1}
    header[chance.choice(sorted(header))] = chance.choice(VALUES)
    rest = b"".join(b'{"frame": %d}\n' % index for index in range(FRAMES))
    write(place / caches.INDEX, json.dumps(header).encode() + b"\n" + rest)


def put_something_else(place, chance, mine):
    """A link, a pipe, a device or a folder where a file should be."""
    path = place / chance.choice([*FILES, caches.FRAMES])
    if path.parent.is_symlink():
        return
    write(path, b"")
    path.unlink()
    match chance.choice(["link", "dangling", "pipe", "device", "folder", "itself"]):
        case "link":
            path.symlink_to(mine)
        case "dangling":
            path.symlink_to(mine.with_name("nothing"))
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
            (path / "mine").write_text("mine")
        case "itself":
            path.symlink_to(path)


CHANGES = [
    change_bytes, cut_short, replace_whole, swap_files, take_away, change_settings, change_settings, change_settings,
    change_arrays, change_arrays, change_arrays, pack_a_bomb, lengthen_the_index, change_the_header, put_something_else,
]  # fmt: skip
if os.name == "nt":
    CHANGES.remove(put_something_else)


def places_in(content):
    """(owner, key) of everything in nested dicts and lists."""
    for key, value in content.items() if isinstance(content, dict) else enumerate(content):
        yield content, key
        if isinstance(value, dict | list):
            yield from places_in(value)


def make_hash_true(place):
    """So that what is refused is refused for what it says."""
    path = place / job.SETTINGS
    try:
        content = json.loads(path.read_bytes())
        with np.load(place / job.ARRAYS, allow_pickle=False) as arrays:
            content["input_hash"] = job.input_hash(job.decode(content["scene"], dict(arrays)))
        write(path, json.dumps(content).encode())
    except (BakeError, ValueError, OSError, KeyError, TypeError, AttributeError, zipfile.BadZipFile, EOFError):
        pass


def stored(members):
    """An .npz as `np.savez` writes it, with any bytes for members."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name, own in members.items():
            archive.writestr(f"{name}.npy", own)
    return content.getvalue()


def write(path, content):
    if not path.parent.is_symlink():
        remove(path)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def remove(path):
    """A file, link or folder of this test."""
    if path.is_dir() and not path.is_symlink():
        for own in path.iterdir():
            remove(own)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
