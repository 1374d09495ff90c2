"""What is said of a bake before it starts beside the processor time it then takes: `python -m benchmarks.estimates`, or
with names of GROUPS to choose from these.

Each bake is watched for LIMIT, and told by its first seconds where it takes longer. Beside what is foreseen stands what
its first second tells, as the estimate an artist asks for measures it (bake/probe).
"""

import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np
from tendril.bake import job
from tendril.bake.pace import Pace
from tendril.bake.probe import ENOUGH, PATIENCE
from tendril.physics.cost import estimate
from tendril.physics.run.compile import missing, needed, warm_up
from tendril.physics.run.simulate import simulate
from tendril.presets import material

from . import bakes, rod_scenes
from .measure import row

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 5.0  # s
FEWEST = 3  # frames
CHOSEN_BY = ("examples", "presets")  # most constants of physics/cost; the others were looked at
GROUPS = (*CHOSEN_BY, "others", "swung", "rods")


@dataclass(frozen=True)
class Watched:
    """Seconds of a bake: foreseen, told by its first second, and taken; whole: whether it was watched to its end."""

    name: str
    foreseen: float
    told: float
    taken: float
    whole: bool


def rows():
    return [
        row(f"{found.name}, {how}", "s", found.taken, seconds, "the estimate")
        for found in watched(GROUPS)
        for how, seconds in (("foreseen", found.foreseen), ("by its first second", found.told))
    ]


def watched(groups):
    """Yields Watched of every bake of the groups."""
    with tempfile.TemporaryDirectory() as folder:
        blender = [sys.executable, "tools/blender.py", "-b", "--python-exit-code", "1", "--python", "tools/link.py"]
        made = [group for group in groups if group not in {"swung", "rods"}]
        if made:
            run = ["--python", "benchmarks/jobs_of_blender.py", "--", folder, *made]
            subprocess.run([*blender, *run], cwd=ROOT, check=True, capture_output=True)
        for group in groups:
            for name, scene in _of_group(group, Path(folder)):
                yield _watch(f"{group}: {name}", scene)


def _of_group(group, folder):
    """(name, scene) of each bake; by both solvers where there are rods."""
    if group == "rods":
        yield from rod_scenes.scenes().items()
        return
    if group == "swung":
        found = [(path.stem, bakes.swung(path)) for path in sorted(material.SHIPPED.glob("*.toml"))]
    else:
        found = [(place.name, job.read(place / job.SETTINGS).scene) for place in sorted(Path(folder, group).iterdir())]
    for name, scene in found:
        for solver in ("EXPLICIT", "IMPLICIT") if scene.rods else ("EXPLICIT",):
            yield f"{name}, {solver.lower()}", replace(scene, solver=solver)


def _watch(name, scene):
    for _part in warm_up(missing(needed(scene))):
        pass
    for _ in simulate(replace(scene, frame_count=2, settle=False)):  # kernels are read from the disk
        pass
    foreseen, count = estimate(scene, cores=1), scene.frame_count
    begun, ends = process_time(), []
    for _ in simulate(scene):
        ends.append(process_time() - begun)
        if ends[-1] > LIMIT and len(ends) >= FEWEST:
            break
    taken = ends[0] + (ends[-1] - ends[0]) * (count - 1) / (len(ends) - 1)
    return Watched(name, foreseen, _told(foreseen, count, ends), taken, len(ends) == count)


def _told(foreseen, count, ends):
    """Seconds of a bake of so many frames by those that end [s] in its first second, or by the first there is."""
    pace, told = Pace(foreseen / count), foreseen
    for k in range(1, len(ends)):
        if ends[k] > (PATIENCE if k == 1 else ends[0] + ENOUGH):
            break
        pace.take(ends[k] - ends[k - 1])
        told = ends[k] + pace.seconds * (count - 1 - k)
    return told


def summary(found):
    """How many of these bakes are told within a factor of two, in words."""
    if not found:
        return "none"
    ratios = np.array([(one.foreseen / one.taken, one.told / one.taken) for one in found])
    within = np.sum(np.abs(np.log2(ratios)) <= 1.0, axis=0)
    mean = np.exp(np.sqrt(np.mean(np.log(ratios) ** 2, axis=0)))
    return (
        f"{len(found)} bakes, within a factor of two {within[0]} as foreseen (root mean square ×{mean[0]:.2f}), "
        f"{within[1]} by the first second (×{mean[1]:.2f})"
    )


def main(*groups):
    if unknown := set(groups) - set(GROUPS):
        raise SystemExit(f"there is no group {', '.join(sorted(unknown))}; there is {', '.join(GROUPS)}")
    done = []
    for one in watched(groups or GROUPS):
        done.append(one)
        ratios = f"foreseen × {one.foreseen / one.taken:6.2f}, told × {one.told / one.taken:6.2f}"
        print(f"{one.name:50} {one.taken:8.3g} s{' ' if one.whole else '…'} {ratios}", flush=True)
    of_group = {group: [one for one in done if one.name.startswith(f"{group}: ")] for group in groups or GROUPS}
    for group, own in of_group.items():
        print(f"{group}: {summary(own)}")
    print(f"that constants were chosen by: {summary([one for group in CHOSEN_BY for one in of_group.get(group, [])])}")
    print(f"watched to their ends: {summary([one for one in done if one.whole])}")
    print(f"and longer than 3 s: {summary([one for one in done if one.whole and one.taken > 3.0])}")


if __name__ == "__main__":
    main(*sys.argv[1:])
