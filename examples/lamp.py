"""A lamp hangs on its cable from a hook in a beam. Somebody pushes it.

It swings as a compound pendulum of cable and lamp, with the period 2π √(I/Mgd) (1 + θ²/16), and its light with it.
The lamp is a rigid body, its bulb and light are children of it; Tie to Body joins cable and lamp.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES = 240
LENGTH, RADIUS, SUNK = 1.0, 0.0044, 0.012  # m; the cable ends inside the lamp's cap
MASS, PUSH = 1.4, (1.05, 0.0, 0.0)  # kg, m/s
MOMENTS = {1: "pushed", 13: "out", 26: "swinging back", 40: "and over"}

# Radius and height [m] of the shade, around its wall from the cap down outside and up again inside.
PROFILE = (
    (0.016, 0.000), (0.020, -0.004), (0.020, -0.048), (0.026, -0.056), (0.060, -0.078), (0.115, -0.120),
    (0.156, -0.180), (0.168, -0.212), (0.174, -0.214), (0.174, -0.220), (0.166, -0.220), (0.152, -0.182),
    (0.111, -0.124), (0.056, -0.083), (0.018, -0.062), (0.005, -0.052), (0.005, -0.002),
)  # fmt: skip


def build(points=50):
    """The scene, ready to bake; returns the cable."""
    scene = studio.empty_scene(FRAMES)
    lamp = studio.add("Lamp", turned("Shade", PROFILE), (0.0, 0.0, SUNK - LENGTH))
    bulb = studio.add("Bulb", looks.ball("Bulb", 0.034, glow("Bulb", 45.0)), (0.0, 0.0, -0.13), parent=lamp)
    light = bpy.data.lights.new("Light", "POINT")
    light.energy, light.color, light.shadow_soft_size = 16.0, (1.0, 0.72, 0.42), 0.036
    studio.add("Light", light, parent=bulb)
    bulb.visible_shadow = False  # the light is inside
    lamp.select_set(True)
    bpy.context.view_layer.objects.active = lamp
    bpy.ops.tendril.add_body()
    lamp.tendril.body.mass, lamp.tendril.body.velocity = MASS, PUSH
    hook = beam()
    cable = hang(points, hook, lamp)
    studio.corner(scene, size=1.0, floor=-1.5, centre=(0.0, 0.0, -0.7), color=(0.11, 0.10, 0.09))
    for name in ("Key", "Fill", "Rim"):  # an evening
        bpy.data.lights[name].energy *= 0.6
    studio.camera(scene, target=(0.0, 0.0, -0.72), width=1.5, height=-0.1)
    return cable


def hang(points, hook, lamp):
    """The cable from the hook to the lamp."""
    height = np.linspace(0.0, -LENGTH, 5)
    cable = studio.curve("Cable", np.stack([0.0 * height, 0.0 * height, height], axis=1), RADIUS)
    cable.data.materials.append(looks.material("Rubber", (0.012, 0.012, 0.013), 0.4))
    lamp.select_set(False)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="electrical_cable")
    cable.tendril.rod.points = points
    hook.select_set(True)
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="OBJECT", mode="POSITION")
    hook.select_set(False)
    lamp.select_set(True)
    bpy.context.view_layer.objects.active = lamp
    bpy.ops.tendril.tie()
    return cable


def beam():
    """A beam and the hook in it, where the cable hangs."""
    wood = looks.material("Wood", (0.20, 0.105, 0.045), 0.65)
    bpy.ops.mesh.primitive_cube_add(location=(0.0, 0.0, 0.105))
    timber = bpy.context.object
    timber.name, timber.scale = "Beam", (1.2, 0.07, 0.075)
    timber.data.materials.append(wood)
    timber.modifiers.new("Edges", "BEVEL").width = 0.006
    timber.select_set(False)
    return studio.add("Hook", looks.ball("Hook", 0.016, looks.brass()), (0.0, 0.0, 0.012))


def turned(name, profile, segments=64):
    """A mesh: a closed profile (k, 2) of radius and height turned about z, enamelled outside and in."""
    ring = np.array(profile)
    angle = 2.0 * np.pi * np.arange(segments) / segments
    x = np.stack([np.outer(np.cos(angle), ring[:, 0]), np.outer(np.sin(angle), ring[:, 0])], axis=2)
    points = np.dstack([x, np.broadcast_to(ring[:, 1], x.shape[:2])]).reshape(-1, 3)
    k, n = len(ring), len(points)
    faces = [
        (s * k + i, s * k + (i + 1) % k, (s * k + k + (i + 1) % k) % n, (s * k + k + i) % n)
        for s in range(segments)
        for i in range(k)
    ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(looks.material("Enamel", (0.02, 0.16, 0.13), 0.18))
    mesh.materials.append(looks.material("White enamel", (0.85, 0.83, 0.78), 0.3))
    mesh.materials.append(looks.brass())
    inside = [2 if i in {0, 1, 16} else 1 if 9 <= i < 15 else 0 for _ in range(segments) for i in range(k)]
    mesh.polygons.foreach_set("material_index", inside)
    return mesh


def glow(name, strength):
    """A look that shines."""
    item = bpy.data.materials.new(name)
    item.use_nodes = True
    nodes = item.node_tree.nodes
    shine = nodes.new("ShaderNodeEmission")
    shine.inputs["Color"].default_value, shine.inputs["Strength"].default_value = (1.0, 0.78, 0.5, 1.0), strength
    item.node_tree.links.new(shine.outputs[0], nodes["Material Output"].inputs["Surface"])
    return item


def check(cable):
    """The lamp stays on its cable, its light stays in it, and both swing as a compound pendulum does."""
    scene = bpy.context.scene
    given, x, centre, turn = baked(scene)
    gap = np.abs(x[:, -1] - centre - rotated(turn, x[0, -1] - centre[0])).max()
    assert gap < 1e-8 * LENGTH, gap
    light = centre + rotated(turn, np.array([0.0, 0.0, SUNK - LENGTH - 0.13]) - centre[0])
    assert np.abs(places(scene, bpy.data.objects["Light"].tendril.result) - light).max() < 1e-4
    angle = np.arctan2(centre[:, 0], -centre[:, 2])
    crossings = np.flatnonzero(np.diff(np.sign(angle)) != 0)
    times = crossings + angle[crossings] / (angle[crossings] - angle[crossings + 1])
    period = 2.0 * np.polyfit(np.arange(len(times)), times, 1)[0] / scene.render.fps
    law = pendulum(given) * (1.0 + np.abs(angle).max() ** 2 / 16.0)
    assert abs(period / law - 1.0) < 0.02, (period, law)
    return f"The lamp swings with a period of {period:.3f} s; a compound pendulum with {law:.3f} s."


def pendulum(given):
    """Period [s] of small swings of the cable and the lamp as one stiff thing about the hook: 2π √(I/Mgd)."""
    mass, height = given["scene.rods.0.mass"], given["scene.rods.0.x"][:, 2]
    drop = -given["scene.bodies.0.position"][2]
    inertia = given["scene.bodies.0.inertia"][1, 1] + MASS * drop**2 + mass @ height**2
    return 2.0 * np.pi * np.sqrt(inertia / (9.81 * (MASS * drop - mass @ height)))


def baked(scene):
    """(arrays of the bake's job, cable (F, n, 3) [m], the lamp's centre of mass (F, 3) [m] and turn (F, 4))."""
    file = Path(bpy.data.filepath)
    folder = file.parent / "tendril_cache" / file.stem / scene.name
    frames = [np.load(path) for path in sorted((folder / "tendril_frames").iterdir())]
    bodies = np.array([frame["bodies"][0] for frame in frames])
    return np.load(folder / "tendril_job.npz"), np.array([frame["x"] for frame in frames]), bodies[:, :3], bodies[:, 3:]


def rotated(turn, arm):
    """An arm (3,) turned by unit quaternions (F, 4)."""
    axis = turn[:, 1:]
    return arm + 2.0 * np.cross(axis, np.cross(axis, arm) + turn[:, :1] * arm)


def places(scene, item):
    """Where an object is at every frame (F, 3), as Blender plays it."""
    found = []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        found.append(np.array(item.matrix_world.translation))
    return np.array(found)


if __name__ == "__main__":
    studio.produce("lamp", build, check, MOMENTS, size=(460, 560), columns=4)
