"""The worker as Blender sees it: started, asked for news without waiting, cancelled, killed.

It is a process of its own, so neither a compiling kernel nor a crash in one touches the user's session.
"""

import importlib.util
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

from .environment import environment
from .errors import BakeError
from .messages import Message, decode, ends, message

PACKAGE = Path(__file__).resolve().parent.parent
LIBRARIES = ("numpy", "scipy", "numba", "llvmlite")
# A group of its own, which Ctrl C in Blender's terminal does not reach: Blender has it end in order.
_APART: dict[str, Any]
if sys.platform == "win32":
    _APART = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    _APART = {"process_group": 0}
PATIENCE = 0.5  # s, because Windows delivers signals only between waits
_STDERR_LINES = 40  # kept for a bug report
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


def command(job: Path | str, *, resume: bool = False, python_args: Iterable[str] = ()) -> list[str]:
    """The command line of a worker that bakes `job`, a folder or a Job's path. Raises BakeError: a library is missing.

    python_args: what Blender gives its own Python (`bpy.app.python_args`).
    """
    options = ["--resume"] if resume else []
    return _program("worker", os.path.abspath(job), *options, python_args=python_args)


def _program(name: str, *arguments: str, python_args: Iterable[str]) -> list[str]:
    """The command line of a program of this room."""
    python = [sys.executable, *python_args, "-P", "-u"]  # -P: nothing from the folder one happens to be in
    return [*python, "-c", BOOT, str(PACKAGE), *_site_folders(), "--", f"tendril.bake.{name}", *arguments]


def listen(worker: "Worker", on_message: Callable[[Message], Any]) -> int:
    """Waits for the end of a Worker; calls on_message(message) for each → its exit code. Ctrl-C cancels."""
    while True:
        try:
            said = worker.next_message(PATIENCE)
        except KeyboardInterrupt:
            worker.cancel()
            continue
        if said is None:
            continue
        on_message(said)
        if said["kind"] == "exit":
            return said["code"]


class Worker:
    """A running bake, or what compiles for one."""

    def __init__(self, call: Sequence[str], kernels: Path | str | None = None) -> None:
        """Starts the program `call` (a list of arguments) that speaks as `messages` says. Raises BakeError."""
        try:
            self._process = process = subprocess.Popen(
                call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                cwd=Path(sys.executable).parent,  # where nothing lies that a library might take for its settings
                env=environment(kernels),
                **_APART,
            )  # fmt: skip
        except OSError as error:
            raise BakeError(f"The bake could not be started ({error.strerror}): install Tendril again.") from error
        assert process.stdin  # three pipes
        assert process.stdout
        assert process.stderr
        self._orders = process.stdin
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=_STDERR_LINES)
        complaints = threading.Thread(target=self._read_complaints, args=(process.stderr,), daemon=True)
        complaints.start()
        threading.Thread(target=self._read_messages, args=(process.stdout, complaints), daemon=True).start()

    @classmethod
    def start(
        cls, job: Path | str, resume: bool = False, python_args: Iterable[str] = (), kernels: Path | str | None = None
    ) -> Self:
        """A worker that bakes `job`, a folder or a Job's path. Raises BakeError.

        kernels: folder of this user for compiled kernels, should the installation not be theirs.
        """
        return cls(command(job, resume=resume, python_args=python_args), kernels)

    @classmethod
    def compile_ahead(
        cls, kinds: Iterable[str], python_args: Iterable[str] = (), kernels: Path | str | None = None
    ) -> Self:
        """A process that compiles what bakes of such kinds of things need (see `compiling_ahead`). Raises BakeError."""
        return cls(_program("compiling_ahead", *kinds, python_args=python_args), kernels)

    def poll(self) -> list[Message]:
        """The messages since the last call, without waiting; the very last one of a worker is its `exit`."""
        found = []
        while True:
            try:
                found.append(self._messages.get_nowait())
            except queue.Empty:
                return found

    def next_message(self, timeout: float | None = None) -> Message | None:
        """Waits for a message, None after `timeout` seconds without. Not to be called again after `exit`."""
        try:
            return self._messages.get(timeout=timeout)
        except queue.Empty:
            return None

    def cancel(self) -> None:
        """Asks it to end after the current frame, which it does within seconds."""
        with suppress(OSError, ValueError):  # it may have ended already, as its exit message will say
            self._orders.write(b"cancel\n")
            self._orders.flush()

    def kill(self) -> None:
        """Ends it now. Frames that are finished stay."""
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end → exit code. Raises subprocess.TimeoutExpired after `timeout` seconds."""
        return self._process.wait(timeout)

    def _read_complaints(self, lines: IO[bytes]) -> None:
        with lines:
            self._complaints.extend(line.decode(errors="replace") for line in lines)

    def _read_messages(self, lines: IO[bytes], complaints: threading.Thread) -> None:
        explained = False
        for line in lines:
            said = decode(line)
            explained = explained or ends(said)
            self._messages.put(said)
        code = self._process.wait()
        complaints.join(timeout=1.0)
        lines.close()
        with suppress(OSError):
            self._orders.close()
        text = "" if explained else _unexpected_end(code)
        self._messages.put(message("exit", code=code, text=text, detail="".join(self._complaints)))


def _unexpected_end(code: int) -> str:
    how = f"signal {_signal_name(-code)}" if code < 0 else f"exit code {code}"
    return f"The bake process ended unexpectedly ({how}): finished frames are kept, Resume goes on from there."


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _site_folders() -> list[str]:
    """Folders that hold the libraries, found without importing them."""
    folders: dict[str, None] = {}
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise BakeError(f"The Python library {name} is missing: install Tendril again.")
        folders[str(Path(spec.submodule_search_locations[0]).parent)] = None
    return list(folders)
