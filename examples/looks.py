"""What things in the examples look like: a striped rope, brass, steel; and the plain shapes of clamps and hooks."""

import math

import bpy
import bmesh


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


def extruded(name, profile, width, look):
    """A closed mesh: a profile, (x, z) clockwise, as wide as that in y."""
    mesh, n = bpy.data.meshes.new(name), len(profile)
    corners = [(x, side * 0.5 * width, z) for side in (-1.0, 1.0) for x, z in profile]
    around = [(k, k + n, (k + 1) % n + n, (k + 1) % n) for k in range(n)]
    mesh.from_pydata(corners, [], [*around, tuple(range(n)), tuple(range(n, 2 * n))[::-1]])
    mesh.materials.append(look)
    return mesh


def corners(face):
    """Numbers of its vertices, ascending."""
    return sorted(vert.index for vert in face.verts)


def ball(name, radius, look):
    mesh, form = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_uvsphere(form, u_segments=48, v_segments=24, radius=radius)
    form.verts.index_update()  # by which faces are put in order: Blender makes them in another one each time
    form.faces.sort(key=lambda face: sum(i / len(form.verts) ** k for k, i in enumerate(corners(face))))
    form.to_mesh(mesh)
    form.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(look)
    return mesh


def crate(name, sides, look, frame=0.12):
    """A mesh: a box with sides (3,), each face set back within a frame, as wide as so much of the least side."""
    mesh, form = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_cube(form, size=1.0)
    bmesh.ops.scale(form, vec=sides, verts=form.verts)
    width = frame * min(sides)
    bmesh.ops.inset_individual(form, faces=form.faces[:], thickness=width, depth=0.0, use_even_offset=True)
    inside = form.faces[:6]
    bmesh.ops.inset_individual(form, faces=inside, thickness=0.01 * width, depth=-0.3 * width, use_even_offset=True)
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


def glow(name, color):
    """For texts and lines: the colour itself, whatever the light."""
    item = bpy.data.materials.new(name)
    item.use_nodes = True
    nodes = item.node_tree.nodes
    light = nodes.new("ShaderNodeEmission")
    light.inputs["Color"].default_value = (*color, 1.0)
    item.node_tree.links.new(light.outputs[0], nodes["Material Output"].inputs["Surface"])
    return item


def veil(name, dark):
    """What dims whatever is behind: 0 lets all light through, 1 none."""
    item = glow(name, (0.01, 0.012, 0.015))
    nodes, links = item.node_tree.nodes, item.node_tree.links
    clear, mix = nodes.new("ShaderNodeBsdfTransparent"), nodes.new("ShaderNodeMixShader")
    mix.inputs[0].default_value = dark
    links.new(clear.outputs[0], mix.inputs[1])
    links.new(next(node for node in nodes if node.type == "EMISSION").outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], nodes["Material Output"].inputs["Surface"])
    return item


def brass():
    return material("Brass", (0.75, 0.5, 0.18), 0.25, 1.0)


def striped_rope(name, length, radius, rope=(0.82, 0.74, 0.60), stripe=(0.86, 0.13, 0.02), thread=(0.03, 0.09, 0.22)):
    """A braid with a broad stripe along v = 0, where a curve's tilt points, and a narrow one behind."""
    item = material(name, rope, roughness=0.7)
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

    def painted(color, where, paint):
        mix = nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        base, coat, out = mix.inputs[6], mix.inputs[7], mix.outputs[2]  # of the colours: all kinds share their names
        base.default_value, coat.default_value = (*rope, 1.0), (*paint, 1.0)
        if color:
            links.new(color, base)
        links.new(where, mix.inputs[0])
        return out

    place = nodes.new("ShaderNodeSeparateXYZ")
    links.new(nodes.new("ShaderNodeTexCoord").outputs["UV"], place.inputs[0])
    along, around = place.outputs["X"], place.outputs["Y"]
    behind = math_node("PINGPONG", around, 0.5)  # 0 in front, 0.5 behind
    color = painted(None, math_node("LESS_THAN", behind, 0.14), stripe)
    links.new(painted(color, math_node("GREATER_THAN", behind, 0.45), thread), shader.inputs["Base Color"])
    pitch = 8 * math.pi * length / (2 * math.pi * radius)
    left, right = (
        math_node("SINE", math_node("MULTIPLY_ADD", along, lay, math_node("MULTIPLY", around, 16 * math.pi)))
        for lay in (pitch, -pitch)
    )
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.7, 0.25 * radius
    links.new(math_node("MULTIPLY", left, right), bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return item
