"""Pictures of rendered takes on one sheet: a row for each take, as many moments of each, evenly spread."""

import re
from pathlib import Path

import bpy
import numpy as np

from ..bake.errors import BakeError
from ..bake.messages import EXIT_CODES

WIDTH = 384  # pixels of each picture
GAP = 4  # pixels between two
TAKES, MOMENTS = 100, 50  # at most


def lay_out(options):
    """Writes the sheet → exit code. Raises BakeError: there is nothing to show, or it cannot be written."""
    folder, output = Path(options.folder), Path(options.output)
    if output.suffix.lower() != ".png":
        raise BakeError(f"'{options.output}' is no name of a PNG picture: let it end in .png.")
    takes = sorted((each for each in folder.glob("*") if each.is_dir()), key=_number) if folder.is_dir() else []
    rows = [found for take in takes[:TAKES] if (found := _moments(take, options.columns))]
    if not rows:
        raise BakeError(f"'{options.folder}' has no folders with pictures: render the takes into it first.")
    pictures = [[_read(path) for path in row] for row in rows]
    height, columns = pictures[0][0].shape[0], max(map(len, pictures))
    sheet = np.zeros((len(rows) * (height + GAP) - GAP, columns * (WIDTH + GAP) - GAP, 4), dtype=np.float32)
    sheet[..., 3] = 1.0
    for row, own in enumerate(reversed(pictures)):  # Blender's pictures begin below
        for column, picture in enumerate(own):
            top, left, own_height = row * (height + GAP), column * (WIDTH + GAP), min(height, len(picture))
            sheet[top : top + own_height, left : left + WIDTH, :3] = picture[:own_height, :, :3]
    _write(sheet, output)
    print(f"{len(rows)} takes of {columns} pictures on '{options.output}'")
    return EXIT_CODES["done"]


def _number(path):
    """By which names with numbers in them are in order."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", path.name)]


def _moments(take, count):
    """Paths of so many pictures of a take, from the first to the last."""
    pictures = (path for path in take.glob("*") if path.suffix.lower() in bpy.path.extensions_image)
    found = sorted((path for path in pictures if not path.name.startswith(".")), key=_number)
    if not found:
        return []
    return [
        found[k] for k in np.unique(np.linspace(0, len(found) - 1, min(max(count, 1), MOMENTS)).round().astype(int))
    ]


def _read(path):
    """(h, WIDTH, 1, 3 or 4) of a picture, from below."""
    try:
        image = bpy.data.images.load(str(path))
    except RuntimeError as error:
        raise BakeError(f"'{path}' cannot be read: {error}") from None
    try:
        width, height = image.size
        if not (width and height):
            raise BakeError(f"'{path}' is no picture: render it again.")
        image.scale(WIDTH, max(1, round(height * WIDTH / width)))
        values = np.empty(len(image.pixels), dtype=np.float32)
        image.pixels.foreach_get(values)
        return values.reshape(image.size[1], WIDTH, -1)
    finally:
        bpy.data.images.remove(image)


def _write(sheet, path):
    image = bpy.data.images.new("Sheet", sheet.shape[1], sheet.shape[0])
    image.pixels.foreach_set(sheet.ravel())
    image.file_format = "PNG"
    try:
        image.save(filepath=str(path.absolute()))
    except RuntimeError as error:
        raise BakeError(f"'{path}' cannot be written: {str(error).strip()}") from None
    finally:
        bpy.data.images.remove(image)
