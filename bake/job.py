"""The job folder: a Scene as arrays (.npz) and settings (JSON), so that another process or machine can bake it.

Settings are the scene's dataclasses field by field: a dataclass is {"is": "Rod", …}, an array {"array": its name in
the .npz}, infinity {"float": "inf"}, a tuple a list. A new description joins by being named in DESCRIPTIONS; what its
fields may be is in their annotations. Colliders that move have files of their own (`samples`), which the settings name.

A folder's job belongs to the bake that is there. A new one is proposed beside it, under a name of its own, and takes
its place only when it is baked: what is refused, by the physics or because another bake is running, changes nothing.
"""

import hashlib
import json
import math
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from functools import cache
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from ..physics import scene as descriptions
from . import samples
from .errors import BakeError, as_sentences
from .folder import NEW, NEXT, make
from .index import Index
from .lock import locked
from .plain_file import DamagedFile, is_folder, read_plain
from .selected import KINDS, Numbers, fits
from .strict_json import loads
from .whole_file import read_arrays, rename, sync, write_arrays, write_bytes

FORMAT = 20  # counts up whenever a description's fields change
OTHERS = "others"  # the name of that array
UNFELT = {"name", "bend_limit", "tension_limit", "transverse_limit"}  # fields that change no simulation
META = "meta"  # before the names of those in a Job's meta
SETTINGS, ARRAYS = "tendril_job.json", "tendril_job.npz"
_JOB = r"tendril_job(_[0-9a-f]{16})?\.(json|npz)"
FILES = rf"{_JOB}|{samples.FILES}"  # a pattern: those of proposals too
_LARGEST_SETTINGS, _LARGEST_ARRAYS = 2**25, 2**31  # bytes: 10⁴ hairs on a head that turns for ten seconds have a third
_LONGEST_NAME = 1000
# Kinds of numbers in an array, by the name of its field; what is of another becomes of the first.
_NUMBERS = {
    "triangles": (np.int64,),
    "tetrahedra": (np.int64,),
    "nodes": (np.int64,),
    "points": (np.float64, np.float32),
}
Arrays = dict[str, np.ndarray]
Kinds = tuple[type | GenericAlias, ...]
DESCRIPTIONS: dict[str, type] = {
    cls.__name__: cls
    for cls in (
        descriptions.Scene,
        descriptions.Load,
        descriptions.Rod,
        descriptions.Keyed,
        descriptions.RigidBody,
        descriptions.Shape,
        descriptions.Weld,
        descriptions.Pin,
        descriptions.Pulley,
        descriptions.ForceField,
        descriptions.Floor,
        descriptions.Collider,
        descriptions.SoftBody,
        descriptions.Sheet,
        descriptions.Hold,
        descriptions.Tie,
    )
}


@dataclass(frozen=True)
class Job:
    """One bake to do. meta: JSON-able but for arrays, handed through untouched. input_hash: changes when what is
    simulated does.

    path: its settings file, by which `taken` finds it. begin: of a proposal, the frame behind which it is baked; up to
    that the frames stay that the folder's job has baked. anew: numbers of the things that are simulated, by kind, None:
    all; others (F, W): what all others have in each frame: see `selected`.
    """

    path: Path
    scene: descriptions.Scene
    meta: dict[str, Any]
    input_hash: str
    begin: int = 0
    anew: Numbers | None = None
    others: np.ndarray | None = None

    @property
    def folder(self) -> Path:
        """Where the cache goes."""
        return self.path.parent

    @property
    def temporary(self) -> bool:
        """Whether it is for Blender to look at while it runs: nothing of it has to outlast a power cut."""
        return is_temporary(self.meta)


def write(folder: Path | str, scene: descriptions.Scene, meta: dict[str, Any]) -> Job:
    """Writes `scene` and `meta` as the job of `folder`, which is made if need be → Job. Raises BakeError, also while a
    bake is running there.
    """
    path = Path(folder) / SETTINGS
    with as_sentences(path.parent):
        make(path.parent)
    with locked(path.parent):
        return _write(path, scene, meta)


def propose(
    folder: Path | str, scene: descriptions.Scene, meta: dict[str, Any], begin: int = 0, anew: Numbers | None = None
) -> Job:
    """As `write`, but leaves the job that is there until the bake of this one has begun; begin, anew: as a Job's."""
    path = Path(folder) / f"tendril_job_{secrets.token_hex(8)}.json"
    with as_sentences(path.parent):
        make(path.parent)
    return _write(path, scene, meta, begin, anew)


def is_temporary(meta: dict[str, Any]) -> bool:
    """Whether a job with this meta is `temporary`."""
    return meta.get("temporary") is True


def altered(job: Job, **changes: Any) -> Job:
    """The Job with another scene, or other things anew, in its place. Raises BakeError."""
    other = replace(job, **changes)
    return _write(other.path, other.scene, other.meta, other.begin, other.anew, other.others)


@contextmanager
def taken(place: Path | str) -> Iterator[Job]:
    """The Job at `place`, a folder or the path of a Job, with its folder locked. Raises BakeError.

    A proposal is gone afterwards, unless it was adopted meanwhile or has frames: see `replacing`.
    """
    path = _settings(place)
    try:
        if not path.exists():
            raise _no_job(path)
        with locked(path.parent):
            yield read(path)
    finally:
        if path.name not in {SETTINGS, at_work(path.parent), at_work(path.parent, NEXT)}:
            drop(path)


def drop(proposal: Path) -> None:
    """Removes a proposal, if it is there still."""
    own = set(_sample_files(proposal)) - set(_sample_files(proposal.parent / SETTINGS))
    samples.remove([*own, proposal, _arrays(proposal)])


def adopt(job: Job) -> Job:
    """Makes `job` the one of its folder → Job. Raises BakeError."""
    path = job.folder / SETTINGS
    if job.path != path:
        with as_sentences(job.folder):
            take(job.path)
    return replace(job, path=path)


def take(proposal: Path) -> None:
    """Makes the job with these settings the one of its folder, or goes on where that was killed. Raises OSError."""
    path = proposal.parent / SETTINGS
    earlier = _sample_files(path)
    for source, target in ((_arrays(proposal), _arrays(path)), (proposal, path)):
        if source.exists():
            rename(source, target)
    samples.remove([file for file in earlier if file not in _sample_files(path)])


def read(place: Path | str) -> Job:
    """The Job at `place`, a folder or the path of a Job. Raises BakeError: none there, of another version, damaged."""
    path = _settings(place)
    try:
        content = loads(read_plain(path, _LARGEST_SETTINGS))
        arrays = read_arrays(_arrays(path), _LARGEST_ARRAYS)
        moving = {name: samples.mapped(path.parent / file) for name, file in _named_files(content).items()}
    except FileNotFoundError as error:
        raise _no_job(path) from error
    except (OSError, ValueError, DamagedFile) as error:
        raise BakeError(f"The bake job in '{path.parent}' is damaged: bake again from Blender.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BakeError(
            f"The bake job in '{path.parent}' was written by another version of Tendril: bake again from Blender."
        )
    keys = {"format", "input_hash", "scene", "samples", "meta", "begin", "anew"}
    _expect_keys(content, keys, f"The bake job in '{path.parent}'")
    others = moving.pop(OTHERS, None)
    scene, meta, written, begin = (content[key] for key in ("scene", "meta", "input_hash", "begin"))
    meta = _with_arrays(meta, arrays)
    scene = decode(scene, arrays | moving) if isinstance(scene, dict) else None
    whole = isinstance(meta, dict) and type(begin) is int and begin >= 0
    if not scene or not whole or input_hash(scene) != written or not _is_choice(content["anew"], scene, others):
        raise BakeError(f"The bake job in '{path.parent}' was changed after it was written: bake again from Blender.")
    return Job(path, scene, meta, written, begin, content["anew"], others)


def _is_choice(anew: Any, scene: descriptions.Scene, others: np.ndarray | None) -> bool:
    """Whether these can be `anew` and `others` of a Job."""
    if anew is None:
        return others is None
    if not isinstance(anew, dict) or anew.keys() != {*KINDS}:
        return False
    known = all(
        isinstance(numbers, list) and all(type(k) is int and 0 <= k < len(getattr(scene, kind)) for k in numbers)
        for kind, numbers in anew.items()
    )
    return known and (others is None or (others.dtype == np.float64 and fits(scene, anew, others)))


def input_hash(scene: descriptions.Scene) -> str:
    """Hex digest of everything in `scene` except what changes no simulation: see UNFELT."""
    settings, arrays = encode(scene)
    digest = hashlib.sha256(json.dumps([FORMAT, _felt(settings)], sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def encode(scene: descriptions.Scene) -> tuple[dict[str, Any], Arrays]:
    """(settings, arrays): `scene` as JSON-able values and arrays by name, float64 but for _NUMBERS."""
    arrays: Arrays = {}
    return _encode(scene, "scene", arrays), arrays


def decode(settings: dict[str, Any], arrays: Arrays) -> descriptions.Scene:
    """The inverse of `encode`. Raises BakeError for unknown, missing or surplus keys, and for values of another kind
    than the description asks for.
    """
    return _decode(settings, arrays, (descriptions.Scene,), "scene")


def _write(
    path: Path,
    scene: descriptions.Scene,
    meta: dict[str, Any],
    begin: int = 0,
    anew: Numbers | None = None,
    others: np.ndarray | None = None,
) -> Job:
    settings, arrays = encode(scene)
    moving = {name: array for name, array in arrays.items() if _is_moving(name, array)}
    content: dict[str, Any] = {"format": FORMAT, "input_hash": input_hash(scene), "scene": settings}
    content["meta"] = _without_arrays(meta, META, arrays)
    content |= {"begin": begin, "anew": anew}
    if others is not None:
        moving[OTHERS] = others
    size = sum(array.nbytes for name, array in arrays.items() if name not in moving)
    if size > _LARGEST_ARRAYS:
        text = f"{size / 1e9:.1f} GB, of which a bake takes {_LARGEST_ARRAYS / 1e9:.1f}: bake fewer frames or less hair"
        raise BakeError(f"What rods and their pins are and where they are led takes {text}.")
    synced = not is_temporary(meta)
    with as_sentences(path.parent):
        still = {name: array for name, array in arrays.items() if name not in moving}
        write_arrays(_arrays(path), still, synced=synced)
        files = {name: samples.bring(array, path.parent) for name, array in moving.items()}
        for file in files.values() if synced else ():
            sync(file)
        content["samples"] = {name: file.name for name, file in files.items()}
        write_bytes(path, json.dumps(content, indent=1, allow_nan=False).encode(), synced=synced)
    return Job(path, scene, meta, content["input_hash"], begin, anew, others)


def _without_arrays(meta: Any, path: str, arrays: Arrays) -> Any:
    """`meta` with names in place of its arrays, which join `arrays`."""
    if isinstance(meta, np.ndarray):
        arrays[path] = meta
        return {META: path}
    if isinstance(meta, dict):
        return {key: _without_arrays(value, f"{path}.{key}", arrays) for key, value in meta.items()}
    if isinstance(meta, tuple | list):
        return [_without_arrays(value, f"{path}.{k}", arrays) for k, value in enumerate(meta)]
    return meta


def _with_arrays(meta: Any, arrays: Arrays) -> Any:
    """The inverse. Raises BakeError: one is missing."""
    if isinstance(meta, dict):
        if meta.keys() == {META}:
            found = arrays.get(str(meta[META]))
            if found is None:
                raise BakeError("The bake job has lost where what is held is seen: bake again from Blender.")
            return found
        return {key: _with_arrays(value, arrays) for key, value in meta.items()}
    return [_with_arrays(value, arrays) for value in meta] if isinstance(meta, list) else meta


def _is_moving(name: str, array: np.ndarray) -> bool:
    """Whether an array is a collider's points (k, V, 3) at several times."""
    return name.endswith(".points") and array.ndim == 3 and len(array) > 1


def folder_of(place: Path | str) -> Path:
    """Of the Job at `place`, a folder or the path of a Job."""
    return _settings(place).parent


def _settings(place: Path | str) -> Path:
    place = Path(place)
    return place if re.fullmatch(_JOB, place.name) else place / SETTINGS


def _arrays(path: Path) -> Path:
    return path.with_suffix(".npz")


def at_work(folder: Path, name: str = NEW) -> str:
    """The name of the settings of the bake that has frames beside that of a folder, in `name`, or else of that one."""
    if not is_folder(folder / name):
        return SETTINGS
    beside = Index(folder / name)
    beside.refresh()
    return beside.proposal or SETTINGS


def _named_files(content: Any) -> dict[str, str]:
    """{name of an array: file with its samples} in the settings of a job. Raises ValueError for what could be none."""
    named = content.get("samples", {}) if isinstance(content, dict) else {}
    if not isinstance(named, dict) or not all(re.fullmatch(samples.FILES, str(file)) for file in named.values()):
        raise ValueError("no names of ours")
    return named


def _sample_files(path: Path) -> list[Path]:
    """The files with samples that the settings at `path` name, as far as can be told."""
    try:
        return [path.parent / file for file in _named_files(loads(read_plain(path, _LARGEST_SETTINGS))).values()]
    except (OSError, ValueError, DamagedFile):
        return []


def _no_job(path: Path) -> BakeError:
    return BakeError(f"There is no bake job in '{path.parent}': bake from Blender first.")


@cache
def _kinds(description: str) -> dict[str, Kinds]:
    """What each field of one of DESCRIPTIONS may be, by name: a tuple of types."""
    hints = get_type_hints(DESCRIPTIONS[description]).items()
    return {name: get_args(hint) if isinstance(hint, UnionType) else (hint,) for name, hint in hints}


def _encode(value: Any, path: str, arrays: Arrays, kinds: Kinds = ()) -> Any:
    if is_dataclass(value):
        kind = type(value).__name__
        if DESCRIPTIONS.get(kind) is not type(value):
            raise TypeError(f"{path}: name {kind} in DESCRIPTIONS")
        each = _kinds(kind).items()
        own = {name: _encode(getattr(value, name), f"{path}.{name}", arrays, its) for name, its in each}
        return {"is": kind, **own}
    if isinstance(value, np.ndarray) and value.ndim:
        numbers = _numbers(path)
        dtype = value.dtype if value.dtype in numbers else numbers[0]
        arrays[path] = np.asanyarray(value, dtype, "C") if value.dtype.kind in "iuf" else value
        return {"array": path}
    if isinstance(value, tuple | list):
        return [_encode(item, f"{path}.{index}", arrays) for index, item in enumerate(value)]
    if isinstance(value, np.generic | np.ndarray):
        value = value.item()
    if type(value) is int and float in kinds:
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{path}: a {type(value).__name__} has no place in a job")


def _decode(settings: Any, arrays: Arrays, kinds: Kinds, path: str) -> Any:
    """kinds: what `settings`, found at `path`, may describe."""
    if isinstance(settings, dict):
        return _decode_dict(settings, arrays, kinds, path)
    if isinstance(settings, list):
        for kind in kinds:
            if get_origin(kind) is tuple:
                item = get_args(kind)[:1]
                return tuple(_decode(one, arrays, item, f"{path}.{index}") for index, one in enumerate(settings))
    elif type(settings) in kinds and not (type(settings) is str and len(settings) > _LONGEST_NAME):
        return settings
    raise BakeError(f"The bake job's {path} is of another kind than it should be: bake again from Blender.")


def _decode_dict(settings: dict[str, Any], arrays: Arrays, kinds: Kinds, path: str) -> Any:
    found = arrays.get(path) if settings == {"array": path} and np.ndarray in kinds else None
    if found is not None and found.dtype in _numbers(path):
        return found
    if settings.keys() == {"float"} and settings["float"] in ("inf", "-inf", "nan") and float in kinds:
        return float(settings["float"])
    kind = DESCRIPTIONS.get(str(settings.get("is")))
    if kind is None or set(kind.__mro__).isdisjoint(kinds):  # a sheet is a soft body
        raise BakeError(f"The bake job holds an unknown description in {path}: bake again from Blender.")
    _expect_keys(settings, {"is", *_kinds(kind.__name__)}, f"The bake job's {kind.__name__}")
    own = {name: _decode(settings[name], arrays, its, f"{path}.{name}") for name, its in _kinds(kind.__name__).items()}
    return kind(**own)


def _numbers(path: str) -> tuple[type, ...]:
    return _NUMBERS.get(path.rpartition(".")[2], (np.float64,))


def _felt(settings: Any) -> Any:
    if isinstance(settings, list):
        return [_felt(item) for item in settings]
    if isinstance(settings, dict):
        return {key: _felt(value) for key, value in settings.items() if key not in UNFELT}
    return settings


def _expect_keys(found: dict[str, Any], expected: set[str], owner: str) -> None:
    for key in sorted(expected ^ found.keys()):
        trouble = "has an unknown entry" if key in found else "lacks the entry"
        raise BakeError(f"{owner} {trouble} '{key[:60]}': bake again from Blender.")
