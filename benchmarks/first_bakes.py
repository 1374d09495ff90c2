"""From the click to the first frame, right after *Install from Disk* into an empty user folder: of the zip that
`make extension` built for this platform, in the Blender module of each virtual environment. Nothing may be compiled.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
BAR = 5.0  # s, and with it nothing is compiled
CASES = ("rope", "soft body", "cable", "rope with a rigid body", "Auto Update", "Bake Selected")
INSTALL = "install"
MODULE = "bl_ext.user_default.tendril"


def rows():
    from .measure import row

    zips = [path for path in (CHECKOUT / "out" / "extension").glob("*.zip") if path.stem.endswith(this_platform())]
    if not zips:
        print("make extension builds the zip from which first bakes are measured: there is none.", file=sys.stderr)
    for path in zips:
        for environment in sorted(CHECKOUT.glob(".venv-*")):
            for case, found in measured(environment, path):
                named = f"first bake of {environment.name[6:]} from a zip, {case}: to the first frame"
                print(f"{named}: {found['seconds']:.2f} s, {found['processor']:.2f} s of a processor", file=sys.stderr)
                assert not found["compiled"], f"{named}: {found['compiled']}"
                yield row(named, "s", found["seconds"], BAR, "this project's goal")


def this_platform():
    sys.path.append(str(CHECKOUT / "tools"))
    from build_extension import this_platform as platform

    return platform().replace("-", "_")


def measured(environment, path):
    """(case, what is told of it), each by a Blender that starts anew and has no kernels but those that were brought."""
    with tempfile.TemporaryDirectory() as folder:
        own = {"HOME": folder, "XDG_CACHE_HOME": f"{folder}/cache", "BLENDER_USER_RESOURCES": f"{folder}/blender"}
        call = [environment / "bin" / "python", CHECKOUT / "tools" / "blender.py", "-b", "--python-exit-code", "1"]
        call += ["--python", __file__, "--", path]
        for case in (INSTALL, *CASES):
            ran = subprocess.run([*call, case], env=os.environ | own, stdout=subprocess.PIPE, text=True, check=True)
            if case != INSTALL:
                yield case, json.loads(ran.stdout.splitlines()[-1])


class Watch:
    """Takes the time of the first frame, and what was compiled before."""

    def __init__(self):
        self.begun, self.first, self.compiled = time.monotonic(), None, []

    def hear(self, said):
        if said["kind"] == "compiling":
            self.compiled.append(said["text"])
        if said["kind"] in {"progress", "settled"}:
            self.first = self.first or time.monotonic()


def run(path, case):
    """In Blender."""
    from importlib import import_module

    import bpy
    import addon_utils

    if case == INSTALL:
        bpy.ops.extensions.package_install_files(filepath=path, repo="user_default", enable_on_install=True)
        return
    addon_utils.enable(MODULE, default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    shutil.rmtree(bpy.utils.extension_path_user(MODULE, path="kernels", create=True))

    baking, auto_update, cable, process = (
        import_module(f"{MODULE}.{name}")
        for name in ("operators.baking", "operators.auto_update", "operators.cable", "bake.process")
    )
    context = bpy.context
    context.scene.frame_end = 10
    things = build(bpy, case)
    if case == "Bake Selected":
        baking.Baking(context).run(context)
        process.dismiss()
        for item in things:
            item.select_set(item is things[0])
    watch, before = Watch(), os.times()
    if case == "cable":
        begin = cable.begin

        def began(*given):
            worker, hear = begin(*given), process.Worker.next_message
            worker.next_message = lambda *timeout: heard(watch, hear(worker, *timeout))
            return worker

        cable.begin = began
        assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    elif case == "Auto Update":
        auto_update.switch_on(context)
        real = auto_update.Update.hear

        def hear(update, context):
            poll = update.worker.poll
            update.worker.poll = lambda: [heard(watch, said) for said in poll()]
            real(update, context)
            update.worker.poll = poll

        auto_update.Update.hear = hear
        while watch.first is None:
            auto_update.look()
            time.sleep(0.01)
            assert not context.window_manager.tendril.auto_failed, context.window_manager.tendril.auto_message
    else:
        one = baking.Baking(context, selected=case == "Bake Selected")
        one.run(context, watch.hear)
    seconds = watch.first - watch.begun
    worker = process._staying
    process.dismiss()
    worker.popen.wait()  # so that its processor time is told
    after = os.times()
    used = sum(after[:4]) - sum(before[:4])
    print(json.dumps({"seconds": seconds, "processor": used, "compiled": watch.compiled}), flush=True)


def heard(watch, said):
    if said is not None:
        watch.hear(said)
    return said


def build(bpy, case):
    """What is baked, chosen → the objects."""

    def rope(name, y):
        data = bpy.data.curves.new(name, "CURVE")
        data.dimensions, data.bevel_depth = "3D", 0.01
        spline = data.splines.new("POLY")
        spline.points.add(30)
        for index, point in enumerate(spline.points):
            point.co = (index / 30, y, 1.0, 1)
        item = bpy.data.objects.new(name, data)
        bpy.context.collection.objects.link(item)
        choose(item)
        return item

    def choose(item):
        for other in bpy.context.view_layer.objects:
            other.select_set(other is item)
        bpy.context.view_layer.objects.active = item

    if case == "soft body":
        bpy.ops.mesh.primitive_cube_add(size=0.2)
        bpy.ops.tendril.add_soft()
        return [bpy.context.object]
    if case == "cable":
        item = rope("Cable", 0.0)
        bpy.ops.tendril.add_cable()
        bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION")
        return [item]
    items = []
    for y in (0.0, 0.5) if case == "Bake Selected" else (0.0,):
        items.append(rope("Rope", y))
        bpy.ops.tendril.add_rod()
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="POSITION")
    if case == "rope with a rigid body":
        bpy.ops.mesh.primitive_cube_add(size=0.1, location=(1.05, 0.0, 1.0))
        bpy.ops.tendril.add_body()
        ball = bpy.context.object
        choose(items[0])
        ball.select_set(True)
        bpy.context.view_layer.objects.active = items[0]
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=1.0, holder="OBJECT", mode="POSITION")
        choose(items[0])
    return items


if __name__ == "__main__":
    run(*sys.argv[sys.argv.index("--") + 1 :])
