"""Kernels compiled together with the entry that needs them, in a fifth of the processor time.

numba makes machine code of every function, and takes each apart again to put it into what calls it: what lies at the
bottom of ten calls is optimised ten times. Here a kernel is a Part, which stays what LLVM reads; only the function that
Python calls becomes a Program, which links all its parts and is optimised once.

This takes parts of numba's compiler that its interfaces do not promise: see `inside`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.callconv import RETCODE_NONE, RETCODE_OK
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

from .told import tell
from .values import slot


class Library(JITCodeLibrary):
    """What kernels are compiled into."""

    def add_llvm_module(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)


class Part(Library):
    """What LLVM reads of one kernel, and which others it calls."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        """Makes it ready to be linked: into many, which may each inline it, and drop what they do not need."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        return self._final_module


class Program(Library):
    """What Python calls, with all its parts."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        # Callers come before what they call, for LLVM drops what nobody calls yet. numba's own functions are whole.
        if library not in self._linking_libraries:
            super().add_linking_library(library)
            if isinstance(library, Part):
                for called in library._linking_libraries:
                    self.add_linking_library(called)

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:  # its own copies: else the first program loaded lends its to all
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """What is saved: machine code, and in place of what LLVM reads, which nobody links again and which is twice as
        long, the names in it, for numba to look them up.
        """
        self._ensure_finalized()
        names = [one.name for one in self.get_defined_functions() if one.linkage.name == "external"]
        stub = llvm.parse_assembly("".join(f'define void @"{name}"() {{ ret void }}\n' for name in names))
        return self.name, "object", (self._get_compiled_object(), stub.as_bitcode())


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        _begin(state, Part)
        state.flags.no_compile = True
        super().run_pass(state)
        # What calls it finds it by what Python would call, of which there is none: any name of its own will do.
        state["cr"] = state["cr"]._replace(cfunc=state.library)
        call = PartCall(state["cr"].fndesc, state.library)
        state.targetctx.insert_func_defn([(call, state.library, call.arguments)])
        return True


class PartCall:
    """Writes calls of a part: what its caller returns where it fails is what it returned itself."""

    def __init__(self, description: Any, library: Part) -> None:
        self.returned, self.arguments = description.restype, description.argtypes
        self._description, self.libs = description, (library,)

    def __call__(self, context: Any, builder: ir.IRBuilder, kinds: Any, values: Sequence[ir.Value]) -> ir.Value:
        convention, kind = context.call_conv, self.returned
        result = slot(builder, convention.get_return_type(kind).pointee)
        failure = convention._get_excinfo_argument(builder.function)
        arguments = convention._get_arg_packer(self.arguments).as_arguments(builder, values)
        part = context.declare_function(builder.module, self._description)
        code = builder.call(part, [result, failure, *arguments])
        succeeded = [builder.icmp_signed("==", code, one) for one in (RETCODE_OK, RETCODE_NONE)]
        with builder.if_then(builder.not_(builder.or_(*succeeded)), likely=False):
            builder.ret(code)
        return context.get_returned_value(builder, kind, builder.load(result))


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerProgram(NativeLowering):
    _name = "lower_program"

    def run_pass(self, state: Any) -> bool:
        tell(state.func_id.func_qualname)
        _begin(state, Program)
        return super().run_pass(state)


def _begin(state: Any, kind: type[Library]) -> None:
    state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    state.library.enable_object_caching()


class _Compiler(CompilerBase):
    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[PassManager]:
        """numba's own passes, with one's own lowering."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [(self.lowering if kind is NativeLowering else kind, told) for kind, told in manager.passes]
        return [manager]


class PartCompiler(_Compiler):
    """Compiles what only compiled functions call."""

    lowering = _LowerPart


class ProgramCompiler(_Compiler):
    """Compiles what Python calls."""

    lowering = _LowerProgram


OPTIONS: dict[str, Any] = {
    "_nrt": False,  # the compiler refuses what would allocate, and arrays pass without reference counts
    "pipeline_class": ProgramCompiler,
}
PART = OPTIONS | {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, "pipeline_class": PartCompiler}


class Kernel(CPUDispatcher):
    """A kernel. Python, a test say, may call it all the same: through an entry made on the first call."""

    entry: Callable[[], Any]

    def __call__(self, *arguments: Any) -> Any:
        return self.entry()(*arguments)

    def get_call_template(self, arguments: Any, named: Any) -> Any:
        """One for all numbers that callers write out: numba would compile anew for each of them."""
        return super().get_call_template([types.unliteral(kind) for kind in arguments], named)

    def add_overload(self, compiled: Any) -> None:
        """Remember what was compiled, with nothing for Python to call."""
        self.overloads[tuple(compiled.signature.args)] = compiled


def works() -> bool:
    """Whether a program of two parts can be compiled and run with the numba that is here."""

    def inner(x: Any) -> Any:
        return x[0] + 1.0

    def outer(x: Any) -> Any:
        return 2.0 * part(x)

    part = numba.njit(**PART)(inner)
    part.__class__ = Kernel
    return bool(numba.njit(**OPTIONS)(outer)(np.full(1, 2.0)) == 6.0)
