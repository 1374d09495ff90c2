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
from ..physics.scenes.measured import MEASURED, worst
from ..physics.start.push_apart import pushed_apart
from ..physics.validate import CheckpointError, Forecast, SceneError, SimulationError, check, forecast
from . import job as jobs
from . import replacing
from .cache import LARGEST_FRAME, Cache, Counts, State
from .continuing import briefly, changed
from .errors import BakeError
from .folder import check_room
from .from_here import EARLIER, States, check_kept, drawn_as, led_up, thicker
from .index import BYTES_PER_FRAME, MOST_FRAMES
from .messages import Message, message
from .pace import Pace
from .selected import Choice, Rows, Selected, alike, rows_of

CHECKPOINT_INTERVAL = 3.0  # s
_FRAME_OVERHEAD = 4096  # bytes a frame takes besides its numbers: headers, index, a started block of the disk
_CHECKPOINT_PER_VERTEX, _CHECKPOINT_PER_ROD = 1500, 2**14  # bytes, with room for more contacts
_LONGEST = 1e12  # s
AS_IT_WAS = "What was baked before stays as it was."
STAYS = "stays as it was baked, for what is simulated here is what was selected: bake all of it again for another."
ELSEWHERE = (
    "The {done} frames that are there were baked on another kind of processor ({there}) than this one ({here}), which "
    "rounds otherwise: what follows is not to the last digit what would have followed there."
)

Simulation = Callable[[Scene, State | None], Iterable[Frame | Notice]]
Run = Callable[[State | None], Iterable[Frame | Notice]]
Solver = Callable[[Scene], tuple[Iterable[str], Simulation]]
TakingOver = Callable[[Scene, Scene, State], State]


def physics(scene: Scene) -> tuple[Iterable[str], Simulation]:
    """(sentences on what is compiled for a scene, each done when the next is asked for; the simulation of it)."""
    from ..physics.run import compile as kernels
    from ..physics.run.simulate import events

    return kernels.announced(kernels.missing(kernels.needed(scene)), "Compiling, only once"), events


def take_over(scene: Scene, before: Scene, state: State) -> State:
    """See `physics.run.taking_over`."""
    from ..physics.run.taking_over import taken_over

    return taken_over(scene, before, state)


def _processor() -> str:
    from ..physics.compiling.processor import KIND

    return KIND


def bake(
    place: Path | str,
    *,
    resume: bool = False,
    stopped: Callable[[], bool] = lambda: False,
    solver: Solver = physics,
    taking_over: TakingOver = take_over,
) -> Iterator[Message]:
    """Bakes the job at `place`, a folder or the path of a Job, into the cache of its folder and yields messages; bad
    jobs and full disks are messages too. What is refused before the first progress has changed nothing.

    resume: go on after the last checkpoint, to the same bytes as a bake that was never interrupted; or to more frames
    than it was to have.
    stopped: asked after every frame whether to end there. solver, taking_over: called like `physics`, `take_over`.
    """
    return in_sentences(_bake(place, resume, stopped, solver, taking_over))


def _bake(
    place: Path | str, resume: bool, stopped: Callable[[], bool], solver: Solver, taking_over: TakingOver
) -> Iterator[Message]:
    with jobs.taken(place) as proposed:
        replacing.finish(proposed.folder)
        cache = Cache(proposed.folder, lasting=not proposed.temporary)
        builds_on = resume or proposed.begin > 0 or proposed.anew is not None
        if resume and _killed(proposed):
            replacing.take_place(proposed.folder)
        job, before, notices = _continued(proposed, cache) if builds_on else (proposed, None, [])
        foreseen = _judge(job, cache, keeps=builds_on and not resume)
        goes_on = resume and _goes_on(job, before, cache)
        seconds = float(np.clip(np.nan_to_num(foreseen.seconds), 0.0, _LONGEST))
        yield message("verdict", ok=True, text=foreseen.text, estimate=seconds, detail="")
        for notice in notices:
            yield message("warning", object=notice.object, frame=notice.frame, text=notice.text)
        if goes_on:
            replacing.forget(job.folder)
        if before and job.begin and not resume:
            yield from _from_here(job, before, cache, seconds, stopped, solver, taking_over)
        else:
            yield from _compile_and_run(job, cache, goes_on, seconds, stopped, solver)


def _killed(job: jobs.Job) -> bool:
    """Whether a bake that builds on another was killed in a job's folder, of the same scene as the job's so far."""
    before = replacing.of(job.folder)
    if before is None or job.scene.frame_duration != before.scene.frame_duration:
        return False
    scene = drawn_as(before.scene, job.scene, before.begin)[0] if before.begin else job.scene
    return not changed(before.scene, scene)


def in_sentences(messages: Iterator[Message]) -> Iterator[Message]:
    """The same messages. What is raised meanwhile is the last of them: a refusal before the first progress, an error
    then.
    """
    end = partial(message, "verdict", ok=False, estimate=None)
    try:
        for said in messages:
            if said["kind"] == "progress":
                end = partial(message, "error")
            yield said
    except (SceneError, BakeError) as error:
        yield end(text=str(error), detail="")
    except MemoryError:
        text = "The bake needs more memory than there is: close other programs, or bake fewer or coarser things."
        yield end(text=text, detail=traceback.format_exc())
    except Exception as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        yield end(text=f"The bake met a mistake in Tendril ({what}): please report it.", detail=traceback.format_exc())


def _continued(job: jobs.Job, cache: Cache) -> tuple[jobs.Job, jobs.Job | None, list[Notice]]:
    """(the job, with what has to stay of that of the frames that are there; that one, if there is any; what the artist
    is told of that). Raises BakeError: they cannot stay.
    """
    keeps = job.begin > 0 or job.anew is not None
    if cache.input_hash is None:
        if keeps:
            raise BakeError("There is no bake of which anything could stay: bake all of it.")
        return job, None, []
    before = jobs.read(job.folder)
    if before.input_hash != cache.input_hash:
        if keeps:
            raise BakeError("It is not known any more what the frames were baked with: bake all of it again.")
        return job, before, []
    if keeps and _first_frame(job) != _first_frame(before):
        raise BakeError("The bake began at another frame than the scene does now: bake all of it again.")
    if keeps and job.scene.frame_duration != before.scene.frame_duration:
        raise BakeError("The frame rate changed since the bake: bake all of it again.")
    if job.anew is not None:
        baked = _baked(before, cache, job.scene.frame_count)
        choice = Choice(job.scene, before.scene, baked, job.anew)
        others = Selected.of(job.scene, choice.anew, baked).others
        kept = {"anew": choice.anew, "others": others} if others.size else {"anew": None}
        return jobs.altered(job, **kept), before, choice.notices
    told = list[Notice]()
    if job.begin:
        check_kept(cache, job.scene, job.begin)
    if before.anew is not None and alike(job.scene, before.scene):
        others = _others(before, job.scene.frame_count)
        told += [Notice(name, 0, f"'{name}' {STAYS}") for name in Selected(before.scene, before.anew, others).names]
        job = jobs.altered(job, anew=before.anew, others=others)
    elif before.anew is not None and job.begin:
        raise BakeError("Something was added, removed or drawn otherwise since the bake: bake all of it again.")
    if job.begin or before.begin:
        scene, notices = drawn_as(before.scene, job.scene, job.begin or before.begin)
        told += [*notices, *thicker(before.scene, job.scene)]
        job = jobs.altered(job, scene=scene) if notices else job
    return job, before, told if job.begin else []


def _baked(before: jobs.Job, cache: Cache, count: int) -> Rows:
    """What the things of a job have in the first `count` frames, as far as that is known. Raises BakeError."""
    if len(cache.frames) >= count:
        return rows_of(before.scene, [cache.read(index) for index in range(count)])
    if before.anew is not None:
        return Selected(before.scene, before.anew, _others(before, count)).rows
    raise BakeError(f"Only {len(cache.frames)} of {count} frames are baked: resume that, or set an earlier end.")


def _others(before: jobs.Job, count: int) -> np.ndarray:
    """What all that stays has in the first `count` frames of a job. Raises BakeError."""
    assert before.others is not None
    if len(before.others) < count:
        raise BakeError(f"What stays as it was has {len(before.others)} frames, not {count}: bake all of it again.")
    return before.others[:count] if len(before.others) > count else before.others


def _simulated(job: jobs.Job) -> tuple[Scene, Selected | None]:
    """(what of a job's scene is simulated, how the others come to its frames)."""
    if job.anew is None or job.others is None:
        return job.scene, None
    selected = Selected(job.scene, job.anew, job.others)
    return selected.reduced(job.scene), selected


def _solved(job: jobs.Job, solver: Solver) -> tuple[Iterable[str], Run]:
    """(sentences on what is compiled, each done when the next is asked for; what simulates a job from a state on)."""
    scene, selected = _simulated(job)
    parts, simulate = solver(scene)

    def run(state: State | None) -> Iterable[Frame | Notice]:
        found = simulate(scene, state)
        return selected.whole_frames(found) if selected else found

    return parts, run


def _first_frame(job: jobs.Job) -> int:
    """The artist's number of the first frame."""
    return job.meta.get("units", {}).get("first_frame", 0)


def _goes_on(job: jobs.Job, before: jobs.Job | None, cache: Cache) -> bool:
    """Whether there is a bake to go on with, the same so far; it may have had another number of frames. Raises
    BakeError, with what was changed.
    """
    if before is None or cache.input_hash == job.input_hash:
        return before is not None
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


def _judge(job: jobs.Job, cache: Cache, keeps: bool) -> Forecast:
    """What the bake will be; keeps: what is there, until it is over. Raises SceneError, BakeError when there is nothing
    to begin with.
    """
    scene = _simulated(job)[0]
    check(scene)
    begins, _ = pushed_apart(scene)
    check_room(job.folder, _room(job.scene) - (0 if keeps else cache.size()))
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
    frames = scene.frame_count * (_frame_size(scene) + BYTES_PER_FRAME)
    return 2 * frames + 3 * checkpoint + moving  # states that are kept take as much as frames, and one


def _compile_and_run(
    job: jobs.Job, cache: Cache, goes_on: bool, seconds: float, stopped: Callable[[], bool], solver: Solver
) -> Iterator[Message]:
    if (
        cache.input_hash in {None, job.input_hash} and job.anew is None
    ):  # else the bake that is there keeps its job as long as its frames
        job = jobs.adopt(job)
    parts, simulate = _solved(job, solver)
    for sentence in parts:
        yield message("compiling", text=sentence)
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
                items, longer = _following(simulate(state), done, count), None if same_range else _longer
                yield from _run(job, cache, items, done, Pace(seconds / count), stopped, longer)
        except CheckpointError as error:
            if not same_range:
                raise BakeError("What this bake left does not go on over another frame range: bake again.") from error
            done, trouble = 0, f"What the bake left cannot be gone on from ({error}): the bake starts over."
        if trouble:
            yield message("warning", object="", frame=0, text=trouble)
    if not done:
        if job.scene.settle:
            yield message("settling", text="Settling before the first frame.")
        begin = _anew if job.anew is None or goes_on else partial(_beside, -1, None)
        yield from _run(job, cache, simulate(None), 0, Pace(seconds / count), stopped, begin)
    frames = len(cache.frames)
    yield message("done" if frames == count else "cancelled", frames=frames)


def _from_here(
    job: jobs.Job,
    before: jobs.Job,
    cache: Cache,
    seconds: float,
    stopped: Callable[[], bool],
    solver: Solver,
    taking_over: TakingOver,
) -> Iterator[Message]:
    """Bakes the frames behind `job.begin`, those before being of the job `before`."""
    count, (parts, simulate) = job.scene.frame_count, _solved(job, solver)
    for sentence in parts:
        yield message("compiling", text=sentence)
        if stopped():
            yield message("cancelled", frames=len(cache.frames))
            return
    try:
        index, state = led_up(cache, _solved(before, solver)[1], job.begin)
        state = taking_over(_simulated(job)[0], _simulated(before)[0], state)
    except CheckpointError as error:
        raise BakeError(f"What this bake kept cannot be gone on from ({error}): bake all of it again.") from error
    if index < job.begin:
        yield message("warning", object="", frame=index, text=EARLIER)
    items = _following(simulate(state), index + 1, count)
    begin = partial(_beside, index, state)
    yield from _run(job, cache, items, index + 1, Pace(seconds / count), stopped, begin)
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


def _anew(job: jobs.Job, cache: Cache) -> Cache:
    """The cache for a bake that replaces what is in one. Raises BakeError."""
    replacing.forget(cache.folder)
    cache.begin(job.input_hash, job.scene.frame_count, _processor())
    jobs.adopt(job)
    return cache


def _longer(job: jobs.Job, cache: Cache) -> Cache:
    """The cache for a bake that goes on over more frames. Raises BakeError."""
    cache.go_on(job.input_hash, job.scene.frame_count)
    jobs.adopt(job)
    return cache


def _beside(index: int, state: State | None, job: jobs.Job, cache: Cache) -> Cache:
    """The cache for a bake that builds on the one in a cache up to frame `index`, `state` being the new one's after it.
    Raises BakeError.
    """
    return replacing.begin(cache, job, index, state)


def _run(
    job: jobs.Job,
    cache: Cache,
    items: Iterable[Frame | Notice],
    done: int,
    pace: Pace,
    stopped: Callable[[], bool],
    begin: Callable[[jobs.Job, Cache], Cache] | None = None,
) -> Iterator[Message]:
    """Keeps what the simulation `items` yields until it ends or `stopped`.

    done: frames that stand. pace: what is foreseen. begin: has a cache ready, called with the first frame, which
    physics may still refuse; None: the one that is there goes on. One beside the earlier bake takes its place at last.
    """
    try:
        yield from _kept(job, cache, items, done, pace, stopped, begin)
    except GeneratorExit:
        raise  # who listens has gone
    except BaseException as error:
        own = jobs.at_work(job.folder) == job.path.name  # not one that was killed, and that Resume may go on with
        if isinstance(error.__cause__, OSError) or not own or not replacing.forget(job.folder):
            raise  # once there is room, Resume goes on
        if isinstance(error, SceneError):
            raise SimulationError(error.object, f"{error} {AS_IT_WAS}") from error
        raise
    if jobs.at_work(job.folder) == job.path.name:
        replacing.take_place(job.folder)


def _kept(
    job: jobs.Job,
    cache: Cache,
    items: Iterable[Frame | Notice],
    done: int,
    pace: Pace,
    stopped: Callable[[], bool],
    begin: Callable[[jobs.Job, Cache], Cache] | None,
) -> Iterator[Message]:
    """As `_run`, without what becomes of it."""
    scene, early = job.scene, list[Notice]()
    unsaved, saved_at, frame_at = None, time.monotonic(), None
    contacts, overlap, cables = 0, 0.0, np.zeros((0, len(MEASURED)))
    states = None if begin else States(cache, done, scene.frame_duration, _frame_size(scene))
    try:
        for item in items:
            if isinstance(item, Notice):
                early.append(item) if begin else cache.note(item)
                yield message("warning", object=item.object, frame=int(item.frame), text=item.text)
                continue
            _check_finite(scene, item)
            contacts, overlap = max(contacts, item.contacts), max(overlap, item.overlap)
            cables = worst(cables, item.cables)
            if begin:
                cache, begin = begin(job, cache), None
                states = States(cache, done, scene.frame_duration, _frame_size(scene))
                if cache.folder != job.folder:  # beside another, which is what there is until it can be gone on with
                    saved_at = -np.inf
                for notice in early:
                    cache.note(notice)
                if not done:
                    yield message(
                        "progress", frame=0, of=scene.frame_count, seconds_left=pace.seconds * scene.frame_count
                    )
            assert states
            cache.write(item)
            states.take(item)
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
        if len(cables):
            yield message("cables", **dict(zip(MEASURED, cables.T.tolist(), strict=True)))
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
            raise SimulationError(name, f"'{name}' left all bounds after {frame.index} frames: choose a finer quality.")
