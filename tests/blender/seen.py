"""What a file holds, and which previews are in it, for tests of what must leave none."""

import bpy

KINDS = ("objects", "curves", "meshes", "scenes", "actions", "shape_keys")


def run():
    return bpy.context.window_manager.tendril


def names():
    return {(kind, item.name) for kind in KINDS for item in getattr(bpy.data, kind)}


def previews():
    return [item for item in bpy.data.objects if item.tendril.is_preview]
