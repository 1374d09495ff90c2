"""What was changed since the bake: settings by name, drawings and motions by digest, as Blender stores them.

A bake leaves on the scene, and on each rod, rigid and soft body that is shown by its bake, what was true when it
began, as JSON. Nothing is evaluated to compare, so it costs milliseconds. What is not seen, therefore: what drivers,
other simulations, and modifiers of meshes make of unchanged numbers.
"""

import json

from ..bake.continuing import briefly
from ..properties.body import is_cable, source_of
from ..properties.colliders import collider_objects
from ..properties.fields import field_objects
from ..properties.instancers import shown_colliders
from ..properties.meeting import limited_to
from ..properties.own_motion import moves_itself
from . import digests
from .scene import taking_part

NO_MATTER = {  # names, places of files, and the frame range, which is compared as one
    "name", "preset", "frame_start", "frame_end", "use_frame_range", "cache_folder", "baked", "baked_in", "baked_hash",
    "storage", "bend_limit", "tension_limit", "transverse_limit",
    "bend_factor", "squash", "bulk", "shear", "sheet_young",  # which is shown as bend, which show others
}  # fmt: skip
FRAMES = "frame range"


def picture(context, things=None):
    """What a bake of `things`, None: of all, depends on: {0 or session_uid of a rod or body: {path: (label, JSON-able
    value)}}; 0 is the scene.
    """
    known = {}
    things = {item.session_uid: _thing(item, known) for item in things or _things(context)}
    return {0: _surroundings(context, known), **things}


def keep(context, before, frames, frame_count, bake, staying=frozenset()):
    """Leave a `picture` on the scene and on what it shows, and how many frames of which bake are animation now.

    staying: session_uids of what the bake left as it was, with what the scene was like then.
    """
    values = _read(context.scene.tendril.baked).get("values") if staying else None
    record = {"counts": [frames, frame_count, len(before) - 1], "values": values or _values(before[0]), "bake": bake}
    context.scene.tendril.baked = json.dumps(record)
    for item in _things(context):
        own = before.get(item.session_uid)
        if item.session_uid not in staying:
            item.tendril.baked = json.dumps(_values(own) | {"bake": bake}) if own else ""


def bakes(context):
    """Which bake shows the scene, as 0, and each of its things, by session_uid; None: none does, or it is not told."""
    things = {item.session_uid: item for item in _things(context)}
    return {number: _read(item.tendril.baked).get("bake") for number, item in {0: context.scene, **things}.items()}


def baked(context):
    """(number of frames that are animation, number the bake was to have, of things), or None: nothing is baked."""
    match _read(context.scene.tendril.baked):
        case {"counts": [int(frames), int(frame_count), int(things)]} if any(map(_shown, _things(context))):
            return frames, frame_count, things
    return None


def sentence(context):
    """What was changed since the bake began, '' if nothing."""
    if baked(context) is None:
        return ""
    found = list(_changes(context))
    return f"Out of date: {briefly(found)}" if found else ""


def since_bake(context):
    """What was changed since the bake began, but for the number of frames: ["density of 'Rope' changed"]."""
    if baked(context) is None:
        return []
    return [text for text in _changes(context) if text != f"{FRAMES} changed"]


def led_by_no_key(context, before, now):
    """(rod, target) of the first pin of a rod, not a cable, whose target was moved between two pictures, though nothing
    moves that from frame to frame: the pin has another offset then and leads nowhere. None: there is none.
    """
    for rod in taking_part(context)[0]:
        then, own = (found.get(rod.session_uid, {}) for found in (before, now))
        for index, pin in enumerate(rod.tendril.pins):
            path, target = f"tendril.pins[{index}].target", pin.target
            led = target and not (is_cable(rod) or target.tendril.is_body or moves_itself(target))
            if led and path in then and then[path] != own[path]:
                return rod, target
    return None


def _changes(context):
    now, record, things = picture(context), _read(context.scene.tendril.baked), _things(context)
    yield from (f"{label} changed" for label in _differing(now[0], record.get("values")))
    added = 0
    for item in things:
        if item.tendril.baked and (_shown(item) or not item.tendril.result):  # else a copy of what was baked
            values = _read(item.tendril.baked)
            yield from (f"{label} of '{item.name}' changed" for label in _differing(now[item.session_uid], values))
        else:
            added += 1
            yield f"'{item.name}' was added"
    there, then = len(things) - added, baked(context)[2]
    if there != then:
        yield "something baked was removed" if there < then else "something was added"


def _differing(now, before):
    """Labels of what has another value; names that only another version of Tendril knows do not count."""
    before = before if isinstance(before, dict) else {}
    return [
        label
        for path, (label, value) in now.items()
        if path in before and json.dumps(before[path]) != json.dumps(value)
    ]


def _values(items):
    return {path: value for path, (_, value) in items.items()}


def _read(text):
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _things(context):
    """The rods, rigid and soft bodies that a bake takes in."""
    rods, bodies, soft, _ = taking_part(context)
    return [*rods, *bodies, *soft]


def _shown(item):
    """Whether a bake shows it."""
    return item.tendril.result is not None and source_of(item.tendril.result) == item


def _surroundings(context, known):
    """{path: (label, value)} of a scene; known: digests of motions, by object."""
    scene, settings = context.scene, context.scene.tendril
    own = scene.frame_start, scene.frame_end
    chosen = settings.frame_start, settings.frame_end
    keyed = digests.keyed(scene)
    items = dict(_settings(settings, "tendril", keyed))
    items["frames"] = FRAMES, list(chosen if settings.use_frame_range else own)
    render = scene.render
    items["rate"] = "frame rate", [render.fps, render.fps_base, render.frame_map_old, render.frame_map_new]
    items["unit"] = "unit scale", scene.unit_settings.scale_length
    if "gravity" not in keyed:
        items["gravity"] = "gravity", [scene.use_gravity, *scene.gravity]
    items["fields"] = (
        "a force field",
        sorted(digests.of_field(item, known) for item in field_objects(context.view_layer)),
    )
    items["colliders"] = (
        "a collider",
        sorted(
            [
                *(digests.of_collider(item, known) for item in collider_objects(context.view_layer)),
                *(digests.of_instances(*shown, known) for shown in shown_colliders(context.view_layer).items()),
            ]
        ),
    )
    return items


def _thing(item, known):
    """{path: (label, value)} of a rod, rigid or soft body; known: digests of motions, by object."""
    own, keyed = item.tendril, digests.keyed(item)
    groups = ["weights", "rod" if own.is_rod else "soft" if own.is_soft else "body", *(["tree"] if own.is_tree else [])]
    items = {}
    for group in groups:
        items |= _settings(getattr(own, group), f"tendril.{group}", keyed)
    for index, pin in enumerate(own.soft.pins if own.is_soft else own.pins):
        path, whose = f"tendril.pins[{index}]", f" of pin '{pin.name}'"
        items |= _settings(pin, path, keyed, whose)
        items[f"{path}.target"] = f"motion{whose}", digests.of_motion(pin.target, known)
        items[f"{path}.ground"] = f"shape of the target{whose}", digests.of_ground(pin.target)
    for index, load in enumerate(own.loads):
        path, whose = f"tendril.loads[{index}]", f" of force '{load.name}'"
        items |= _settings(load, path, keyed, whose)
        items[f"{path}.target"] = f"motion{whose}", digests.of_motion(load.target, known)
    items["loads"] = "number of forces", len(own.loads)
    items["pins"] = "number of pins", len(own.pins) + len(own.soft.pins)
    items["tree"] = "being a tree", own.is_tree
    items["shape"] = "shape", digests.of_shape(item)
    items["paint"] = "paint", digests.of_paint(item)
    chosen = limited_to(item)
    items["meets"] = "collision collection", sorted(other.name for other in chosen.all_objects) if chosen else None
    items["motion"] = "place or animation", digests.of_motion(item, known)
    return items


def _settings(group, path, keyed, whose=""):
    """(path, (label, value)) of what is set in a group and not keyed."""
    for name, label, value in digests.settings(group):
        if name not in NO_MATTER and f"{path}.{name}" not in keyed:
            yield f"{path}.{name}", (label.split(" (")[0].lower() + whose, value)
