"""The one place where numba meets the type checker: how kernels are compiled, and which of those on disk are valid."""

import sys
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from types import CodeType, ModuleType
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba.core import caching, codegen
from numba.core import types as numba_types
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys

F = TypeVar("F", bound=Callable[..., Any])

_TYPES: Final[Any] = numba_types
_FORMAT: Final = b"with symbols"  # of compiled kernels on disk
_CONSTANTS: Final = (bool, int, float, str, tuple, np.generic)


def kernel(function: F) -> F:
    """Return `function` compiled at its first call, cached on disk, and running without the GIL.

    Compiled once, whatever integers and floats it is given, if the arrays are of one type: read-only ones are another.
    """
    return _compiled(_Kernel, function, {})


def inner(function: F) -> F:
    """Return a kernel that only kernels may call: it has no code for calls from Python, which takes long to compile."""
    return _compiled(_Inner, function, {"no_cpython_wrapper": True})


def in_place(function: F) -> F:
    """Return an inner kernel that makes no array, and so need not count who holds those it is given.

    Counting takes several times as long as a short kernel itself. One that makes an array does not compile.
    """
    return _compiled(_Inner, function, {"no_cpython_wrapper": True, "_nrt": False, "forceinline": True})


def _compiled(dispatcher: Any, function: F, options: dict[str, bool]) -> F:
    if numba.config.DISABLE_JIT:
        return function
    always = {"nopython": True, "nogil": True, "boundscheck": None, "no_cfunc_wrapper": True}
    compiled: F = dispatcher(function, targetoptions={**always, **options})
    return compiled


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """A numba function with one type for all integers and one for all floats, and a cache that is never stale."""

    _cache: Any

    def compile(self, sig: Any) -> Any:
        if isinstance(self._cache, caching.NullCache):  # to look for the folder at import would take a millisecond
            self._cache = _Cache(self)
        return super().compile(tuple(_widest(each) for each in sig))

    def _compilation_chain_init_hook(self) -> None:
        """Load no extensions of numba: kernels need none, and to look for them takes 10 ms."""


class _Inner(_Kernel):
    """A kernel that cannot be called from Python: numba would call what was not compiled."""

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: object, **kws: object) -> Any:
        raise TypeError(f"{self.py_func.__qualname__}: only kernels may call this one")


def _widest(kind: Any) -> Any:
    """Return the type of an argument as a kernel takes it: int64, float64, or itself."""
    kind = _TYPES.unliteral(kind)
    if isinstance(kind, _TYPES.Integer) and kind.signed:
        return _TYPES.int64
    return _TYPES.float64 if isinstance(kind, _TYPES.Float) else kind


class _Code(codegen.JITCodeLibrary):  # type: ignore[misc]
    """What numba compiled a function to: optimized, and made machine code, where Python calls it.

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


class _Files(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Files that are named after kernels, on whichever line these are, without environments that hold nothing."""

    def reduce(self, cres: Any) -> Any:
        *parts, environments = super().reduce(cres)
        return (*parts, tuple(each for each in environments if each.consts))

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"{fullname}.{sys.implementation.cache_tag}{abiflags}"


class _Index(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The file that names the compiled versions of a kernel by the types of their arguments."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except (AttributeError, ImportError):  # a type has moved to another module since
            return {}


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a kernel, wherever it lies: valid while no code has changed that the kernel was compiled from.

    A compiled kernel holds the code of those it calls, but numba looks at its own file alone.
    """

    _impl_class = _Files

    def __init__(self, of: _Kernel) -> None:
        super().__init__(of.py_func)
        self._cache_file = _Index(self._cache_path, self._impl.filename_base, source_stamp=_stamp(of))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # all that a compiled kernel needs of what numba would load here in 0.2 s
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def _stamp(of: _Kernel) -> str:
    """Return a digest of the code of a kernel and of all that it calls, and of the constants that they read."""
    parts: dict[_Kernel, bytes] = {}
    waiting = [of]
    while waiting:
        each = waiting.pop()
        if each not in parts:
            parts[each], called = _source(each)
            waiting += called
    return blake2b(b"".join([_FORMAT, *parts.values()]), digest_size=16).hexdigest()


@cache
def _source(of: _Kernel) -> tuple[bytes, list[_Kernel]]:
    """Return a digest of what a kernel is compiled from, but for other kernels, and those that it calls."""
    function = of.py_func
    digest = blake2b(repr((function.__qualname__, function.__defaults__, of.targetoptions)).encode())
    called = []
    for code in _codes(function.__code__):
        constants = [each for each in code.co_consts if not isinstance(each, CodeType) and each != function.__doc__]
        digest.update(repr((code.co_names, constants)).encode() + code.co_code)
        for value in _read(code, function.__globals__):
            if isinstance(value, _Kernel):
                called.append(value)
            else:
                digest.update(_content(value))
    return digest.digest(), called


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of those inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _read(code: CodeType, names: dict[str, Any]) -> Iterator[object]:
    """Yield what code reads by name, itself and from modules; also what else has the name of an attribute."""
    modules = (names.get(name) for name in code.co_names)
    scopes = [names, *(vars(each) for each in modules if isinstance(each, ModuleType))]
    for name in code.co_names:
        yield from (scope[name] for scope in scopes if name in scope)


def _content(value: object) -> bytes:
    """Return what a kernel reads of a global: a number, an array or the fields of a named tuple; else nothing."""
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    return repr(value if isinstance(value, _CONSTANTS) else getattr(value, "_fields", None)).encode()
