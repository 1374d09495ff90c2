"""What an artist has chosen: rods, and what could hold them; in a sentence what is lacking, '' where nothing is."""

from .body import rod_of, sheet_of, soft_of
from .own_motion import moves_itself


def chosen_objects(context):
    """What is selected, or the active object where nothing is."""
    return context.selected_objects or [item for item in [context.object] if item]


def chosen_rods(context):
    """The rods that are selected or whose bakes are, the active one first."""
    chosen = [item for item in (context.object, *context.selected_objects) if item]
    return list(dict.fromkeys(rod for item in chosen if (rod := rod_of(item))))


def other_objects(context):
    """What is selected besides rods and their bakes."""
    chosen = [item for item in (context.object, *context.selected_objects) if item]
    return list(dict.fromkeys(item for item in chosen if not rod_of(item)))


def active_bone(item):
    """The name of the active bone of an object, '' if it has none."""
    bone = item.data.bones.active if item.type == "ARMATURE" else None
    return bone.name if bone else ""


def no_holder(context, holder):
    """Why nothing of a kind that Add Pin takes could hold the chosen rods."""
    others = other_objects(context)
    if holder == "OBJECT" and not others:
        return "Nothing is selected to hold the rod: select an object besides it"
    if holder == "BONE" and not any(active_bone(item) for item in others):
        return "No bone is active: select an armature besides the rod, and a bone of it in Pose Mode"
    if holder == "OWN" and not any(moves_itself(rod) for rod in chosen_rods(context)):
        return "Nothing moves the curve itself: give it shape keys, a parent or keyframes"
    return ""


def soft_holders(context):
    """What is selected that could hold the active soft body."""
    return [item for item in context.selected_objects if item != context.object and not soft_of(item)]


def soft_no_holder(context):
    """Why what is selected besides the active soft body cannot hold it, where that is another soft body alone."""
    softs = [soft for item in context.selected_objects if (soft := soft_of(item)) and soft != soft_of(context.object)]
    if soft_holders(context) or not softs:
        return ""
    kind = "sheet" if sheet_of(softs[0]) else "soft body"
    return (
        f"'{softs[0].name}' is a {kind}, which cannot hold another: join both into one mesh (Ctrl J), or pin a vertex "
        "group of each to one object"
    )


def no_soft_holder(context, holder):
    """Why nothing of a kind that Pin Vertex Group takes could hold the active soft body."""
    others = soft_holders(context)
    if holder != "OWN" and (reason := soft_no_holder(context)):
        return reason
    if holder == "OBJECT" and not others:
        return "Nothing is selected to hold it: select an object besides it"
    if holder == "BONE" and not any(active_bone(item) for item in others):
        return "No bone is active: select an armature besides it, and a bone of it in Pose Mode"
    return ""


def no_place(rods, place):
    """Why none of the rods could be held at a place of the kind that Add Pin takes."""
    if place in {"ENDS", "START", "END"} and not any(_opened(rod) for rod in rods):
        return "A closed rod has no ends: pin it along its length"
    if place == "SELECTION" and not any(_selected(rod) for rod in rods):
        return "No point is selected: select some in Edit Mode"
    if place == "HOOKS" and not any(_hooks(rod) for rod in rods):
        return "No Hook modifier has an object: add one"
    return ""


def _opened(rod):
    return rod.type == "CURVES" or any(not spline.use_cyclic_u for spline in rod.data.splines)


def _selected(rod):
    splines = rod.data.splines if rod.type == "CURVE" else ()
    return any(point.select_control_point for spline in splines for point in spline.bezier_points) or any(
        point.select for spline in splines for point in spline.points
    )


def _hooks(rod):
    return [modifier for modifier in rod.modifiers if modifier.type == "HOOK" and modifier.object]
