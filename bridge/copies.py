"""A duplicate of what shows a bake becomes a rod or rigid body of its own: the result of a duplicate of the source.

After a bake it is the result that an animator sees, and duplicates. A rod's duplicate that was moved is to be baked
there. One that was left where it was is a take, to be kept; a linked one, of Alt D, shows the same bake as the result.
"""

import bpy
from mathutils import Matrix

from ..bake.errors import BakeError
from ..physics.validate import SceneError
from . import look, result_object, tube_binding
from .evaluation import side_scene
from .homes import link_beside
from .scene import read_scene


def read_scene_of_all(context, folder=None):
    """As `read_scene`, with moved copies of rods as rods of their own; if that is refused they stay what they were."""
    context.view_layer.update()  # a script may just have added objects, or removed some
    copied = [item for item in context.view_layer.objects
              if item.type == "CURVE" and is_copy(item) and _was_moved(item)]  # fmt: skip
    before = [(each, each.tendril.source, list(each.tendril.place)) for item in copied for each in _with_children(item)]
    new = [adopt(context, item) for item in copied]
    try:
        found = read_scene(context, folder)
    except (SceneError, BakeError):
        for item in new:
            for own in _with_children(item):
                result_object.remove(own)
        for item, source, place in before:
            item.tendril.source, item.tendril.place = source, place
        raise
    if new:  # else what the artist undoes during the bake would undo this too
        bpy.ops.ed.undo_push(message="Make Rods of Copies")
    return found


def is_copy(item):
    """Whether an object is a duplicate of the result of a rod or rigid body, with data of its own."""
    source = item.tendril.source
    if source is None or source.tendril.result == item or not (source.tendril.is_rod or source.tendril.is_body):
        return False
    other = result_object.result_of(source)
    return other is None or other.data != item.data


def adopt(context, item):
    """Make a copy the result of a duplicate of its source, which is as far from that as the copy was moved.

    Returns the duplicate, hidden. What hangs on the copy goes along.
    """
    source = item.tendril.source
    moved = _moved(item)
    own = _duplicate(source, item)
    own.data = source.data.copy() if source.tendril.is_rod else item.data
    move(context, own, source, moved)
    item.tendril.place = [value for row in item.matrix_basis for value in row]
    known = {source: own}
    for twin in item.children_recursive:
        child = twin.tendril.source
        if child and child.tendril.result != twin and child.parent in known:
            known[child] = _duplicate(child, twin)
            known[child].parent = known[child.parent]
    return own


def _duplicate(source, item):
    own = source.copy()
    link_beside(own, item)
    result_object.pair(own, item)
    result_object.hide(own)
    tube_binding.lead(own, item, item)
    return own


def _with_children(item):
    return item, *item.children_recursive


def _moved(item):
    """How far a copy is from where the bake had it: a matrix, from world to world."""
    result = result_object.result_of(item.tendril.source)
    if any(item.tendril.place):
        return item.matrix_basis @ look.placed(item).inverted_safe()
    return item.matrix_basis @ result.matrix_basis.inverted_safe() if result else Matrix.Identity(4)


def _was_moved(item):
    result = result_object.result_of(item.tendril.source)
    beside = result is None or not look.alike(item.matrix_basis, result.matrix_basis)
    return beside and not look.alike(_moved(item), Matrix.Identity(4))


def move(context, own, source, moved):
    """Place a duplicate of `source` as far from it; a keyed one by its delta location, which keys leave alone."""
    with side_scene(context.scene) as aside:
        shown = aside.copy(source)
        aside.go(context.scene.frame_current_final)
        world = Matrix(aside.matrix(shown).tolist())
    if own.animation_data:
        way = (moved @ world).translation - world.translation
        frame = (own.parent.matrix_world @ own.matrix_parent_inverse).to_3x3() if own.parent else Matrix.Identity(3)
        own.delta_location = own.delta_location + frame.inverted_safe() @ way
    else:
        own.matrix_world = moved @ world
