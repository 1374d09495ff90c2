"""Tests inside Blender: the add-on is installed once, as an extension, and every test starts from an empty file.

It is this checkout, linked, or the zip that TENDRIL_ZIP names. `make test` sets BLENDER_USER_RESOURCES to a temporary
folder for the whole run; each of several workers takes one of its own in there.
"""

import importlib
import os
import runpy
import sys
from pathlib import Path

if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    # It was handed the path of the Blender that started it, where another bpy comes before the module.
    sys.path.sort(key=lambda place: "scripts" in Path(place).parts)
    if "BLENDER_USER_RESOURCES" in os.environ:
        os.environ["BLENDER_USER_RESOURCES"] += f"/{worker}"

import bpy
import addon_utils
import pytest
from artist import save

MODULE = "bl_ext.user_default.tendril"
CHECKOUT = Path(__file__).resolve().parents[2]


def install():
    if zip_file := os.environ.get("TENDRIL_ZIP"):
        bpy.ops.extensions.package_install_files(filepath=zip_file, repo="user_default", enable_on_install=True)
    else:
        runpy.run_path(str(CHECKOUT / "tools" / "link.py"))["link"]()


def pytest_sessionstart():
    # Here and not in a fixture: test files import from the add-on while they are collected.
    if "BLENDER_USER_RESOURCES" not in os.environ:
        pytest.exit("BLENDER_USER_RESOURCES must name a temporary folder: these tests install an extension.", 1)
    install()
    if not addon_utils.check(MODULE)[1]:
        pytest.exit("The add-on could not be enabled; the reason stands above.", 1)


def pytest_sessionfinish():
    addon_utils.disable(MODULE)  # the module of Blender 4.5 hangs at exit while anything is registered


@pytest.fixture
def addon():
    """The add-on's own module, as Blender registered it."""
    return importlib.import_module(MODULE)


@pytest.fixture(autouse=True)
def empty_file():
    """A file with a scene and nothing in it; the add-on stays enabled."""
    bpy.ops.wm.read_homefile(use_empty=True)


@pytest.fixture
def rod():
    """A path of Blender's own, made a rod."""
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.context.object.name = "Rope"
    bpy.ops.tendril.add_rod()
    return bpy.context.object


@pytest.fixture
def held_rope():
    """A straight rope of 1 m along x, in 20 edges, pinned at its start to an empty."""
    data = bpy.data.curves.new("Rope", "CURVE")
    data.dimensions, data.bevel_depth = "3D", 0.005
    spline = data.splines.new("POLY")
    spline.points.add(20)
    for index, point in enumerate(spline.points):
        point.co = (index / 20, 0, 0, 1)
    rope = bpy.data.objects.new("Rope", data)
    bpy.context.collection.objects.link(rope)
    rope.select_set(True)
    bpy.context.view_layer.objects.active = rope
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="POSITION")
    return rope


@pytest.fixture
def saved_rope(held_rope, tmp_path):
    """It, in a file, shot.blend, of 24 frames."""
    save(tmp_path, 24)
    return held_rope
