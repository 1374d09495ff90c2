"""The kind of processor that machine code is made for here: its instructions decide how sums are rounded."""

import hashlib
from typing import Any

import llvmlite.binding as llvm
import numba

from .target import aim

aim()
_config: Any = numba.config
NAME = _config.CPU_NAME or llvm.get_host_cpu_name()
_FEATURES = llvm.get_host_cpu_features().flatten() if _config.CPU_FEATURES is None else _config.CPU_FEATURES
KIND = f"{NAME} {hashlib.sha256(f'{NAME} {_FEATURES}'.encode()).hexdigest()[:8]}"
