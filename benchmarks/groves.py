"""Trees by the dozen: how long one takes to bake, what a second core is worth, and how memory grows."""

import hashlib
import os
import subprocess
import sys
from time import perf_counter

from tendril.physics.run.simulate import simulate

from .measure import most_memory, row
from .trees import forest

TREE_FRAMES, GROVE, GROVE_FRAMES, FOREST = 250, 20, 12, 47  # 47 trees have 101 426 vertices
GOAL = "this project's goal"


def rows():
    bake(1, 2)  # compiles what is not compiled
    seconds, _, _ = _apart(1, TREE_FRAMES, 2)
    one, bytes_of_one, _ = _apart(GROVE, GROVE_FRAMES, 1)
    two, bytes_of_two, _ = _apart(GROVE, GROVE_FRAMES, 2)
    assert bytes_of_one == bytes_of_two, "the number of threads changes what is baked"
    _, _, memory = _apart(FOREST, 2, 2)
    return [
        row(f"a tree of 2158 vertices in a storm, {TREE_FRAMES} frames", "s", seconds, 60.0, GOAL),
        row(f"a grove of {GROVE} such trees, {GROVE_FRAMES} frames, on two cores", "s", two, one, "on one core"),
        row("a forest of 101 426 vertices", "GB", memory, 2.0, GOAL),
    ]


def bake(count, frames):
    """(seconds of the frames after the first, digest of all frames)."""
    digest, start = hashlib.sha256(), 0.0
    for item in simulate(forest(count, frames)):
        digest.update(item.x.tobytes() + item.m1.tobytes())
        start = start if item.index else perf_counter()
    return perf_counter() - start, digest.hexdigest()


def _apart(count, frames, cores):
    """(seconds, digest, most memory [GB]) of a bake in a process of its own on so many cores."""
    command = [sys.executable, "-m", "benchmarks.groves", str(count), str(frames), str(cores)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(said[0]), said[1], float(said[2])


def main(count, frames, cores):
    """Bake on so many cores, where that can be said, and tell."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    seconds, digest = bake(count, frames)
    print(seconds, digest, most_memory())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
