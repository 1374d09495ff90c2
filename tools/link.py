"""Links this checkout into the Blender that runs it, as the extension bl_ext.user_default.tendril, and enables it:

    blender --python tools/link.py

What is edited here is what the next start of that Blender runs; numba and scipy have to be where its Python looks.
"""

from pathlib import Path
from types import ModuleType

import bpy
import addon_utils

MODULE = "bl_ext.user_default.tendril"


def link() -> ModuleType | None:
    """Enable the checkout as an extension; returns its module, None when Blender could not (and has said why)."""
    place = Path(bpy.utils.user_resource("EXTENSIONS", path="user_default", create=True), "tendril")
    if not place.is_symlink():
        place.symlink_to(Path(__file__).resolve().parents[1], target_is_directory=True)
    addon_utils.modules_refresh()
    return addon_utils.enable(MODULE, default_set=True, persistent=True)


if __name__ == "__main__" and link() is None:
    raise RuntimeError(f"Blender could not enable {MODULE}; the reason stands above.")
