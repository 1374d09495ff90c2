"""Where a new object goes: into the collections of what it belongs to, or into the active one. Those of a library, and
overrides of them, take none.
"""

import bpy


def link_beside(item, source):
    """Put a new object into the collections of another."""
    for collection in homes(source):
        collection.objects.link(item)


def link_here(context, item):
    """Put a new object into the active collection, or that of the scene."""
    layer_here(context).collection.objects.link(item)


def layer_here(context):
    """The layer collection whose collection takes new objects: the active one, or the first of all."""
    active = context.view_layer.active_layer_collection
    return active if _takes(active.collection) else context.view_layer.layer_collection


def homes(source):
    """The collections of an object to which others can be added; where it has none such, those of its scenes."""
    own = [each for each in source.users_collection if _takes(each)]
    scenes = (scene for scene in bpy.data.scenes if not scene.library and source.name in scene.objects)
    return own or [scene.collection for scene in scenes]


def _takes(collection):
    return collection.library is None and collection.override_library is None
