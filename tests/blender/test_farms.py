"""What farms are given: takes of a shot between two values, baked, rendered and laid on a sheet; Open Job Description
and Flamenco run as they document it.
"""

import json
import os
import re
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import bpy
import numpy as np
import pytest
import quickjs
from bl_ext.user_default.tendril.operators import command_line, wedge
from bl_ext.user_default.tendril.physics.validate import SceneError

CHECKOUT = Path(__file__).resolve().parents[2]
FARMS = CHECKOUT / "farms"
OPENJD = Path(sys.executable).with_name("openjd")
AS_BLENDER = """#!{python}
import os, runpy, sys, tempfile
os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()
arguments = sys.argv[1:]
if "--command" not in arguments:
    sys.argv = ["blender", *arguments]
    runpy.run_path({tools!r} + "/blender.py", run_name="__main__")
at = arguments.index("--command")
import bpy
runpy.run_path({tools!r} + "/link.py")["link"]()
for file in arguments[1:at]:
    bpy.ops.wm.open_mainfile(filepath=file)
from bl_ext.user_default.tendril.operators import command_line
sys.argv = ["blender", *arguments]
code = command_line.main(arguments[at + 2 :])
sys.stdout.flush()
os._exit(code)
"""


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ('objects["Rope"].tendril.rod.young', (0.5, 1.0, 1.5)),
        ('bpy.data.objects["Rope"].tendril.rod.points', (10, 15, 20)),
        ('scenes["Scene"].gravity[2]', (-1.0, -2.0, -3.0)),
    ],
)
def test_takes_go_from_the_first_value_to_the_last(held_rope, path, values):
    for number, value in enumerate(values, 1):
        wedge.choose(path, str(values[0]), str(values[-1]), number, 3)
        assert bpy.data.path_resolve(path.removeprefix("bpy.data.")) == pytest.approx(value)


@pytest.mark.parametrize(
    ("path", "first", "last", "told"),
    [
        ('objects["Rope"].tendril.rod.young', "a", "1", "are no numbers"),
        ('objects["Rope"].tendril.rod.young', "-5", "1", "goes from"),
        ('objects["Rope"].tendril.rod.young', "nan", "1", "are no numbers"),
        ('objects["Rope"].tendril.rod.points', "inf", "1", "are no numbers"),
        ('objects["Rope"].matrix_world[3]', "0", "1", "is no number that can be set"),
        ('objects["Rope"].tendril.rod.model', "0", "1", "is no number that can be set"),
        ('objects["Rope"].location', "0", "1", "is no number that can be set"),
        ('objects["Rope"].location[3]', "0", "1", "has no number 3"),
        ('objects["None"].location[0]', "0", "1", "names nothing in this file"),
        ("__import__('os').system('x')", "0", "1", "names nothing in this file"),
    ],
)
def test_what_is_no_number_is_refused_and_nothing_changed(held_rope, path, first, last, told):
    before = held_rope.tendril.rod.young, tuple(held_rope.location)
    with pytest.raises(SceneError, match=told):
        wedge.choose(path, first, last, 1, 2)
    assert (held_rope.tendril.rod.young, tuple(held_rope.location)) == before


def test_what_is_keyed_is_refused(held_rope):
    held_rope.keyframe_insert("location", frame=1)
    with pytest.raises(SceneError, match="is keyed or driven"):
        wedge.choose('objects["Rope"].location[0]', "0", "1", 1, 2)


def test_small_negative_numbers_are_numbers():
    options = command_line._parser().parse_args(["bake", "--wedge", "p.q", "-1e-05", "-2.5"])
    assert options.wedge == ["p.q", "-1e-05", "-2.5"]


@pytest.mark.parametrize("text", ["0/3", "4/3", "2", "a/b", "-1/3"])
def test_what_is_no_take_is_told(text):
    with pytest.raises(ArgumentTypeError, match="is no take"):
        wedge.take(text)


def picture(path, color, size=(8, 6)):
    image = bpy.data.images.new("Picture", *size)
    image.pixels.foreach_set(np.tile(np.array([*color, 1.0], dtype=np.float32), size[0] * size[1]))
    image.file_format = "PNG"
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(filepath=str(path))
    bpy.data.images.remove(image)


def test_a_sheet_has_a_row_for_each_take_and_its_moments_in_order(tmp_path, capsys):
    for take, red in ((1, 0.0), (2, 0.5), (10, 1.0)):
        for frame in (1, 2, 3):
            picture(tmp_path / "frames" / str(take) / f"{frame:04d}.png", (red, frame / 3.0, 0.0))
    sheet = tmp_path / "sheet.png"
    assert command_line.main(["sheet", str(tmp_path / "frames"), "--output", str(sheet), "--columns", "2"]) == 0
    assert "3 takes of 2 pictures" in capsys.readouterr().out
    image = bpy.data.images.load(str(sheet))
    width, height = image.size
    pixels = np.array(image.pixels[:]).reshape(height, width, 4)
    for row, red in enumerate((1.0, 0.5, 0.0)):  # from below
        for column, green in enumerate((1.0 / 3.0, 1.0)):
            y, x = int((row + 0.5) * height / 3), int((column + 0.5) * width / 2)
            assert pixels[y, x, :3] == pytest.approx([red, green, 0.0], abs=0.01)


def test_a_sheet_of_nothing_is_refused(tmp_path, capsys):
    assert command_line.main(["sheet", str(tmp_path), "--output", str(tmp_path / "sheet.png")]) == 2
    assert "has no folders with pictures" in capsys.readouterr().err
    assert command_line.main(["sheet", str(tmp_path), "--output", str(tmp_path / "shot.blend")]) == 2
    assert "let it end in .png" in capsys.readouterr().err


@pytest.mark.once
@pytest.mark.skipif(os.name == "nt", reason="a script stands for Blender")
def test_an_open_job_is_baked_rendered_and_laid_on_a_sheet(held_rope, tmp_path):
    scene = bpy.context.scene
    scene.frame_end, scene.render.engine, scene.cycles.samples = 3, "CYCLES", 1
    scene.render.resolution_x, scene.render.resolution_y = 16, 12
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.camera.location = (0.5, 0.0, 3.0)
    shot, blender, out = tmp_path / "shot.blend", tmp_path / "blender", tmp_path / "out"
    bpy.ops.wm.save_as_mainfile(filepath=str(shot))
    blender.write_text(AS_BLENDER.format(python=sys.executable, tools=str(CHECKOUT / "tools")), encoding="utf-8")
    blender.chmod(0o755)
    out.mkdir()
    template = str(FARMS / "tendril.openjd.yaml")
    assert subprocess.run([OPENJD, "check", template], check=False).returncode == 0
    given = {
        "File": shot, "Output": out, "Frames": "1-3", "Chunk": 2, "Takes": 2, "Blender": blender,
        "Property": 'objects["Rope"].tendril.rod.young', "From": 0.001, "To": 5.0,
    }  # fmt: skip
    parameters = [part for name, value in given.items() for part in ("-p", f"{name}={value}")]
    command = [OPENJD, "run", template, "--step", "Sheet", "--run-dependencies", *parameters]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (out / "sheet.png").stat().st_size > 0
    names = [path.name for take in (1, 2) for path in sorted((out / "frames" / str(take)).iterdir())]
    assert names == 2 * ["0001.png", "0002.png", "0003.png"]
    for take, young in ((1, 0.001), (2, 5.0)):
        bpy.ops.wm.open_mainfile(filepath=str(out / f"take_{take}.blend"))
        rope = bpy.data.objects["Rope"]
        assert rope.tendril.rod.young == pytest.approx(young)
        assert len(rope.tendril.result.data.shape_keys.key_blocks) == 3


FLAMENCO = """
var path = { join: (...parts) => parts.join("/") };
var author = {
  Task: (name, type) => ({ name, type, commands: [], dependencies: [],
    addCommand(command) { this.commands.push(command); }, addDependency(task) { this.dependencies.push(task.name); } }),
  Command: (name, parameters) => ({ name, parameters }),
};
function frameChunker(frames, size) {
  const [first, last] = frames.split("-").map(Number), chunks = [];
  for (let at = first; at <= last; at += size) {
    const end = Math.min(at + size - 1, last);
    chunks.push(end > at ? `${at}-${end}` : `${at}`);
  }
  return chunks;
}
var job = { settings: SETTINGS, tasks: [], addTask(task) { this.tasks.push(task); } };
"""


def test_a_job_of_flamenco_has_its_tasks_in_order():
    own = {
        "frames": "1-5", "chunk_size": 2, "output": "/out", "property": "p.q", "from": 0.5, "to": 2, "takes": 2,
        "blendfile": "/shot.blend",
    }  # fmt: skip
    engine = quickjs.Context()
    engine.eval(FLAMENCO.replace("SETTINGS", json.dumps(own)))
    engine.eval((FARMS / "tendril.flamenco.js").read_text(encoding="utf-8").replace("const JOB_TYPE", "var JOB_TYPE"))
    engine.eval("compileJob(job)")
    tasks = json.loads(engine.eval("JSON.stringify(job.tasks)"))
    settings = json.loads(engine.eval("JSON.stringify(JOB_TYPE.settings)"))
    assert {setting["key"] for setting in settings} == own.keys()
    names = [task["name"] for task in tasks]
    chunks = "1-2", "3-4", "5"
    wanted = [name for take in (1, 2) for name in (f"Bake {take}", *(f"Render {take}, {chunk}" for chunk in chunks))]
    assert names == [*wanted, "Sheet"]
    for task in tasks:
        if take := re.match(r"Render (\d)", task["name"]):
            assert task["dependencies"] == [f"Bake {take[1]}"]
            (command,) = task["commands"]
            assert command["name"] == "blender-render"
            assert command["parameters"]["blendfile"] == f"/out/take_{take[1]}.blend"
    assert tasks[-1]["dependencies"] == [name for name in names if name.startswith("Render")]
    bake = tasks[0]["commands"][0]["parameters"]["args"]
    assert bake[:5] == ["-b", "/shot.blend", "--command", "tendril", "bake"]
    options = command_line._parser().parse_args(bake[4:])
    assert (options.wedge, options.take, options.output) == (["p.q", "0.5", "2"], (1, 2), "/out/take_1.blend")
    assert command_line._parser().parse_args(tasks[-1]["commands"][0]["parameters"]["args"][3:]).folder == "/out/frames"
