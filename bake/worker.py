"""The worker process, `python -m tendril.bake.worker`: orders on stdin, messages on stdout, one bake after the other.

The order to cancel, or the end of stdin, which means that Blender has gone, ends the bake after the current frame; a
frame that takes longer than GRACE is given up, and the process with it. Kernels stay loaded from bake to bake. Where
Blender has not gone in order, by the order to leave, bakes that were only for it to look at, whose meta says
"temporary", are deleted.
"""

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..physics.compiling import told
from . import job as jobs
from .baking import Solver, bake, physics
from .cache import Cache
from .errors import BakeError
from .messages import EXIT_CODES, ORDERS, Message, decode_order, encode, message
from .settling import Settling

GRACE = 5.0  # s
SECOND = 1.0  # s, between two times that something is told which lasts


@dataclass(frozen=True)
class _Bake:
    """kind: of the order; asked: what else it has."""

    job: str
    kind: str
    asked: dict[str, Any]
    stop: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)


class Worker:
    """What is to be baked, and whether to go on. solver: what `baking.bake` is given."""

    def __init__(self, out: int, solver: Solver) -> None:
        self.pipe, self._solver, self._settling = MessagePipe(out), solver, Settling()
        self._bakes: queue.SimpleQueue[_Bake | None] = queue.SimpleQueue()  # None: no more
        self._newest: _Bake | None = None
        self._ending, self._folders = False, dict[Path, None]()
        self.alone = False  # whether orders have ended without the last

    def work(self) -> int:
        """Bakes what is ordered until the end → exit code, of the last bake."""
        code = 0
        while (order := self._bakes.get()) is not None:
            self.pipe.frames = 0
            self._folders[jobs.folder_of(order.job)] = None
            for said in self._messages(order):
                if not self.pipe.say(said):
                    order.stop.set()
            order.over.set()
            code = EXIT_CODES[said["kind"]]
            if not self._ending:  # else the end of the process is that of the bake, and nobody orders one more
                self.pipe.say(message("exit", code=code, text="", detail=""))
        return code

    def _messages(self, order: _Bake) -> Iterator[Message]:
        if order.kind == "bake":
            return bake(order.job, **order.asked, stopped=order.stop.is_set, solver=self._solver)
        do = self._settling.settle if order.kind == "settle" else self._settling.fit
        return do(order.job, order.asked, order.stop.is_set)

    def obey(self, orders: int) -> None:
        """Reads orders until they end. What is none ends them, for it is from another Tendril."""
        with open(orders, "rb") as lines:
            self.alone = all(map(self._obey, lines))
        self.end()

    def _obey(self, line: bytes) -> bool:
        """Whether there may be more orders."""
        try:
            order = decode_order(line)
        except ValueError:
            return False
        match order["kind"]:
            case "leave":
                return False
            case "cancel":
                self._cancel()
            case _:
                asked = {name: order[name] for name in ORDERS[order["kind"]] - {"job"}}
                self._newest = _Bake(order["job"], order["kind"], asked)
                self._bakes.put(self._newest)
        return True

    def end(self) -> None:
        """Ends what is baked after the current frame, and then the work."""
        self._ending = True
        self._bakes.put(None)
        self._cancel()

    def free_temporary(self) -> None:
        """Deletes the bakes that nobody will look at any more."""
        for folder in self._folders:
            with suppress(BakeError):
                if jobs.read(folder).temporary:
                    Cache(folder).free()

    def _cancel(self) -> None:
        if (newest := self._newest) and not newest.stop.is_set():
            newest.stop.set()
            threading.Thread(target=self._give_up, args=(newest,), daemon=True).start()

    def _give_up(self, late: _Bake) -> None:
        if not late.over.wait(GRACE):
            self.pipe.say(message("cancelled", frames=self.pipe.frames), timeout=1.0)
            os._exit(EXIT_CODES["cancelled"])


def main(solver: Solver = physics) -> int:
    """Runs bakes → exit code, of the last one."""
    (orders, out), parent = take_pipes(), os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in Blender's terminal reaches Blender, and so ends stdin
    worker = Worker(out, solver)
    told.listeners.append(worker.pipe.say_unforeseen)
    signal.signal(signal.SIGTERM, lambda *_: worker.end())  # a farm may end all processes of a job at once
    threading.Thread(target=worker.obey, args=(orders,), daemon=True).start()
    code = worker.work()
    if worker.alone or os.getppid() != parent:  # it was killed; Windows does not tell of parents
        worker.free_temporary()
    return code


class MessagePipe:
    """Writes whole messages from several threads. `frames`: how many the last progress counted.

    What is compiled is told again each second, with how long it has taken, whoever waits for it.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._lock, self.frames = descriptor, threading.Lock(), 0
        self._said_more = threading.Event()  # behind the last that told what is compiled
        self._said_more.set()

    def say(self, said: Message, timeout: float = -1, counts: bool = True) -> bool:
        """Whether anyone could be told. counts: how long what is compiled takes, until something else is said."""
        if not self._lock.acquire(timeout=timeout):
            return False
        try:
            self._said_more.set()
            if said["kind"] == "progress":
                self.frames = said["frame"]
            if not self._write(said):
                return False
            if said["kind"] == "compiling" and counts:
                self._said_more = threading.Event()
                threading.Thread(target=self._count, args=(said["text"], self._said_more), daemon=True).start()
            return True
        finally:
            self._lock.release()

    def say_unforeseen(self, program: str) -> None:
        """Tells that a program is compiled, unless it belongs to what was told last. Nobody tells when it is done."""
        if self._said_more.is_set():
            self.say(message("compiling", text=f"Compiling, unforeseen and only once: {program}"), counts=False)

    def _count(self, text: str, said_more: threading.Event) -> None:
        begun = time.monotonic()
        while not said_more.wait(SECOND):
            with self._lock:
                if not said_more.is_set():
                    self._write(message("compiling", text=f"{text}, {time.monotonic() - begun:.0f} s so far"))

    def _write(self, said: Message) -> bool:
        line = memoryview(encode(said))
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
            return True
        except OSError:  # Blender has gone
            return False


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


if __name__ == "__main__":
    sys.exit(main())
