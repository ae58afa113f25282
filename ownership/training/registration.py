"""Keras finds the layers of saved networks by name, so they are registered as soon as Keras is imported."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_LAYERS = ("ownership.training.layers", "ownership.training.stack_layers")


def register_layers() -> None:
    """Register our layers with Keras: now if it is imported already, else when it will be."""
    if "keras" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _AfterKeras())


def _register() -> None:
    for module in _LAYERS:
        import_module(module)


class _AfterKeras:
    """Finds Keras where other packages are found, and registers our layers at the end of its import."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name == "keras" else None
        if spec and spec.loader:
            run = spec.loader.exec_module

            def run_and_register(module: ModuleType) -> None:
                run(module)
                _register()

            spec.loader.exec_module = run_and_register  # type: ignore[method-assign]
        return spec
