"""The cache's index, as JSON lines that are only ever appended: a frame exists when a whole line here says so.

The first line marks the folder as a cache of ours and names the input it was baked from. A last line that was cut off
by a crash or a full disk does not count, and the next line is written over it.
"""

import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np

from ..physics.scene import Notice
from .plain_file import DamagedFile, open_plain
from .strict_json import loads
from .whole_file import write_bytes

FORMAT = 2  # counts up whenever what a frame holds changes
NAME = "tendril_index.jsonl"
MOST_FRAMES = 2**20  # as many as Blender has
MOST_NOTICES = 1000
BYTES_PER_FRAME = 20
_LARGEST, _LONGEST_LINE = 2**25, 2**15  # bytes
_FRAME = re.compile(rb'\{"frame": (\d{1,7})\}\n')


class Index:
    """What `folder`'s index says. Reading again costs only what has been added since."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._forget()

    def _forget(self) -> None:
        self.header: dict[str, Any] = {}
        self.notices: dict[Notice, None] = {}
        self._there = bytearray()  # a 1 for each frame there is
        self._first_line, self._end = b"", 0  # _end: bytes read, all of them whole lines

    @property
    def frames(self) -> tuple[int, ...]:
        """Sorted indices of the frames there are."""
        return tuple(np.flatnonzero(np.frombuffer(self._there, np.uint8)).tolist())

    def holds(self, frame: int) -> bool:
        """Whether there is a frame of that number."""
        return 0 <= frame < len(self._there) and self._there[frame] == 1

    def begin(self, input_hash: str, frame_count: int, processor: str = "", *, synced: bool = True) -> None:
        """An empty index of a bake of `frame_count` frames, on that kind of processor. Raises OSError."""
        write_bytes(self.path, _line(_header(input_hash, frame_count, processor)), synced=synced)
        self.refresh()

    def go_on(self, input_hash: str, frame_count: int, end: int = MOST_FRAMES) -> None:
        """The same frames and notices, those before `end`, of a bake of `frame_count` frames. Raises OSError."""
        self.refresh()
        entries = [_header(input_hash, frame_count, self.header.get("processor", ""))]
        entries += [{"frame": frame} for frame in self.frames if frame < end]
        entries += [
            {"notice": [notice.object, notice.frame, notice.text]} for notice in self.notices if notice.frame < end
        ]
        write_bytes(self.path, b"".join(map(_line, entries)))
        self.refresh()

    def refresh(self) -> None:
        """Reads what is new. A missing or foreign index is an empty one."""
        try:
            with open_plain(self.path, largest=_LARGEST) as file:
                first_line = file.readline(_LONGEST_LINE)
                if first_line != self._first_line:
                    self._forget()
                    self._first_line = first_line
                file.seek(self._end)
                while (line := file.readline(_LONGEST_LINE)) and self._take(line):
                    self._end += len(line)
        except (OSError, DamagedFile):
            self._forget()

    def append(self, entry: dict[str, Any]) -> None:
        """Adds `entry`, {"frame": k} or {"notice": […]}. Raises OSError, also when the index was deleted."""
        line = _line(entry)
        with open_plain(self.path, "r+b") as file:
            file.truncate(self._end)
            file.seek(self._end)
            file.write(line)
        self._take(line)
        self._end += len(line)

    def _take(self, line: bytes) -> bool:
        """Whether `line` is whole and made sense."""
        if self.header and (frame := _FRAME.fullmatch(line)):
            return self._take_frame(int(frame[1]))
        try:
            entry: Any = loads(line) if line.endswith(b"\n") else None
        except ValueError:
            return False
        match entry:
            case {"tendril_cache": version, "input_hash": str(), "frame_count": int()} if version == FORMAT:
                first, self.header = not self.header, self.header or entry
                return first
            case {"notice": [str(), int(), str()] as notice} if self.header:
                if len(self.notices) < MOST_NOTICES:
                    self.notices[Notice(*notice)] = None  # a resumed bake repeats some
                return True
        return False

    def _take_frame(self, frame: int) -> bool:
        if frame >= MOST_FRAMES:
            return False
        self._there.extend(bytes(max(frame + 1 - len(self._there), 0)))
        self._there[frame] = 1
        return True


def _header(input_hash: str, frame_count: int, processor: str) -> dict[str, Any]:
    begun = time.time_ns()  # tells a reader that this is another bake
    return {
        "tendril_cache": FORMAT, "input_hash": input_hash, "frame_count": frame_count, "begun": begun,
        "processor": processor,
    }  # fmt: skip


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"
