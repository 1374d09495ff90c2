"""Meshes of tetrahedra from files that an artist chooses, and what is to be said of them."""

import os
import stat
from pathlib import Path

from ..meshing.formats.read import READERS, read_tetrahedra
from ..meshing.formats.unreadable import Unreadable
from ..physics.elements.tetrahedra import FLATTEST, dihedral_angles, volumes
from ..physics.validate import SceneError
from .soft_volume import MOST_TETRAHEDRA

LARGEST = 100_000_000  # bytes: a million tetrahedra take about 60 MB as text, and reading this much takes ten seconds


def read(path):
    """(x (n, 3), tetrahedra (t, 4)) of a file, without nodes that belong to none. Raises SceneError."""
    name, kind = Path(path).name, Path(path).suffix.lower()
    if kind not in READERS:
        raise SceneError(name, f"'{name}' is none of {', '.join(READERS)}: convert it to one of these.")
    try:
        x, tetrahedra = read_tetrahedra(_contents(path, name), kind)
    except Unreadable as error:
        raise SceneError(name, f"'{name}' is no mesh that can be read ({error}): write it anew.") from None
    if len(tetrahedra) > MOST_TETRAHEDRA:
        raise SceneError(
            name, f"'{name}' has {len(tetrahedra)} tetrahedra: mesh it more coarsely, {MOST_TETRAHEDRA} at most."
        )
    return x, tetrahedra


def _contents(path, name):
    """The bytes of a plain file, or of one that a link leads to. Raises SceneError."""
    try:
        # A pipe is not waited for.
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            found = os.fstat(file.fileno())
            data = file.read(LARGEST) if stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST else None
    except (OSError, ValueError) as error:  # ValueError: no file can have that name
        reason = getattr(error, "strerror", None) or "no file has such a name"
        raise SceneError(name, f"'{name}' cannot be read ({reason}): choose another file.") from None
    if not stat.S_ISREG(found.st_mode):
        raise SceneError(name, f"'{name}' is a pipe, device or folder, not a file: choose another file.")
    if data is None:
        raise SceneError(
            name, f"'{name}' has {found.st_size / 1e6:.0f} MB, of which {LARGEST / 1e6:.0f} MB at most are read: write "
            "it as bytes, or mesh it more coarsely.",
        )  # fmt: skip
    return data


def report(x, tetrahedra):
    """(whether they will do, a sentence about tetrahedra (t, 4) of nodes x (n, 3))."""
    corners = x[tetrahedra]
    inverted, flat = int((volumes(corners) < 0.0).sum()), int((volumes(corners) == 0.0).sum())
    angle = dihedral_angles(corners[volumes(corners) != 0.0]).min(axis=1, initial=180.0)
    bad, worst = int((angle < FLATTEST).sum()), angle.min(initial=180.0)
    told = [f"{len(x)} nodes", f"{len(tetrahedra)} tetrahedra", f"the smallest dihedral angle is {worst:.3g}°"]
    told += [f"{bad} have one below {FLATTEST:g}°"] * (bad > 0)
    told += [f"{inverted} are inside out"] * (inverted > 0) + [f"{flat} have no volume"] * (flat > 0)
    return not (bad or inverted or flat), ", ".join(told)
