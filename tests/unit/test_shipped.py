"""An installation that comes with its kernels compiles nothing, and bakes the same bytes as the checkout."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from tendril.bake import job, process
from tendril.bake.cache import Cache
from tendril.bake.process import PACKAGE, Worker
from tendril.physics._jit import CACHE_FOLDER, SOURCES
from tendril.physics.compiling.shipped import BYTECODE, SHIPPED, bytecode
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Pin, Rod, Scene

PARTS = ("__init__.py", "bake", "physics")


def rope():
    x = np.linspace((0.0, 0.0, 0.05), (0.3, 0.0, 0.05), 31)
    rod = Rod.from_material("rope", x, 0.005, Material(1e7, 0.4, 1000.0), friction=0.4)
    return Scene((rod,), 1 / 24, 8, pins=(Pin.fixed(rod, 0, "TWIST", rod=0),), floor=Floor(0.0))


def frames(folder, scene):
    """(the bytes of a bake, what was compiled for it)."""
    worker, compiled = Worker.start(job.write(folder, scene, {}).folder), []
    while (said := worker.next_message(500.0))["kind"] != "exit":
        compiled += [said["text"]] if said["kind"] == "compiling" else []
    assert said["code"] == 0, said
    cache = Cache(folder)
    return [array.tobytes() for frame in range(scene.frame_count) for array in cache.read(frame)[:2]], compiled


@pytest.fixture
def installed(tmp_path):
    """A copy of the library with what is compiled in this one, as a zip has them."""
    package = tmp_path / "another user" / "tendril"
    for part in PARTS:
        source, target = PACKAGE / part, package / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", SHIPPED.name))
        else:
            shutil.copy(source, target)
    shipped = package / "physics" / SHIPPED.name / CACHE_FOLDER.name
    shutil.copytree(CACHE_FOLDER, shipped, ignore=shutil.ignore_patterns("lock-*"))
    (shipped / BYTECODE).write_text(bytecode(SOURCES.of_kernels()))
    return package


@pytest.mark.skipif(CACHE_FOLDER is None, reason="nothing is kept here")
@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_an_installation_compiles_nothing_and_bakes_the_same_bytes(solver, tmp_path, request, monkeypatch):
    scene = replace(rope(), solver=solver)
    here, _ = frames(tmp_path / "here", scene)
    monkeypatch.setattr(process, "PACKAGE", request.getfixturevalue("installed"))
    home = tmp_path / "empty home"
    for variable in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(home))
    monkeypatch.delenv("TENDRIL_KERNELS", raising=False)
    there, compiled = frames(tmp_path / "there", scene)
    assert not compiled
    assert there == here
    assert list(home.rglob(f"{CACHE_FOLDER.name}/complete-*"))
