"""Lets undo see what a bake has made anew.

Undo takes for unchanged what has the same bytes in two steps, its pointers too. Where a datablock is freed and another
made between them, Blender may give the second the place of the first. What points to it has the same bytes then, and
undo leaves it as it is, with a pointer to what undo removes: Blender crashes, 4.5 and 5.2, by a plain script without
Tendril too (shape keys of a curve, or the action of an object, removed and made anew between two steps). A bake makes
both anew, so all that points to what is new counts the bakes: its bytes differ.
"""

import bpy

from ..properties.following import followed

COUNT = "tendril_bakes"  # a property of whatever can point to something; no setting of the artist's


def count():
    """A bake more of each result in the file, and of all that names it."""
    results = {each for each in bpy.data.objects if each.tendril.source}
    pointing = {other for each in results for other in (each, each.data, each.tendril.source)}
    pointing |= {each for each in bpy.data.objects if followed(each) in results}
    scenes = bpy.data.scenes
    for holder in (*bpy.data.collections, *scenes, *(scene.collection for scene in scenes)):
        if not results.isdisjoint(holder.objects):
            pointing.add(holder)
    for each in pointing - {None}:
        if each.is_editable:
            each.tendril_bakes += 1
