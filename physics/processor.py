"""The kind of processor that machine code is made for here: its instructions decide how sums are rounded. No numba."""

import hashlib

import llvmlite.binding as llvm

NAME = llvm.get_host_cpu_name()
KIND = f"{NAME} {hashlib.sha256(f'{NAME} {llvm.get_host_cpu_features().flatten()}'.encode()).hexdigest()[:8]}"
