"""The worker process, `python -m tendril.bake.worker JOB [--resume]`: messages on stdout, orders on stdin.

The line "cancel", or the end of stdin, which means that Blender has gone, ends the bake after the current frame; a
frame that takes longer than GRACE is given up. Exit codes are `messages.EXIT_CODES`.
"""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence

from .baking import Solver, bake, physics
from .messages import EXIT_CODES, Message, encode, message

GRACE = 5.0  # s


def main(arguments: Sequence[str] | None = None, solver: Solver = physics) -> int:
    """Runs one bake → exit code. solver: what `baking.bake` is given."""
    parser = argparse.ArgumentParser(prog="tendril.bake.worker")
    parser.add_argument("job", help="folder with the job, where the cache goes, or the job's settings in it")
    parser.add_argument("--resume", action="store_true", help="go on after the last checkpoint")
    options = parser.parse_args(arguments)

    orders, out = take_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in Blender's terminal reaches Blender, and so ends stdin
    pipe, stop, ended = MessagePipe(out), threading.Event(), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())  # a farm may end all processes of a job at once
    threading.Thread(target=_obey, args=(orders, pipe, stop, ended), daemon=True).start()
    for said in bake(options.job, resume=options.resume, stopped=stop.is_set, solver=solver):
        if not pipe.say(said):
            stop.set()
    ended.set()
    return EXIT_CODES[said["kind"]]


class MessagePipe:
    """Writes whole messages from two threads. `frames`: how many the last progress counted."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._lock, self.frames = descriptor, threading.Lock(), 0

    def say(self, said: Message, timeout: float = -1) -> bool:
        """Whether anyone could be told."""
        if not self._lock.acquire(timeout=timeout):
            return False
        try:
            if said["kind"] == "progress":
                self.frames = said["frame"]
            line = memoryview(encode(said))
            while line:
                line = line[os.write(self._descriptor, line) :]
            return True
        except OSError:  # Blender has gone
            return False
        finally:
            self._lock.release()


def take_pipes() -> tuple[int, int]:
    """(stdin, stdout) as descriptors of our own.

    What a library prints then goes to stderr instead of between the messages. On Windows a DLL that loads while
    a thread waits in a read of descriptor 0 would wait with it, so that becomes the null device.
    """
    orders, out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return orders, out


def _obey(orders: int, pipe: MessagePipe, stop: threading.Event, ended: threading.Event) -> None:
    said = b""
    while chunk := os.read(orders, 4096):
        said += chunk
        if b"cancel" in said.split(b"\n")[:-1]:
            break
    stop.set()
    if not ended.wait(GRACE):
        pipe.say(message("cancelled", frames=pipe.frames), timeout=1.0)
        os._exit(EXIT_CODES["cancelled"])


if __name__ == "__main__":
    sys.exit(main())
