"""Sheets let go from two corners, and beside Blender's own experimental cloth, where the Blender at hand brings it: a
square of 40 × 40 cells held along one edge.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Hold, Scene, Sheet

from .measure import row

FPS, CELLS, FRAMES, PEERS, SHOWN = 24, 70, 250, 40, 60
RUBBER = {"density": 1100.0, "young": 5e6, "poisson": 0.45, "plate": 0.005, "relaxation": 0.005}
PAPER = {"density": 800.0, "young": 3e9, "poisson": 0.3, "plate": 1e-4, "relaxation": 1e-4, "membrane": 1e-3}
LIBRARY = "5.2/datafiles/assets/nodes/geometry_nodes_dynamics_assets.blend"
GOAL = "this project's goal"
MISSING = "Blender 5.2's cloth is not here: run this with its Python to measure beside it."
PEER = """
import sys, time
import bpy, numpy as np
library, n, frames = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
bpy.ops.wm.read_homefile(use_empty=True)
with bpy.data.libraries.load(library) as (_, into):
    into.node_groups = ["Cloth Dynamics (Experimental)"]
group = into.node_groups[0]
bpy.ops.mesh.primitive_grid_add(x_subdivisions=n, y_subdivisions=n, size=1)
item = bpy.context.object
x = np.array([v.co for v in item.data.vertices])
held = item.data.attributes.new("held", "FLOAT", "POINT")
held.data.foreach_set("value", (x[:, 0] < -0.499).astype(np.float32))
dynamics = item.modifiers.new("Dynamics", "NODES")
dynamics.node_group = group
sockets = {s.name: s.identifier for s in group.interface.items_tree if s.item_type == "SOCKET" and s.in_out == "INPUT"}
given = dynamics.properties.inputs
pin = getattr(given, sockets["Pin Group"])
pin.type, pin.attribute_name = "ATTRIBUTE", "held"
times = []
for frame in range(1, frames + 1):
    begun = time.process_time()
    bpy.context.scene.frame_set(frame)
    item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    times.append(time.process_time() - begun)
print(float(np.median(times[3:])))
"""


def rows():
    bake(_hung(4, 1.0, 2, RUBBER))  # compiles what is not compiled
    rubber = bake(_hung(CELLS, 1.0, FRAMES, RUBBER))
    wide = bake(_hung(CELLS, 3.0, FRAMES, RUBBER))
    paper = bake(_hung(PEERS // 2, 0.3, FRAMES, PAPER))
    touching = bake(_hung(CELLS, 1.0, SHOWN, RUBBER, touches=True))
    found = [
        row(f"9800 triangles of rubber, 1 m, 5 mm, {FRAMES} frames", "s", rubber, 60.0, GOAL),
        row(f"9800 triangles of rubber, 3 m, 5 mm, {FRAMES} frames", "s", wide, 60.0, GOAL),
        row(f"800 triangles of paper, .3 m, {FRAMES} frames", "s", paper, 60.0, GOAL),
        row(f"9800 of rubber, 1 m, that may touch each other, {SHOWN} frames", "s", touching, 60.0, GOAL),
    ]
    library = _library()
    if library is None:
        print(MISSING)
        return found
    command = [sys.executable, "-c", PEER, str(library), str(PEERS), str(SHOWN)]
    peer = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])
    own = bake(_hung(PEERS, 1.0, SHOWN, RUBBER, along=True, touches=True)) / (SHOWN - 1)
    return [*found, row(f"{PEERS} × {PEERS} cells held along an edge", "s a frame", own, peer, "Blender 5.2's cloth")]


def _library():
    """The file that brings the peer, or None."""
    bpy = importlib.util.find_spec("bpy")
    path = Path(bpy.origin).parent / LIBRARY if bpy and bpy.origin else None
    return path if path and path.exists() else None


def _hung(cells, size, frames, material, along=False, touches=False):
    """A square held at two corners, or along an edge, that touches itself or nothing."""
    grid = np.linspace(0.0, size, cells + 1)
    x = np.stack([*np.meshgrid(grid, grid, indexing="ij"), np.zeros((cells + 1,) * 2)], axis=-1).reshape(-1, 3)
    k = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    p, q, r, s = k[:-1, :-1].ravel(), k[1:, :-1].ravel(), k[1:, 1:].ravel(), k[:-1, 1:].ravel()
    triangles = np.concatenate([np.stack([p, q, r], axis=1), np.stack([p, r, s], axis=1)])
    held = k[0] if along else k[0, [0, -1]]
    holds = tuple(Hold("hold", "POINT", 0, int(i)) for i in held)
    sheet = Sheet("sheet", x, triangles=triangles, **material)
    return Scene((), 1.0 / FPS, frames, solids=(sheet,), holds=holds, contact=touches)


def bake(scene):
    """Processor time [s] of the frames after the first."""
    for item in simulate(scene):
        if item.index == 0:
            begun = process_time()
    return process_time() - begun
