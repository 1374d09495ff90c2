"""What moves or reshapes an object by itself, as Blender plays it: of a mesh or curve its shape keys and modifiers."""

# Modifiers that bend a curve. All but the first two may do so after it has got its bevel, where a rod cannot follow.
DEFORMING = (
    "HOOK", "SOFT_BODY", "ARMATURE", "CAST", "CURVE", "LATTICE", "MESH_DEFORM", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH",
    "WARP", "WAVE",
)  # fmt: skip


def may_deform(item):
    """Whether something could give an object another shape in another frame."""
    return item.type in {"MESH", "CURVE"} and bool(item.data.shape_keys or _bending(item))


def deforms_beside_pins(item):
    """Whether something could that no pin of a rod or soft body follows: it has none without a target, and of a rod's
    hooks those count whose object holds it nowhere.
    """
    pins = item.tendril.soft.pins if item.tendril.is_soft else item.tendril.pins
    held_by = [pin.target for pin in pins]
    if None in held_by:
        return False
    others = [each for each in _bending(item) if each.type != "HOOK" or each.object not in held_by]
    return bool(getattr(item.data, "shape_keys", None) or others)  # an empty, which stays, has no data


def moves_itself(item):
    """Whether something could move a curve or its points."""
    return bool(may_deform(item) or item.parent or item.constraints or item.animation_data)


def _bending(item):
    """The modifiers that bend it: of a mesh any may."""
    shown = [each for each in item.modifiers if each.show_viewport]
    return [each for each in shown if item.type == "MESH" or each.type in DEFORMING]
