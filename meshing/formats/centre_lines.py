"""Centre lines as a table, for programs that construct with them: CSV (RFC 4180), a row for each point.

line, s [m], x, y, z [m], m1x, m1y, m1z, radius [m]: the name of the line, how far along it the point is, its place, the
first direction of the material across it there (Bergou et al. 2008, §3), its radius. Rows of a line follow one another;
m₁ of an edge is given with its first point, the last point has that of the last edge. A closed line ends at its first
point. Numbers have 12 digits. Columns that are read may also be parted by semicolons or tabs, with decimal commas, as
spreadsheets write them where a number has such a comma.
"""

import csv
import io
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from .unreadable import Unreadable

COLUMNS = "line", "s", "x", "y", "z", "m1x", "m1y", "m1z", "radius"
FEWEST = 3  # points of a closed line
FARTHEST = np.finfo(np.float32).max  # [m], which is all that a curve of Blender can hold


@dataclass(frozen=True)
class CentreLine:
    """x (n, 3) [m], m1 (n − 1, 3), of a closed line (n, 3), radius (n,) [m]."""

    name: str
    x: np.ndarray
    m1: np.ndarray
    radius: np.ndarray

    @property
    def closed(self) -> bool:
        """Whether an edge leads from the last point to the first."""
        return len(self.m1) == len(self.x)


def write_centre_lines(lines: list[CentreLine]) -> str:
    """The table."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for line in lines:
        x, radius = (np.concatenate([own, own[:1]]) if line.closed else own for own in (line.x, line.radius))
        s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])
        for row in np.column_stack([s, x, np.concatenate([line.m1, line.m1[-1:]]), radius]):
            table.writerow([line.name, *(f"{value:.12g}" for value in row)])
    return text.getvalue()


def read_centre_lines(text: str) -> list[CentreLine]:
    """Of a table with the columns line, x, y, z and radius at least, in any order. Raises Unreadable."""
    comma = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.DictReader(io.StringIO(text if comma == "," else text.replace(",", ".")), delimiter=comma)
    try:
        table, columns = list(rows), rows.fieldnames or ()
    except csv.Error as error:
        raise Unreadable(str(error)) from None
    missing = [name for name in ("line", "x", "y", "z", "radius") if name not in columns]
    if missing:
        raise Unreadable(f"it has no column {', '.join(missing)}")
    found = []
    for name, own in groupby(table, key=lambda row: row["line"]):
        points = list(own)
        try:
            x, radius = _numbers(points, "x", "y", "z"), _numbers(points, "radius")[:, 0]
            m1 = _numbers(points, "m1x", "m1y", "m1z")[:-1] if "m1x" in points[0] else np.zeros((len(points) - 1, 3))
        except (TypeError, ValueError, KeyError):
            raise Unreadable(f"line '{name}' has something that is no number") from None
        if len(x) > FEWEST and np.array_equal(x[0], x[-1]):
            x, radius = x[:-1], radius[:-1]
        found.append(sound(CentreLine(name, x, m1, radius)))
    if not found:
        raise Unreadable("it has no points")
    return found


def sound(line: CentreLine) -> CentreLine:
    """A line that a curve of Blender can be. Raises Unreadable."""
    if not ((np.abs(line.x) <= FARTHEST).all() and (line.radius > 0.0).all() and (line.radius <= FARTHEST).all()):
        raise Unreadable(f"line '{line.name}' has a place or a radius that is nowhere, or a radius of 0")
    if len(line.x) < 2:
        raise Unreadable(f"line '{line.name}' has one point alone")
    return line


def _numbers(points: list[dict[str, str]], *names: str) -> np.ndarray:
    return np.array([[float(point[name]) for name in names] for point in points])
