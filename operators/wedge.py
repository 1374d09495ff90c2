"""One of several takes of a shot, between which a single number of the file differs."""

import argparse
import re
from math import isfinite, nan

import bpy

from ..bridge.foreign_motion import animated_paths
from ..physics.validate import SceneError


def take(text):
    """'2/5' → (2, 5)."""
    found = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"'{text}' is no take: write the second of five as 2/5")
    return int(found[1]), int(found[2])


def choose(path, first, last, number, count):
    """Set the number that `path` names, as Blender's Copy Full Data Path does, to that of a take: `first` in the first
    of `count`, `last` in the last, even steps between. An empty path is none. Raises SceneError.
    """
    if not path:
        return
    try:
        ends = float(first), float(last)
    except ValueError:
        ends = nan, nan
    if not all(map(isfinite, ends)):
        raise SceneError(path, f"'{first}' to '{last}' are no numbers: write --wedge PROPERTY 0.5 2.0.")
    first, last = ends
    value = first + (last - first) * (number - 1) / max(count - 1, 1)
    owner, name, index = _resolved(path)
    kind = owner.bl_rna.properties[name]
    if kind.type not in {"FLOAT", "INT"} or kind.is_readonly or not _single(kind, index):
        raise SceneError(path, f"'{path}' is no number that can be set: name one, such as a stiffness.")
    keyed = animated_paths(owner.id_data)
    if keyed and (owner.path_from_id(name) if owner != owner.id_data else name) in keyed:
        raise SceneError(path, f"'{path}' is keyed or driven, so that it would be set for nothing: delete its keys.")
    value = round(value) if kind.type == "INT" else value
    if not kind.hard_min <= value <= kind.hard_max:
        limits = f"{kind.hard_min:g} to {kind.hard_max:g}"
        raise SceneError(
            path, f"'{path}' goes from {limits}, and take {number} would have {value:g}: change the values."
        )
    if index is None:
        setattr(owner, name, value)
    else:
        getattr(owner, name)[index] = value


def _single(kind, index):
    """Whether a property of numbers, or the index of one, is a single number."""
    return not kind.is_array if index is None else kind.is_array and sum(map(bool, kind.array_dimensions)) == 1


def _resolved(path):
    """(what owns the number, its name, its index or None) of a full data path. Raises SceneError."""
    found = re.fullmatch(r"(?:bpy\.data\.)?(.+)\.(\w+)(?:\[(\d+)\])?", path)
    owner = None
    if found:
        try:
            owner = bpy.data.path_resolve(found[1])
        except ValueError:
            owner = None
    if not isinstance(owner, bpy.types.bpy_struct) or found[2] not in owner.bl_rna.properties:
        what = "take it from Copy Full Data Path of its context menu"
        raise SceneError(path, f"'{path}' names nothing in this file: {what}.")
    index = None if found[3] is None else int(found[3])
    array = owner.bl_rna.properties[found[2]]
    if index is not None and not (getattr(array, "is_array", False) and index < array.array_length):
        raise SceneError(path, f"'{path}' has no number {index}: leave out what is in brackets.")
    return owner, found[2], index
