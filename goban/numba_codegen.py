"""Kernels that are loaded and compiled faster than by numba alone, by means that numba does not promise.

Importing this module replaces numba's code generator; `goban.jit` imports it only with the versions of numba that tests
have run it with.
"""

from typing import Any, Final

from numba.core import codegen
from numba.core.environment import lookup_environment
from numba.core.runtime.nrt import rtsys

from goban.kernel_cache import KernelCache
from goban.kernel_dispatcher import Kernel

KERNEL_OPTIONS: Final = {"no_cfunc_wrapper": True}
INNER_OPTIONS: Final = {**KERNEL_OPTIONS, "no_cpython_wrapper": True}
IN_PLACE_OPTIONS: Final = {**INNER_OPTIONS, "_nrt": False, "forceinline": True}


class FastCache(KernelCache):
    """A cache that loads no more of numba than a compiled kernel needs, and keeps no environments that hold nothing."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # all that a compiled kernel needs of what numba would load here in 0.2 s
        return self._load(sig, target_context)

    def _parts(self, result: Any) -> tuple[Any, ...]:
        *parts, environments = super()._parts(result)
        return (*parts, tuple(each for each in environments if each.consts))


class FastKernel(Kernel):
    """A kernel with a faster cache."""

    _cache_class = FastCache

    def _compilation_chain_init_hook(self) -> None:
        """Load no extensions of numba: kernels need none, and to look for them takes 10 ms."""


class InnerKernel(FastKernel):
    """A kernel that cannot be called from Python: numba would call code that was not compiled."""

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: object, **kws: object) -> Any:
        raise TypeError(f"{self.py_func.__qualname__}: only kernels may call this one")


class _Code(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The optimized code of a function that numba compiled, as machine code if Python calls it.

    What is only linked into other functions is optimized there. Numba optimizes each on its own as well, which doubles
    the time that compiling takes.
    """

    _is_machine_code = False
    _bitcode: bytes | None = None  # of a kernel from the cache, which takes long to parse, until one is linked with it

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._is_machine_code = self._object_caching_enabled and self._compiled_object is not None  # from the cache
        if self._is_machine_code:
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True

    def get_pointer_to_function(self, name: str) -> Any:
        self._ensure_finalized()
        if not self._is_machine_code and any(each.name == name for each in self.get_defined_functions()):
            self._is_machine_code = True
            super()._optimize_final_module()
            super()._finalize_final_module()
            self._set_environments()
        return super().get_pointer_to_function(name)

    def _set_environments(self) -> None:
        """Give the code the environments of all functions that are linked into it."""
        for each in self._final_module.global_variables:
            environment = lookup_environment(each.name)
            if environment is not None:
                self.codegen.set_env(each.name, environment)

    def serialize_using_object_code(self) -> Any:
        if not self._is_machine_code:
            return self.serialize_using_bitcode()
        name, kind, codes = super().serialize_using_object_code()
        module = self._get_module_for_linking()
        symbols = [each.name for each in (*module.functions, *module.global_variables) if not each.is_declaration]
        return name, kind, (*codes, symbols)

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind == "bitcode":
            return super()._unserialize(codegen, state)
        code, bitcode, symbols = data
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._bitcode = bitcode
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        return library

    def _get_module_for_linking(self) -> Any:
        if self._bitcode is not None:
            self._shared_module, self._bitcode = codegen.ll.parse_bitcode(self._bitcode), None
        return super()._get_module_for_linking()


class _Generator(codegen.JITCPUCodegen):  # type: ignore[misc]
    """Numba's code generator, for code that need not be machine code."""

    _library_class = _Code

    def set_env(self, env_name: str, env: Any) -> None:
        if self._engine.is_symbol_defined(env_name):
            super().set_env(env_name, env)


codegen.JITCPUCodegen = _Generator
