"""A bake that builds on another, *Bake Selected* or *Bake from Here*, takes its place when it is over, and not before.

Its frames are kept beside those of the earlier one, which stay whole as long. It takes their place when it is done, and
also when it is cancelled, for then the artist wants what there is. Where it fails, nothing has changed. Where it was
killed, *Resume* of the same scene goes on with it, and any other bake forgets it.

    tendril_new    a cache with the new frames, and those of the earlier bake that stay, which both share
    tendril_next   the same, from the moment on at which it takes the place: what was begun so is finished
    tendril_old    the frames that had it

A folder's name changes in one piece, so at any moment one of the two bakes is there, or nearly is and what lacks is
done by `finish`.
"""

import time
from contextlib import suppress
from pathlib import Path

from . import job as jobs
from .cache import CHECKPOINT, FRAMES, STATES, Cache, State
from .errors import BakeError, as_sentences
from .folder import NEW, NEXT, OLD, make
from .index import NAME as INDEX
from .index import Index
from .lock import locked
from .plain_file import is_file, is_folder, refuse_other_than_folder
from .whole_file import rename

PATIENCE = 2.0  # s, with which Windows waits for who reads in a folder


def at_work(folder: Path) -> Cache:
    """The cache that a bake in `folder` writes into now."""
    beside = Cache(folder / NEW)
    return beside if beside.input_hash is not None else Cache(folder)


def of(folder: Path) -> jobs.Job | None:
    """The Job of the bake beside that of `folder`, if there is one that can be gone on with."""
    beside, name = Cache(folder / NEW), jobs.at_work(folder)
    if name == jobs.SETTINGS or beside.restore() is None:
        return None
    try:
        job = jobs.read(folder / name)
    except BakeError:
        return None
    return job if job.input_hash == beside.input_hash else None


def forget(folder: Path) -> bool:
    """Deletes the bake beside that of `folder` → whether there was one. Raises BakeError."""
    there, name = is_folder(folder / NEW), jobs.at_work(folder)
    with as_sentences(folder):
        Cache(folder / NEW).clear(ours=True)
    if name != jobs.SETTINGS:
        jobs.drop(folder / name)
    return there


def begin(cache: Cache, job: jobs.Job, index: int = -1, state: State | None = None) -> Cache:
    """The cache for a new bake beside that in `cache`, whose frames up to `index` stay; `state`: of the new one after
    them. Raises BakeError.
    """
    forget(cache.folder)
    new = Cache(cache.folder / NEW)
    new.begin_behind(cache, index, state, job.input_hash, job.scene.frame_count, job.path.name)
    return new


def take_place(folder: Path) -> None:
    """Lets the bake beside that of `folder`, if there is one, take its place. Raises BakeError."""
    if jobs.at_work(folder) != jobs.SETTINGS:
        with as_sentences(folder):
            refuse_other_than_folder(folder / NEW)
            _give_back(folder)
            _move(folder / NEW, folder / NEXT)
        finish(folder)


def keep(folder: Path) -> None:
    """Lets what a bake left that was ended in the middle of a frame take the place of that of `folder`, if it can be
    gone on with. Raises BakeError.
    """
    if of(folder):
        with locked(folder):
            take_place(folder)


def finish(folder: Path) -> None:
    """Goes on where `take_place` was killed. Raises BakeError."""
    following, old, index = folder / NEXT, folder / OLD, Index(folder / NEXT)
    if not is_folder(following):
        return
    with as_sentences(folder):
        index.refresh()
        if index.proposal:
            jobs.take(folder / index.proposal)
            for name in (FRAMES, STATES):
                if is_folder(following / name):
                    if is_folder(folder / name):
                        make(old)
                        _move(folder / name, old / name)
                    _move(following / name, folder / name)
            for name in (CHECKPOINT, INDEX):
                if is_file(following / name):
                    rename(following / name, folder / name)
        with suppress(OSError):  # who reads in them: the next bake does it
            _give_back(folder)
            Cache(following).clear(ours=True)


def _give_back(folder: Path) -> None:
    """Deletes what is left of frames that were replaced; what lay among them that is not ours goes where it was. Raises
    OSError.
    """
    Cache(folder / OLD).clear(ours=True)
    for name in (FRAMES, STATES):
        left = folder / OLD / name
        for path in sorted(left.iterdir()) if is_folder(left) else ():
            make(folder / name)
            if not (folder / name / path.name).exists():
                path.rename(folder / name / path.name)
    Cache(folder / OLD).clear(ours=True)


def _move(source: Path, target: Path) -> None:
    """A folder to where none is. Raises OSError."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            source.rename(target)
            return
        except PermissionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
