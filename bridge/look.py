"""What a result looks like, and what of that is the artist's, which a new bake keeps.

Three looks meet: of the result now; of its source as the last bake saw it, which the result remembers; of the source
now. Where the first two agree nobody touched the result, and it follows the source. Where they differ the artist did,
and it stays. A look is {key: value}, keys RNA paths from the object, values what JSON knows.
"""

import hashlib
import json
from contextlib import suppress

import bpy
import numpy as np
from mathutils import Matrix

from . import rings
from .renewed import COUNT

OBJECT = (
    "color", "pass_index", "display_type", "display_bounds_type", "hide_select", "lightgroup",
    "show_wire", "show_all_edges", "show_in_front", "show_transparent", "show_name", "show_axis", "show_bounds",
    "show_texture_space", "visible_camera", "visible_diffuse", "visible_glossy", "visible_transmission",
    "visible_volume_scatter", "visible_shadow", "is_holdout", "is_shadow_catcher",
    "shadow_terminator_geometry_offset", "shadow_terminator_shading_offset",
)  # fmt: skip
PLACE = ("location", "rotation_euler", "rotation_quaternion", "scale", "matrix_parent_inverse")
SPLINE = ("material_index", "use_smooth")
PASSING = ("rna_type", "eval_time", "is_active", "show_expanded", "open_", "animation_data", "shape_keys")
OF_ANY_ID = {prop.identifier for prop in bpy.types.ID.bl_rna.properties}  # its name, its library
ALIKE = 1e-6  # of two matrices: rounding, in object to world and back


def look(item, names=OBJECT, surface=False):
    """The look of an object, with the settings `names` of its own; of its data too if that is a curve.

    surface: it has a mesh of its own, whose faces and materials count.
    """
    found = {name: _plain(getattr(item, name)) for name in names}
    found |= {f"cycles.{name}": value for name, value in every_setting(getattr(item, "cycles", None))}
    found |= {f'modifiers["{each.name}"]': [each.type, dict(every_setting(each))] for each in item.modifiers}
    found |= _custom(item, "")
    if isinstance(item.data, bpy.types.Curve):
        found |= _look_of_curve(item.data)
    elif surface:
        found |= {"data.surface": _surface(item.data), "data.materials": _names(item.data.materials)}
    elif isinstance(item.data, bpy.types.Curves):
        found["data.materials"] = _names(item.data.materials)
    else:
        found["data"] = _name(item.data)
    for number, slot in enumerate(item.material_slots):
        found[f"material_slots[{number}]"] = [slot.link, _name(slot.material) if slot.link == "OBJECT" else None]
    return found


def _look_of_curve(curve):
    found = {f"data.{name}": value for name, value in every_setting(curve)}
    for number, spline in enumerate(curve.splines):
        found |= {f"data.splines[{number}].{name}": getattr(spline, name) for name in SPLINE}
    found["data.materials"] = _names(curve.materials)
    if profile := curve.bevel_profile:
        found["data.bevel_profile.points"] = [[*point.location, point.handle_type_1] for point in profile.points]
    return found | _custom(curve, "data")


def _surface(mesh):
    """A digest of what a mesh is but for the places of its vertices: its faces, how they are shaded, their UV maps."""
    digest = hashlib.sha1(usedforsecurity=False)
    for items, name, kind in (
        (mesh.loops, "vertex_index", np.int32), (mesh.polygons, "loop_total", np.int32),
        (mesh.polygons, "material_index", np.int32), (mesh.polygons, "use_smooth", bool),
    ):  # fmt: skip
        values = np.empty(len(items), dtype=kind)
        items.foreach_get(name, values)
        digest.update(values.tobytes())
    for layer in mesh.uv_layers:
        digest.update(layer.name.encode() + rings.read(layer.uv, "vector", 2).tobytes())
    return digest.hexdigest()


def remember(item, names=OBJECT, surface=False, **given):
    """Let a new result remember how it looks; given: as for `follow`."""
    item.tendril.look = json.dumps({**look(item, names, surface), **given})


def follow(item, fresh, names=OBJECT, surface=False, **given):
    """Give a result the look of `fresh`, an object as a first bake would make it, where the artist did not change it.

    given: settings of the object that are not those of `fresh`, as JSON knows them. Returns what stays, {key: value}.
    A result that remembers nothing, of an older Tendril, keeps all it has otherwise than `fresh`.
    """
    now, mine = {**look(fresh, names, surface), **given}, look(item, (*names, *given), surface)
    before = _remembered(item) or now
    kept = {key: value for key, value in mine.items() if value != before.get(key)}
    for key in (*now, *(mine.keys() - now.keys())):
        if mine.get(key) == before.get(key) != now.get(key):
            with suppress(AttributeError, TypeError, RuntimeError):  # a setting that Blender refuses must cost no bake
                _take(item, fresh, key, given)
    item.tendril.look = json.dumps(now)
    return kept


def _remembered(item):
    """The look a result remembers; empty if there is none, or none that was written here."""
    try:
        found = json.loads(item.tendril.look or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def place(item, matrix):
    """Put a result where a bake has it; if the artist moved it away from where the last one had it, as far from there.

    What it is parented to counts beside that.
    """
    moved = Matrix.Identity(4)
    if any(item.tendril.place):
        moved = item.matrix_basis @ placed(item).inverted_safe()
        if alike(moved, Matrix.Identity(4), max(map(abs, item.matrix_basis.translation))):
            moved.identity()
    item.matrix_basis = moved @ matrix
    item.tendril.place = [value for row in matrix for value in row]


def placed(item):
    """Where the last bake had a result, as a matrix."""
    values = list(item.tendril.place)
    return Matrix([values[row : row + 4] for row in range(0, 16, 4)])


def alike(a, b, size=0.0):
    """Whether two matrices are the same but for rounding, in places up to `size`."""
    return np.allclose(a, b, atol=ALIKE * max(1.0, size))


def every_setting(struct):
    """(path, value) of all that can be set on an RNA struct, or None, and on the structs in it."""
    for prop in struct.bl_rna.properties if struct else ():
        name = prop.identifier
        if name in OF_ANY_ID or name == COUNT or name.startswith(PASSING) or prop.type == "COLLECTION":
            continue
        if prop.type == "POINTER":
            value = getattr(struct, name)
            if value is None or isinstance(value, bpy.types.ID):
                if not prop.is_readonly:
                    yield name, _name(value)
            elif isinstance(value, bpy.types.bpy_struct):
                yield from ((f"{name}.{path}", inner) for path, inner in every_setting(value))
        elif not prop.is_readonly:
            yield name, _plain(getattr(struct, name))
    if isinstance(struct, bpy.types.NodesModifier) and not hasattr(struct, "properties"):  # before Blender 5.2
        yield from ((f'["{name}"]', _plain(value)) for name, value in struct.items())


def _custom(owner, path):
    """The custom properties of a datablock; those of add-ons are not the artist's."""
    return {f'{path}["{name}"]': _plain(value) for name, value in owner.items() if name not in owner.bl_rna.properties}


def _plain(value):
    """A value of Blender's as one that JSON knows."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bpy.types.ID):
        return _name(value)
    if isinstance(value, set):
        return sorted(value)
    if hasattr(value, "to_dict"):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value]


def _names(datablocks):
    return [_name(each) for each in datablocks]


def _name(datablock):
    return datablock and datablock.name_full


def _take(item, fresh, key, given):
    """Give `item` what `fresh` has under one key of its look."""
    owner, _, name = key.rpartition(".")
    if key in given:
        setattr(item, key, given[key])
    elif key.startswith("modifiers["):
        _take_modifier(item, fresh, key[len('modifiers["') : -len('"]')])
    elif key.startswith("material_slots["):
        _take_slot(item, fresh, int(key[len("material_slots[") : -1]))
    elif key == "data.materials":
        put_materials(item.data, fresh.data.materials)
    elif key == "data.surface":
        materials, item.data = list(item.data.materials), fresh.data
        put_materials(item.data, materials)
    elif key == "data.bevel_profile.points":
        _take_profile(item.data.bevel_profile, fresh.data.bevel_profile)
    elif key.endswith('"]'):
        path, _, name = key[:-2].partition('["')
        _take_custom(item.data if path else item, fresh.data if path else fresh, name)
    elif not owner.startswith("data.splines"):  # these are made anew
        mine, theirs = (each.path_resolve(owner) if owner else each for each in (item, fresh))
        setattr(mine, name, getattr(theirs, name))


def put_materials(data, materials):
    """As `clear` and `append` would, but faces keep the numbers of theirs."""
    for number, material in enumerate(materials):
        if number < len(data.materials):
            data.materials[number] = material
        else:
            data.materials.append(material)
    while len(data.materials) > len(materials):
        data.materials.pop(index=len(data.materials) - 1)


def _take_modifier(item, fresh, name):
    if old := item.modifiers.get(name):
        item.modifiers.remove(old)
    if name in fresh.modifiers:
        both = [fresh, item]
        with bpy.context.temp_override(
            object=fresh, active_object=fresh, selected_objects=both, selected_editable_objects=both
        ):
            bpy.ops.object.modifier_copy_to_selected(modifier=name)
        last = len(item.modifiers) - 1
        item.modifiers.move(last, min(fresh.modifiers.find(name), last))


def _take_slot(item, fresh, number):
    if number < min(len(item.material_slots), len(fresh.material_slots)):
        mine, theirs = item.material_slots[number], fresh.material_slots[number]
        mine.link = theirs.link
        if theirs.link == "OBJECT":
            mine.material = theirs.material


def _take_profile(mine, theirs):
    if mine is None or theirs is None:
        return
    while len(mine.points) > 2:
        mine.points.remove(mine.points[1])
    for _ in range(len(theirs.points) - 2):
        mine.points.add(0.5, 0.5)
    for own in mine.points:
        own.select = False
    for own, other in zip(mine.points, theirs.points, strict=True):
        own.location, own.select = other.location, True
        own.handle_type_1, own.select = other.handle_type_1, False  # which Blender sets for what is selected
    mine.update()


def _take_custom(mine, theirs, name):
    if name in theirs:
        mine[name] = theirs[name]
        if isinstance(mine[name], int | float):  # its range and tooltip
            mine.id_properties_ui(name).update_from(theirs.id_properties_ui(name))
    else:
        del mine[name]
