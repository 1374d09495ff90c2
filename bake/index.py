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
PROPOSAL = r"tendril_job_[0-9a-f]{16}\.json"  # a pattern: the settings of a job that is not yet that of its folder
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

    @property
    def bake(self) -> int:
        """Which bake it is of; 0: of an earlier version, which does not tell."""
        told = self.header.get("bake", 0)
        return told if type(told) is int and 0 <= told < 2**63 else 0

    @property
    def proposal(self) -> str:
        """The file of the job of a bake beside another; "": it is none: see `replacing`."""
        told = self.header.get("job", "")
        return told if isinstance(told, str) and re.fullmatch(PROPOSAL, told) else ""

    def begin(self, input_hash: str, frame_count: int, processor: str = "", *, synced: bool = True) -> None:
        """An empty index of a new bake of `frame_count` frames, on that kind of processor. Raises OSError."""
        write_bytes(self.path, _line(_header(input_hash, frame_count, processor)), synced=synced)
        self.refresh()

    def begin_behind(self, earlier: "Index", end: int, bake: int, input_hash: str, frame_count: int, job: str) -> None:
        """That of the new bake with the number `bake`, of the job in the file `job`, with the frames and notices of an
        earlier one before `end`. Raises OSError.
        """
        header = _header(input_hash, frame_count, earlier.header.get("processor", ""), bake)
        self._write(header | {"job": job}, earlier, end)

    def go_on(self, input_hash: str, frame_count: int) -> None:
        """The same frames and notices, of a bake that is to have `frame_count` frames. Raises OSError."""
        self.refresh()
        self._write(_header(input_hash, frame_count, self.header.get("processor", ""), self.bake), self, MOST_FRAMES)

    def _write(self, header: dict[str, Any], like: "Index", end: int) -> None:
        entries = [header, *({"frame": frame} for frame in like.frames if frame < end)]
        entries += [
            {"notice": [notice.object, notice.frame, notice.text]} for notice in like.notices if notice.frame < end
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


def _header(input_hash: str, frame_count: int, processor: str, bake: int | None = None) -> dict[str, Any]:
    begun = time.time_ns()  # tells a reader that this is another index
    return {
        "tendril_cache": FORMAT, "input_hash": input_hash, "frame_count": frame_count, "begun": begun,
        "bake": begun if bake is None else bake, "processor": processor,
    }  # fmt: skip


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"
