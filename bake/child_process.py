"""A program of ours that runs beside Blender: what it says, line by line, until its end.

Whoever orders something waits for nothing: a program that hangs does not read, and its pipe takes only so much.
"""

import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from io import BufferedWriter, RawIOBase
from pathlib import Path
from typing import IO, Any

from .errors import BakeError
from .messages import Message, decode, ends, message, order

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
        assert isinstance(process.stdin, BufferedWriter)  # three pipes
        assert process.stdout
        assert process.stderr
        self.kind = call, surroundings
        self._orders: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()  # None: no more
        # Raw: a buffer's lock is waited for where Python ends
        threading.Thread(target=_hand_over, args=(process.stdin.detach(), self._orders), daemon=True).start()
        process.stdin = None
        self._lock, self._late = threading.Lock(), 0.0
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
            if self._busy or self._ended or self.popen.poll() is not None:
                return False
            self.tell(line)
            self._busy, self._explained, self.messages = True, False, queue.SimpleQueue()
            return True

    def tell(self, line: bytes) -> None:
        """Gives it an order. It may have ended already, as its exit message will say."""
        self._orders.put(line)

    def give_up(self, late: float) -> None:
        """Ends it now, for it has not answered for so many seconds."""
        self._late = late
        self.popen.kill()

    def leave(self) -> None:
        """Another takes its place: it ends with what it does."""
        with self._lock:
            self._stays = False
            if not self._busy:
                self._dismiss()

    def _dismiss(self) -> None:
        for last in (order("leave"), None):
            self._orders.put(last)

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
                text = "" if self._explained else _unexpected_end(code, self._late)
                self.messages.put(message("exit", code=code, text=text, detail="".join(self._complaints)))


def _hand_over(pipe: RawIOBase, orders: "queue.SimpleQueue[bytes | None]") -> None:
    """Writes orders to a program as they come."""
    with suppress(OSError), pipe:  # it may have ended
        while (line := orders.get()) is not None:
            rest = memoryview(line)
            while rest:
                rest = rest[pipe.write(rest) :]


def _unexpected_end(code: int, late: float) -> str:
    if late:
        return f"The bake process did not answer for {late:.0f} s and was ended"
    how = f"signal {_signal_name(-code)}" if code < 0 else f"exit code {code}"
    return f"The bake process ended unexpectedly ({how})"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
