"""The torus of Liesenfeld & Stolfi's animations: 480 tetrahedra between sections of a middle and a rim."""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

AROUND, RIM = 20, 8
RADIUS, THICKNESS = 0.25, 0.08  # m
BULK, SHEAR = 500.0, 100.0  # kPa


def torus():
    """(nodes (180, 3) [m], tetrahedra (480, 4)), axis y: three to each prism between two sections."""
    u, v = 2.0 * np.pi * np.arange(AROUND) / AROUND, 2.0 * np.pi * np.arange(RIM) / RIM
    out = np.concatenate([[0.0], THICKNESS * np.cos(v)])
    up = np.concatenate([[0.0], THICKNESS * np.sin(v)])
    far = RADIUS + out[None]
    across = np.broadcast_to(up, (AROUND, RIM + 1))
    x = np.stack([far * np.cos(u)[:, None], across, far * np.sin(u)[:, None]], axis=-1).reshape(-1, 3)
    found = []
    for section in range(AROUND):
        here, there = section * (RIM + 1), (section + 1) % AROUND * (RIM + 1)
        for k in range(RIM):
            corner = [0, 1 + k, 1 + (k + 1) % RIM]
            prism = [here + i for i in corner] + [there + i for i in corner]
            a, b, c = sorted(range(3), key=lambda i: prism[i])
            found += [
                [prism[i] for i in path]
                for path in ([a, b, c, c + 3], [a, b, b + 3, c + 3], [a, *(3 + i for i in (a, b, c))])
            ]
    node = np.array(found)
    wrong = np.linalg.det(x[node[:, 1:]] - x[node[:, :1]]) < 0.0
    node[wrong] = node[wrong][:, [0, 2, 1, 3]]
    return x, node


def ring(name, x, node, color):
    """A soft body of these tetrahedra, of rubber without viscosity, smooth to look at, the active object."""
    mesh = bpy.data.meshes.new(name)
    faces = node[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    mesh.from_pydata(x.tolist(), [], faces[np.sort(first[count == 1])].tolist())
    mesh["tetrahedra"] = node.ravel().tolist()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(looks.material(name, color, 0.35))
    item = studio.add(name, mesh)
    item.modifiers.new("Smooth", "SUBSURF").render_levels = 2
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.tendril.add_soft()
    soft = item.tendril.soft
    soft.poisson = 0.4
    soft.shear, soft.bulk, soft.density, soft.relaxation = SHEAR, BULK, 1000.0, 0.0
    soft.elements = "AFFINE"
    return item


def held(item, name, nodes, target):
    """Pin some nodes of a soft body, a group of that name, to an object; returns the pin."""
    item.vertex_groups.new(name=name).add(nodes, 1.0, "REPLACE")
    target.select_set(True)
    bpy.ops.tendril.add_soft_pin()
    target.select_set(False)
    return item.tendril.soft.pins[-1]
