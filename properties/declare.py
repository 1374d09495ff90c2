"""A row of the parameter table as a Blender property."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty


def forget_estimate(_settings, context):
    """A changed setting makes the estimate of the bake's duration stale."""
    context.window_manager.tendril.estimate = ""


def forget_preset(rod, context):
    """A rod whose material was changed is no longer of its preset."""
    rod.preset = ""
    forget_estimate(rod, context)


def declare_choice(name, items, description, default=None):
    """One of `items`, the first if no default is named, for the whole bake."""
    default = default or items[0][0]
    return EnumProperty(
        name=name, items=items, description=description, default=default, options=set(), update=forget_estimate
    )


def declare(parameter, *, animatable=False, update=forget_estimate, **access):
    """The property for `parameter`; only a few may be keyed, since most describe the rod for the whole bake.

    access: `get` and `set` of one that is kept elsewhere.
    """
    common = {
        "name": parameter.label,
        "description": parameter.description,
        "default": parameter.default,
        "options": {"ANIMATABLE"} if animatable else set(),
        "update": update,
        **access,
    }
    if isinstance(parameter.default, bool):
        return BoolProperty(**common)
    limits = {
        "min": parameter.minimum,
        "max": parameter.maximum,
        "soft_min": parameter.minimum if parameter.soft_minimum is None else parameter.soft_minimum,
        "soft_max": parameter.maximum if parameter.soft_maximum is None else parameter.soft_maximum,
    }
    if isinstance(parameter.default, int):
        return IntProperty(**common, **limits)
    limits |= {"subtype": parameter.blender_unit, "precision": parameter.precision}
    if isinstance(parameter.default, tuple):
        return FloatVectorProperty(**common, **limits, size=len(parameter.default))
    return FloatProperty(**common, **limits)
