"""How long a bake takes, measured by its first frames: it is begun in a folder of its own, and given up."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..physics.scene import Scene
from . import job
from .process import Worker

ENOUGH = 1.0  # s from the start's frame on, and one more frame
PATIENCE = 10.0  # s, after which it is given up whatever has come
SOON = 0.2  # s that an artist does not mind; a worker that ends its frame so soon is kept for the bake


def probe(
    folder: Path, scene: Scene, python_args: Iterable[str] = (), kernels: Path | str | None = None
) -> Iterator[float | None]:
    """Bakes the first second. Until that is over it yields at once, whenever it is asked, the
    seconds that the whole takes as far as is known; None: no frame tells yet, or kernels are to be compiled first.

    folder: for job and cache, of nobody else. Raises BakeError.
    """
    begun, first, seconds, over = time.monotonic(), float("inf"), None, False
    worker = Worker.start(job.write(folder, scene, {}).path, python_args=python_args, kernels=kernels)
    try:
        while not over:
            now = time.monotonic()
            over = now > begun + PATIENCE or (seconds is not None and now > first + ENOUGH)
            for said in worker.poll():
                if said["kind"] == "progress":
                    first = min(first, now)
                    if said["frame"] > 1:  # the first is the start
                        seconds = now - begun + said["seconds_left"]
                over = over or said["kind"] in {"compiling", "exit"}
            yield seconds
    finally:
        worker.cancel()
        if not worker.wait(SOON):
            worker.kill()
            worker.wait()
