"""Bad input, at random: a scene is spoilt once or twice, then read or given to a button. Either it is accepted, and all
that physics would be given are numbers, or one sentence names a thing and a cure, and nothing in the file has changed.
"""

import random
import re
from dataclasses import fields, is_dataclass

import bpy
import numpy as np
import pytest
from artist import choose, draw, link
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators import estimate
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.parameters import BODY, COLLIDER, PIN, ROD, SCENE, TREE

CASES = 600

EXTREMES = (0.0, -1.0, 1e-12, 1e12, 1e30, float("inf"), float("nan"))
NAMES = ("Röpe'", 'a "b"', "x: y", "line\nbreak", "☃" * 20, "{0}", "%s", "..", "n" * 63, " ", "a/b\\c", "It. Is. One.")
PROGRAMMERS = ("NaN,", "None", "Traceback", "Error", "finite", "array", "object at", "dtype", "KeyError", "(3,)", "__")
SENTENCE = re.compile(r"^.*[^:]: [a-z].*[^.]\.?$")  # what is wrong: what to do
GENERAL = re.compile(
    "Nothing is selected|Select (a|the) |There is no rod|.* has no pin$|.* does not work in edit mode: "
)


# ---- a scene that would bake


def choose_seen(*items):
    """Choose those that can be seen."""
    bpy.context.view_layer.update()
    choose(*(item for item in items if item.name in bpy.context.view_layer.objects))


class World:
    """A rope of two splines tied to an empty, a lamp tied to it, a small tree, wind."""

    def __init__(self, rng):
        bpy.ops.wm.read_homefile(use_empty=True)
        self.scene = bpy.context.scene
        self.scene.frame_start, self.scene.frame_end = 1, 3
        kind = rng.choice(("POLY", "BEZIER", "NURBS"))
        ways = [[(0.2 * k, y, 0.1 * k * k) for k in range(6)] for y in (0.0, 1.0)]
        self.rope = draw("Rope", ways, kind, depth=0.02)
        self.rope.tendril.is_rod = True
        self.hand = link(bpy.data.objects.new("Hand", None))
        self.pin(self.rope, self.hand, 0.0)
        self.things = [self.rope, self.hand]
        if rng.random() < 0.5:
            bpy.ops.mesh.primitive_cube_add(size=0.2, location=(1.0, 0.0, 2.6))
            self.lamp = bpy.context.object
            self.lamp.tendril.is_body = True
            self.lamp.tendril.body.motion = rng.choice(("DYNAMIC", "ANIMATED"))
            kinds = self.lamp.tendril.body.bl_rna.properties["collision_shape"].enum_items.keys()
            self.lamp.tendril.body.collision_shape = rng.choice(kinds)
            self.pin(self.rope, self.lamp, 1.0)
            self.things.append(self.lamp)
        if rng.random() < 0.4:
            trunk, branch = [(3, 0, 0.3 * k) for k in range(5)], [(3 + 0.2 * k, 0, 0.6 + 0.1 * k) for k in range(4)]
            self.tree = draw("Oak", [trunk, branch], depth=0.02)
            self.tree.tendril.is_rod = self.tree.tendril.is_tree = True
            self.things.append(self.tree)
        if rng.random() < 0.4:
            bpy.ops.object.effector_add(type=rng.choice(("WIND", "VORTEX", "TURBULENCE", "DRAG", "FORCE")))
            self.wind = bpy.context.object
            self.things.append(self.wind)
        choose_seen(self.rope)

    @staticmethod
    def pin(rod, target, fraction):
        pin = rod.tendril.pins.add()
        pin.target, pin.fraction, pin.name = target, fraction, "Nail"


# ---- what spoils it; each takes (rng, world)


def spoil_transform(rng, world):
    item = rng.choice(world.things)
    path = rng.choice(("location", "rotation_euler", "scale", "delta_location", "delta_scale"))
    value = rng.choice(EXTREMES)
    setattr(item, path, [value] * 3 if rng.random() < 0.5 else [*getattr(item, path)[:2], value])


def spoil_setting(rng, world):
    item = rng.choice(world.things)
    groups = [
        (item.tendril.rod, ROD), (item.tendril.body, BODY), (item.tendril.tree, TREE), (world.scene.tendril, SCENE),
        (world.rope.tendril.pins[0], PIN),
    ]  # fmt: skip
    group, table = rng.choice(groups)
    for name in rng.sample(list(table), 3):
        value, default = rng.choice(EXTREMES), table[name].default
        if isinstance(default, bool):
            setattr(group, name, not default)
        elif isinstance(default, int):
            setattr(group, name, rng.choice((-(10**9), -1, 0, 1, 2, 3)))
        else:
            setattr(group, name, [value] * len(default) if isinstance(default, tuple) else value)


def spoil_weights(rng, world):
    weights = rng.choice(world.things).tendril.weights
    setattr(weights, rng.choice(("gravity", "all", "wind", "drag")), rng.choice(EXTREMES))


def spoil_scene(rng, world):
    scene, what = world.scene, rng.randrange(7)
    if what == 0:
        scene.gravity = [rng.choice(EXTREMES)] * 3
    elif what == 1:
        scene.unit_settings.scale_length = rng.choice((0.0, 1e-9, 1e-3, 1e3, 1e9))
    elif what == 2:
        scene.render.fps, scene.render.fps_base = rng.choice((1, 24, 32767)), rng.choice((1e-5, 1.0, 1e6))
    elif what == 3:
        scene.tendril.use_frame_range = True
        scene.tendril.frame_start, scene.tendril.frame_end = rng.choice(((5, 1), (-9, -7), (1, 1), (1048570, 1048574)))
    elif what == 4:
        scene.render.frame_map_old, scene.render.frame_map_new = rng.choice(((1, 900), (900, 1)))
    elif what == 5:
        scene.frame_start, scene.frame_end = rng.choice(((1, 1), (3, 3), (0, 2)))
    else:
        scene.unit_settings.system = rng.choice(("NONE", "IMPERIAL"))
        scene.unit_settings.scale_length = rng.choice((1e-6, 1e6))


def points_of(spline):
    return spline.bezier_points if spline.type == "BEZIER" else spline.points


def spoil_points(rng, world):
    spline = rng.choice(world.rope.data.splines)
    points = points_of(spline)
    what, index = rng.randrange(8), rng.randrange(len(points))
    if what == 0:
        points[index].co[rng.randrange(3)] = rng.choice(EXTREMES)
    elif what == 1:
        points[index].co = points[index - 1].co
    elif what == 2:
        for point in points:
            point.co = points[0].co
    elif what in {3, 4}:
        values = np.ones(len(points), dtype=np.float32)
        values[index] = rng.choice(EXTREMES)
        points.foreach_set(rng.choice(("radius", "tilt")), values)
    elif what == 5 and spline.type != "BEZIER":
        points[index].co[3] = rng.choice(EXTREMES)
        spline.points.foreach_set("weight_softbody", [0.5] * len(points))
    elif what == 6:
        points.foreach_set("co", np.tile(np.float32(rng.choice(EXTREMES)), len(points) * len(points[0].co)))
    else:
        values = np.array([point.co[:] for point in points], dtype=np.float32)
        values[:, :3] *= np.float32(rng.choice((1e-7, 1e-4, 1e5, 1e30)))
        points.foreach_set("co", values.ravel())


def spoil_splines(rng, world):
    data, what = world.rope.data, rng.randrange(8)
    if what == 0:
        data.splines.clear()
    elif what == 1:
        data.splines.new(rng.choice(("POLY", "BEZIER", "NURBS")))
    elif what == 2:
        for spline in data.splines:
            spline.use_cyclic_u = True
    elif what == 3:
        spline = data.splines.new(rng.choice(("POLY", "NURBS")))
        spline.points.add(1)
        spline.points[1].co = (1, 1, 1, 1)
        spline.use_cyclic_u = rng.random() < 0.5
    elif what == 4:
        spline = data.splines[0]
        spline.order_u, spline.resolution_u = rng.choice((2, 6)), rng.choice((1, 1024))
        spline.use_endpoint_u, spline.use_bezier_u = rng.random() < 0.5, rng.random() < 0.5
    elif what == 5:
        data.splines.remove(data.splines[1])
        data.splines[0].hide = True
    elif what == 6:
        spline = data.splines.new("POLY")
        spline.points.add(3)
        for point, place in zip(spline.points, [(0, 0, 0), (1, 0, 0), (0, 0, 0), (1, 0, 0)], strict=True):
            point.co = (*place, 1)
    else:
        for _ in range(30):
            data.splines.new("BEZIER").bezier_points.add(1)


def spoil_look(rng, world):
    data, what = world.rope.data, rng.randrange(9)
    other = draw("Other", [[(0, 0, 0), (0, 1, 0)]], depth=0.02)
    if what == 0:
        data.bevel_depth = rng.choice((0.0, 1e-9, 1e9))
    elif what == 1:
        data.bevel_mode, data.bevel_object = "OBJECT", other
    elif what == 2:
        data.taper_object = other
    elif what == 3:
        data.dimensions = "2D"
    elif what == 4:
        data.bevel_factor_start, data.bevel_factor_end = rng.choice(((1.0, 0.0), (0.3, 0.6)))
    elif what == 5:
        data.extrude, data.offset, data.twist_smooth = rng.choice((0.0, 1e9)), rng.choice((0.0, -5.0)), 8.0
    elif what == 6:
        data.bevel_mode = "PROFILE"
    elif what == 7:
        data.use_path, data.use_stretch = True, True
        data.twist_mode = rng.choice(("TANGENT", "Z_UP"))
    else:
        data.resolution_u, data.render_resolution_u = 1, 1024


def spoil_modifiers(rng, world):
    for item in rng.sample(world.things, 2):
        kinds = ["HOOK", "SOFT_BODY", "ARMATURE", "CAST", "CURVE", "LATTICE", "MESH_DEFORM", "SHRINKWRAP", "SMOOTH"]
        kinds += ["SIMPLE_DEFORM", "WARP", "WAVE", "ARRAY", "BUILD", "DECIMATE", "NODES", "REMESH", "MIRROR", "BEVEL"]
        modifier = item.modifiers.new("Spoiler", rng.choice(kinds)) if item.type in {"CURVE", "MESH"} else None
        if modifier and modifier.type == "HOOK":
            modifier.object = rng.choice([thing for thing in world.things if thing != item])
            modifier.vertex_indices_set(rng.sample(range(40), 3))


def spoil_parent(rng, world):
    item, parent = rng.sample(world.things, 2)
    item.parent = parent
    if rng.random() < 0.4:
        kinds = item.bl_rna.properties["parent_type"].enum_items
        item.parent_type = "VERTEX" if parent.type in {"CURVE", "MESH"} else kinds[0].identifier
    if rng.random() < 0.4:
        parent.scale = rng.choice(((0, 0, 0), (1, 0, 1), (1, -3, 1), (1, 1, 1e-6)))
        parent.rotation_euler = (0.3, 0.5, 0.7)


def spoil_constraint(rng, world):
    item = rng.choice(world.things)
    kinds = ("CHILD_OF", "COPY_LOCATION", "COPY_TRANSFORMS", "FOLLOW_PATH", "TRACK_TO", "LIMIT_SCALE", "PIVOT", "FLOOR")
    constraint = item.constraints.new(rng.choice(kinds))
    if hasattr(constraint, "target"):
        constraint.target = rng.choice([None, *world.things])


def spoil_animation(rng, world):
    item, path = rng.choice(world.things), rng.choice(("location", "scale", "rotation_euler"))
    extreme, apart = rng.choice(EXTREMES), rng.choice(([1, 1, 1], [1, 0, 0]))
    for frame, share in ((1, 0.0), (2, 1.0), (3, 0.0)):
        setattr(item, path, [extreme if share * axis else 1.0 for axis in apart])
        item.keyframe_insert(path, frame=frame)


def spoil_driver(rng, world):
    item = rng.choice(world.things)
    driver = item.driver_add(rng.choice(("location", "scale")), rng.randrange(3)).driver
    driver.expression = rng.choice(("1 / 0", "nonsense", "frame * 1e30", "float('nan')", "", "0.0 * frame", "sqrt(-1)"))
    if rng.random() < 0.5:
        variable = driver.variables.new()
        variable.type = rng.choice(("SINGLE_PROP", "TRANSFORMS", "ROTATION_DIFF", "CONTEXT_PROP"))
        if variable.type == "SINGLE_PROP":
            variable.targets[0].id_type = "SCENE"
            variable.targets[0].id = world.scene
        variable.targets[0].data_path = rng.choice(("frame_current", "gravity[2]", "nothing", ""))


def spoil_influence(rng, world):
    pin = world.rope.tendril.pins[0]
    for frame in (1, 2, 3):
        pin.influence = rng.choice((0.0, 0.5, 1.0, float("nan")))
        pin.keyframe_insert("influence", frame=frame)


def new_target(rng, world):
    kind = rng.choice(
        ("rope", "curve", "camera", "light", "text", "mesh", "armature", "far scene", "nothing", "lattice")
    )
    if kind == "rope":
        return world.rope
    if kind == "nothing":
        return None
    if kind == "curve":
        return draw("Target", [[(0, 0, 0), (1, 1, 1)]], depth=0.02)
    data = {
        "camera": lambda: bpy.data.cameras.new("Target"),
        "light": lambda: bpy.data.lights.new("Target", "POINT"),
        "text": lambda: bpy.data.curves.new("Target", "FONT"),
        "mesh": lambda: bpy.data.meshes.new("Target"),
        "armature": lambda: bpy.data.armatures.new("Target"),
        "lattice": lambda: bpy.data.lattices.new("Target"),
        "far scene": lambda: None,
    }[kind]()
    target = bpy.data.objects.new("Target", data)
    if kind == "far scene":
        bpy.data.scenes.new("Elsewhere").collection.objects.link(target)
    elif rng.random() < 0.9:
        link(target)
    return target


def spoil_pin(rng, world):
    pin = rng.choice(world.rope.tendril.pins)
    pin.target = new_target(rng, world)
    pin.bone = rng.choice(("", "Finger"))
    pin.mode = rng.choice(("POSITION", "DIRECTION", "TWIST"))


def spoil_places(rng, world):
    for _ in range(rng.choice((1, 3, 20))):
        world.pin(world.rope, rng.choice(world.things), rng.choice((0.0, 0.01, 0.5, 0.99, 1.0)))
        world.rope.tendril.pins[-1].spline = rng.choice((0, 1, 2, 100000))


def spoil_name(rng, world):
    for item in rng.sample(world.things, 2):
        item.name = rng.choice(NAMES)
    world.rope.tendril.pins[0].name = rng.choice(NAMES)
    if rng.random() < 0.3:
        world.scene.name = rng.choice(NAMES)


def spoil_deletion(rng, world):
    item = rng.choice(world.things)
    if rng.random() < 0.5:
        world.scene.collection.objects.unlink(item)
    elif item != world.rope:
        world.things.remove(item)
        bpy.data.objects.remove(item, do_unlink=True)


def spoil_kind(rng, world):
    item = rng.choice((world.hand, new_target(rng, world) or world.hand, *world.things))
    own = item.tendril
    name = rng.choice(("is_rod", "is_body", "is_tree"))
    setattr(own, name, not getattr(own, name))
    world.things.append(item)


def spoil_mesh(rng, world):
    bodies = [item for item in world.things if item.type == "MESH"]
    if not bodies:
        return spoil_places(rng, world)
    mesh, what = bodies[0].data, rng.randrange(5)
    if what == 0:
        mesh.clear_geometry()
    elif what == 1:
        mesh.vertices[0].co.x = rng.choice(EXTREMES)
    elif what == 2:
        for vertex in mesh.vertices:
            vertex.co.z = 0.0
    elif what == 3:
        mesh.polygons[0].flip()
    else:
        mesh.transform(np.eye(4) * rng.choice((1e-9, 1e9, -1.0)))
    return None


def spoil_field(rng, world):
    bpy.ops.object.effector_add(type=rng.choice(("WIND", "FORCE", "VORTEX", "TURBULENCE", "DRAG", "MAGNET", "BOID")))
    field = bpy.context.object.field
    names = ("strength", "noise", "flow", "size", "linear_drag", "quadratic_drag", "falloff_power", "distance_max")
    for name in rng.sample(names, 3):
        setattr(field, name, rng.choice(EXTREMES))
    field.use_max_distance = rng.random() < 0.5
    field.shape = rng.choice(("POINT", "LINE", "PLANE"))
    choose_seen(world.rope)


def spoil_mode(rng, world):
    item = rng.choice([item for item in world.things if item.type in {"CURVE", "MESH"}])
    choose_seen(item)
    bpy.ops.object.mode_set(mode="EDIT")


def spoil_shape_keys(rng, world):
    world.rope.shape_key_add(name="Basis")
    key = world.rope.shape_key_add(name="Bent")
    key.value = rng.choice((0.0, 1.0))
    key.data[rng.randrange(len(key.data))].co.x = rng.choice(EXTREMES)


def spoil_visibility(rng, world):
    item = rng.choice(world.things)
    item.hide_viewport, item.hide_render = rng.random() < 0.5, rng.random() < 0.5
    if rng.random() < 0.5:
        shelf = bpy.data.collections.new("Shelf")
        world.scene.collection.children.link(shelf)
        shelf.objects.link(item)
        world.scene.collection.objects.unlink(item)
        bpy.context.view_layer.layer_collection.children["Shelf"].exclude = True


def spoil_pointers(rng, world):
    own = rng.choice(world.things).tendril
    setattr(own, rng.choice(("result", "source")), rng.choice(world.things))


def spoil_rigid_bodies(rng, world):
    item = next((item for item in world.things if item.type == "MESH"), None)
    if item is None:
        bpy.ops.mesh.primitive_cube_add()
        item = bpy.context.object
        world.pin(world.rope, item, 0.6)
    choose_seen(item)
    bpy.ops.rigidbody.object_add(type=rng.choice(("ACTIVE", "PASSIVE")))
    choose_seen(world.rope)


def spoil_library(rng, world, folder):
    """Linked from another file, or a library override of that."""
    path = str(folder / "library.blend")
    far = draw("Far", [[(0.1 * k, 5, 0) for k in range(5)]], depth=0.02)
    far.tendril.is_rod = True
    bpy.data.libraries.write(path, {far})
    bpy.data.objects.remove(far)
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["Far"]
    far = link(bpy.data.objects["Far"])
    if rng.random() < 0.5:
        far = far.override_create(remap_local_usages=True) or far
    if rng.random() < 0.5:
        world.rope.tendril.pins[0].target = far
    world.things.append(far)
    choose_seen(far)


SPOILERS = [value for name, value in list(globals().items()) if name.startswith("spoil_") and name != "spoil_library"]


# ---- what is asked of it, and what may come of it


def wish(rng, world):
    """What shall be done: a function, after something was selected for it."""
    if rng.random() < 0.5:
        return lambda: read_scene(bpy.context)
    if bpy.context.mode == "OBJECT" and rng.random() < 0.7:
        choose_seen(*rng.sample(world.things, rng.choice((1, 1, 2))))
    button = rng.choice(("add_rod", "add_tree", "add_body", "tie", "estimate", "remove_pin", "add_pin", "add_pin"))
    settings = {}
    if button == "add_pin":
        settings["place"] = rng.choice(("ENDS", "FRACTION", "SELECTION", "HOOKS"))
        settings["holder"] = rng.choice(("OBJECT", "BONE", "EMPTY"))
    return lambda: getattr(bpy.ops.tendril, button)(**settings)


def press(wanted):
    """The sentence with which it is refused, or ''."""
    try:
        wanted()
    except SceneError as refusal:
        return str(refusal)
    except RuntimeError as refusal:
        text = re.sub(r"^Operator bpy\.ops\.tendril\.\w+\.poll\(\) ", "", str(refusal).strip())
        return re.sub(r"^Error: ", "", text)
    return ""


def check_numbers(thing, path="scene"):
    """Everything in a description is made of numbers."""
    if is_dataclass(thing):
        for field in fields(thing):
            check_numbers(getattr(thing, field.name), f"{path}.{field.name}")
    elif isinstance(thing, tuple | list):
        for index, item in enumerate(thing):
            check_numbers(item, f"{path}[{index}]")
    elif isinstance(thing, np.ndarray | float):
        free = path.endswith(("max_distance", "radial_max", "max_step", "max_force"))
        assert not np.any(np.isnan(thing)), path
        assert free or np.all(np.isfinite(thing)), path


def check_fit(given, scene):
    """What is accepted is of a size that physics can take, and what leads it is somewhere and not flat at any frame."""
    for rod in given.rods:
        length = np.linalg.norm(rod.edges(), axis=1)
        assert 1e-7 < length.sum() < 1e7
        assert length.min() > 1e-9 * length.sum()
        assert np.abs(rod.x).max() < 1e8 * length.sum()
        assert rod.radius.min() > 0.0
    assert np.linalg.norm(given.gravity) < 1e7
    rods = [item for item in scene.objects if item.tendril.is_rod]
    leaders = {pin.target for item in rods for pin in item.tendril.pins if not pin.target.tendril.is_body}
    leaders |= {item for item in scene.objects if item.tendril.is_body and item.tendril.body.motion == "ANIMATED"}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        for leader in leaders & set(bpy.context.view_layer.objects):
            matrix = np.array(leader.matrix_world)
            assert np.all(np.isfinite(matrix)), leader.name
            assert np.linalg.matrix_rank(matrix[:3, :3].astype(float), tol=0.0) == 3, leader.name


def check_sentence(said):
    """One sentence, which names something there is and says what to do, in an artist's words."""
    things = [*bpy.data.objects, *bpy.data.scenes, *bpy.data.meshes, *bpy.data.curves]
    named = [name for name in {thing.name for thing in things} if f"'{name}" in said or f"{name}'" in said]
    plain = said
    for name in sorted({thing.name for thing in things} | set(NAMES), key=len, reverse=True):
        for end in ("'", " spline", " branch", " fork"):
            plain = plain.replace(f"'{name}{end}", f"'X{end}")
    assert "\n" not in plain, said
    assert ". " not in plain.replace("..", ""), said
    assert not any(word in plain for word in PROGRAMMERS), said
    assert GENERAL.match(plain) or (named and SENTENCE.match(plain)), said


def dump(item, depth=3):
    """The plain values of a thing and of the groups in it."""
    found = []
    for prop in item.bl_rna.properties:
        if prop.identifier in {"rna_type", "id_data", "is_updated", "estimate"}:
            continue
        value = getattr(item, prop.identifier)
        if prop.type in {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"}:
            found.append((prop.identifier, repr(value if not getattr(prop, "is_array", False) else list(value))))
        elif prop.type == "POINTER" and isinstance(value, bpy.types.ID):
            found.append((prop.identifier, value.name_full))
        elif prop.type == "POINTER" and value is not None and depth:
            found.append((prop.identifier, dump(value, depth - 1)))
        elif prop.type == "COLLECTION" and depth:
            found.append((prop.identifier, [dump(one, depth - 1) for one in value]))
    return found


def digest():
    """All that an artist has in the file, as far as these tests touch it."""
    kinds = ("objects", "curves", "meshes", "scenes", "actions", "armatures", "shape_keys", "collections", "libraries")
    listed = {kind: [(one.name_full, one.users) for one in getattr(bpy.data, kind)] for kind in kinds}
    scene, own = bpy.context.scene, {}
    for item in bpy.data.objects:
        parts = [repr([*map(list, item.matrix_basis)]), item.hide_viewport, item.mode, item.parent, dump(item.tendril)]
        if item.type == "CURVE":
            points = [points_of(spline) for spline in item.data.splines]
            parts += [repr([(list(p.co), p.tilt, p.radius, p.select_control_point if hasattr(p, "handle_left") else
                             p.select) for p in own_points]) for own_points in points]  # fmt: skip
            parts += [item.data.bevel_depth, item.data.resolution_u]
        own[item.name_full] = parts
    view = (scene.frame_current, scene.frame_subframe, bpy.context.object, bpy.context.selected_objects[:])
    return repr((listed, own, dump(scene.tendril), view))


def test_bad_input_is_accepted_with_numbers_or_refused_in_one_sentence_with_nothing_changed(
    random_case, tmp_path, monkeypatch
):
    monkeypatch.setattr(estimate, "probe", lambda *_: iter(()))  # what is measured begins after all checks
    rng = random.Random(random_case)
    world = World(rng)
    for spoil in rng.sample(SPOILERS, rng.choice((1, 1, 2, 3))):
        if bpy.context.mode == "OBJECT":
            spoil(rng, world)
    if bpy.context.mode == "OBJECT" and rng.random() < 0.08:
        spoil_library(rng, world, tmp_path)
    bpy.context.view_layer.update()
    wanted = wish(rng, world)
    before = digest()
    try:
        if said := press(wanted):
            check_sentence(said)
            assert digest() == before
            return
        try:
            given, meta = read_scene(bpy.context)
        except SceneError as refusal:
            check_sentence(str(refusal))
        else:
            check_numbers(given)
            check_fit(given, world.scene)
            for notice in meta["notices"]:
                check_sentence(notice["text"])
    finally:
        if bpy.context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")


def new_colliders():
    """A rock with Blender's Collision physics, a ribbon with Tendril's."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.5, 0.5, -2.0))
    rock = bpy.context.object
    rock.name = "Rock"
    ribbon = draw("Ribbon", [[(0, 0, -1), (1, 0, -1), (1, 1, -1)]], depth=0.02)
    choose_seen(rock, ribbon)
    bpy.ops.tendril.add_collider()
    return [rock, ribbon]


def touch_otherwise(rng, world):
    for item in world.things:
        if item.collision:
            item.collision.thickness_outer, item.collision.cloth_friction = rng.choice(EXTREMES), rng.choice(EXTREMES)
        setattr(item.tendril.collider, rng.choice(list(COLLIDER)), rng.choice(EXTREMES))


def take_faces_away(rng, world):
    for item in world.things:
        if item.type == "MESH":
            build = item.modifiers.new("Build", "BUILD")
            build.frame_start, build.frame_duration = rng.choice((-5, 1, 2, 9)), rng.choice((1, 4, 20))
        elif item.type == "CURVE":
            item.data.bevel_depth = rng.choice((0.0, 1e-12))


def test_bad_colliders_are_accepted_with_numbers_or_refused_in_one_sentence(random_case):
    rng = random.Random(f"colliders {random_case}")
    world = World(rng)
    world.scene.tendril.use_passive_bodies = rng.random() < 0.5
    world.things = new_colliders()
    spoilers = [
        touch_otherwise, take_faces_away, spoil_transform, spoil_modifiers, spoil_parent, spoil_constraint,
        spoil_animation, spoil_driver, spoil_name, spoil_kind, spoil_mesh, spoil_visibility,
    ]  # fmt: skip
    if rng.random() < 0.3:
        spoil_rigid_bodies(rng, world)
    for spoil in rng.sample(spoilers, rng.choice((1, 2, 3))):
        spoil(rng, world)
        world.things = list(dict.fromkeys(world.things))
    bpy.context.view_layer.update()
    before = digest()
    try:
        given, meta = read_scene(bpy.context)
    except SceneError as refusal:
        check_sentence(str(refusal))
    else:
        check_numbers(given)
        for notice in meta["notices"]:
            check_sentence(notice["text"])
        for collider in given.colliders:
            assert collider.triangles.max() < collider.points.shape[1]
            assert np.abs(collider.points).max() < 1e9
    assert digest() == before


def test_the_judge_is_strict():
    """The checks above can fail."""
    world = World(random.Random(0))
    for said in (
        "'Rope': its v is not (3,) finite numbers.", "'Rope' is wrong.", "KeyError: 'x'.", "'Nobody': do this.",
        "'Rope' is bad: mend it. Then go on.",
    ):  # fmt: skip
        with pytest.raises(AssertionError):
            check_sentence(said)
    check_sentence("'Rope' has no points: draw some.")
    before = digest()
    world.rope.tendril.pins[0].fraction = 0.25
    assert digest() != before
    with pytest.raises(AssertionError):
        check_numbers((np.array([1.0, np.nan]),))
