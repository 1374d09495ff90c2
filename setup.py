"""What pyproject.toml cannot say: the version is the extension's, the packages are the rooms, all of them."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOMS = ("properties", "operators", "ui", "presets", "bridge", "bake", "trees", "knots", "meshing", "physics")


class BuildPackage(build_py):
    """The package is the checkout itself, in which this file lies too, that is none of its modules."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        return [found for found in super().find_package_modules(package, package_dir) if found[1] != "setup"]


setup(
    version=tomllib.loads(Path("blender_manifest.toml").read_text(encoding="utf-8"))["version"],
    packages=["tendril", *(f"tendril.{name}" for name in find_packages(include=[f"{room}*" for room in ROOMS]))],
    cmdclass={"build_py": BuildPackage},
)
