"""A tree in the wind, from a branching curve to keyframes to a picture: in any Blender that has Tendril

    blender -b --python examples/tree.py

A curve such as Sapling Tree Gen draws becomes a tree of oak that stands as it is drawn, until the wind comes up. Its
leaves are one mesh, parented to the tree; each of them stays on its twig.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import sapling
import studio

FRAMES = 250
CALM, BLOWS = 25, 70  # frames: the wind comes up between them
WIND = 13.0  # m/s
GUST = 6.0  # m/s², of swirls four metres wide that the wind carries along
MOMENTS = {1: "calm", 62: "wind comes up", 140: "in the wind", 203: "in the wind"}


def build(frames=FRAMES, levels=sapling.LEVELS):
    """The scene, ready to bake; returns the tree. Made as an artist would."""
    scene = studio.empty_scene(frames)
    branches = sapling.grow(levels=levels)
    tree = sapling.tree("Tree", branches)
    leaves = sapling.leaves("Leaves", tree, branches)
    bpy.ops.tendril.add_tree()
    wind(frames)
    tree.select_set(True)
    bpy.context.view_layer.objects.active = tree
    tree.data.materials.append(bark())
    leaves.data.materials.append(leaf())
    outdoors(scene)
    return tree


def wind(frames):
    """Air that begins to move from left to right, swells and falls, and carries swirls along."""
    bpy.ops.object.effector_add(type="WIND", location=(-5.0, -2.0, 2.0), rotation=(0.0, 0.5 * np.pi, 0.0))
    air = bpy.context.object
    bpy.ops.object.effector_add(type="TURBULENCE")
    swirls = bpy.context.object
    swirls.field.size = 4.0
    swell = {1: 0.0, CALM: 0.0, BLOWS: 1.0, 110: 0.7, 150: 1.2, 185: 0.6, 215: 1.1}
    for frame, share in {**swell, frames: 0.8}.items():
        air.field.strength, air.field.noise = share * WIND, 0.1 * share * WIND
        swirls.field.strength = share * GUST
        for field, path in ((air.field, "strength"), (air.field, "noise"), (swirls.field, "strength")):
            field.keyframe_insert(path, frame=frame)
    studio.steadily(swirls, "location", 0, {1: 0.0, frames: WIND * frames / bpy.context.scene.render.fps})


def bark():
    return looks.material("Bark", (0.075, 0.052, 0.038), roughness=0.9)


def leaf():
    """Green on one side and yellow where light comes through."""
    item = looks.material("Leaf", (0.06, 0.15, 0.025), roughness=0.5)
    nodes, links = item.node_tree.nodes, item.node_tree.links
    through, mix = nodes.new("ShaderNodeBsdfTranslucent"), nodes.new("ShaderNodeMixShader")
    through.inputs["Color"].default_value = (0.22, 0.36, 0.03, 1.0)
    mix.inputs[0].default_value = 0.4
    links.new(nodes["Principled BSDF"].outputs[0], mix.inputs[1])
    links.new(through.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], nodes["Material Output"].inputs["Surface"])
    return item


def outdoors(scene, target=(0.4, 0.0, 4.6), width=14.5):
    """A meadow, the sun and a hazy sky; a camera that sees `width` metres at the target."""
    meadow = bpy.data.meshes.new("Meadow")
    size = 400.0
    meadow.from_pydata([(-size, -size, 0), (size, -size, 0), (size, size, 0), (-size, size, 0)], [], [(0, 1, 2, 3)])
    meadow.materials.append(looks.material("Grass", (0.085, 0.11, 0.03), roughness=1.0))
    studio.add("Meadow", meadow)
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle, sun.color = 6.5, 0.02, (1.0, 0.9, 0.75)
    studio.add("Sun", sun).rotation_euler = (0.75, 0.35, 0.4)
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    nodes, links = scene.world.node_tree.nodes, scene.world.node_tree.links
    ramp, up, where = (nodes.new(f"ShaderNode{kind}") for kind in ("ValToRGB", "SeparateXYZ", "TexCoord"))
    links.new(where.outputs["Generated"], up.inputs[0])
    links.new(up.outputs["Z"], ramp.inputs[0])
    links.new(ramp.outputs[0], nodes["Background"].inputs["Color"])
    ramp.color_ramp.elements[0].color = (0.72, 0.78, 0.82, 1.0)
    ramp.color_ramp.elements[1].color, ramp.color_ramp.elements[1].position = (0.12, 0.27, 0.55, 1.0), 0.6
    studio.camera(scene, target, width, height=-0.06)


def motion(tree):
    """(x (F, N, 3) [m] of the bake, the forks' welds: (first vertex of each weld, their number per body))"""
    from bl_ext.user_default.tendril.bake.cache import Cache
    from bl_ext.user_default.tendril.bridge.scene import read_scene
    from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

    cache, scene = Cache(cache_folder(bpy.context.scene)), read_scene(bpy.context)[0]
    first = np.concatenate([[0], np.cumsum([len(rod.x) for rod in scene.rods])])
    forks = {}
    for weld in scene.welds:
        forks.setdefault(weld.body, []).append(first[weld.rod] + weld.vertex)
    return np.stack([cache.read(index)[0] for index in cache.frames]), list(forks.values())


def check(tree):
    """What has to be true of a tree in the wind: no sag, forks that hold, twigs that sway, and nothing that drifts."""
    x, forks = motion(tree)
    assert x.shape[1] >= 2000, x.shape
    moved = np.linalg.norm(x - x[0], axis=2)
    sag = moved[: CALM - 1].max()
    assert sag < 1e-6, sag
    gap = max(_loose(x, fork) for fork in forks)
    assert gap < 1e-6, gap
    sway = np.ptp(x[BLOWS:, :, 0], axis=0)
    assert 0.3 < sway.max() < 4.0, sway.max()
    assert moved.max() < 4.0, moved.max()
    leaves = next(item for item in tree.children if item.type == "MESH").tendril.result
    assert len(leaves.data.shape_keys.key_blocks) == len(x)
    return (
        f"{len(x)} frames of {x.shape[1]} vertices; the tree sags by {1e3 * sag:.2g} mm, forks hold to {gap:.0e} m, "
        f"twigs sway by up to {sway.max():.1f} m."
    )


def _loose(x, fork):
    """How much the distances between the welded vertices of a fork change over the bake [m]."""
    parent, children = x[:, fork[:1]], x[:, fork[1:]]
    apart = np.linalg.norm(children - parent, axis=2)
    return np.ptp(apart, axis=0).max()


if __name__ == "__main__":
    studio.produce("tree", build, check, MOMENTS, size=(720, 560), columns=2)
