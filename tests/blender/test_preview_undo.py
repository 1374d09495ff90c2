"""Whatever is undone and redone while previews are shown, the file is then as if none had ever been.

Undo restores some data-blocks and leaves others, with what was done to them since, as they are; and Blender crashes
where one that it leaves names what was made since.
"""

import random

import bpy
import pytest
from bl_ext.user_default.tendril.bridge import preview
from bl_ext.user_default.tendril.operators.baking import Baking
from seen import previews

FRAMES, LENGTH = 2, 80


@pytest.fixture
def scene(held_rope, tmp_path):
    """The rope, another in a collection, a body with a child on it, in two view layers."""
    inner = bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(inner)
    other = held_rope.copy()
    other.data, other.name, other.location.y = held_rope.data.copy(), "Other", 0.5
    inner.objects.link(other)
    bpy.ops.mesh.primitive_cube_add(size=0.1, location=(0.0, 2.0, 0.0))
    bpy.ops.tendril.add_body()
    cube = bpy.context.object
    bpy.ops.mesh.primitive_plane_add(size=0.1, location=(0.2, 2.0, 0.0))
    bpy.context.object.parent = cube
    bpy.context.scene.frame_end = FRAMES
    second = bpy.context.scene.view_layers.new("Second")
    other.hide_set(True, view_layer=second)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    return bpy.context.scene


def film(rendered):
    """A Preview, all of whose frames have come."""
    baking = Baking(bpy.context)
    worker = baking.start()
    while not worker.over:
        worker.next_message(1.0)
    baking.meta["process"] = 0  # another session knows things by name
    return preview.Preview(baking.meta, baking.job, rendered)


def step(chance, show):
    """One of what an artist does, and what the timer does between."""
    rope, other, inner = (bpy.data.objects["Rope"], bpy.data.objects["Other"], bpy.data.collections["Inner"])
    match chance.choice(("see", "see", "undo", "undo", "redo", "move", "set", "gravity", "choose", "hide", "home")):
        case "see":
            return show()
        case "undo":
            return bpy.ops.ed.undo() if bpy.ops.ed.undo.poll() else None
        case "redo":
            return bpy.ops.ed.redo() if bpy.ops.ed.redo.poll() else None
        case "move":
            bpy.data.objects["Cube"].location.z += 0.1
        case "set":
            rope.tendril.rod.density += 1.0
        case "gravity":
            bpy.context.scene.gravity.z += 0.1
        case "choose":
            bpy.data.objects["Plane"].select_set(not bpy.data.objects["Plane"].select_get())
        case "hide":
            preview.clear()
            layer = chance.choice(bpy.context.scene.view_layers)
            rope.hide_set(not rope.hide_get(view_layer=layer), view_layer=layer)
        case "home":
            if other.name in inner.objects:
                inner.objects.unlink(other)
                bpy.context.scene.collection.objects.link(other)
            else:
                bpy.context.scene.collection.objects.unlink(other)
                inner.objects.link(other)
    return bpy.ops.ed.undo_push(message="Artist's")


def seen():
    """What is shown where."""
    preview.clear()
    assert previews() == []
    return sorted(
        (item.name, item.hide_viewport, item.hide_render,
         *(item.name in layer.objects and item.hide_get(view_layer=layer) for layer in bpy.context.scene.view_layers))
        for item in bpy.data.objects
    )  # fmt: skip


def walk(path, seed, show):
    bpy.ops.wm.open_mainfile(filepath=path)
    bpy.ops.ed.undo_push(message="Opened")
    chance, found = random.Random(seed), []
    for _ in range(LENGTH):
        step(chance, show)
        if chance.random() < 0.2:
            found.append(seen())
    return found


@pytest.mark.parametrize("baked", [False, True])
@pytest.mark.parametrize("rendered", [False, True])
def test_undo_hides_nothing_for_good(scene, request, rendered, baked):
    """rendered: as a bake shows its frames, else as Auto Update does; baked: over an earlier bake."""
    if baked:
        bpy.ops.tendril.bake()
    bpy.ops.wm.save_mainfile()
    path, count = bpy.data.filepath, 40 if request.config.getoption("all_cases") else 3
    own = film(rendered)
    ran = 0

    def show():
        nonlocal ran
        while own.show(bpy.context, 1.0):
            pass
        bpy.context.view_layer.update()  # as a window does
        ran += len(previews())

    for seed in range(count):
        assert walk(path, seed, show) == walk(path, seed, lambda: None), f"seed {seed}"
    assert ran > 3 * count


def test_a_preview_is_shown_where_its_source_was(scene):
    own = film(rendered=False)
    while own.show(bpy.context, 1.0):
        pass
    for item in previews():
        for layer in scene.view_layers:
            hidden = item.tendril.stands_for.name == "Other" and layer.name == "Second"
            assert item.hide_get(view_layer=layer) == hidden
            assert item.tendril.stands_for.hide_get(view_layer=layer)
