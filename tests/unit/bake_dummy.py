"""A worker with a toy in place of the physics: chaotic, exactly repeatable, one frame per frame duration of real time.

Run as a program it is `bake.worker` with the toy given as solver.
"""

import sys
import time

import numpy as np
from tendril.bake import worker
from tendril.physics.scene import Frame, Notice


def toy(scene, state=None):
    """Any rounding error doubles each frame, so a resume that is only nearly right shows."""
    drawn = np.concatenate([np.zeros((0, 3)), *(rod.x for rod in scene.rods)])
    state = state or {"x": drawn % 1.0, "index": np.int64(-1)}
    x = state["x"]
    for index in range(int(state["index"]) + 1, scene.frame_count):
        if index:
            time.sleep(scene.frame_duration)
            x = np.where(x < 0.5, 1.999 * x, 1.999 * (1.0 - x))
        if index == 3:
            yield Notice((*scene.rods, *scene.bodies)[0].name, index, "The toy has reached its third frame.")
        yield Frame(index, x, np.diff(x, axis=0), {"x": x, "index": np.int64(index)}, np.ones((len(scene.bodies), 7)))


def solver(_scene):
    return (), toy


if __name__ == "__main__":
    sys.exit(worker.main(solver=solver))
