"""The job folder: a Scene as arrays (.npz) and settings (JSON), so that another process or machine can bake it.

Settings are the scene's dataclasses field by field: a dataclass is {"is": "Rod", …}, an array {"array": its name in
the .npz}, infinity {"float": "inf"}, a tuple a list. A new description joins by being named in DESCRIPTIONS.
"""

import hashlib
import json
import math
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

import numpy as np

from ..physics import scene as descriptions
from .errors import BakeError, as_sentences
from .whole_file import DamagedFile, read_arrays, write_arrays, write_bytes

FORMAT = 2  # counts up whenever a description's fields change
SETTINGS, ARRAYS = "tendril_job.json", "tendril_job.npz"
DESCRIPTIONS = {
    cls.__name__: cls
    for cls in (
        descriptions.Scene,
        descriptions.Rod,
        descriptions.RigidBody,
        descriptions.Weld,
        descriptions.Pin,
        descriptions.ForceField,
        descriptions.Floor,
    )
}


@dataclass(frozen=True)
class Job:
    """One bake to do. meta: JSON-able, handed through untouched. input_hash: changes when what is simulated does."""

    folder: Path
    scene: descriptions.Scene
    meta: dict
    input_hash: str


def write(folder, scene, meta):
    """Writes `scene` and `meta` into `folder`, which is made if need be → Job. Raises BakeError."""
    folder = Path(folder)
    settings, arrays = encode(scene)
    content = {"format": FORMAT, "input_hash": input_hash(scene), "scene": settings, "meta": meta}
    text = json.dumps(content, indent=1, allow_nan=False)
    with as_sentences(folder):
        folder.mkdir(parents=True, exist_ok=True)
        write_arrays(folder / ARRAYS, arrays)
        write_bytes(folder / SETTINGS, text.encode())
    return Job(folder, scene, meta, content["input_hash"])


def read(folder):
    """The Job in `folder`. Raises BakeError: none there, unknown version or key, damaged."""
    folder = Path(folder)
    try:
        content = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        arrays = read_arrays(folder / ARRAYS)
    except FileNotFoundError as error:
        raise BakeError(f"There is no bake job in '{folder}': bake from Blender first.") from error
    except (OSError, ValueError, DamagedFile) as error:
        raise BakeError(f"The bake job in '{folder}' is damaged: bake again from Blender.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BakeError(
            f"The bake job in '{folder}' was written by another version of Tendril: bake again from Blender."
        )
    _expect_keys(content, {"format", "input_hash", "scene", "meta"}, f"The bake job in '{folder}'")
    scene = decode(content["scene"], arrays)
    if not isinstance(scene, descriptions.Scene) or input_hash(scene) != content["input_hash"]:
        raise BakeError(f"The bake job in '{folder}' was changed after it was written: bake again from Blender.")
    return Job(folder, scene, content["meta"], content["input_hash"])


def input_hash(scene):
    """Hex digest of everything in `scene` except the names of things: renaming an object changes no simulation."""
    settings, arrays = encode(scene)
    digest = hashlib.sha256(json.dumps([FORMAT, _without_names(settings)], sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def encode(scene):
    """(settings, arrays): `scene` as JSON-able values and arrays by name."""
    arrays = {}
    return _encode(scene, "scene", arrays), arrays


def decode(settings, arrays):
    """The inverse of `encode`. Raises BakeError for unknown, missing or surplus keys."""
    if isinstance(settings, list):
        return tuple(decode(item, arrays) for item in settings)
    if not isinstance(settings, dict):
        return settings
    if settings.keys() == {"array"} and settings["array"] in arrays:
        return arrays[settings["array"]]
    if settings.keys() == {"float"} and settings["float"] in {"inf", "-inf", "nan"}:
        return float(settings["float"])
    kind = DESCRIPTIONS.get(str(settings.get("is")))
    if kind is None:
        raise BakeError(f"The bake job holds an unknown description {sorted(settings)}: bake again from Blender.")
    _expect_keys(settings, {"is", *(field.name for field in fields(kind))}, f"The bake job's {kind.__name__}")
    return kind(**{name: decode(value, arrays) for name, value in settings.items() if name != "is"})


def _encode(value, path, arrays):
    if is_dataclass(value):
        if DESCRIPTIONS.get(type(value).__name__) is not type(value):
            raise TypeError(f"{path}: name {type(value).__name__} in DESCRIPTIONS")
        own = {
            field.name: _encode(getattr(value, field.name), f"{path}.{field.name}", arrays) for field in fields(value)
        }
        return {"is": type(value).__name__, **own}
    if isinstance(value, np.ndarray):
        arrays[path] = value
        return {"array": path}
    if isinstance(value, tuple | list):
        return [_encode(item, f"{path}.{index}", arrays) for index, item in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"{path}: a {type(value).__name__} has no place in a job")


def _without_names(settings):
    if isinstance(settings, list):
        return [_without_names(item) for item in settings]
    if isinstance(settings, dict):
        return {key: _without_names(value) for key, value in settings.items() if key != "name"}
    return settings


def _expect_keys(found, expected, owner):
    for key in sorted(expected ^ found.keys()):
        trouble = "has an unknown entry" if key in found else "lacks the entry"
        raise BakeError(f"{owner} {trouble} '{key}': bake again from Blender.")
