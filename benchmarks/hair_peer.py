"""Straight hairs, clamped at their roots, drawn level and let go, beside Blender 5.2's own *Hair Dynamics* in the same
run: extended position-based dynamics (Macklin, Müller & Chentanez 2016) as geometry nodes, with the settings it comes
with, and with four times its substeps. Its stiffness is no material's, so what is compared is the time, and by which
part hairs get longer, which are not to. Where no environment has such a Blender there is nothing to measure.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

POINTS, LENGTH, APART = 20, 0.2, 0.01  # m
HAIRS, FRAMES, FPS = 300, 49, 24
SUBSTEPS = (10, 40)  # theirs, the first as it comes
OLDEST, TOO_OLD = (5, 2), 3  # Blender that has them, and the exit code of one that has not
ASSETS, GROUP = "geometry_nodes_dynamics_assets.blend", "Hair Dynamics"
CHECKOUT = Path(__file__).resolve().parents[1]
MISSING = "No Blender of 5.2 or later is here, beside whose hair ours could be measured: make .venv-5.2."


def rows():
    from .measure import row

    own = {quality: _ours(HAIRS, quality) for quality in ("GOOD", "PREVIEW")}
    for substeps in SUBSTEPS:
        other = _theirs(HAIRS, substeps)
        if other is None:
            print(MISSING, file=sys.stderr)
            return
        name = f"Blender {other['version']}, {GROUP}, {substeps} substeps, {other['longer']:.1%} longer"
        for quality, found in own.items():
            case = f"{HAIRS} hairs of {POINTS} points let go, {quality.title()}, {found['longer']:.1%} longer"
            yield row(case, "ms a frame", found["ms"], other["ms"], name)


def drawn(hairs):
    """(hairs, POINTS, 3) [m]: side by side, along x."""
    x = np.zeros((hairs, POINTS, 3))
    x[:, :, 0] = np.linspace(0.0, LENGTH, POINTS)
    x[:, :, 1] = APART * np.arange(hairs)[:, None]
    return x


def told(seconds, frames):
    """{ms: of a processor a frame, longer: by which part of its length the longest hair was at most}."""
    lengths = [np.linalg.norm(np.diff(x, axis=1), axis=2).sum(axis=1).max() for x in frames]
    return {"ms": 1e3 * median(seconds[2:]), "longer": max(lengths) / LENGTH - 1.0}


def _ours(hairs, quality):
    from tendril.physics.run.simulate import simulate
    from tendril.physics.scene import Pin, Rod, Scene

    from .strands import HAIR, RADIUS

    rods = tuple(Rod.from_material("hair", x, RADIUS, HAIR, touches=False) for x in drawn(hairs))
    pins = tuple(Pin.fixed(rod, 0, "DIRECTION", rod=number) for number, rod in enumerate(rods))
    for count in (4, FRAMES):  # the first compiles what is not compiled
        scene = Scene(rods, 1.0 / FPS, count, pins, contact=False, solver="AUTOMATIC", quality=quality)
        seconds, frames, begin = [], [], process_time()
        for frame in simulate(scene):
            seconds.append(process_time() - begin)
            frames.append(frame.x.reshape(hairs, POINTS, 3))
            begin = process_time()
    return told(seconds, frames)


def _theirs(hairs, substeps):
    """What the first Blender that has them tells of it, of the Pythons that are here; None: none has."""
    for python in (sys.executable, *sorted(CHECKOUT.glob(".venv-*/bin/python"), reverse=True)):
        call = [python, __file__, str(hairs), str(substeps)]
        ran = subprocess.run(call, check=False, stdout=subprocess.PIPE, text=True)
        if ran.returncode == 0:
            return json.loads(ran.stdout.splitlines()[-1])
        if ran.returncode != TOO_OLD:
            raise RuntimeError(f"{python} did not measure {GROUP}")
    return None


def main(hairs, substeps):
    """Measure it in the Blender that runs this."""
    import bpy

    if bpy.app.version < OLDEST:
        raise SystemExit(TOO_OLD)
    bpy.ops.wm.read_homefile(use_empty=True)
    library = Path(bpy.utils.system_resource("DATAFILES", path="assets/nodes")) / ASSETS
    with bpy.data.libraries.load(str(library)) as (_, wanted):
        wanted.node_groups = [GROUP]
    data = bpy.data.hair_curves.new("Hair")
    data.add_curves([POINTS] * hairs)
    data.position_data.foreach_set("vector", drawn(hairs).astype(np.float32).ravel())
    item = bpy.data.objects.new("Hair", data)
    scene = bpy.context.scene
    scene.collection.objects.link(item)
    modifier = item.modifiers.new(GROUP, "NODES")
    modifier.node_group = wanted.node_groups[0]
    inputs = [each for each in modifier.node_group.interface.items_tree if each.item_type == "SOCKET"]
    for name, value in (("Mode", "Physics (Experimental)"), ("Root Bendiness", 0.0), ("Substeps", substeps)):
        socket = next(each.identifier for each in inputs if each.name == name)
        getattr(modifier.properties.inputs, socket).value = value
    scene.frame_end, scene.render.fps = FRAMES, FPS
    seconds, frames = [], []
    for number in range(1, FRAMES + 1):
        begin = process_time()
        scene.frame_set(number)
        shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
        x = np.empty(3 * hairs * POINTS, np.float32)
        shown.data.position_data.foreach_get("vector", x)
        seconds.append(process_time() - begin)
        frames.append(x.reshape(hairs, POINTS, 3).astype(float))
    if np.ptp(np.array(frames)[:, 0, -1, 2]) < 0.1 * LENGTH:
        raise RuntimeError("its hairs do not fall: its settings have other names now")
    print(json.dumps(told(seconds, frames) | {"version": bpy.app.version_string}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
