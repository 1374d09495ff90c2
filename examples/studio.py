"""A photographer's corner for the examples: backdrop, lights, camera, and sheets of several moments."""

import os
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import bpy
import library
import numpy as np
from looks import glow, material, striped_rope, veil
from mathutils import Vector

library.load()
OUT = Path(__file__).resolve().parents[1] / "out"


def produce(name, build, check, moments, size, columns, draw=lambda _rod: None):
    """Build a scene, bake it, check what came out, save out/NAME.blend and render {frame: caption} to out/NAME.png.

    moments may be a function that finds them in the bake; draw adds to the scene what was measured. Both are given what
    build returns. Returns what the check says.
    """
    OUT.mkdir(exist_ok=True)
    file, tell = OUT / f"{name}.blend", Clock()
    tell(f"Building {name}")
    rod = build()
    scene = bpy.context.scene
    save(file)  # the cache lies beside it
    bake(tell)
    said = check(rod)
    tell(said)
    draw(rod)
    moments = moments(rod) if callable(moments) else moments
    scene.frame_set(scene.frame_start)
    save(file)
    tell(f"Saved {file}")
    cycles(scene, size, samples=16)
    contact_sheet(scene, moments, columns, file.with_suffix(".png"), tell)
    tell(f"Saved {file.with_suffix('.png')}")
    return said


class Clock:
    """Tells an event, with the time since the clock was made."""

    def __init__(self):
        self.start = time.perf_counter()

    def __call__(self, text):
        print(f"{time.perf_counter() - self.start:5.0f} s  {text}", flush=True)


@contextmanager
def quiet():
    """Nothing goes to the standard output, where Blender writes a line for each sample it renders."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def save(file):
    with quiet():
        bpy.ops.wm.save_as_mainfile(filepath=str(file))


def bake(tell):
    """As the button Bake does, telling each quarter of the way. Raises RuntimeError when the bake stops."""
    from bl_ext.user_default.tendril.operators.baking import Baking

    run, told = bpy.context.window_manager.tendril, [0]

    def hear(said):
        quarter = 4 * said["frame"] // said["of"] if said["kind"] == "progress" else 0
        if said["kind"] == "compiling" or quarter > told[-1]:
            told.append(quarter)
            tell(run.message)

    baking = Baking(bpy.context)
    tell("Baking")
    baking.run(bpy.context, hear)
    for warning in run.warnings:
        tell(f"Frame {warning.frame}: {warning.text}")
    if run.failed:
        raise RuntimeError(run.message)


def shown(rod, spline=0):
    """Vertices (F, n, 3) [m] of a baked rod's spline, as Blender plays them."""
    scene, result, found = bpy.context.scene, rod.tendril.result, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        evaluated = result.evaluated_get(depsgraph)
        curve = evaluated.to_curve(depsgraph, apply_modifiers=True)
        points = np.empty(3 * len(curve.splines[spline].bezier_points), dtype=np.float32)
        curve.splines[spline].bezier_points.foreach_get("co", points)
        evaluated.to_curve_clear()
        matrix = np.array(result.matrix_world)
        found.append(points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    return np.array(found)


def empty_scene(frames, fps=24):
    """A new file with nothing in it."""
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, frames, fps
    return scene


def chosen(active, *others):
    """Select these alone."""
    bpy.ops.object.select_all(action="DESELECT")
    for item in (*others, active):
        item.select_set(True)
    bpy.context.view_layer.objects.active = active


def add(name, data, location=(0.0, 0.0, 0.0), parent=None):
    """A new object in the scene; a child of `parent` at `location` in its space."""
    item = bpy.data.objects.new(name, data)
    item.location, item.parent = location, parent
    bpy.context.collection.objects.link(item)
    return item


def hung(hook, line, length, radius, points):
    """A rope of hemp along a line (k, 3), so long [m] and striped, its start pinned to a hook; nothing is selected."""
    rope = curve("Rope", line, radius)
    rope.data.materials.append(striped_rope("Rope", length, radius))
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="hemp_rope")
    rope.tendril.rod.points = points
    hook.select_set(True)
    bpy.ops.tendril.add_pin(place="START", holder="OBJECT", mode="POSITION")
    hook.select_set(False)
    rope.select_set(False)
    return rope


def rigid_body(item, density, shape="CONVEX_HULL"):
    """Make a mesh object a rigid body of so many kg/m³ that touches with this shape; nothing is selected then."""
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.tendril.add_body()
    body = item.tendril.body
    body.use_density, body.density, body.collision_shape = True, density, shape
    item.select_set(False)


def collider(item, thickness, friction=None):
    """Let others collide with a mesh object, so thick [m]; nothing is selected then."""
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.tendril.add_collider()
    item.collision.thickness_outer = thickness
    if friction is not None:
        item.collision.cloth_friction = friction
    item.select_set(False)


def steadily(item, path, index, keys):
    """Key one channel of an object, {frame: value}, so that it changes evenly from key to key."""
    for frame, value in keys.items():
        getattr(item, path)[index] = value
        item.keyframe_insert(path, index=index, frame=frame)
    for point in keyed(item):
        point.interpolation = "LINEAR"


def at_once(item):
    """Let what is keyed of an object change at its keys, not on the way to them."""
    for point in keyed(item):
        point.interpolation = "CONSTANT"


def keyed(item, path=None):
    """All keyframe points of an object, or those of one property."""
    action = item.animation_data
    fcurves = action.action.layers[0].strips[0].channelbag(action.action_slot).fcurves
    return [point for fcurve in fcurves if path in (None, fcurve.data_path) for point in fcurve.keyframe_points]


def curve(name, points, radius, cyclic=False, tilt=0.0):
    """A smooth tube along control points (k, 3), the active object; tilt [rad] turns its stripe."""
    item = _tubes(name, "NURBS", [points], radius, [np.full(len(points), tilt)], cyclic)
    spline = item.data.splines[0]
    spline.order_u, spline.use_endpoint_u = 4, not cyclic
    return item


def polylines(name, lines, radius, tilts=None):
    """A tube along each of the polylines (k, 3), one object, active; tilts: [(k,)] [rad] for each of their points."""
    return _tubes(name, "POLY", lines, radius, tilts or [np.zeros(len(line)) for line in lines], cyclic=False)


def _tubes(name, kind, lines, radius, tilts, cyclic):
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution, data.use_fill_caps = "3D", radius, 6, not cyclic
    for points, tilt in zip(lines, tilts, strict=True):
        spline = data.splines.new(kind)
        spline.points.add(len(points) - 1)
        spline.points.foreach_set("co", np.column_stack([points, np.ones(len(points))]).astype(np.float32).ravel())
        spline.points.foreach_set("tilt", np.asarray(tilt, dtype=np.float32))
        spline.use_cyclic_u = cyclic
    item = add(name, data)
    bpy.context.view_layer.objects.active = item
    item.select_set(True)
    return item


def corner(scene, size, floor, centre=(0.0, 0.0, 0.0), color=(0.055, 0.085, 0.11)):
    """A floor that bends up into a wall, and three lights for things of `size` metres around the centre."""
    angle = np.linspace(-0.5 * np.pi, 0.0, 17)
    bend = zip(2 * size + size * np.cos(angle), floor + size * (1 + np.sin(angle)), strict=True)
    profile = [(-8 * size, floor), *bend, (3 * size, floor + 8 * size)]
    corners = [(x, y, z) for x in (-12 * size, 12 * size) for y, z in profile]
    k = len(profile)
    mesh = bpy.data.meshes.new("Backdrop")
    mesh.from_pydata(corners, [], [(i, i + k, i + k + 1, i + 1) for i in range(k - 1)])
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(material("Backdrop", color, roughness=0.6))
    add("Backdrop", mesh)
    for name, place, power, width, tint in (
        ("Key", (-0.8, -1.2, 1.6), 30.0, 0.6, (1.0, 0.93, 0.84)),
        ("Fill", (1.5, -1.3, 0.5), 9.0, 1.0, (0.75, 0.87, 1.0)),
        ("Rim", (0.7, 1.2, 1.2), 28.0, 0.7, (0.85, 0.93, 1.0)),
    ):
        light = bpy.data.lights.new(name, "AREA")
        light.energy, light.size, light.color = power * size**2, width * size, tint
        away = Vector(place) * size
        item = add(name, light, Vector(centre) + away)
        item.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.02, 0.03, 0.04, 1.0)


def daylight(scene, size, floor=0.0, color=(0.55, 0.36, 0.18)):
    """A board of `size` metres in the sun, under a bright sky."""
    mesh = bpy.data.meshes.new("Board")
    mesh.from_pydata(
        [(12.0 * size * x, 12.0 * size * y, floor) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], [], [(0, 1, 2, 3)]
    )
    mesh.materials.append(material("Board", color, roughness=0.8))
    add("Board", mesh)
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle, light.color = 5.0, np.radians(1.0), (1.0, 0.93, 0.8)
    add("Sun", light).rotation_euler = Vector((-0.45, -0.6, 1.0)).to_track_quat("Z", "Y").to_euler()
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"].inputs
    sky["Color"].default_value, sky["Strength"].default_value = (0.45, 0.65, 1.0, 1.0), 0.5


def camera(scene, target, width, height=0.15):
    """A camera in front (−y) that sees `width` metres at the target, from a little above."""
    data = bpy.data.cameras.new("Camera")
    data.lens, data.sensor_fit = 70.0, "HORIZONTAL"
    distance = width * data.lens / data.sensor_width
    item = add("Camera", data, Vector(target) + Vector((0.0, -distance, height * distance)))
    item.rotation_euler = (item.location - Vector(target)).to_track_quat("Z", "Y").to_euler()
    scene.camera = item
    for screen in bpy.data.screens:  # what an artist sees on opening the file
        for area in screen.areas:
            if area.type == "VIEW_3D":
                area.spaces.active.shading.type = "MATERIAL"
                area.spaces.active.region_3d.view_perspective = "CAMERA"
    return item


def cycles(scene, size, samples):
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.adaptive_threshold, scene.cycles.use_denoising = samples, 0.03, True
    scene.cycles.denoising_quality = scene.cycles.denoising_prefilter = "FAST"  # a fourth of a still's time less
    scene.cycles.max_bounces = 4
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = *size, 100
    scene.view_settings.view_transform, scene.view_settings.look = "AgX", "AgX - Medium High Contrast"
    scene.render.use_persistent_data = True


def contact_sheet(scene, moments, columns, path, tell):
    """Render {frame: caption} and save all of them in one picture, row by row."""
    width, height = scene.render.resolution_x, scene.render.resolution_y
    rows = -(-len(moments) // columns)
    sheet = np.zeros((rows * height, columns * width, 4), dtype=np.float32)
    caption = _caption(scene)
    with tempfile.TemporaryDirectory() as folder:
        for number, (frame, text) in enumerate(moments.items()):
            scene.frame_set(frame)
            _write(caption, text)
            scene.render.filepath = str(Path(folder, f"{number}.png"))
            with quiet():
                bpy.ops.render.render(write_still=True)
            tell(f"Rendered frame {frame}, {text} ({number + 1} of {len(moments)})")
            image = bpy.data.images.load(scene.render.filepath)
            pixels = np.empty(width * height * 4, dtype=np.float32)
            image.pixels.foreach_get(pixels)
            bpy.data.images.remove(image)
            row, column = rows - 1 - number // columns, number % columns  # an image's first row is its lowest
            tile = np.s_[row * height : (row + 1) * height, column * width : (column + 1) * width]
            sheet[tile] = pixels.reshape(height, width, 4)
    for item in (*caption.children, caption):
        bpy.data.objects.remove(item)
    image = bpy.data.images.new("Sheet", columns * width, rows * height)
    image.pixels.foreach_set(sheet.ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)


def label(text, place, size=0.05, look=None, align="CENTER"):
    """A text that faces the camera in front, centred at `place` or to the left or right of it."""
    data = bpy.data.curves.new("Label", "FONT")
    data.body, data.size, data.align_x, data.align_y = text, size, align, "CENTER"
    data.materials.append(look or glow("Label", (0.75, 0.75, 0.72)))
    add("Label", data, place).rotation_euler.x = 0.5 * np.pi


def _caption(scene):
    """A text in the lower left corner of the camera's view, on a plate that dims whatever is behind."""
    data = bpy.data.curves.new("Caption", "FONT")
    data.materials.append(glow("Caption", (0.9, 0.9, 0.86)))
    item = add("Caption", data, parent=scene.camera)
    right, top, _ = scene.camera.data.view_frame(scene=scene)[0]
    depth = -scene.camera.data.view_frame(scene=scene)[0].z
    near = 0.2  # m before the camera
    item.location = (-0.94 * right * near / depth, -0.86 * top * near / depth, -near)
    item.scale = [0.11 * top * near / depth] * 3
    plate = bpy.data.meshes.new("Plate")
    plate.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [], [(0, 1, 2, 3)])
    plate.materials.append(veil("Plate", 0.75))
    add("Plate", plate, (0.0, 0.0, -0.05), parent=item)
    return item


def _write(caption, text):
    """Change a caption; its plate is as long as the text, or gone without."""
    caption.data.body = text
    bpy.context.view_layer.update()
    plate = caption.children[0]
    plate.location[:2] = -0.45, -0.42
    plate.scale[:2] = caption.dimensions.x / caption.scale.x + 0.9, 1.45
    plate.hide_render = not text
