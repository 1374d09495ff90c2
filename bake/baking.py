"""One bake as a stream of messages: verdict, compiling, progress and warnings, end.

The worker process, the command line and the tests all run this generator. Nothing of the kernels is imported before
the verdict is out.
"""

import time
import traceback
from functools import partial

import numpy as np

from ..physics.cost import estimate
from ..physics.scene import Notice
from ..physics.validate import SceneError, check
from . import job as jobs
from .cache import Cache
from .errors import BakeError
from .folder import check_room
from .lock import locked
from .messages import message

CHECKPOINT_INTERVAL = 3.0  # s
_FRAME_OVERHEAD = 4096  # bytes a frame takes besides its numbers: headers, index, a started block of the disk
_NEWEST = 0.1  # weight of the newest frame in the running mean of seconds per frame


def physics():
    """(names of the parts to compile, each done when the next is asked for; the simulation that needs them)."""
    from ..physics import compile as kernels
    from ..physics.simulate import simulate

    return (() if kernels.is_compiled() else kernels.warm_up()), simulate


def bake(folder, *, resume=False, stopped=lambda: False, solver=physics):
    """Bakes the job in `folder` into the cache there and yields messages; bad jobs and full disks are messages too.

    resume: go on after the last checkpoint, to the same bytes as a bake that was never interrupted.
    stopped: asked after every frame whether to end there. solver: called like `physics`.
    """
    end = partial(message, "verdict", ok=False, estimate=None)
    try:
        job = jobs.read(folder)
        with locked(job.folder):
            cache = Cache(job.folder)
            seconds = _judge(job, cache, resume)
            yield message("verdict", ok=True, text="", estimate=seconds, detail="")
            end = partial(message, "error")
            yield from _compile_and_run(job, cache, resume, seconds, stopped, solver)
    except (SceneError, BakeError) as error:
        yield end(text=str(error), detail="")
    except Exception as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        yield end(text=f"The bake met a mistake in Tendril ({what}): please report it.", detail=traceback.format_exc())


def _judge(job, cache, resume):
    """How long the bake will take [s]. Raises SceneError, BakeError when there is nothing to begin with."""
    check(job.scene)
    if resume and cache.input_hash not in {None, job.input_hash}:
        raise BakeError("The scene was changed since this bake began: bake again instead of resuming.")
    numbers = sum(3 * len(rod.x) + 3 * rod.edge_count for rod in job.scene.rods) + 7 * len(job.scene.bodies)
    whole = job.scene.frame_count * (8 * numbers + _FRAME_OVERHEAD)
    check_room(job.folder, whole - cache.size())
    return float(estimate(job.scene))


def _compile_and_run(job, cache, resume, seconds, stopped, solver):
    parts, simulate = solver()
    for part in parts:
        yield message("compiling", text=f"Compiling, first time only: {part}.")
        if stopped():
            yield message("cancelled", frames=len(cache.frames) if resume else 0)
            return
    done, state = 0, None
    if resume and cache.input_hash:
        done, state, trouble = _resume_point(cache)
        if trouble:
            yield message("warning", object="", frame=done, text=trouble)
    count = job.scene.frame_count
    if done == 0:
        cache.begin(job.input_hash, count)
    yield message("progress", frame=done, of=count, seconds_left=seconds * (count - done) / count)
    if done < count:
        yield from _run(job.scene, cache, simulate(job.scene, state), seconds / count, stopped)
    frames = len(cache.frames)
    yield message("done" if frames == count else "cancelled", frames=frames)


def _resume_point(cache):
    """(number of frames that stand, state after the last of them, sentence when that is not all there should be)."""
    index, state = cache.restore() or (-1, None)
    if index < 0:
        return 0, None, "There is no checkpoint to resume from: the bake starts over."
    for frame in range(index + 1):
        if not cache.holds(frame):
            return 0, None, f"Frame {frame} of the cache is missing or damaged: the bake starts over."
    return index + 1, state, ""


def _run(scene, cache, items, pace, stopped):
    """Keeps what the simulation `items` yields until it ends or `stopped`. pace: expected seconds per frame."""
    unsaved, saved_at, frame_at = None, time.monotonic(), None
    try:
        for item in items:
            if isinstance(item, Notice):
                cache.note(item)
                yield message("warning", object=item.object, frame=int(item.frame), text=item.text)
                continue
            _check_finite(scene, item)
            cache.write(item)
            unsaved, now = item, time.monotonic()
            if now - saved_at >= CHECKPOINT_INTERVAL:
                cache.checkpoint(item)
                unsaved, saved_at = None, now
            if frame_at is not None:  # the first frame includes settling
                pace += _NEWEST * (now - frame_at - pace)
            frame_at, done = now, int(item.index) + 1
            left = scene.frame_count - done
            yield message("progress", frame=done, of=scene.frame_count, seconds_left=pace * left)
            if stopped():
                return
    finally:
        if unsaved is not None:
            cache.checkpoint(unsaved)


def _check_finite(scene, frame):
    ends = np.cumsum([len(rod.x) for rod in scene.rods])[:-1]
    places = zip((*scene.rods, *scene.bodies), (*np.split(frame.x, ends), *frame.bodies), strict=True)
    for thing, place in places:
        if not np.isfinite(place).all():
            raise BakeError(
                f"'{thing.name}' left all bounds after {frame.index} frames, which are kept: choose a finer quality."
            )
