"""What Blender's own simulations see of a scene."""


def enabled_objects(view_layer):
    """The objects that are not disabled in viewports, in the order of the view layer: merely hidden ones are among
    them, those of collections that are disabled or excluded not.
    """
    enabled = set(_enabled(view_layer.layer_collection))
    return [item for item in view_layer.objects if not item.hide_viewport and item in enabled]


def _enabled(layer):
    if not (layer.exclude or layer.collection.hide_viewport):
        yield from layer.collection.objects
        for child in layer.children:
            yield from _enabled(child)
