"""What `pip install .` brings: every module and every file of data of the checkout, and nothing that builds it."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = sorted(place.parent.name for place in ROOT.glob("*/__init__.py") if place.parent.name != "benchmarks")
ROOT_FILES = ("__init__.py", "blender_manifest.toml", "py.typed")
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Path of the wheel, built of a copy: a build leaves its folders beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "checkout"
    copy.mkdir()
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (*ROOT_FILES, "setup.py", "pyproject.toml", "LICENSE", "README.md"):
        shutil.copy(ROOT / name, copy)
    subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=copy, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_rooms_with_their_data_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as packed:
        held = {name.removeprefix("tendril/") for name in packed.namelist() if name.startswith("tendril/")}
    files = (path for room in ROOMS for path in (ROOT / room).rglob("*") if path.is_file())
    there = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    assert held == there | set(ROOT_FILES)


def test_what_is_installed_finds_its_presets_and_knots_and_says_its_version(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    looks = (
        "import sys; sys.path.insert(0, sys.argv[1]); import tendril; assert tendril.__file__.startswith(sys.argv[1]);"
        "from tendril.presets import material; assert material.files(material.SHIPPED);"
        "from tendril.knots import catalogue; assert len(catalogue.knot('overhand', catalogue.TORUS).ropes[0]) > 10;"
        "print(tendril.__version__)"
    )
    said = subprocess.run(
        [sys.executable, "-I", "-c", looks, str(tmp_path / "site")],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    version = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["version"]
    assert said.stdout.strip() == version == wheel.name.split("-")[1]
