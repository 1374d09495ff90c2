"""Compiles kernels ahead of the first bake of an installation that needs them, and says whether that has been done.

    python -m tendril.physics.run.compile [PART …]

They are compiled in parts, for what a scene does not need is not waited for.

What was compiled is sealed with a checksum of each file, for numba believes whatever it finds and does not see to it
that files outlast a power cut. What a later bake adds, for arguments of another kind, has at least to be readable.
"""

import gc
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

from .._jit import CACHE_FOLDER
from ..compiling.kernel_folder import remove_unused
from ..compiling.one_at_a_time import one_at_a_time
from ..compiling.told import CompileError
from ..cost import coupled
from ..elements.contact_press import CONTACT, contact_slopes
from ..forces.buoyancy import immersed
from ..materials import Material
from ..scene import Collider, ForceField, Keyed, Pin, RigidBody, Rod, Scene, Shape, Sheet, SoftBody, Weld
from ..scenes.loaded import acted_on
from ..scenes.without_cables import cables_of, without_cables
from ..validate import implicit_rods
from .kinematic_bodies import without_kinematic_bodies
from .simulate import simulate

RADIUS = 0.002  # [m] of what runs to be compiled
SEAL = f"complete-{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]}"  # of parts as here; and the part
STEPS = {"EXPLICIT": "explicit steps", "IMPLICIT": "implicit steps"}
JOINED, BODIES, SHAPES, COLLIDERS, SPRINGS, ROLLING, SPINNING = (  # besides, in these steps
    "what touches or is joined", "rigid bodies", "rigid bodies that touch", "colliders", "contact springs",
    "rods that roll", "spinning rods",
)  # fmt: skip
# Seconds of a processor that parts take, where what comes before them is compiled; measured on 2.6 GHz.
LONG, USUAL = (
    {STEPS["EXPLICIT"]: 60, STEPS["IMPLICIT"]: 60, f"{JOINED} in {STEPS['IMPLICIT']}": 50, "soft bodies": 40},
    20,
)
FIELDS, SOFT_FIELDS, SOFT_COLLIDERS = "force fields", "force fields on soft bodies", "colliders on soft bodies"
SETTLING, LENGTHS, HOLDING = "settling", "lengths that are not as drawn", "drawn shapes that are held"
DOT = Shape(np.ones((1, 3)), np.zeros((1, 3), np.int64), 0.01)
WIND = ForceField("warm-up", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))
SOFT_BODIES = "soft bodies"
COUPLED = "soft bodies with rods"
KINDS = RODS, RIGID, MESHES, AIR, SOFT, CABLES = (
    "rods", "rigid-bodies", "colliders", "force-fields", "soft-bodies", "cables",
)  # fmt: skip
_whole = dict[Path, tuple[object, ...]]()  # files that were whole, and what they were like when that was seen


def needed(scene: Scene) -> list[str]:
    """The parts that a bake of the scene runs."""
    parts, scene = [CABLES] * bool(cables_of(scene)), without_cables(without_kinematic_bodies(scene)[0])
    implicit = np.zeros(0, dtype=bool)
    if scene.rods or scene.bodies:
        implicit = implicit_rods(immersed(scene)) if scene.rods else np.array([scene.solver == "IMPLICIT"])
        spinning = any(rod.model == "cosserat" for rod in scene.rods)
        lengths = any(rod.rest_length_factor != 1.0 and not rod.stretchable for rod in scene.rods)  # by them too
        solvers = ["EXPLICIT"] * bool(lengths or not implicit.all()) + ["IMPLICIT"] * bool(implicit.any())
        joined = scene.contact or scene.bodies or any(rod.closed for rod in scene.rods)
        for steps in dict.fromkeys([*solvers, *["IMPLICIT"] * scene.settle]):
            has = {
                JOINED: steps == "IMPLICIT" and joined,
                BODIES: scene.bodies,
                SHAPES: any(body.shape is not None for body in scene.bodies),
                COLLIDERS: scene.colliders,
                SPRINGS: steps == "EXPLICIT" and scene.treatment == "SPRINGS",
                ROLLING: any(rod.rolls for rod in scene.rods),
                SPINNING: spinning,
            }
            parts += [STEPS[steps], *(f"{thing} in {STEPS[steps]}" for thing, found in has.items() if found)]
        parts += [FIELDS] * acted_on(scene) + [SETTLING] * (scene.settle and "EXPLICIT" in solvers)
        parts += [LENGTHS] * lengths + [HOLDING] * any(rod.balanced for rod in scene.rods)
    on_soft = [SOFT_COLLIDERS] * bool(scene.solids and scene.colliders)
    if coupled(scene):
        return [*parts, COUPLED, *on_soft]
    return [*parts, SOFT_BODIES, *[SOFT_FIELDS] * acted_on(scene), *on_soft] if scene.solids else parts


def of_kinds(kinds: Collection[str]) -> list[str]:
    """The parts that scenes with things of such KINDS mostly run, those that most scenes run first."""
    parts, explicit, implicit = [CABLES] * (CABLES in kinds), STEPS["EXPLICIT"], STEPS["IMPLICIT"]
    if has_rods := RODS in kinds or RIGID in kinds:
        things = [BODIES, SHAPES] * (RIGID in kinds) + [COLLIDERS] * (MESHES in kinds)
        parts += [explicit, implicit, f"{JOINED} in {implicit}"]
        parts += [f"{thing} in {steps}" for thing in things for steps in (explicit, implicit)]
        parts += [FIELDS] * (AIR in kinds) + [SETTLING, LENGTHS, HOLDING]
    if SOFT in kinds:
        parts += [COUPLED] if has_rods else [SOFT_BODIES, *[SOFT_FIELDS] * (AIR in kinds)]
        parts += [SOFT_COLLIDERS] * (MESHES in kinds)
    return parts


def every_part() -> list[str]:
    """The parts that there are, those that most scenes run first."""
    rarer = [(SPRINGS, "EXPLICIT"), (ROLLING, "EXPLICIT"), (ROLLING, "IMPLICIT")]
    rarer += [(SPINNING, "EXPLICIT"), (SPINNING, "IMPLICIT")]
    return [*of_kinds(KINDS), *of_kinds([AIR, SOFT]), *(f"{thing} in {STEPS[steps]}" for thing, steps in rarer)]


def missing(parts: Sequence[str], folder: Path | None = CACHE_FOLDER) -> list[str]:
    """Those of the parts that are not on disk; all of them where a file is damaged."""
    if folder is None or not is_sound(folder):
        return list(parts)
    os.utime(folder)  # it is in use
    return [part for part in parts if not _seal_of(part, folder).exists()]


def announced(parts: Sequence[str], how: str) -> Iterator[str]:
    """The same as `warm_up`, in sentences for the artist: which of how many, and about how long each takes."""
    for number, part in enumerate(warm_up(parts), 1):
        yield f"{how}, {number} of {len(parts)}: {part} (about {LONG.get(part, USUAL)} s)"


def warm_up(parts: Sequence[str]) -> Iterator[str]:
    """Compile what is missing: yields each part before it is compiled, or another process is waited for that does."""
    collects = gc.isenabled()
    gc.disable()  # it looks through all that the compiler keeps, again and again: an eighth of the time
    try:
        yield from _compile(parts)
    finally:
        if collects:
            gc.enable()


def _compile(parts: Sequence[str]) -> Iterator[str]:
    if CACHE_FOLDER and parts:
        remove_unused(CACHE_FOLDER)
    for part in parts:
        yield part
        with one_at_a_time(CACHE_FOLDER, part) if CACHE_FOLDER else nullcontext():
            if not missing([part], CACHE_FOLDER):  # any more
                continue
            if CACHE_FOLDER:
                weed(CACHE_FOLDER)
            for scene in _run_by(part):
                for last in [*simulate(scene)][-1:]:
                    for _ in simulate(scene, last.state):  # as a bake that is resumed, which checks numbers
                        pass
            if part == CABLES:  # no scene is sure to run what is asked only where contacts change back and forth
                contact_slopes(np.zeros(1), np.zeros(0, CONTACT), 1, np.zeros((0, 6)), np.zeros(6))
            if CACHE_FOLDER:
                seal(part, CACHE_FOLDER)


def _run_by(part: str) -> list[Scene]:
    """Scenes that run all kernels of a part."""
    if part in (SOFT_BODIES, SOFT_FIELDS, SOFT_COLLIDERS, COUPLED):
        corner = np.vstack([np.zeros(3), 0.1 * np.eye(3)])
        viscous = SoftBody("warm-up", corner, np.arange(4)[None], 1000.0, 1e5, 0.3, zeta=1.0, mu=1.0)
        scene = Scene((), 1e-4, 2, solids=(viscous,))
        if part == COUPLED:
            return [replace(scene, bodies=(RigidBody("warm-up", np.ones(3), 1.0, np.eye(3), shape=DOT),))]
        if part == SOFT_FIELDS:
            return [replace(scene, fields=(WIND,))]
        if part == SOFT_COLLIDERS:
            return [replace(scene, colliders=(_led(),))]
        flat = Sheet("warm-up", corner[:3] + 1.0, 1000.0, 1e5, 0.3, triangles=np.arange(3)[None], plate=0.01)
        led = replace(flat, keyed=Keyed("warm-up", np.zeros(1), stretching=np.ones(1)))
        return [replace(scene, solids=(viscous, led)), replace(scene, scheme="DORMAND_PRINCE")]
    scene = _of_rods(part)
    if part != CABLES:
        return [scene]
    # Besides, one that is longer than its way and lies on something: straight, it is at a saddle of its energy; one
    # across another, a little in it; and one on which something hangs that comes to lie.
    (cable,), down = scene.rods, np.array([0.0, 0.0, -9.81])
    slack = replace(cable, rest_length_factor=1.2, x=cable.x + [0.0, 0.0, 1.25 * RADIUS])
    across = replace(cable, x=cable.x[:, [1, 0, 2]] + [0.05, -0.05, 1.9 * RADIUS])
    found = [scene]
    for rods in ((slack,), (cable, across)):
        ends = [(r, rod, vertex) for r, rod in enumerate(rods) for vertex in (0, len(rod.x) - 1)]
        pins = tuple(Pin.fixed(rod, vertex, "POSITION", rod=r) for r, rod, vertex in ends)
        colliders = scene.colliders if len(rods) == 1 else ()
        found.append(replace(scene, rods=rods, pins=pins, gravity=down, colliders=colliders))
    ball = Shape(slack.x[-1:], np.zeros((1, 3), np.int64), RADIUS)
    lamp, held = RigidBody("warm-up", slack.x[-1], 1.0, np.eye(3), suspended=True, shape=ball), found[1]
    hung = Weld("warm-up", 0, 0, len(slack.x) - 1)
    return [*found, replace(held, pins=held.pins[:1], bodies=(lamp,), welds=(hung,))]


def _of_rods(part: str) -> Scene:
    """A scene that runs all kernels of a part; what is to touch does so from the start, or nearly."""
    x = np.zeros((4, 3))
    x[:, 0] = np.linspace(0.0, 0.1, 4)
    rod = Rod.from_material("warm-up", x, RADIUS, Material(1e6, 0.5, 1000.0))
    pins = (Pin.fixed(rod, 0, "TWIST", rod=0),)
    still = Scene((rod,), 1e-4, 1, pins=pins, contact=False, gravity=np.zeros(3))
    if part == CABLES:
        cable = replace(rod, model="cable", shape_memory=0.0)
        clip = replace(Pin.fixed(cable, 2, "POSITION", rod=0), slides=True)
        return replace(still, rods=(cable,), pins=(*pins, clip), contact=True, colliders=(_led(),))
    if part == SETTLING:
        return replace(still, contact=True, settle=True)
    if part == FIELDS:
        return replace(still, frame_count=2, fields=(WIND,))
    if part == LENGTHS:
        return replace(still, rods=(replace(rod, rest_length_factor=1.05),), contact=True, solver="EXPLICIT")
    if part == HOLDING:
        spins = replace(rod, model="cosserat", internal_damping=1e-3, balanced=True, x=x + 1.0)
        held = (*pins, Pin.fixed(spins, 0, "TWIST", rod=1))
        return replace(still, rods=(replace(rod, balanced=True), spins), pins=held, gravity=np.array([0.0, 0.0, -1.0]))
    thing, _, steps = part.rpartition(" in ")
    solver = next(solver for solver, name in STEPS.items() if name == steps)
    above = replace(rod, x=x[:, [1, 0, 2]] + [0.05, -0.05, 1.9 * RADIUS])
    scene = Scene((rod, above), 1e-4, 2, pins=pins, solver=solver, contact=bool(thing) or solver == "EXPLICIT")
    if part in {STEPS["EXPLICIT"], f"{JOINED} in {STEPS['IMPLICIT']}"}:
        turn = 0.5 * np.pi * np.arange(4)
        places = np.stack([0.05 * np.cos(turn), 0.05 * np.sin(turn), np.ones(4)], axis=1)
        ring = Rod.from_material("warm-up", places, RADIUS, Material(1e6, 0.5, 1000.0), closed=True)
        stretches = replace(above, x=above.x + [0.0, 0.0, 1.0], stretchable=True, rest_length_factor=1.5)
        return replace(scene, rods=(rod, above, ring, stretches), frame_duration=1e-3)
    ball = RigidBody("warm-up", x[-1], 1e-3, 1e-6 * np.eye(3))
    if thing == BODIES:
        return replace(scene, bodies=(ball,), welds=(Weld("warm-up", 0, 0, 3),))
    if thing == SHAPES:
        place, up = x[-1] + [0.05, 0.0, 0.0], np.array([0.0, 0.0, 1.9 * RADIUS])
        shapes = [Shape(at[None], np.zeros((1, 3), np.int64), RADIUS) for at in (place, place + up)]
        return replace(scene, bodies=tuple(replace(ball, position=one.points[0], shape=one) for one in shapes))
    if thing == COLLIDERS:
        return replace(scene, frame_count=3, colliders=(_led(),))
    if thing == ROLLING:
        return replace(scene, rods=tuple(replace(one, rolls=True) for one in scene.rods))
    if thing == SPINNING:
        alone = replace(above, x=above.x + [0.0, 0.0, 1.0])
        spinning = (replace(one, model="cosserat", internal_damping=1e-3) for one in (*scene.rods, alone))
        return replace(scene, rods=(*spinning,), contact=True)
    return replace(scene, treatment="SPRINGS") if thing == SPRINGS else scene


def _led() -> Collider:
    """One beneath what runs, which is led, so it may yield: see yielding."""
    corners = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    led = np.array([corners, corners * [1.0, 1.0 + 1e-6, 1.0]]) - [0.0, 0.0, 1.01 * RADIUS]
    return Collider("warm-up", np.arange(3)[None], np.array([0.0, 1.0]), led)


def _seal_of(part: str, folder: Path) -> Path:
    return folder / f"{SEAL}-{part.replace(' ', '-')}"


def seal(part: str, folder: Path) -> None:
    """Writes down what is compiled, once all of a part is on the disk."""
    lines = []
    for path in _compiled(folder):
        with open(path, "r+b") as file:
            lines.append(f"{hashlib.sha256(file.read()).hexdigest()} {_name(path, folder)}\n")
            os.fsync(file.fileno())
    done = _seal_of(part, folder)
    beside = done.with_name(f"unfinished-{done.name}")
    beside.write_text("".join(lines))
    beside.replace(done)


def is_sound(folder: Path) -> bool:
    """Whether every file of compiled kernels, as far as there are any, is as it was written."""
    return _sealed(folder).keys() <= {_name(path, folder) for path in _compiled(folder)} and not _damaged(folder)


def weed(folder: Path) -> None:
    """Where a file is damaged, deletes it, and the seals, for what it belongs to is to be compiled again."""
    if is_sound(folder):
        return
    for path in [*_damaged(folder), *folder.glob(f"{SEAL}-*")]:
        path.unlink(missing_ok=True)


def _damaged(folder: Path) -> list[Path]:
    sealed = _sealed(folder)
    return [path for path in _compiled(folder) if not _is_whole(path, sealed.get(_name(path, folder)))]


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _compiled(folder: Path) -> list[Path]:
    """numba's files: of each kernel an index, .nbi, and machine code, .nbc."""
    return sorted(folder.rglob("*.nb[ic]"))


def _sealed(folder: Path) -> dict[str, str]:
    """Checksums by file name."""
    lines = [line for path in folder.glob(f"{SEAL}-*") for line in path.read_text(errors="replace").splitlines()]
    return {name: checksum for checksum, _, name in (line.partition(" ") for line in lines)}


def _is_whole(path: Path, checksum: str | None) -> bool:
    """Whether a file is as it was sealed, or, an index to which more was added and what was, at least readable. What
    was read is read again when it was written since: a process bakes many times.
    """
    then = path.stat()
    seen = then.st_size, then.st_mtime_ns, then.st_ctime_ns, then.st_ino, checksum
    if _whole.get(path) == seen:
        return True
    content = path.read_bytes()
    alike = hashlib.sha256(content).hexdigest() == checksum
    whole = alike or ((checksum is None or path.suffix == ".nbi") and _reads(content))
    if whole:
        _whole[path] = seen
    return whole


def _reads(content: bytes) -> bool:
    """Whether numba can take in what a file of its own, in a folder that is the user's own, holds."""
    file = io.BytesIO(content)
    try:
        pickle.load(file)
        if rest := file.read():  # an index is two pickles, the version and what is compiled
            pickle.loads(rest)
    except (ImportError, AttributeError):  # whole, but compiled for something that is not here, such as a test
        return True
    except Exception:  # anything, with bytes that are no pickle
        return False
    return True


if __name__ == "__main__":
    try:
        for sentence in announced(missing(sys.argv[1:] or every_part()), "Compiling, only once"):
            print(sentence, flush=True)
    except CompileError as error:
        sys.exit(f"{error}.")
