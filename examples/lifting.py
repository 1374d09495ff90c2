"""Chain of closed rings. An empty draws the first one up; five more hang in each other and the last in the handle of a
crate, held by contact alone. Every ring stays linked with the next, as often as it was drawn.
"""

import sys
from itertools import pairwise
from pathlib import Path

import bpy
import bmesh
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import touching

FRAMES = 120
RINGS, RADIUS, THICK = 6, 0.06, 0.007  # , m, m
SIDE, HANDLE, BAR = 0.3, 0.07, 0.009  # m: of the crate, of its handle, of the bar that is bent to it
SLACK = 0.002  # m between a ring and the next at the start
LIFT, TAKEN = 0.6, (6, 66)  # m, frames
MOMENTS = {1: "slack", 12: "taut", 40: "lifted", 120: "hanging"}
PICTURE = {"size": (300, 480), "columns": 4}
CLIP = range(1, FRAMES + 1, 4)  # frames


def build(points=28):
    """The scene, ready to bake; returns the rings."""
    scene = studio.empty_scene(FRAMES)
    crate = studio.add("Crate", crate_with_handle(), (0.0, 0.0, 0.5 * SIDE))
    studio.rigid_body(crate, density=250.0, shape="MESH")
    steel = looks.material("Steel", (0.75, 0.77, 0.8), 0.4, 1.0)
    copper = looks.material("Copper", (0.85, 0.22, 0.05), 0.4, 1.0)
    rings, top = [], SIDE + HANDLE
    for number in range(RINGS):
        inside = THICK + (THICK if number else BAR)
        height = top - inside + RADIUS - SLACK
        item = studio.curve(f"Ring {number}", circle(number, height), THICK, cyclic=True)
        bpy.ops.tendril.add_rod()
        rod = item.tendril.rod
        rod.young, rod.poisson, rod.density, rod.bend_factor = 1.0, 0.4, 1500.0, 1.0
        rod.internal_damping, rod.points = 0.001, points
        rod.friction = 0.2  # oiled: where more of it holds, rings come to rest beside the lowest point of the next
        item.data.materials.append(copper if number % 2 else steel)
        rings.append(item)
        top = height + RADIUS
        if number == RINGS - 1:
            hold(item)
        item.select_set(False)
    scene.tendril.use_floor = True
    studio.corner(scene, size=1.0, floor=0.0, centre=(0.0, 0.0, 0.6))
    studio.camera(scene, target=(0.0, 0.0, 0.86), width=1.1, height=0.1)
    return rings


def circle(number, height):
    """Points (16, 3) [m] of a ring, its highest first; every other one is turned by a right angle."""
    angle = 2.0 * np.pi * np.arange(16) / 16
    radius = 3.0 * RADIUS / (2.0 + np.cos(angle[1]))  # a curve of order 4 runs inside of its control points
    along, up, across = radius * np.sin(angle), height + radius * np.cos(angle), 0.0 * angle
    return np.stack([along, across, up] if number % 2 else [across, along, up], axis=1)


def hold(item):
    """An empty holds the ring at its highest point and draws it up."""
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="POSITION")
    target = item.tendril.pins[0].target
    for frame, way in zip(TAKEN, (0.0, LIFT), strict=True):
        target.location.z += way
        target.keyframe_insert("location", index=2, frame=frame)


def crate_with_handle():
    """A mesh: a crate, and half of a torus that stands on it."""
    mesh = looks.crate("Crate", (SIDE, SIDE, SIDE), looks.material("Wood", (0.42, 0.24, 0.10), 0.65))
    form = bmesh.new()
    form.from_mesh(mesh)
    around, across = 24, 8
    rows = []
    for i in range(around):
        a = 2.0 * np.pi * i / around
        angles = 2.0 * np.pi * np.arange(across) / across
        out, aside = HANDLE + BAR * np.cos(angles), BAR * np.sin(angles)
        ring = np.stack([out * np.sin(a), aside, 0.5 * SIDE + out * np.cos(a)], axis=1)
        rows.append([form.verts.new(place) for place in ring])
    for i in range(around):
        for j in range(across):
            n, m = (i + 1) % around, (j + 1) % across
            form.faces.new((rows[i][j], rows[i][m], rows[n][m], rows[n][j])).material_index = 1
    form.to_mesh(mesh)
    form.free()
    mesh.materials.append(looks.material("Iron", (0.05, 0.05, 0.055), 0.35, 1.0))
    return mesh


def check(_rings):
    """Linking numbers stay as drawn at every frame; the crate is lifted by as much as the slack of the chain leaves."""
    scene, (x, _, poses) = measure.description(), measure.baked()
    rods = np.split(x, np.cumsum([len(rod.x) for rod in scene.rods])[:-1], axis=1)
    angle = 2.0 * np.pi * np.arange(64) / 64
    bar = np.stack([HANDLE * np.sin(angle), 0.0 * angle, SIDE + HANDLE * np.cos(angle)], axis=1)
    bar -= scene.bodies[0].position
    numbers = set()
    for pose, *rings in zip(poses[:, 0], *rods, strict=True):
        closed = [np.vstack([ring, ring[:1]]) for ring in (pose[:3] + touching.rotated(pose[3:], bar), *rings)]
        numbers.add(tuple(round(measure.winding(a, b)) for a, b in pairwise(closed)))
    assert len(numbers) == 1, numbers
    assert all(abs(number) == 1 for number in numbers.pop())
    lifted = poses[-24:, 0, 2].mean() - poses[0, 0, 2]
    assert abs(lifted - (LIFT - RINGS * SLACK)) < 0.5 * THICK, lifted
    deep = touching.deepest(each=4)
    assert deep < 0.05, deep
    return (
        f"Six rings and the handle stay linked, once each, at every frame; the crate goes up by {lifted:.3f} m. "
        f"Nothing overlaps by more than {max(deep, 0.0):.1%}."
    )


if __name__ == "__main__":
    studio.produce("lifting", build, check, MOMENTS, **PICTURE)
