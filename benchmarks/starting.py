"""The wait before the first frame: in a fresh installation that brings no kernels, where they compile, and from then
on. `first_bakes` measures one that brings them.
"""

import os
import shutil
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from tendril.bake import job, process
from tendril.physics.materials import Material
from tendril.physics.scene import Pin, Rod, Scene

from .measure import row

PARTS = ("__init__.py", "bake", "physics")
KERNELS = "TENDRIL_KERNELS"


def rows():
    return [found for solver in ("EXPLICIT", "IMPLICIT") for found in _rows(solver)]


def _rows(solver):
    """Of an installation that is new: what such a scene does not need is not compiled."""
    with tempfile.TemporaryDirectory() as folder:
        installation = Path(folder, "tendril")
        for part in PARTS:
            source, target = process.PACKAGE / part, installation / part
            target.parent.mkdir(exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        times, chosen = [processor_time()], os.environ.get(KERNELS)
        os.environ[KERNELS] = str(Path(folder, "kernels"))
        try:
            first = waits(small_job(Path(folder, "first"), solver), installation)
            times.append(processor_time())
            later = waits(small_job(Path(folder, "later"), solver), installation)
            times.append(processor_time())
        finally:
            os.environ.pop(KERNELS)
            if chosen is not None:
                os.environ[KERNELS] = chosen
    begin, compiled, end = times
    used = (compiled - begin) - (end - compiled)
    goal, case = "this project's goal", f"bake of an installation, {solver.lower()} steps"
    return [
        row(f"first {case}: processor time of compiling", "s", used, 20.0, goal),
        row(f"first {case}: compiling, to the first frame", "s", first["progress"], 60.0, goal),
        row(f"any later {case}: from start to the verdict", "s", later["verdict"], 1.0, goal),
        row(f"any later {case}: from start to the first frame", "s", later["progress"], 1.0, goal),
    ]


def processor_time():
    """Of all workers so far [s]."""
    times = os.times()
    return times.children_user + times.children_system


def small_job(folder, solver="EXPLICIT"):
    """A small rod that hangs and swings; by explicit steps it settles too."""
    x = np.linspace((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), 21)
    rod = Rod.from_material("rod", x, 0.005, Material(1e7, 0.4, 1000.0))
    pins, explicit = (Pin.fixed(rod, 0, "TWIST", rod=0),), solver == "EXPLICIT"
    scene = Scene((rod,), 1 / 24, 3, pins=pins, settle=explicit, contact=explicit, solver=solver)
    return job.write(folder, scene, {}).folder


def waits(job_folder, installation=process.PACKAGE):
    """{kind of message: seconds from the start of a worker of an installation to the first of that kind}."""
    call = process.command()
    call[call.index(str(process.PACKAGE))] = str(installation)
    process.dismiss()
    start = perf_counter()
    worker = process.Worker.start(job_folder, call=call)
    seconds = {}
    while (said := worker.next_message())["kind"] != "exit":
        seconds.setdefault(said["kind"], perf_counter() - start)
    assert said["code"] == 0, said["detail"]
    process.dismiss()
    worker.process.popen.wait()  # so that its processor time is told
    return seconds
