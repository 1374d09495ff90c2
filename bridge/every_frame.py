"""Numbers that go with time, looked at frame by frame: all that is asked for, on one way through the frames."""


def look_at(aside, first, *readers):
    """Let each of the readers `look(frame)` at each of its `frames`, a range from `first` on, where a SideScene then is
    again.
    """
    end = max(reader.frames.stop for reader in readers)
    for frame in range(first, end):
        aside.go(frame)
        for reader in readers:
            if frame in reader.frames:
                reader.look(frame)
    if end > first:
        aside.go(first)
