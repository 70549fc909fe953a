"""Compiling functions that Python never calls, without the work that is done for those that it calls.

Numba optimises every function together with all that it calls and makes machine code of it, and does so again in each
function above. Only the code of entry points ever runs, so a function of the rules is left as plain LLVM code here: an
entry point takes it over and optimises it once. That halves the time to compile and changes neither results nor speed.

A large function that several entry points need (the rules' own loop, a scripted agent's answer) would still be optimised
in each of them. `linked` gives it machine code of its own, which entry points call by its address.

This leans on classes of numba that are not part of its public interface. Where a version of numba lacks one of them,
`INNER` is empty and functions are compiled numba's own way.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numba
from llvmlite import binding, ir
from numba.core import cgutils
from numba.extending import intrinsic

try:
    from numba.core.codegen import CodeLibrary, CPUCodeLibrary, JITCodeLibrary
    from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering, NoPythonBackend

    _NEEDED = (
        (CodeLibrary, ("codegen", "_ensure_finalized", "enable_object_caching")),
        (CPUCodeLibrary, ("finalize", "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")),
        (JITCodeLibrary, ("get_pointer_to_function",)),
        (CompileResult, ("_find_referenced_environments", "reload_init")),
        (CompilerBase, ("compile_extra", "define_pipelines")),
        (DefaultPassBuilder, ("define_nopython_pipeline",)),
    )
    POSSIBLE = all(hasattr(owner, name) for owner, names in _NEEDED for name in names)
except ImportError:
    POSSIBLE = False


@dataclass(frozen=True)
class _Link:
    """Makes the machine code of a linked function known by its symbol, before code that calls it is loaded from the cache."""

    name: str
    kinds: tuple[Any, ...]

    def __call__(self) -> None:
        _link(self.name, self.kinds)


INNER: dict[str, Any] = {}  # options of `numba.njit` for a function that only compiled code calls
ENTRY: dict[str, Any] = {}  # and for one that Python calls

if POSSIBLE and not numba.config.DISABLE_JIT:

    class _NoEnvironments:
        """Takes the place of the code generator where numba stores addresses in machine code, of which there is none."""

        def set_env(self, name: str, environment: Any) -> None:
            """Do nothing: the entry point stores the address in its own code."""

    class _Library(JITCodeLibrary):  # type: ignore[misc]  # numba's types are unknown to mypy
        """LLVM code whose functions don't begin with clearing the places of results of all the calls in them.

        Each place is cleared again before its call. Hundreds of stores at the start of the rules' loop would take as long
        as many a decision.
        """

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.links: set[_Link] = set()  # to be made before this code is loaded from the cache

        def add_linking_library(self, library: Any) -> None:
            self.links |= getattr(library, "links", set())
            super().add_linking_library(library)

        def finalize(self) -> None:
            self._linking_libraries: list[Any] = _callers_first(self._linking_libraries)
            super().finalize()

        def add_ir_module(self, ir_module: Any) -> None:
            for function in ir_module.functions:
                if function.blocks:
                    _leave_uncleared(function)
            super().add_ir_module(ir_module)

    class _InnerLibrary(_Library):
        """The LLVM code of one function, to be taken over by its callers, without machine code of its own."""

        @property
        def codegen(self) -> Any:
            return _NoEnvironments()

        def finalize(self) -> None:
            """Take over no code of what is called here: the entry point does so, once for all its functions."""
            callees, self._linking_libraries = self._linking_libraries, []
            CPUCodeLibrary.finalize(self)
            self._linking_libraries = callees

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

    def _callers_first(libraries: list[Any]) -> list[Any]:
        """Return the code that an entry point needs, each once; LLVM takes over only what is called by what is there."""
        found: dict[Any, None] = {}

        def find(library: Any) -> None:
            if library not in found:
                if isinstance(library, _InnerLibrary):
                    for callee in library._linking_libraries:
                        find(callee)
                found[library] = None

        for library in libraries:
            find(library)
        return [*reversed(found)]

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _EntryLowering(NativeLowering):  # type: ignore[misc]  # as above
        _name = "entry_lowering"
        _library = _Library

        def run_pass(self, state: Any) -> bool:
            state.library = self._library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            done: bool = super().run_pass(state)
            state.reload_init.extend(state.library.links)
            return done

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _InnerLowering(_EntryLowering):
        _name = "inner_lowering"
        _library = _InnerLibrary

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _EntryBackend(NoPythonBackend):  # type: ignore[misc]  # as above
        """Stores the addresses, too, that the functions inside an entry point need where they raise an error."""

        _name = "entry_backend"

        def run_pass(self, state: Any) -> bool:
            done: bool = super().run_pass(state)
            for environment in state.cr._find_referenced_environments():
                state.targetctx.codegen().set_env(environment.env_name, environment)
            return done

    def _leave_uncleared(function: Any) -> None:
        """Remove the stores of zero at the start of a function into the places of results and errors of its calls."""
        calls = [each for block in function.blocks for each in block.instructions if isinstance(each, ir.CallInstr)]
        places = {id(place) for call in calls if call.callee.name.startswith("_ZN") for place in call.args[:2]}
        start = function.blocks[0].instructions
        start[:] = [
            each
            for before, each in zip([None, *start], start, strict=False)
            if not (
                isinstance(each, ir.StoreInstr) and isinstance(before, ir.AllocaInstr)
                and each.operands[1] is before and id(before) in places
            )
        ]  # fmt: skip

    @contextmanager
    def _no_collection() -> Iterator[None]:
        """Leave garbage where it is: a compiler makes little, and looking for it takes a sixth of the time.

        What was made counts as old at the end, else the next collection would look through all of it at once.
        """
        was_on = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if was_on:
                if not gc.get_freeze_count():  # what others have frozen stays so
                    gc.freeze()
                    gc.unfreeze()
                gc.enable()

    def _compiler(**instead: Any) -> Any:
        """Return numba's compiler with some of its passes replaced."""

        class Compiler(CompilerBase):  # type: ignore[misc]  # as above
            def compile_extra(self, func: Any) -> Any:
                with _no_collection():
                    return super().compile_extra(func)

            def define_pipelines(self) -> list[Any]:
                passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
                passes.passes = [(instead.get(each.__name__, each), why) for each, why in passes.passes]
                passes.finalize()
                return [passes]

        return Compiler

    INNER["pipeline_class"] = _compiler(NativeLowering=_InnerLowering)
    ENTRY["pipeline_class"] = _compiler(NativeLowering=_EntryLowering, NoPythonBackend=_EntryBackend)


_LINKED: dict[str, Any] = {}  # numba's dispatchers of linked functions, by the names of modules and functions


def _link(name: str, kinds: tuple[Any, ...]) -> tuple[str, Any]:
    """Compile a linked function for arguments of these types, or load it; return its symbol and numba's result."""
    dispatcher = _LINKED[name]
    dispatcher.compile(kinds)
    compiled = dispatcher.overloads[kinds]
    symbol = f"{name}.{hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]}"
    binding.add_symbol(symbol, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    return symbol, compiled


def linked(dispatcher: Any, widened: Callable[[Any], Any]) -> Any:
    """Return what compiled code calls to run a function that has machine code of its own.

    Args:
        dispatcher: the function, compiled and cached by numba, without wrappers for Python.
        widened: the type as which an argument of a type arrives.
    """
    name = f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__name__}"
    _LINKED[name] = dispatcher

    @intrinsic
    def call(typing: Any, first: Any, second: Any) -> Any:
        kinds = (widened(first), widened(second))
        symbol, compiled = _link(name, kinds)

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            described = compiled.fndesc
            kind = context.call_conv.get_function_type(described.restype, described.argtypes)
            function = cgutils.get_or_insert_function(builder.module, kind, symbol)
            status, result = context.call_conv.call_function(
                builder, function, described.restype, described.argtypes, arguments
            )
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            context.active_code_library.links.add(_Link(name, kinds))
            return result

        return compiled.signature.return_type(*kinds), build

    return call
