"""Where what bakes compile is kept, should the installation not be the user's own."""

import bpy


def kernel_folder():
    """Where Blender lets this extension keep files of its own; None: it runs as something else than an extension."""
    try:
        return bpy.utils.extension_path_user(__package__.rpartition(".")[0], path="kernels", create=True)
    except (ValueError, OSError):
        return None
