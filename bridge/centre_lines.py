"""Centre lines of rods and cables as they are drawn, in a file, and curves of such a file."""

from pathlib import Path

import bpy

from ..meshing.formats.centre_lines import CentreLine, read_centre_lines, write_centre_lines
from ..meshing.formats.dxf import read_dxf, write_dxf
from ..meshing.formats.unreadable import Unreadable
from ..physics.validate import SceneError
from . import hair
from .check_curve import check_object
from .evaluation import side_scene
from .scene import read_rods
from .units import Units


def write(context, sources, path):
    """Write those of rods to a file, which may begin with //, at the present frame; their number. Raises SceneError."""
    path = Path(bpy.path.abspath(path))
    context.view_layer.update()
    units, lines = Units.of(context.scene, context.scene.frame_current), []
    for source in sources:
        check_object(source)
    with side_scene(context.scene) as aside:
        copies = [aside.copy(source) for source in sources]
        for copy in filter(hair.is_hair, copies):
            hair.take_finish(copy)
        aside.go(context.scene.frame_current_final)
        for source, copy in zip(sources, copies, strict=True):
            drawn, rods = read_rods(source, aside, copy, units)
            lines += [
                CentreLine(rod.name, line.x, line.axes, rod.radius) for line, rod in zip(drawn, rods, strict=True)
            ]
    try:
        path.write_bytes(write_dxf(lines) if _is_drawing(path) else write_centre_lines(lines).encode())
    except ModuleNotFoundError as error:
        raise _without(error) from None
    except OSError as error:
        raise SceneError(path.name, f"'{path}' cannot be written ({error.strerror}): choose another place.") from None
    return len(lines)


def read(scene, path, radius):
    """A curve object, in no collection yet: a spline for each line of a file, which may begin with //; radius [Blender
    units] is that of lines of a drawing that says none. Raises SceneError.
    """
    path, units = Path(bpy.path.abspath(path)), Units.of(scene, 0)
    name, kind = path.stem, "drawing" if _is_drawing(path) else "table"
    try:
        data = path.read_bytes()
        lines = (
            read_dxf(data, units.metres(radius)) if kind == "drawing" else read_centre_lines(data.decode("utf-8-sig"))
        )
    except ModuleNotFoundError as error:
        raise _without(error) from None
    except OSError as error:
        raise SceneError(name, f"'{path}' cannot be read ({error.strerror}): choose another file.") from None
    except (Unreadable, UnicodeDecodeError) as error:
        what = error if isinstance(error, Unreadable) else "it is not in UTF-8: save it as that"
        raise SceneError(name, f"'{path}' is no {kind} of centre lines ({what}): write it anew.") from None
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.use_fill_caps = "3D", 1.0, True
    for line in lines:
        spline = curve.splines.new("POLY")
        spline.points.add(len(line.x) - 1)
        spline.use_cyclic_u = line.closed
        for point, place, radius in zip(spline.points, units.blender_units(line.x), line.radius, strict=True):
            point.co = (*place, 1.0)
            point.radius = units.blender_units(radius)
    return bpy.data.objects.new(name, curve)


def _is_drawing(path):
    """Else a file is a table."""
    return path.suffix.lower() == ".dxf"


def _without(error):
    """The SceneError of a library that drawings need and that is not there."""
    return SceneError(error.name, f"The Python library {error.name} is missing: install Tendril again.")
