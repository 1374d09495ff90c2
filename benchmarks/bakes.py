"""Whole bakes: the demo's knot as Blender bakes it, and a metre of every shipped preset, hanging and swung for 10 s."""

import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene
from tendril.presets import material

from .measure import row
from .starting import small_job, waits

ROOT = Path(__file__).resolve().parents[1]
GOAL = "this project's goal"
EDGES, FPS, SECONDS = 100, 24, 10
ENOUGH = 3.0  # s of a bake that tell how long the whole one takes

DEMO = """
import sys, time
import bpy
sys.path.append({examples!r})
import trefoil_knot
trefoil_knot.build()
bpy.ops.wm.save_as_mainfile(filepath={file!r})
start = time.perf_counter()
bpy.ops.tendril.bake()
print("seconds:", time.perf_counter() - start)
"""


def rows():
    with tempfile.TemporaryDirectory() as folder:
        waits(small_job(Path(folder)))  # compiles what is not compiled
    handbook = [path for path in sorted(material.SHIPPED.glob("*.toml")) if not path.stem.startswith("paper_")]
    return [_demo(), *map(_preset, handbook)]


def _demo():
    with tempfile.TemporaryDirectory() as folder:
        code = DEMO.format(examples=str(ROOT / "examples"), file=str(Path(folder, "knot.blend")))
        blender = [sys.executable, "tools/blender.py", "-b", "--python-exit-code", "1", "--python", "tools/link.py"]
        done = subprocess.run([*blender, "--python-expr", code], cwd=ROOT, check=True, capture_output=True, text=True)
    seconds = next(float(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("seconds:"))
    return row("the demo: 250 frames of a knot of 140 edges, settled, pulled, twisted", "s", seconds, 20.0, GOAL)


def _preset(path):
    """How long 10 s of it take, told by the first seconds of the bake when it takes longer than those."""
    name, scene = path.stem.replace("_", " "), swung(path)
    start, done = process_time(), 0
    for _ in simulate(scene):
        done += 1
        if process_time() - start > ENOUGH:
            break
    seconds = (process_time() - start) * scene.frame_count / done
    case = f"{name}, 1 m of {EDGES} edges swung for {SECONDS} s"
    if done < scene.frame_count:
        case += f" (from its first {done} frames)"
    return row(case, "s", seconds, 60.0, GOAL)


def swung(path):
    """A metre that hangs from a point going to and fro."""
    values = material.read(path)
    x = np.linspace((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), EDGES + 1)
    rod = Rod.from_material(
        path.stem, x, values.get("radius", 0.005),
        Material(**{name: values[name] for name in Material.__dataclass_fields__}),
        inner_radius=values["inner_radius"], stretchable=values["stretchable"], shape_memory=0.0,
    )  # fmt: skip
    times = np.linspace(0.0, SECONDS, 20 * SECONDS + 1)
    place = np.outer(0.1 * (1.0 - np.cos(np.pi * times)), (1.0, 0.0, 0.0))
    pin = Pin("hand", 0, 0, "POSITION", times, place, max_force=None)
    return Scene((rod,), 1.0 / FPS, SECONDS * FPS, pins=(pin,))
