"""Says, while a scene is read for its bake, which frame that is at: 6000 frames of animated wind take a while."""

import time
from contextlib import contextmanager

from ..bridge.evaluation import telling

AT_MOUSE = 10000.0  # of a number that Blender shows at the mouse, from 0 to 9999


@contextmanager
def shown_at_mouse(manager):
    """The frame's number is at the mouse in place of its arrow."""
    manager.progress_begin(0.0, AT_MOUSE)
    try:
        with telling(_every(0.1, manager.progress_update)):
            yield
    finally:
        manager.progress_end()


@contextmanager
def printed(first, last, pause=2.0):
    """A line every `pause` seconds; none for what is read at once."""
    with telling(_every(pause, lambda frame: print(f"Reading frame {frame:.0f} of {first} to {last}", flush=True))):
        yield


def _every(pause, tell):
    """tell(frame), but only so many seconds after it was called last."""
    before = time.monotonic()

    def now(frame):
        nonlocal before
        if time.monotonic() - before >= pause:
            before = time.monotonic()
            tell(frame)

    return now
