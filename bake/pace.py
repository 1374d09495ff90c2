"""What a frame of a bake will take, by those so far.

A mean in which the newest of k frames weighs 1/k, as much as each before it, until that would be less than `NEWEST`:
frames take more or less time as what moves comes to touch, winds up or comes to rest. The first, which also reads
kernels from the disk, counts only as long as there is no other, and no more than what was foreseen: both may be wrong
by a factor, so their geometric mean is least so.
"""

from math import sqrt

NEWEST = 0.1


class Pace:
    """seconds: that the next frame is to take."""

    def __init__(self, foreseen: float) -> None:
        self.seconds, self._frames = foreseen, 0

    def take(self, seconds: float) -> None:
        """One more frame has taken so many seconds."""
        if self._frames == 0:
            self.seconds = sqrt(self.seconds * seconds)
        else:
            self.seconds += max(NEWEST, 1.0 / self._frames) * (seconds - self.seconds)
        self._frames += 1
