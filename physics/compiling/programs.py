"""Kernels compiled together with the entry that needs them.

numba makes machine code of every function, and takes each apart again to put it into what calls it: what lies at the
bottom of ten calls is optimised ten times. Here a kernel is a Part, which stays what LLVM reads; only the function that
Python calls becomes a Program, which links all its parts and is optimised once. Passes are left out that look for what
kernels do not have, such as closures.
"""

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering

LEFT_OUT = {
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.InlineInlinables,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.DumpParforDiagnostics,
}


class _Library(JITCodeLibrary):
    def add_llvm_module(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)


class Part(_Library):
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


class Program(_Library):
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


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        _begin(state, Part)
        state.flags.no_compile = True
        super().run_pass(state)
        # What calls it finds it by what Python would call, of which there is none: any name of its own will do.
        state["cr"] = state["cr"]._replace(cfunc=state.library)
        state.targetctx.insert_user_function(state.library, state["cr"].fndesc, [state.library])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerProgram(NativeLowering):
    _name = "lower_program"

    def run_pass(self, state: Any) -> bool:
        _begin(state, Program)
        return super().run_pass(state)


def _begin(state: Any, kind: type[_Library]) -> None:
    state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    state.library.enable_object_caching()


class _Compiler(CompilerBase):
    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[PassManager]:
        """numba's own passes, with one's own lowering."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        kept = [(kind, told) for kind, told in manager.passes if kind not in LEFT_OUT]
        manager.passes = [(self.lowering if kind is NativeLowering else kind, told) for kind, told in kept]
        return [manager]


class PartCompiler(_Compiler):
    """Compiles what only compiled functions call."""

    lowering = _LowerPart


class ProgramCompiler(_Compiler):
    """Compiles what Python calls."""

    lowering = _LowerProgram
