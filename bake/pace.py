"""What a frame of a bake will take, by what was foreseen of one and what those so far have taken.

A mean in which the newest of k frames weighs 1/(k + 1), as much as each before it and as what was foreseen, until that
would be less than `NEWEST`: frames take more or less time as what moves comes to touch, winds up or comes to rest.
"""

NEWEST = 0.1


class Pace:
    """seconds: that the next frame is to take."""

    def __init__(self, foreseen: float) -> None:
        self.seconds, self._frames = foreseen, 0

    def take(self, seconds: float) -> None:
        """One more frame has taken so many seconds."""
        self._frames += 1
        self.seconds += max(NEWEST, 1.0 / (self._frames + 1)) * (seconds - self.seconds)
