"""Bakes a job folder without Blender, on any machine: `tendril-bake JOB_FOLDER [--resume]`.

Ctrl-C and SIGTERM end it after the current frame; --resume goes on there. Exit codes: 0 done, 1 stopped by an error
with the frames so far kept, 2 refused with nothing changed, 3 cancelled.
"""

import argparse
import signal
import sys
import threading
import time
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from ..physics.validate import in_words
from .baking import Solver, bake, physics
from .messages import EXIT_CODES, Message, printable

_LINE_EVERY = 10.0  # s, where the output is a log


def main(arguments: Sequence[str] | None = None, solver: Solver = physics, started_in: Path = Path()) -> int:
    """Runs one bake and prints how it goes → exit code. A job is looked for from the folder `started_in`."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may lack letters of an object's name
    parser = argparse.ArgumentParser(
        prog="tendril-bake", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("job", help="folder with the job, where the frames go")
    parser.add_argument("--resume", action="store_true", help="go on after the last checkpoint")
    options = parser.parse_args(arguments)

    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    report = _Report()
    for said in bake(started_in / options.job, resume=options.resume, stopped=stop.is_set, solver=solver):
        report.show(said)
    return EXIT_CODES[said["kind"]]


def sentence(said: Message) -> str:
    """One message as a line for a person, without what would command a terminal."""
    return printable(_sentence(said))


def _sentence(said: Message) -> str:
    match said["kind"]:
        case "verdict" if said["ok"]:
            return f"The scene is in order. {said['text']}."
        case "progress":
            return f"Frame {said['frame']} of {said['of']}, {in_words(said['seconds_left'])} left"
        case "warning":
            who = f"{said['object']}, frame {said['frame']}: " if said["object"] else ""
            return f"Warning: {who}{said['text']}"
        case "done":
            return f"Done: {said['frames']} frame{'s' * (said['frames'] != 1)}."
        case "cancelled":
            kept = "1 frame is" if said["frames"] == 1 else f"{said['frames']} frames are"
            return f"Cancelled: {kept} kept; --resume goes on."
        case "compiling" | "settling" | "contact":
            return said["text"]
        case "cables":
            bent, tension = max(said["curvature"]), max(said["tension"])
            how = f"bent to a radius of {1.0 / bent:.3g} m" if bent > 0.0 else "straight"
            return f"Cables are {how} and pulled with {tension:.3g} N at most."
        case _:
            return "Error: " + said["text"] + ("\n" + said["detail"] if said["detail"] else "")


class _Report:
    """Progress rewrites its line on a terminal and comes every few seconds in a log."""

    def __init__(self) -> None:
        self._terminal, self._last, self._open_line = sys.stdout.isatty(), -_LINE_EVERY, False

    def show(self, said: Message) -> None:
        if said["kind"] == "progress" and self._terminal:
            print("\r\x1b[K" + sentence(said), end="", flush=True)
            self._open_line = True
            return
        if said["kind"] == "progress" and time.monotonic() - self._last < _LINE_EVERY:
            return
        if said["kind"] == "progress":
            self._last = time.monotonic()
        print("\n" * self._open_line + sentence(said), flush=True)
        self._open_line = False
