"""Relaxed ropes as text: a row x,y,z for each point [radii of the rope], an empty line between ropes."""

from pathlib import Path

import numpy as np


def read(path: Path) -> tuple[np.ndarray, ...]:
    """The points (n, 3) of each rope."""
    parts = path.read_text(encoding="utf-8").strip().split("\n\n")
    return tuple(np.array([[float(value) for value in row.split(",")] for row in part.splitlines()]) for part in parts)


def write(path: Path, ropes: list[np.ndarray]) -> None:
    """The inverse of `read`, but for rounding."""
    parts = ["\n".join(",".join(f"{round(value, 2) + 0.0:.2f}" for value in row) for row in rope) for rope in ropes]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
