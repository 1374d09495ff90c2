"""The program that compiles kernels before a bake needs them, for scenes with things of such kinds:

    python -m tendril.bake.compiling_ahead KIND…

Messages go to stdout. It has a low priority, and ends at once when stdin does, which means that Blender has gone. What
was compiled until then stays.
"""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence

from .messages import message
from .worker import MessagePipe, take_pipes

NICE = 10  # a tenth of the processor beside what is busy: a bake of another Blender may wait for this one


def main(arguments: Sequence[str] | None = None) -> int:
    """Compiles → exit code 0."""
    orders, out = take_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the worker
    threading.Thread(target=_end_with, args=(orders,), daemon=True).start()
    _step_back()
    from ..physics.run import compile as kernels

    parser = argparse.ArgumentParser(prog="tendril.bake.compiling_ahead")
    parser.add_argument("kinds", nargs="+", choices=kernels.KINDS)
    options, pipe = parser.parse_args(arguments), MessagePipe(out)
    missing = kernels.missing(kernels.of_kinds(options.kinds))
    for sentence in kernels.announced(missing, "Compiling in the background"):
        pipe.say(message("compiling", text=sentence))
    return 0


def _end_with(orders: int) -> None:
    while os.read(orders, 4096):
        pass
    os._exit(0)


def _step_back() -> None:
    """Lets most other things on this computer go first."""
    if sys.platform == "win32":
        import ctypes

        below_normal, kernel = 0x4000, ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), below_normal)
    else:
        os.nice(NICE)


if __name__ == "__main__":
    sys.exit(main())
