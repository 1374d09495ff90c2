"""One bake as a stream of messages: verdict, compiling, settling, progress and warnings, end.

The worker process, the command line and the tests all run this generator. Nothing of the kernels is imported before
the verdict is out.
"""

import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from ..physics.scene import Frame, Notice, Scene
from ..physics.start.push_apart import pushed_apart
from ..physics.validate import CheckpointError, Forecast, SceneError, check, forecast
from . import job as jobs
from .cache import LARGEST_FRAME, Cache, Counts
from .continuing import briefly, changed
from .errors import BakeError
from .folder import check_room
from .index import BYTES_PER_FRAME, MOST_FRAMES
from .messages import Message, message
from .pace import Pace

CHECKPOINT_INTERVAL = 3.0  # s
_FRAME_OVERHEAD = 4096  # bytes a frame takes besides its numbers: headers, index, a started block of the disk
_CHECKPOINT_PER_VERTEX, _CHECKPOINT_PER_ROD = 1500, 2**14  # bytes, with room for more contacts
_LONGEST = 1e12  # s
ELSEWHERE = (
    "The {done} frames that are there were baked on another kind of processor ({there}) than this one ({here}), which "
    "rounds otherwise: what follows is not to the last digit what would have followed there."
)

State = dict[str, np.ndarray]
Simulation = Callable[[Scene, State | None], Iterable[Frame | Notice]]
Solver = Callable[[Scene], tuple[Iterable[str], Simulation]]


def physics(scene: Scene) -> tuple[Iterable[str], Simulation]:
    """(names of the parts to compile for a scene, each done when the next is asked for; the simulation of it)."""
    from ..physics.run import compile as kernels
    from ..physics.run.simulate import events

    return kernels.warm_up(kernels.missing(kernels.needed(scene))), events


def _processor() -> str:
    from ..physics.processor import KIND

    return KIND


def bake(
    place: Path | str, *, resume: bool = False, stopped: Callable[[], bool] = lambda: False, solver: Solver = physics
) -> Iterator[Message]:
    """Bakes the job at `place`, a folder or the path of a Job, into the cache of its folder and yields messages; bad
    jobs and full disks are messages too. What is refused before the first progress has changed nothing.

    resume: go on after the last checkpoint, to the same bytes as a bake that was never interrupted; or to more frames
    than it was to have.
    stopped: asked after every frame whether to end there. solver: called like `physics`.
    """
    end = partial(message, "verdict", ok=False, estimate=None)
    try:
        with jobs.taken(place) as job:
            cache = Cache(job.folder)
            foreseen = _judge(job, cache)
            goes_on = resume and _goes_on(job, cache)
            seconds = float(np.clip(np.nan_to_num(foreseen.seconds), 0.0, _LONGEST))
            yield message("verdict", ok=True, text=foreseen.text, estimate=seconds, detail="")
            for said in _compile_and_run(job, cache, goes_on, seconds, stopped, solver):
                if said["kind"] == "progress":
                    end = partial(message, "error")
                yield said
    except (SceneError, BakeError) as error:
        yield end(text=str(error), detail="")
    except Exception as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        yield end(text=f"The bake met a mistake in Tendril ({what}): please report it.", detail=traceback.format_exc())


def _goes_on(job: jobs.Job, cache: Cache) -> bool:
    """Whether there is a bake to go on with, the same so far; it may have had another number of frames. Raises
    BakeError, with what was changed.
    """
    if cache.input_hash in {None, job.input_hash}:
        return cache.input_hash is not None
    before = jobs.read(job.folder)
    found = [f"{what} changed" for what in changed(before.scene, job.scene)]
    if before.input_hash != cache.input_hash or found:
        told = job.meta.get("changed") or (found if before.input_hash == cache.input_hash else [])  # an artist's words
        what = briefly(told) or "the scene was changed"
        raise BakeError(f"{what[:1].upper()}{what[1:]} since this bake began: bake again instead of resuming.")
    done, _, trouble = _resume_point(cache, job.scene)
    if trouble or done >= job.scene.frame_count:
        what = f"{len(cache.frames)} frames are baked already, and the frame range has {job.scene.frame_count}"
        raise BakeError(f"{what}: bake again, or choose a longer one.")
    return True


def _judge(job: jobs.Job, cache: Cache) -> Forecast:
    """What the bake will be. Raises SceneError, BakeError when there is nothing to begin with."""
    check(job.scene)
    begins, _ = pushed_apart(job.scene)
    check_room(job.folder, _room(job.scene) - cache.size())
    if job.scene.frame_count > MOST_FRAMES or _frame_size(job.scene) > LARGEST_FRAME:
        raise BakeError(
            f"The scene has {job.scene.frame_count} frames of {_frame_size(job.scene) / 1e6:,.1f} MB, and a cache "
            f"keeps {MOST_FRAMES} of {LARGEST_FRAME / 1e6:,.0f} MB: bake fewer frames or points."
        )
    return forecast(begins)


def _counts(scene: Scene) -> Counts:
    """(vertices, edges, bodies) in a frame."""
    vertices = sum(len(thing.x) for thing in scene.deforming)
    return vertices, sum(rod.edge_count for rod in scene.rods), len(scene.bodies)


def _frame_size(scene: Scene) -> int:
    vertices, edges, bodies = _counts(scene)
    return 8 * (3 * vertices + 3 * edges + 7 * bodies) + _FRAME_OVERHEAD


def _room(scene: Scene) -> int:
    """Bytes that the whole bake takes with its job; a checkpoint is written beside the last one."""
    vertices, _, bodies = _counts(scene)
    checkpoint = _CHECKPOINT_PER_VERTEX * (vertices + bodies) + _CHECKPOINT_PER_ROD * len(scene.rods)
    moving = sum(collider.points.nbytes for collider in scene.colliders if len(collider.points) > 1)
    return scene.frame_count * (_frame_size(scene) + BYTES_PER_FRAME) + 2 * checkpoint + moving


def _compile_and_run(
    job: jobs.Job, cache: Cache, goes_on: bool, seconds: float, stopped: Callable[[], bool], solver: Solver
) -> Iterator[Message]:
    if cache.input_hash in {None, job.input_hash}:  # else the bake that is there keeps its job as long as its frames
        job = jobs.adopt(job)
    parts, simulate = solver(job.scene)
    for part in parts:
        yield message("compiling", text=f"Compiling, first time only: {part}.")
        if stopped():
            yield message("cancelled", frames=len(cache.frames) if goes_on else 0)
            return
    count, done = job.scene.frame_count, 0
    if goes_on:
        same_range = cache.input_hash == job.input_hash
        done, state, trouble = _resume_point(cache, job.scene)
        try:
            if done:
                yield message("progress", frame=done, of=count, seconds_left=seconds * (count - done) / count)
            if 0 < done < count:
                if cache.processor not in {"", _processor()}:
                    text = ELSEWHERE.format(done=done, there=cache.processor, here=_processor())
                    yield message("warning", object="", frame=done, text=text)
                items = _following(simulate(job.scene, state), done, count)
                yield from _run(job, cache, items, done, Pace(seconds / count), stopped)
        except CheckpointError as error:
            if not same_range:
                raise BakeError("What this bake left does not go on over another frame range: bake again.") from error
            done, trouble = 0, "The checkpoint does not belong to this scene and version: the bake starts over."
        if trouble:
            yield message("warning", object="", frame=0, text=trouble)
    if not done:
        if job.scene.settle:
            yield message("settling", text="Settling before the first frame.")
        yield from _run(job, cache, simulate(job.scene, None), 0, Pace(seconds / count), stopped)
    frames = len(cache.frames)
    yield message("done" if frames == count else "cancelled", frames=frames)


def _resume_point(cache: Cache, scene: Scene) -> tuple[int, State | None, str]:
    """(number of frames that stand, state after the last of them, sentence when that is not all there should be)."""
    vertices, *_ = counts = _counts(scene)
    index, state = cache.restore(2**20 + 2**14 * (vertices + len(scene.bodies))) or (-1, None)
    if not 0 <= index < scene.frame_count:
        return 0, None, "There is no checkpoint to resume from: the bake starts over."
    for frame in range(index + 1):
        if not cache.holds(frame, counts):
            return 0, None, f"Frame {frame} of the cache is missing or damaged: the bake starts over."
    return index + 1, state, ""


def _following(items: Iterable[Frame | Notice], done: int, count: int) -> Iterator[Frame | Notice]:
    """What comes behind `done` of `count` frames. Raises CheckpointError: these are others, or not all."""
    for item in items:
        if isinstance(item, Frame):
            if item.index != done:
                break
            done += 1
        yield item
    if done != count:
        raise CheckpointError("it is of another frame")


def _run(
    job: jobs.Job,
    cache: Cache,
    items: Iterable[Frame | Notice],
    done: int,
    pace: Pace,
    stopped: Callable[[], bool],
) -> Iterator[Message]:
    """Keeps what the simulation `items` yields until it ends or `stopped`.

    done: frames that stand; without any the cache begins with the first, which physics may still refuse. pace: what is
    foreseen.
    """
    scene, early = job.scene, []
    unsaved, saved_at, frame_at = None, time.monotonic(), None
    contacts, overlap = 0, 0.0
    try:
        for item in items:
            if isinstance(item, Notice):
                early.append(item) if not done else cache.note(item)
                yield message("warning", object=item.object, frame=int(item.frame), text=item.text)
                continue
            _check_finite(scene, item)
            contacts, overlap = max(contacts, item.contacts), max(overlap, item.overlap)
            if cache.input_hash != job.input_hash and done:
                cache.go_on(job.input_hash, scene.frame_count)
                job = jobs.adopt(job)
            if not done:
                cache.begin(job.input_hash, scene.frame_count, _processor())
                jobs.adopt(job)
                for notice in early:
                    cache.note(notice)
                yield message("progress", frame=0, of=scene.frame_count, seconds_left=pace.seconds * scene.frame_count)
            cache.write(item)
            unsaved, now = item, time.monotonic()
            if now - saved_at >= CHECKPOINT_INTERVAL:
                cache.checkpoint(item)
                unsaved, saved_at = None, now
            if frame_at is not None:  # the first frame includes settling
                pace.take(now - frame_at)
            frame_at, done = now, int(item.index) + 1
            left = scene.frame_count - done
            yield message("progress", frame=done, of=scene.frame_count, seconds_left=pace.seconds * left)
            if stopped():
                break
        if contacts:
            deep = f"the deepest overlap {100.0 * overlap:.2g} % of a radius" if overlap > 0.0 else "nothing overlaps"
            yield message("contact", text=f"Up to {contacts} contacts at a time, {deep}")
    finally:
        if unsaved is not None:
            cache.checkpoint(unsaved)


def _check_finite(scene: Scene, frame: Frame) -> None:
    if np.isfinite(frame.x).all() and np.isfinite(frame.bodies).all():
        return
    ends = np.cumsum([len(thing.x) for thing in scene.deforming], dtype=int)
    names = [thing.name for thing in scene.deforming] + [body.name for body in scene.bodies]
    for name, place in zip(names, (*np.split(frame.x, ends)[:-1], *frame.bodies), strict=True):
        if not np.isfinite(place).all():
            raise BakeError(
                f"'{name}' left all bounds after {frame.index} frames, which are kept: choose a finer quality."
            )
