"""What pyproject.toml cannot say: the version is the extension's, the packages are the rooms, all of them."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

ROOMS = ("properties", "operators", "ui", "presets", "bridge", "bake", "trees", "knots", "meshing", "physics")

setup(
    version=tomllib.loads(Path("blender_manifest.toml").read_text(encoding="utf-8"))["version"],
    packages=["tendril", *(f"tendril.{name}" for name in find_packages(include=[f"{room}*" for room in ROOMS]))],
)
