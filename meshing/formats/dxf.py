"""Centre lines as a drawing, for programs that construct with them: DXF (Autodesk's reference of Release 2000), by
ezdxf.

A line is a 3D POLYLINE on a layer of its name, in metres. Each VERTEX says in extended data of the application TENDRIL
how thick the line is there, a distance (1041), and m₁ of the edge from there, a direction of the world (1013), which
programs scale and turn with it. Numbers are as exact as in memory.

Of other drawings lines, arcs, circles, ellipses, polylines and splines of the model space are read, in the unit that
the drawing names. What is bent becomes chords, none farther from it than FLAT of the curve's size. Lines and arcs of a
layer are one line where each begins at the end of the one before.
"""

import io
import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from .centre_lines import FARTHEST, FEWEST, CentreLine, sound
from .unreadable import Unreadable

FORBIDDEN = r'[<>/\\":;?*|=,`\x00-\x1f\x7f]'  # in names of layers
LONGEST = 255  # characters of such a name
APPLICATION, RADIUS, DIRECTION = "TENDRIL", 1041, 1013
BINARY = b"AutoCAD Binary DXF"
CURVES = "LINE", "ARC", "CIRCLE", "ELLIPSE", "LWPOLYLINE", "POLYLINE", "SPLINE"
PIECES = "LINE", "ARC"
FOLDERS = "XDG_CACHE_HOME", "XDG_CONFIG_HOME"  # variables that name the user's folders to ezdxf
FRAME = 16  # of a vertex that a spline is drawn by and does not go through
FLAT = 1e-4  # of a curve's size: a circle becomes 256 chords, whose corners, of 1.4°, are not seen
SAME = 1e-6  # of a curve's size, within which ends are one: with 6 digits, the fewest that programs write
INCH, SURVEY_FOOT = 0.0254, 1200.0 / 3937.0  # m
METRES = {  # of the units that drawings name by number, $INSUNITS; of what names none, 1
    1: INCH, 2: 12 * INCH, 3: 63360 * INCH, 4: 1e-3, 5: 1e-2, 7: 1e3, 8: 1e-6 * INCH, 9: 1e-3 * INCH, 10: 36 * INCH,
    11: 1e-10, 12: 1e-9, 13: 1e-6, 14: 0.1, 15: 10.0, 16: 100.0, 17: 1e9, 18: 149597870700.0, 19: 9.4607e15,
    20: 3.0857e16, 21: SURVEY_FOOT, 22: SURVEY_FOOT / 12, 23: 3 * SURVEY_FOOT, 24: 5280 * SURVEY_FOOT,
}  # fmt: skip
MOST = 100e6  # bytes of a drawing: it takes 13 times as much memory while it is read, 1.3 GB, and a minute

logging.getLogger("ezdxf").addHandler(logging.NullHandler())  # else what it repairs goes to the console, line by line


def write_dxf(lines: list[CentreLine]) -> bytes:
    """The drawing."""
    _load_library()
    import ezdxf
    from ezdxf.enums import InsertUnits

    drawing = ezdxf.new("R2000", units=InsertUnits.Meters)
    drawing.appids.add(APPLICATION)
    for line in lines:
        layer = _layer({own.dxf.name.casefold() for own in drawing.layers}, line.name)
        drawing.layers.add(layer)
        curve = drawing.modelspace().add_polyline3d(line.x.tolist(), close=line.closed, dxfattribs={"layer": layer})
        m1 = line.m1 if line.closed else np.concatenate([line.m1, line.m1[-1:]])
        for vertex, direction, radius in zip(curve.vertices, m1.tolist(), line.radius.tolist(), strict=True):
            vertex.set_xdata(APPLICATION, [(RADIUS, radius), (DIRECTION, direction)])
    text = io.StringIO()
    drawing.write(text)
    return text.getvalue().encode(drawing.output_encoding, errors="dxfreplace")


def _load_library() -> None:
    """Imports ezdxf, which at first takes its options from files in the user's and the working folder, whatever these
    are, and looks through the fonts of the system and lists them in the user's folder: here it finds no options, and an
    empty list, in a folder that goes.
    """
    if "ezdxf" in sys.modules:
        return
    before = {name: os.environ.get(name) for name in FOLDERS}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "ezdxf")
        place.mkdir()
        (place / "font_manager_cache.json").write_text('{"version": 0, "font-faces": []}')
        os.environ.update(dict.fromkeys(FOLDERS, folder))
        try:
            with chdir(folder):
                import ezdxf  # noqa: F401
        finally:
            for name, own in before.items():
                del os.environ[name]
                if own is not None:
                    os.environ[name] = own


def _layer(taken: set[str], name: str) -> str:
    """A name that is not taken yet, whose case means nothing."""
    name = re.sub(FORBIDDEN, "_", name).strip() or "_"
    number, found = 1, name[:LONGEST]
    while found.casefold() in taken:
        number += 1
        found = f"{name[: LONGEST - 8]} {number}"
    return found


def read_dxf(data: bytes, radius: float) -> list[CentreLine]:
    """Of a drawing; radius [m] is that of lines of which it says none. Raises Unreadable."""
    if data.startswith(BINARY):
        raise Unreadable("it is binary: save it as text")
    if len(data) > MOST:
        raise Unreadable(f"it has {len(data) / 1e6:.0f} MB, more than {MOST / 1e6:.0f}: save its lines alone")
    if not data.rstrip().endswith(b"EOF"):
        raise Unreadable("it is no drawing, or ends too early")
    _load_library()
    from ezdxf import DXFError

    try:
        pieces = list(_pieces(data))
    except Unreadable:
        raise
    except DXFError as error:
        raise Unreadable(f"it is damaged: {_printable(str(error))[:100]}") from None
    except Exception:  # whatever else the library comes upon in such a file
        raise Unreadable("its parts do not fit together") from None
    found = []
    for piece in _joined(pieces):
        count = len(piece.x)
        radii = np.full(count, radius) if piece.radius is None else piece.radius
        m1 = np.zeros((count, 3)) if piece.m1 is None else piece.m1
        found.append(sound(CentreLine(piece.name, piece.x, m1 if piece.closed else m1[:-1], radii)))
    if not found:
        raise Unreadable("it has no lines, arcs, polylines or splines in its model space")
    return found


@dataclass
class _Piece:
    """A curve as drawn: x (n, 3) [m]; whether it is a line or an arc, that others may go on; and of a line of ours
    radius (n,) [m] and m1 (n, 3).
    """

    name: str
    x: np.ndarray
    closed: bool
    goes_on: bool
    radius: np.ndarray | None = None
    m1: np.ndarray | None = None

    def reversed(self) -> "_Piece":
        return replace(self, x=self.x[::-1])

    def apart(self, other: "_Piece") -> float:
        """How far its end is from where another begins, times the size of both."""
        return float(np.linalg.norm(self.x[-1] - other.x[0]) / np.ptp(np.concatenate([self.x, other.x]), axis=0).max())


def _pieces(data: bytes) -> Iterator[_Piece]:
    from ezdxf import recover
    from ezdxf.path import make_path

    drawing, _ = recover.read(io.BytesIO(data))
    metres = METRES.get(drawing.units, 1.0)
    for entity in cast("Iterable[Any]", drawing.modelspace()):
        kind, name = entity.dxftype(), _printable(entity.dxf.layer)[:LONGEST]
        if kind == "POLYLINE" and entity.is_3d_polyline:
            vertices = [vertex for vertex in entity.vertices if not vertex.dxf.flags & FRAME]
            piece = _Piece(name, _places(name, (vertex.dxf.location for vertex in vertices)), entity.is_closed, False)
            ours = [vertex.get_xdata(APPLICATION) for vertex in vertices if vertex.has_xdata(APPLICATION)]
            if ours and len(ours) == len(vertices):
                piece.radius = metres * np.array([own.get_first_value(RADIUS) for own in ours])
                piece.m1 = np.array([tuple(own.get_first_value(DIRECTION)) for own in ours])
        elif kind in CURVES:
            path = make_path(entity)
            corners = _places(name, path.control_vertices())
            size = float(np.ptp(corners, axis=0).max()) if len(corners) else 0.0  # a circle of no radius has none
            chords = path.flattening(FLAT * size) if size else ()
            piece = _Piece(name, _places(name, chords), False, kind in PIECES)
        else:
            continue
        if len(piece.x) > 1 and np.ptp(piece.x, axis=0).any():
            yield replace(piece, x=metres * piece.x)


def _places(name: str, found: Iterable[Any]) -> np.ndarray:
    x = np.reshape([tuple(place) for place in found], (-1, 3))
    if not (np.abs(x) <= FARTHEST).all():
        raise Unreadable(f"line '{name}' has a place that is nowhere")
    return x


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in text)


def _joined(pieces: list[_Piece]) -> list[_Piece]:
    """Lines and arcs of a layer that follow one another, as one; what ends where it began, closed."""
    chains: list[list[_Piece]] = []
    for piece in pieces:
        last = chains[-1][-1] if chains else None
        if last and last.goes_on and piece.goes_on and last.name == piece.name:
            ends = [last] if len(chains[-1]) > 1 else [last, last.reversed()]
            one, two = min(
                ((one, two) for one in ends for two in (piece, piece.reversed())),
                key=lambda pair: pair[0].apart(pair[1]),
            )
            if one.apart(two) < SAME:
                chains[-1][-1:] = [one, two]
                continue
        chains.append([piece])
    found = [replace(own[0], x=np.concatenate([own[0].x, *(piece.x[1:] for piece in own[1:])])) for own in chains]
    for line in found:
        if len(line.x) > FEWEST and not line.closed and line.apart(line) < SAME:
            line.x, line.closed = line.x[:-1], True
    return found
