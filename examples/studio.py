"""A photographer's corner for the examples: backdrop, lights, camera, a striped rope, metal; and sheets of several moments.

Plain Blender; nothing here knows of Tendril.
"""

import math
import tempfile
from pathlib import Path

import bpy
import bmesh
import numpy as np
from mathutils import Vector

OUT = Path(__file__).resolve().parents[1] / "out"


def empty_scene(frames, fps=24):
    """A new file with nothing in it."""
    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, frames, fps
    return scene


def add(name, data, location=(0.0, 0.0, 0.0), parent=None):
    """A new object in the scene; a child of `parent` at `location` in its space."""
    item = bpy.data.objects.new(name, data)
    item.location, item.parent = location, parent
    bpy.context.collection.objects.link(item)
    return item


def curve(name, points, radius, kind="NURBS", cyclic=False):
    """A tube along control points (k, 3), the active object."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution, data.use_fill_caps = "3D", radius, 6, not cyclic
    spline = data.splines.new(kind)
    spline.points.add(len(points) - 1)
    spline.points.foreach_set("co", np.column_stack([points, np.ones(len(points))]).astype(np.float32).ravel())
    spline.order_u, spline.use_endpoint_u, spline.use_cyclic_u = 4, True, cyclic
    item = add(name, data)
    bpy.context.view_layer.objects.active = item
    item.select_set(True)
    return item


def prism(name, sides, radius, length, look):
    """A mesh: a straight prism along z, centred."""
    mesh, form = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_cone(form, cap_ends=True, segments=sides, radius1=radius, radius2=radius, depth=length)
    edges = [edge for edge in form.edges if edge.calc_face_angle(0.0) > 0.5]
    bmesh.ops.bevel(form, geom=edges, offset=0.12 * radius, segments=2, affect="EDGES", profile=0.5)
    form.to_mesh(mesh)
    form.free()
    mesh.materials.append(look)
    return mesh


def material(name, color, roughness=0.5, metallic=0.0):
    item = bpy.data.materials.new(name)
    item.use_nodes = True
    shader = item.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Metallic"].default_value = metallic
    return item


def striped_rope(name, length, radius, rope=(0.80, 0.73, 0.60), stripe=(0.85, 0.16, 0.03), width=0.26):
    """A braid with a coloured stripe along v = 0, where a curve's tilt points."""
    item = material(name, rope, roughness=0.75)
    nodes, links = item.node_tree.nodes, item.node_tree.links
    shader = nodes["Principled BSDF"]

    def math_node(operation, *values):
        node = nodes.new("ShaderNodeMath")
        node.operation = operation
        for socket, value in zip(node.inputs, values, strict=False):
            if isinstance(value, bpy.types.NodeSocket):
                links.new(value, socket)
            else:
                socket.default_value = value
        return node.outputs[0]

    place = nodes.new("ShaderNodeSeparateXYZ")
    links.new(nodes.new("ShaderNodeTexCoord").outputs["UV"], place.inputs[0])
    along, around = place.outputs["X"], place.outputs["Y"]
    distance = math_node("PINGPONG", around, 0.5)  # from v = 0, either way
    strands = [math_node("SINE", math_node("MULTIPLY_ADD", along, turns, math_node("MULTIPLY", around, 20 * math.pi)))
               for turns in (0.6 * length / radius * math.pi, -0.6 * length / radius * math.pi)]  # fmt: skip
    braid = math_node("MULTIPLY", *strands)
    mix = nodes.new("ShaderNodeMix")
    mix.data_type = "RGBA"
    links.new(math_node("LESS_THAN", distance, width / 2), mix.inputs["Factor"])
    mix.inputs["A"].default_value, mix.inputs["B"].default_value = (*rope, 1.0), (*stripe, 1.0)
    links.new(mix.outputs["Result"], shader.inputs["Base Color"])
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.5, 0.15 * radius
    links.new(braid, bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return item


def corner(scene, size, floor, color=(0.055, 0.085, 0.11)):
    """A floor that bends up into a wall, three lights, and a camera that looks along y at `size` metres of width."""
    angle = np.linspace(-0.5 * np.pi, 0.0, 17)
    profile = [(-8 * size, floor), *zip(2 * size + size * np.cos(angle), floor + size * (1 + np.sin(angle)), strict=True)]
    profile.append((3 * size, floor + 8 * size))
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
        item = add(name, light, Vector(place) * size)
        item.rotation_euler = item.location.to_track_quat("Z", "Y").to_euler()
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.02, 0.03, 0.04, 1.0)


def camera(scene, target, width, height=0.15):
    """A camera in front (−y) that sees `width` metres at the target, from a little above."""
    data = bpy.data.cameras.new("Camera")
    data.lens = 70.0
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
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = *size, 100
    scene.view_settings.view_transform, scene.view_settings.look = "AgX", "AgX - Medium High Contrast"
    scene.render.use_persistent_data = True


def contact_sheet(scene, moments, columns, path):
    """Render {frame: caption} and save all of them in one picture, row by row."""
    width, height = scene.render.resolution_x, scene.render.resolution_y
    rows = -(-len(moments) // columns)
    sheet = np.zeros((rows * height, columns * width, 4), dtype=np.float32)
    caption = _caption(scene)
    with tempfile.TemporaryDirectory() as folder:
        for number, (frame, text) in enumerate(moments.items()):
            scene.frame_set(frame)
            caption.data.body = text
            scene.render.filepath = str(Path(folder, f"{number}.png"))
            bpy.ops.render.render(write_still=True)
            image = bpy.data.images.load(scene.render.filepath)
            pixels = np.empty(width * height * 4, dtype=np.float32)
            image.pixels.foreach_get(pixels)
            bpy.data.images.remove(image)
            row, column = rows - 1 - number // columns, number % columns  # an image's first row is its lowest
            sheet[row * height : (row + 1) * height, column * width : (column + 1) * width] = pixels.reshape(height, width, 4)
    bpy.data.objects.remove(caption)
    image = bpy.data.images.new("Sheet", columns * width, rows * height)
    image.pixels.foreach_set(sheet.ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)


def _caption(scene):
    """A text in the lower left corner of the camera's view."""
    data = bpy.data.curves.new("Caption", "FONT")
    lit = bpy.data.materials.new("Caption")
    lit.use_nodes = True
    nodes = lit.node_tree.nodes
    glow = nodes.new("ShaderNodeEmission")
    glow.inputs["Color"].default_value = (0.75, 0.75, 0.72, 1.0)
    lit.node_tree.links.new(glow.outputs[0], nodes["Material Output"].inputs["Surface"])
    data.materials.append(lit)
    item = add("Caption", data, parent=scene.camera)
    right, top, _ = scene.camera.data.view_frame(scene=scene)[0]
    depth = -scene.camera.data.view_frame(scene=scene)[0].z
    near = 0.2  # m before the camera
    item.location = (-0.94 * right * near / depth, -0.86 * top * near / depth, -near)
    item.scale = [0.11 * top * near / depth] * 3
    return item
