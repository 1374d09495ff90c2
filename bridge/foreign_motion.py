"""Motion that a side scene does not see: of Blender's rigid bodies, which live in the artist's scene alone, and of
values of that scene, its gravity or what drivers read, which move only there.
"""

from collections import defaultdict

import bpy

from ..physics.validate import SceneError

# What a transform may depend on; not what a thing looks like, nor where it is listed.
KINDS = (bpy.types.Object, bpy.types.Armature, bpy.types.Curve, bpy.types.Key, bpy.types.Lattice, bpy.types.Mesh)


def check(scene, moving, standing, first_frame):
    """Notices of what stands still in a bake from `first_frame` on, though it moves in the scene.

    moving: the objects whose motion is read; standing: those read at the first frame alone. Raises SceneError about
    the first that rigid bodies move.
    """
    uses = _uses()
    behind, world = _behind(moving, uses), scene.rigidbody_world
    fallen = behind
    if world and world.point_cache.frame_start < first_frame:
        fallen = behind | _behind(standing, uses)
    for item in sorted(fallen, key=lambda one: one.name):
        if isinstance(item, bpy.types.Object) and _is_simulated(item, world):
            raise SceneError(
                item.name,
                f"'{item.name}' is moved by Blender's rigid bodies, which a bake does not see: turn that into "
                "keyframes first with Object › Rigid Body › Bake to Keyframes.",
            )
    told = [(item, text) for item in sorted(behind, key=lambda one: one.name) for text in _driven(item, scene)]
    if animated_paths(scene) & {"gravity", "use_gravity"}:
        still = f"'{scene.name}' has an animated gravity, which stands still in a bake, as it is now"
        told.append((scene, f"{still}: let a force field push instead."))
    return [{"object": item.name, "frame": 0, "text": text} for item, text in told]


def animated_paths(owner):
    """The data paths of an ID that F-curves, also those of NLA strips, or drivers move."""
    drivers = owner.animation_data.drivers if owner.animation_data else ()
    lists = [drivers, *(bag.fcurves for player in players(owner) for bag in bags(player))]
    return {curve.data_path for curves in lists for curve in curves}


def driver_fault(owner, path):
    """What keeps Blender from evaluating a driver of a data path of an ID, as far as it has found it, and the cure; or
    nothing.
    """
    drivers = owner.animation_data.drivers if owner.animation_data else ()
    for curve in (curve for curve in drivers if curve.data_path == path):
        if not (curve.is_valid and curve.driver.is_valid):
            return "has an error: mend its expression, or delete it"
        if bpy.app.autoexec_fail and f"'{curve.driver.expression}'" in bpy.app.autoexec_fail_message:
            return "is a script, which Blender was not allowed to run: press Allow Execution, or write it without names"
    return ""


def players(owner):
    """What plays the actions of an ID: its animation data and NLA strips."""
    if not (animation := owner.animation_data):
        return []
    return [animation, *(strip for track in animation.nla_tracks for strip in track.strips)]


def bags(player):
    """The channel bags of what it plays."""
    action, slot = player.action, player.action_slot
    strips = [strip for layer in action.layers for strip in layer.strips] if action and slot else []
    return [bag for strip in strips if (bag := strip.channelbag(slot))]


def _uses():
    """{ID: the IDs it refers to}."""
    uses = defaultdict(set)
    for used, users in bpy.data.user_map().items():
        for user in users:
            uses[user].add(used)
    return uses


def _behind(items, uses):
    """The IDs that the motion of objects may depend on, with themselves."""
    found, ahead = set(), list(items)
    while ahead:
        item = ahead.pop()
        if item not in found and isinstance(item, KINDS):
            found.add(item)
            ahead += uses[item]
    return found


def _is_simulated(item, world):
    """Whether Blender's rigid body world has an object's place in its hands."""
    body = item.rigid_body
    if not (body and world and world.enabled and world.collection) or item.name not in world.collection.all_objects:
        return False
    return body.type == "ACTIVE" and (not body.kinematic or "rigid_body.kinematic" in animated_paths(item))


def _driven(item, scene):
    """Sentences about the drivers of an ID that read what moves in the scene."""
    for curve in item.animation_data.drivers if item.animation_data else ():
        for variable in curve.driver.variables:
            path = variable.targets[0].data_path if variable.targets else ""
            if variable.type == "CONTEXT_PROP" and not path.startswith("frame_"):
                yield (
                    f"'{item.name}' has a driver that reads {path} of the active scene, which a bake does not see: "
                    "read it from an object instead."
                )
            elif variable.type == "SINGLE_PROP" and variable.targets[0].id == scene and path.startswith("frame_"):
                yield (
                    f"'{item.name}' has a driver that reads the frame of '{scene.name}', where time stands still in a "
                    "bake: write frame in its expression instead."
                )
            elif variable.type == "SINGLE_PROP" and variable.targets[0].id == scene and _moves(scene, path):
                yield (
                    f"'{item.name}' has a driver that reads {path} of '{scene.name}', which stands still in a bake: "
                    "animate that property on an object instead."
                )


def _moves(scene, path):
    return any(path == own or path.startswith(f"{own}[") for own in animated_paths(scene))
