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
    if not file:  # until it is saved: in the folder that goes when Blender does, unless one was chosen
        base = chosen or Path(bpy.app.tempdir) / folder.BESIDE_BLEND
        return folder.locate(base, f"{scene.name} {scene.session_uid}")
    base = bpy.path.abspath(chosen) if chosen else Path(file).parent / folder.BESIDE_BLEND
    return folder.locate(base, f"{Path(file).stem} {scene.name}")
