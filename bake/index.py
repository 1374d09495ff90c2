"""The cache's index, as JSON lines that are only ever appended: a frame exists when a whole line here says so.

The first line marks the folder as a cache of ours and names the input it was baked from. A last line that was cut off
by a crash or a full disk does not count, and the next line is written over it.
"""

import json
import time

from ..physics.scene import Notice
from .whole_file import write_bytes

FORMAT = 2  # counts up whenever what a frame holds changes
NAME = "tendril_index.jsonl"


class Index:
    """What `folder`'s index says. Reading again costs only what has been added since."""

    def __init__(self, folder):
        self.path = folder / NAME
        self._forget()

    def _forget(self):
        self.header, self.frames, self.notices = {}, set(), {}
        self._first_line, self._end = b"", 0  # _end: bytes read, all of them whole lines

    def begin(self, input_hash, frame_count):
        """An empty index of a bake of `frame_count` frames. Raises OSError."""
        begun = time.time_ns()  # tells a reader that this is another bake
        header = {"tendril_cache": FORMAT, "input_hash": input_hash, "frame_count": frame_count, "begun": begun}
        write_bytes(self.path, _line(header))
        self.refresh()

    def refresh(self):
        """Reads what is new. A missing or foreign index is an empty one."""
        try:
            with open(self.path, "rb") as file:
                first_line = file.readline()
                if first_line != self._first_line:
                    self._forget()
                    self._first_line = first_line
                file.seek(self._end)
                lines = file.read().splitlines(keepends=True)
        except OSError:
            self._forget()
            return
        for line in lines:
            if not self._take(line):
                return
            self._end += len(line)

    def append(self, entry):
        """Adds `entry`, {"frame": k} or {"notice": […]}. Raises OSError, also when the index was deleted."""
        line = _line(entry)
        with open(self.path, "r+b") as file:
            file.truncate(self._end)
            file.seek(self._end)
            file.write(line)
        self._take(line)
        self._end += len(line)

    def _take(self, line):
        """Whether `line` is whole and made sense."""
        try:
            entry = json.loads(line) if line.endswith(b"\n") else None
        except ValueError:
            return False
        match entry:
            case {"tendril_cache": version} if not self.header and version == FORMAT:
                self.header = entry
            case {"frame": int(frame)} if self.header:
                self.frames.add(frame)
            case {"notice": [str(), int(), str()] as notice} if self.header:
                self.notices[Notice(*notice)] = None  # a resumed bake repeats some
            case _:
                return False
        return True


def _line(entry):
    return json.dumps(entry).encode() + b"\n"
