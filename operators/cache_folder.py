"""Where the frames of a scene's bake are kept: a folder for each file and scene."""

from pathlib import Path

import bpy

from ..bake import folder
from ..bake.errors import BakeError


def cache_folder(scene):
    """The folder, which need not exist. Raises BakeError for a folder relative to a file that was never saved."""
    chosen, file = scene.tendril.cache_folder, bpy.data.filepath
    if chosen.startswith("//") and not file:
        raise BakeError(f"Cache '{chosen}' lies beside a file that was never saved: save it or choose another folder.")
    if chosen:
        base = bpy.path.abspath(chosen)
    elif file:
        base = Path(file).parent / folder.BESIDE_BLEND
    else:
        base = Path(bpy.app.tempdir) / folder.BESIDE_BLEND  # goes when Blender does
    return folder.locate(base, f"{Path(file).stem} {scene.name}".strip())
