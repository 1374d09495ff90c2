"""Where compiled kernels of this extension are kept."""

from pathlib import Path

import bpy


def kernel_folder():
    """Where Blender lets this extension keep files of its own; None: it runs as something else than an extension, or is
    a checkout that is linked, whose kernels are those of all checkouts.
    """
    if Path(__file__).parents[1].is_symlink():
        return None
    try:
        return bpy.utils.extension_path_user(__package__.rpartition(".")[0], path="kernels", create=True)
    except (ValueError, OSError):
        return None
