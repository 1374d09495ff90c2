"""*Bake from Here*: frames up to one stay as they were baked, and from there on the scene as it is now is baked.

States were kept about once a second. From the one before that frame the scene of that bake leads up to it, once more
and to the same bytes. Where it does not, for frames may come from several bakes, or from another kind of processor, the
new frames begin behind the kept state itself.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace

import numpy as np

from ..physics.scene import Frame, Keyed, Notice, Pin, Rod, Scene
from ..physics.scenes.at_winch import start_of
from ..physics.validate import CheckpointError, SceneError
from .cache import LARGEST_CHECKPOINT, Cache, State, counts_of
from .errors import BakeError

LENGTHS = ("length", "paid_out")  # of Keyed
DRAWN = (
    "x",
    "m1",
    "twist",
    "rest_x",
    "rest_m1",
    "rest_twist",
    "rest_length_factor",
)  # what a Rod's lengths follow from
SMALL = 2**16  # bytes; the names and headers of a state's arrays alone are a third of that
LENGTH = 1e-6  # of an edge: by how much lengths that are read in single precision differ
SAME_RODS = (
    "keeps the drawing and the length that it was baked with, for what does not stretch cannot change its length from "
    "one frame to the next: bake all of it again for that, or key lengths at this frame as they were."
)
THICKER = "is thicker than it was baked: what it overlaps with so is pushed apart in the first of the new frames."
EARLIER = (
    "New frames begin behind this one, and not behind the current one: what the frames between were baked with is not "
    "there any more."
)


class States:
    """Which states a bake keeps: one a second, as long as they are small or take no more room than its frames."""

    def __init__(self, cache: Cache, done: int, frame_duration: float, frame_size: int) -> None:
        """done: frames that stand."""
        self.cache, self.every, self.frame_size = cache, max(round(1.0 / frame_duration), 1), frame_size
        self.last, self.size = max((frame for frame in cache.states if frame < done), default=None), 0

    def take(self, frame: Frame) -> None:
        """One more Frame was written."""
        since = self.every if self.last is None else frame.index - self.last
        if since >= self.every and max(since * self.frame_size, SMALL) >= self.size:
            self.last, self.size = int(frame.index), self.cache.keep_state(frame)


def check_kept(cache: Cache, scene: Scene, begin: int) -> None:
    """Raises BakeError unless the frames of a bake in a cache can stay up to `begin`, and a scene has some behind."""
    if begin >= scene.frame_count - 1:
        raise BakeError("There is no frame behind the current one to bake: go to an earlier one.")
    counts = counts_of(cache.read(0)) if cache.holds(0) else None
    if not all(cache.holds(frame, counts) for frame in range(begin + 1)):
        raise BakeError("Not all frames up to the current one are baked: go to an earlier one, or bake all of it.")


def led_up(cache: Cache, simulate: Callable[[State], Iterable[Frame | Notice]], end: int) -> tuple[int, State]:
    """(frame, state after it): `end`, or an earlier one, of the bake in a cache, of what `simulate` simulates from a
    state on. Raises BakeError.
    """
    kept = [frame for frame in cache.states if frame <= end]
    found = cache.restore(LARGEST_CHECKPOINT, kept[-1]) if kept else None
    if found is None:
        raise BakeError("No state was kept at the current frame or before it: bake all of it again.")
    if found[0] == end:
        return found
    try:
        for item in simulate(found[1]):
            if isinstance(item, Frame) and item.index == end:
                alike = zip((item.x, item.m1, item.bodies), cache.read(end), strict=True)
                if all(one.tobytes() == other.tobytes() for one, other in alike):
                    return end, dict(item.state)
                break
    except (SceneError, CheckpointError):
        pass
    return found


def drawn_as(before: Scene, scene: Scene, begin: int) -> tuple[Scene, list[Notice]]:
    """(the scene, whose rods that do not stretch have the lengths that they have in the scene before, keyed ones also,
    and their winches where they were, a Notice of each that would have had others at the frame `begin`).
    """
    time = begin * before.frame_duration
    rods, pins, notices = list(scene.rods), scene.pins, list[Notice]()
    for r, (rod, was) in enumerate(zip(scene.rods, before.rods, strict=False)):
        if rod.stretchable or len(rod.x) != len(was.x) or rod.closed != was.closed:
            continue
        own, old = rod.lengths(), was.lengths()
        lengths = own * _share(rod, "length", time), old * _share(was, "length", time)
        paid_out = _share(rod, "paid_out", time), _share(was, "paid_out", time)
        if not all(np.allclose(one, other, rtol=LENGTH, atol=0.0) for one, other in (lengths, paid_out)):
            drawn = {name: getattr(was, name) for name in DRAWN} | {"keyed": _as_long(rod.keyed, was.keyed)}
            rods[r] = replace(rod, mass=rod.mass * _at_vertices(rod, old) / _at_vertices(rod, own), **drawn)
            pins = tuple(_held_as(pin, rod, rods[r]) if pin.rod == r else pin for pin in pins)
            notices.append(Notice(rod.name, 0, f"'{rod.name}' {SAME_RODS}"))
    return (replace(scene, rods=tuple(rods), pins=pins) if notices else scene), notices


def _held_as(pin: Pin, rod: Rod, kept: Rod) -> Pin:
    """A pin of a rod, which holds that as it is kept: a winch where as much of it is out at the start."""
    if kept.keyed is None or kept.keyed.paid_out is None or pin.vertex != kept.keyed.winch % len(kept.x):
        return pin
    return replace(pin, position=pin.position + start_of(kept, pin.vertex) - start_of(rod, pin.vertex))


def thicker(before: Scene, scene: Scene) -> list[Notice]:
    """A Notice of each rod that is thicker than in the scene before, and touches something."""
    return [
        Notice(rod.name, 0, f"'{rod.name}' {THICKER}")
        for rod, was in zip(scene.rods, before.rods, strict=False)
        if rod.radius.max() > (1.0 + LENGTH) * was.radius.max() and scene.contact
    ]


def _as_long(keyed: Keyed | None, was: Keyed | None) -> Keyed | None:
    """The numbers that go with time of a rod that is as long as it was."""
    if was is None or (was.length is None and was.paid_out is None):
        return None if keyed is None else replace(keyed, length=None, paid_out=None)
    if keyed is None:
        return Keyed(was.name, was.times, length=was.length, paid_out=was.paid_out, winch=was.winch)
    times = max(keyed.times, was.times, key=len)
    ways = {}
    for name in {field.name for field in fields(Keyed)} - {"name", "times", "winch"}:
        whose = was if name in LENGTHS else keyed
        if getattr(whose, name) is not None:
            ways[name] = np.interp(times, whose.times, getattr(whose, name))
    return Keyed(keyed.name, times, winch=was.winch, **ways)


def _share(rod: Rod, name: str, time: float) -> float:
    """What its length is times its own at a frame, `time` [s], or what is paid out [m]; 1: it does not go with time."""
    way = None if rod.keyed is None else getattr(rod.keyed, name)
    return 1.0 if rod.keyed is None or way is None else float(np.interp(time, rod.keyed.times, way))


def _at_vertices(rod: Rod, length: np.ndarray) -> np.ndarray:
    """(n,) what belongs to each vertex of edges of these lengths (m,): half of each beside it."""
    if rod.closed:
        return 0.5 * (length + np.roll(length, 1))
    return 0.5 * (np.append(length, 0.0) + np.append(0.0, length))
