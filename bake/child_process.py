"""A program of ours that runs beside Blender: what it says, line by line, until its end."""

import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from .errors import BakeError
from .messages import Message, decode, ends, message

# A group of its own, which Ctrl C in Blender's terminal does not reach: Blender has it end in order.
_APART: dict[str, Any]
if sys.platform == "win32":
    _APART = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    _APART = {"process_group": 0}
_STDERR_LINES = 40  # kept for a bug report


class ChildProcess:
    """A running program, which does one thing or bakes one job after the other.

    What it says goes to `messages`; the last of each bake, and of the program, is an exit.
    """

    def __init__(self, call: Sequence[str], surroundings: dict[str, str], first: bytes = b"") -> None:
        """Starts the program `call`, a list of arguments, in that environment. Raises BakeError.

        first: what it is ordered to bake first, if it stays for more.
        """
        try:
            self.popen = process = subprocess.Popen(
                call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                cwd=Path(sys.executable).parent,  # where nothing lies that a library might take for its settings
                env=surroundings,
                **_APART,
            )  # fmt: skip
        except OSError as error:
            raise BakeError(f"The bake could not be started ({error.strerror}): install Tendril again.") from error
        assert process.stdin  # three pipes
        assert process.stdout
        assert process.stderr
        self.kind = call, surroundings
        self._orders, self._lock = process.stdin, threading.Lock()
        self._busy, self._ended, self._explained, self._stays = True, False, False, bool(first)
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=_STDERR_LINES)
        complaints = threading.Thread(target=self._read_complaints, args=(process.stderr,), daemon=True)
        complaints.start()
        threading.Thread(target=self._read_messages, args=(process.stdout, complaints), daemon=True).start()
        if first:
            self.tell(first)

    @property
    def busy(self) -> bool:
        """Whether it does what it was ordered to."""
        return self._busy and not self._ended

    def begin(self, line: bytes) -> bool:
        """Whether it takes one more order to bake, and so begins new messages; it may be busy or have ended."""
        with self._lock:
            if self._busy or self._ended or not self.tell(line):
                return False
            self._busy, self._explained, self.messages = True, False, queue.SimpleQueue()
            return True

    def tell(self, line: bytes) -> bool:
        """Whether an order could be given."""
        try:
            self._orders.write(line)
            self._orders.flush()
            return True
        except (OSError, ValueError):  # it may have ended already, as its exit message will say
            return False

    def leave(self) -> None:
        """Another takes its place: it ends with what it does."""
        with self._lock:
            self._stays = False
            if not self._busy:
                self._dismiss()

    def _dismiss(self) -> None:
        with suppress(OSError):
            self._orders.close()

    def _read_complaints(self, lines: IO[bytes]) -> None:
        with lines:
            self._complaints.extend(line.decode(errors="replace") for line in lines)

    def _read_messages(self, lines: IO[bytes], complaints: threading.Thread) -> None:
        for line in lines:
            said = decode(line)
            with self._lock:
                self._explained = self._explained or ends(said)
                if said["kind"] == "exit":
                    self._busy = False
                    if not self._stays:
                        self._dismiss()
                self.messages.put(said)
        code = self.popen.wait()
        complaints.join(timeout=1.0)
        lines.close()
        with self._lock:
            self._ended = True
            self._dismiss()
            if self._busy:
                text = "" if self._explained else _unexpected_end(code)
                self.messages.put(message("exit", code=code, text=text, detail="".join(self._complaints)))


def _unexpected_end(code: int) -> str:
    how = f"signal {_signal_name(-code)}" if code < 0 else f"exit code {code}"
    return f"The bake process ended unexpectedly ({how}): finished frames are kept, Resume goes on from there."


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
