"""Links this checkout into the Blender that runs it, as the extension bl_ext.user_default.tendril, and enables it:

    blender --python tools/link.py

What is edited here is what the next start of that Blender runs; numba and scipy have to be where its Python looks.
"""

import sys
from pathlib import Path
from types import ModuleType

import bpy
import addon_utils

MODULE = "bl_ext.user_default.tendril"
CHECKOUT = Path(__file__).resolve().parents[1]


def link() -> ModuleType | None:
    """Enable the checkout as an extension; returns its module, None when Blender could not (and has said why).

    Raises FileExistsError where the extension has been installed.
    """
    place = Path(bpy.utils.user_resource("EXTENSIONS", path="user_default", create=True), "tendril")
    if place.is_symlink():
        place.unlink()  # it may be another checkout's, or that of one that is gone
    elif place.exists():
        raise FileExistsError(f"Tendril is installed in {place}: uninstall it in Blender, then link the checkout.")
    place.symlink_to(CHECKOUT, target_is_directory=True)
    addon_utils.modules_refresh()
    return addon_utils.enable(MODULE, default_set=True, persistent=True)


if __name__ == "__main__":
    try:
        module = link()
    except FileExistsError as error:
        sys.exit(str(error))
    if module is None:
        raise RuntimeError(f"Blender could not enable {MODULE}; the reason stands above.")
