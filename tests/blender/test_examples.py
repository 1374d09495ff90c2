"""Every example builds, bakes, and its own numbers hold. Their pictures are left out: `make gallery` takes those."""

import importlib.util
import sys
from pathlib import Path

import bpy
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FEWER = {
    "tree": {"frames": 130},
    "hair": {"strands": 150},
    "jelly_cubes": {"resolution": 4},
}  # that show as much as all of a long bake do
SCENES = sorted(path.stem for path in EXAMPLES.glob("*.py") if "\ndef check(" in path.read_text(encoding="utf-8"))
EVERYWHERE = {"hanging_rope", "lifting", "falling_torus"}  # rods, rigid bodies, soft bodies: in every Blender
LONGEST = {  # more than half of the time of all
    "slinky", "figure_12_tree", "soft_net", "coils", "jelly", "bars", "tree", "net", "suzanne", "facets", "tower",
}  # fmt: skip


def marks(name):
    """Whether a scene is baked in one Blender only, and whether only with all cases."""
    return [pytest.mark.once] * (name not in EVERYWHERE) + [pytest.mark.slow] * (name in LONGEST)


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in SCENES])
def test_example_bakes_and_its_numbers_hold(name, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])  # an example adds its folder
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    rod = example.build(**FEWER.get(name, {}))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / f"{name}.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert example.check(rod)
