"""The processor that machine code is made for: the same one wherever that can be, so that kernels are brought along
compiled, and frames have the same bytes on all such machines.

It is x86-64-v3, which processors have since 2013 (Haswell) and 2015 (Excavator), all since Zen; and the first of
Apple's. Its instructions are those of the x86-64 psABI, §3.1.1. One that lacks them, and what compiles by another
version of numba than extensions carry, gets code for itself, as numba makes it by itself.

numba has one setting for all of a process. It stays what it is where somebody set it, or has compiled before.
"""

import platform
import sys
from typing import Any

import llvmlite.binding as llvm
import numba

from .inside import KNOWN

_NEEDED = {
    "x86_64": ("x86-64-v3", ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")),
    "arm64": ("apple-m1", ()),
}


def target() -> str:
    """LLVM's name of the processor that all of this kind understand; "": this one does not, or is of none."""
    if numba.__version__ != KNOWN:
        return ""
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine())
    if machine == "arm64" and sys.platform != "darwin":
        return ""
    name, needed = _NEEDED.get(machine, ("", ()))
    has = llvm.get_host_cpu_features()
    return name if all(has.get(feature) for feature in needed) else ""


def aim() -> None:
    """Has numba make code for that."""
    from numba.core.registry import cpu_target

    config: Any = numba.config
    begun = "_toplevel_target_context" in vars(cpu_target)  # then its compiler is there
    if not begun and config.CPU_NAME is None and config.CPU_FEATURES is None and (name := target()):
        config.CPU_NAME, config.CPU_FEATURES = name, ""
