"""The worker as Blender sees it: started, asked for news without waiting, cancelled, killed.

It is a process of its own, so neither a compiling kernel nor a crash in one touches the user's session. It stays for
the bakes to come, with its kernels loaded, and ends with Blender.
"""

import importlib.util
import os
import queue
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Self

from .child_process import ChildProcess
from .environment import environment
from .errors import BakeError
from .messages import LED, Message, order

PACKAGE = Path(__file__).resolve().parent.parent
LIBRARIES = ("numpy", "scipy", "numba", "llvmlite")
PATIENCE = 0.5  # s, because Windows delivers signals only between waits
LATEST = 10.0  # s after it was asked to end: it gives up a frame by itself after half of that (`worker.GRACE`)
# The extension's package name differs between installations (bl_ext.user_default.…) and Blender's Python may run
# isolated (-I), so the package is loaded from its folder, under one name: numba's disk cache goes by that name.
BOOT = """
import importlib.util, runpy, sys
folder, *sites = sys.argv[1:sys.argv.index("--")]
sys.path += [site for site in sites if site not in sys.path]
spec = importlib.util.spec_from_file_location("tendril", folder + "/__init__.py", submodule_search_locations=[folder])
sys.modules["tendril"] = package = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
sys.argv = sys.argv[sys.argv.index("--"):]
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


def command(python_args: Iterable[str] = ()) -> list[str]:
    """The command line of a worker. Raises BakeError: a library is missing.

    python_args: what Blender gives its own Python (`bpy.app.python_args`).
    """
    return _program("worker", python_args=python_args)


def _program(name: str, *arguments: str, python_args: Iterable[str]) -> list[str]:
    """The command line of a program of this room."""
    python = [sys.executable, *python_args, "-P", "-u"]  # -P: nothing from the folder one happens to be in
    return [*python, "-c", BOOT, str(PACKAGE), *_site_folders(), "--", f"tendril.bake.{name}", *arguments]


def listen(worker: "Worker", on_message: Callable[[Message], Any], longest: float = inf) -> int:
    """Waits for the end of a Worker; calls on_message(message) for each → its exit code. Ctrl-C cancels. Raises
    BakeError where it says nothing for longer [s], but what it compiles.
    """
    heard = time.monotonic()
    while True:
        try:
            said = worker.next_message(PATIENCE)
        except KeyboardInterrupt:
            worker.cancel()
            continue
        if said is None:
            if time.monotonic() - heard > longest:
                raise BakeError(f"Nothing was heard for {longest:.0f} s.")
            continue
        heard = inf if said["kind"] == "compiling" else time.monotonic()
        on_message(said)
        if said["kind"] == "exit":
            return said["code"]


class Worker:
    """A bake, in a process that stays when it is over; or a program that compiles for bakes, and ends.

    over: whether its exit was heard.
    """

    def __init__(self, call: Sequence[str], kernels: Path | str | None = None) -> None:
        """Starts the program `call` (a list of arguments) that speaks as `messages` says. Raises BakeError."""
        self._ordered: tuple[Sequence[str], dict[str, str], bytes] | None = None
        self._take(ChildProcess(call, environment(kernels)))

    def _take(self, process: ChildProcess) -> None:
        self.process, self._messages, self.over = process, process.messages, False
        self._asked, self._deadline = False, inf

    @classmethod
    def start(
        cls,
        job: Path | str,
        resume: bool = False,
        python_args: Iterable[str] = (),
        kernels: Path | str | None = None,
        call: Sequence[str] = (),
    ) -> Self:
        """A worker that bakes `job`, a folder or a Job's path. Raises BakeError.

        kernels: folder of this user for compiled kernels, should the installation not be theirs. call: of another
        program that takes the same orders.
        """
        line = order("bake", job=os.path.abspath(job), resume=resume)
        return cls._order(line, call or command(python_args), kernels)

    @classmethod
    def settle(
        cls,
        job: Path | str,
        led: Mapping[str, Sequence[Sequence[float]]],
        python_args: Iterable[str] = (),
        kernels: Path | str | None = None,
    ) -> Self:
        """A worker that settles the cables of `job`, a Job's path, led as `messages.LED` says; what is missing is none.
        Raises BakeError.
        """
        rows = {name: [*map(list, led.get(name, ()))] for name in LED}
        line = order("settle", job=os.path.abspath(job), **rows)
        return cls._order(line, command(python_args), kernels)

    @classmethod
    def fit(
        cls, job: Path | str, asked: Mapping[str, Any], python_args: Iterable[str] = (),
        kernels: Path | str | None = None,
    ) -> Self:  # fmt: skip
        """A worker that fits a cable of `job`, a Job's path, to a pose, asked for what `messages.FITTED` names. Raises
        BakeError.
        """
        return cls._order(order("fit", job=os.path.abspath(job), **asked), command(python_args), kernels)

    @classmethod
    def _order(cls, line: bytes, call: Sequence[str], kernels: Path | str | None) -> Self:
        worker = cls.__new__(cls)
        worker._ordered = call, environment(kernels), line
        worker._take(_started(*worker._ordered))
        return worker

    @classmethod
    def compile_ahead(
        cls, kinds: Iterable[str], python_args: Iterable[str] = (), kernels: Path | str | None = None
    ) -> Self:
        """A process that compiles what bakes of such kinds of things need (see `compiling_ahead`). Raises BakeError."""
        return cls(_program("compiling_ahead", *kinds, python_args=python_args), kernels)

    @property
    def pid(self) -> int:
        """Of its process."""
        return self.process.popen.pid

    def poll(self) -> list[Message]:
        """The messages since the last call, without waiting; the very last one of a worker is its `exit`."""
        found = []
        while (said := self.next_message(0.0)) is not None:
            found.append(said)
        return found

    def next_message(self, timeout: float | None = None) -> Message | None:
        """Waits for a message, None after `timeout` seconds without. Not to be called again after `exit`."""
        until = inf if timeout is None else time.monotonic() + timeout
        while (said := self._heard(min(until, self._deadline))) is None:
            if time.monotonic() >= self._deadline:
                self._deadline = inf
                self.process.give_up(LATEST)
            elif time.monotonic() >= until:
                return None
        if said["kind"] == "exit":
            if self._ordered and not self._asked and said["code"] == 0 and said["text"]:
                # The process ended in order, but said nothing: it was at its end before it read the order.
                ordered, self._ordered = self._ordered, None
                self._take(_started(*ordered))
                return self.next_message(None if until == inf else max(0.0, until - time.monotonic()))
            self.over, self._deadline = True, inf
        return said

    def _heard(self, until: float) -> Message | None:
        try:
            return self._messages.get(timeout=None if until == inf else max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None

    def cancel(self) -> None:
        """Asks it, once, to end after the current frame. One that has not by LATEST hangs: who listens ends it."""
        if not (self.over or self._asked):
            self._asked, self._deadline = True, time.monotonic() + LATEST
            self.process.tell(order("cancel"))

    def kill(self) -> None:
        """Ends its process now, unless it is over. Frames that are finished stay."""
        if not self.over:
            self.process.popen.kill()

    def wait(self, timeout: float = inf) -> bool:
        """Waits for its end, whatever it says meanwhile → whether that has come within so many seconds."""
        deadline = time.monotonic() + timeout
        while not self.over and (left := deadline - time.monotonic()) > 0.0:
            self.next_message(min(left, PATIENCE))
        return self.over


_staying: ChildProcess | None = None


def _started(call: Sequence[str], surroundings: dict[str, str], line: bytes) -> ChildProcess:
    """A process that obeys an order: the one that stays, or one that takes its place, where it has ended, is busy or is
    of another kind.
    """
    global _staying
    if _staying and _staying.kind == (call, surroundings) and _staying.begin(line):
        return _staying
    dismiss()
    _staying = ChildProcess(call, surroundings, line)
    return _staying


def busy() -> bool:
    """Whether the process that stays is at work."""
    return _staying is not None and _staying.busy


def dismiss() -> None:
    """Ends the process that stays, after the bake it is at."""
    global _staying
    if _staying:
        _staying.leave()
    _staying = None


def _site_folders() -> list[str]:
    """Folders that hold the libraries, found without importing them."""
    folders: dict[str, None] = {}
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise BakeError(f"The Python library {name} is missing: install Tendril again.")
        folders[str(Path(spec.submodule_search_locations[0]).parent)] = None
    return list(folders)
