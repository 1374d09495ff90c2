"""Builds the zips that install Tendril in Blender, one per platform, each with the wheels of all given Pythons; that of
the platform it runs on also with the kernels, compiled, of those that have a virtual environment here.

    python tools/build_extension.py [--pythons 3.11 3.13] [--platforms linux-x64 …]

numba compiles for no other platform than its own: each zip comes whole from a machine of its own kind. Kernels lie
beside the sources, and not in a wheel: they belong to these very sources, and go with them.

Writes to out/extension/ and prints the path of each zip. Runs in a virtual environment that has bpy, of which only
Blender's own packing tool is used: it also checks manifest and zip.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path

import build_manual

CHECKOUT = Path(__file__).resolve().parents[1]
OUT = CHECKOUT / "out" / "extension"
WHEELS = CHECKOUT / "out" / "wheels"
ROOMS = ("properties", "operators", "ui", "presets", "bridge", "bake", "trees", "knots", "meshing", "physics")
FILES = ("__init__.py", "LICENSE", *ROOMS)
LTS_PYTHONS = ("3.11", "3.13")  # of Blender 4.5 and 5.2
WHEEL_PLATFORMS = {  # Blender's name → pip's
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_12_0_arm64",),
}


def download_wheels(python: str, system: str, folder: Path) -> None:
    """Put the wheels pyproject.toml names for one Python ("3.11") and platform ("linux-x64") into a folder."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tags = [argument for tag in WHEEL_PLATFORMS[system] for argument in ("--platform", tag)]
    # Into a folder that stays, so that the next build downloads nothing.
    kept = WHEELS / f"{system}-{python}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", str(kept)]
    only = ["--no-deps", "--only-binary=:all:", "--python-version", python, *tags]
    subprocess.run([*pip, *only, *project["optional-dependencies"]["wheels"]], check=True)
    shutil.copytree(kept, folder, dirs_exist_ok=True)


def manifest(platforms: Sequence[str], wheels: Sequence[Path]) -> str:
    """The manifest's text, for some of its platforms, with the wheels it carries."""
    text = (CHECKOUT / "blender_manifest.toml").read_text(encoding="utf-8")
    names = [f"./wheels/{wheel.name}" for wheel in wheels]
    lines = f"platforms = {json.dumps(platforms)}\nwheels = {json.dumps(names)}"
    return re.sub(r"^platforms = .*$", lines, text, count=1, flags=re.MULTILINE)


def stage(folder: Path) -> None:
    """Lay out in a folder what all zips hold."""
    for name in FILES:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "kernels"))
        else:
            shutil.copy(source, folder)
    build_manual.build(folder / "docs")


def add_wheels(folder: Path, pythons: Sequence[str], system: str) -> None:
    """Put into a folder the wheels for a platform, in place of any others, and the manifest that names them."""
    shutil.rmtree(folder / "wheels", ignore_errors=True)
    for python in pythons:
        download_wheels(python, system, folder / "wheels")
    wheels = sorted((folder / "wheels").iterdir())
    (folder / "blender_manifest.toml").write_text(manifest([system], wheels), encoding="utf-8")


def add_kernels(folder: Path, pythons: Sequence[str]) -> None:
    """Compile into a folder the kernels for each of the Pythons that is here, side by side."""
    here = {python: environment for python in pythons if (environment := environment_of(python))}
    for python in set(pythons) - here.keys():
        print(f"No virtual environment of Python {python} is here: its Blender will compile kernels.", file=sys.stderr)
    program = CHECKOUT / "tools" / "compile_kernels.py"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("TENDRIL_", "NUMBA_"))}
    run = [subprocess.Popen([python, "-P", program, folder], stdout=sys.stderr, env=clean) for python in here.values()]
    codes = [process.wait() for process in run]
    if any(codes):
        raise SystemExit("The kernels could not be compiled, as told above.")


def environment_of(python: str) -> Path | None:
    """The program of the virtual environment in this checkout that is of one Python ("3.11")."""
    for program in sorted([*CHECKOUT.glob(".venv-*/bin/python"), *CHECKOUT.glob(".venv-*/Scripts/python.exe")]) or [
        Path(sys.executable)
    ]:
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if told.startswith(f"Python {python}."):
            return program
    return None


def blender_tool(*arguments: str) -> None:
    """Run Blender's extension packing tool, which needs no Blender."""
    module = Path(str(distribution("bpy").locate_file("bpy")))
    tool = next(module.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))
    subprocess.run([sys.executable, str(tool), *arguments], check=True, stdout=sys.stderr)


def build(pythons: Sequence[str], platforms: Sequence[str]) -> Iterator[Path]:
    """The paths of the zips built, one per platform."""
    OUT.mkdir(parents=True, exist_ok=True)
    suffix = "" if tuple(pythons) == LTS_PYTHONS else "-python" + "-".join(pythons)
    for system in platforms:
        with tempfile.TemporaryDirectory() as folder:
            source, built = Path(folder, "tendril"), Path(folder, "built")
            source.mkdir()
            built.mkdir()
            stage(source)
            add_wheels(source, pythons, system)
            if system == this_platform():
                add_kernels(source, pythons)
            blender_tool("build", "--split-platforms", "--source-dir", str(source), "--output-dir", str(built))
            (path,) = built.iterdir()
            blender_tool("validate", str(path))
            yield Path(shutil.move(path, OUT / f"{path.stem}{suffix}.zip"))


def this_platform() -> str:
    """Blender's name of the platform this runs on."""
    systems = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}
    machines = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64"}
    return f"{systems[platform.system()]}-{machines[platform.machine().lower()]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pythons", nargs="+", default=LTS_PYTHONS)
    parser.add_argument("--platforms", nargs="+", default=list(WHEEL_PLATFORMS), choices=[*WHEEL_PLATFORMS, "this"])
    arguments = parser.parse_args()
    platforms = [this_platform() if name == "this" else name for name in arguments.platforms]
    for path in build(arguments.pythons, platforms):
        print(path)


if __name__ == "__main__":
    main()
