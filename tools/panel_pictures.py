#!/usr/bin/env python
"""Pictures of the side panel of each kind of thing, and how high it is, from a real Blender with a window:

    tools/panel_pictures.py BLENDER FOLDER [KIND …]

It runs this checkout in that Blender, with settings of its own, and writes FOLDER/panel_KIND.png. Where there is no
screen: xvfb-run -s "-screen 0 1200x1800x24" tools/panel_pictures.py …
"""

import functools
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

INSIDE = "--" in sys.argv  # Blender, which this starts on itself
if INSIDE:
    import bpy
    import gpu
    import numpy as np

WIDTH, HEIGHT = 1200, 1760  # pixels of the window: higher than a screen, so that what does not fit is seen too
PATIENCE = 300  # s
STEP = 0.4  # s, from one thing that is done in the window to the next
MARGIN = 8  # pixels below the lowest panel


def main(blender, folder, *kinds):
    """Start Blender on this file."""
    with tempfile.TemporaryDirectory(prefix="panels-") as resources:
        here = [blender, "--factory-startup", "--window-geometry", "0", "0", str(WIDTH), str(HEIGHT)]
        own = os.environ | {"BLENDER_USER_RESOURCES": resources}
        there = [str(Path(folder).resolve()), *(kinds or KINDS)]
        result = subprocess.run(
            [*here, "--python", str(Path(__file__).resolve()), "--", *there],
            env=own, timeout=PATIENCE, stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    print("".join(line for line in result.stdout.splitlines(keepends=True) if line.startswith("panel ")), end="")
    return result.returncode


def rope():
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.context.object.name = "Rope"
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION")


def cable():
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.context.object.name = "Cable"
    bpy.ops.tendril.add_cable()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")


def tree():
    bpy.ops.curve.primitive_bezier_curve_add(rotation=(0.0, -1.57, 0.0))
    bpy.context.object.name = "Tree"
    bpy.ops.tendril.add_tree()


def soft_body():
    bpy.ops.mesh.primitive_cube_add(size=0.25)
    bpy.context.object.name = "Jelly"
    bpy.ops.tendril.add_soft()
    bpy.context.object.vertex_groups.new(name="Bottom")
    bpy.ops.tendril.add_soft_pin()


def rigid_body():
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.name = "Crate"
    bpy.ops.tendril.add_body()


def collider():
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.name = "Table"
    bpy.ops.tendril.add_collider()


def nothing():
    bpy.ops.object.select_all(action="DESELECT")


KINDS = {make.__name__: make for make in (rope, cable, tree, soft_body, rigid_body, collider, nothing)}


def take(folder, kinds):
    """In Blender: what is done, with a pause for the window after each step."""
    bpy.context.preferences.view.show_splash = False
    runpy.run_path(str(Path(__file__).with_name("link.py")))["link"]()
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.screen.screen_full_area()
    yield
    for kind in kinds:
        for item in list(bpy.data.objects):
            bpy.data.objects.remove(item)
        area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
        main, side = (next(part for part in area.regions if part.type == kind) for kind in ("WINDOW", "UI"))
        area.spaces.active.show_region_ui = True
        with bpy.context.temp_override(window=window, area=area, region=main):
            KINDS[kind]()
        yield
        side.active_panel_category = "Tendril"
        for _ in range(3):  # panels open, and get their heights, over some redraws
            area.tag_redraw()
            yield
        seen = []
        look = functools.partial(lambda seen, side: seen.append(pixels(side)), seen, side)
        handle = bpy.types.SpaceView3D.draw_handler_add(look, (), "UI", "POST_PIXEL")
        while not seen:
            area.tag_redraw()
            yield
        bpy.types.SpaceView3D.draw_handler_remove(handle, "UI")
        picture, height = cropped(seen[0])
        save(picture, Path(folder) / f"panel_{kind}.png")
        print(f"panel {kind}: {height} px", flush=True)


def pixels(region):
    """What is drawn of a region, (height, width, 4) from below."""
    frame = gpu.state.active_framebuffer_get()
    return np.array(frame.read_color(0, 0, region.width, region.height, 4, 0, "FLOAT").to_list())


def cropped(picture):
    """The picture without what is empty below, and the height of what is not [px]."""
    column = picture[:, MARGIN : -4 * MARGIN].sum(axis=2)  # beside the tabs, where no panel is all is alike
    filled = np.flatnonzero(np.ptp(column, axis=1) > 1e-3)
    lowest = int(filled[0]) if len(filled) else 0
    return picture[max(lowest - MARGIN, 0) :], len(picture) - lowest


def save(picture, path):
    image = bpy.data.images.new(path.stem, picture.shape[1], picture.shape[0])
    image.pixels.foreach_set(np.clip(picture, 0.0, 1.0).astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)


def run(steps):
    """As a timer of Blender's: one step, and when the next is due. At the last, or at a mistake, Blender is left."""
    try:
        next(steps)
    except StopIteration:
        os._exit(0)
    except Exception:
        traceback.print_exc()
        os._exit(1)
    return STEP


if INSIDE:
    folder, *kinds = sys.argv[sys.argv.index("--") + 1 :]
    bpy.app.timers.register(functools.partial(run, take(folder, kinds)), first_interval=1.0)
elif __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
