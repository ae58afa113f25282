"""Show what is installed, which runtime and GNU Go are used, and how fast models are. Add it to bug reports.

Examples:
    ownership doctor
    ownership doctor --json
"""

import argparse
import json
import os
import platform
import re
from collections.abc import Callable, Mapping
from importlib.metadata import requires, version
from time import perf_counter
from typing import Any, Final

from goban.errors import InputError
from ownership.commands.shared.kernel_compilation import compile_kernels
from ownership.inference.bulk_weights import has_int8_products
from ownership.inference.litert_network import runtime_name
from ownership.inference.model_catalogue import find_model, named_models
from ownership.inference.speed import measured_speed
from preprocessing.gnugo import GnuGo, find_gnugo
from runtime.command_line import Argument, declare
from runtime.source_version import PROJECT, installed_version

_BASE: Final = "base"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership doctor`."""
    declare(parser, Argument("--json", bool, "print JSON"))


def run(arguments: argparse.Namespace) -> int:
    """Print what is installed, then the slow checks; return 0."""
    found = installed()
    if not arguments.json:
        print(_installed_text(found), flush=True)
    found |= measured(with_models=bool(found["runtime"]))
    print(json.dumps(found, indent=1) if arguments.json else _measured_text(found))
    return 0


def installed() -> dict[str, Any]:
    """Return versions and programs as JSON values; absent packages and programs are None."""
    return {
        "ownership": version(PROJECT),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "int8_products": has_int8_products(),
        "packages": _packages(),
        "runtime": _found(runtime_name),
        "gnugo": _found(lambda: f"{GnuGo().version()}, {find_gnugo()}"),
    }


def measured(with_models: bool) -> dict[str, Any]:
    """Compile kernels that are not there; return seconds and speeds as JSON values."""
    started = perf_counter()
    return {
        "kernels_compiled": compile_kernels(),
        "kernels_seconds": round(perf_counter() - started, 1),
        "positions_per_second": {name: measured_speed(find_model(name)) for name in named_models()}
        if with_models
        else {},
    }


def _packages() -> dict[str, dict[str, str | None]]:
    """Return the versions of the packages that are required, by extra and name."""
    found: dict[str, dict[str, str | None]] = {}
    for line in requires(PROJECT) or ():
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == [\"'](\w+)", line)
        if name:
            found.setdefault(extra[1] if extra else _BASE, {})[name[0]] = installed_version(name[0])
    return found


def _found(name: Callable[[], str]) -> str | None:
    """Return the result of a function; None if it raises InputError because a package is not installed."""
    try:
        return name()
    except InputError:
        return None


def _installed_text(found: Mapping[str, Any]) -> str:
    products = "with" if found["int8_products"] else "without"
    machine = f"{found['platform']}, {found['processors']} processors {products} int8 products"
    lines = [
        f"ownership {found['ownership']}, Python {found['python']}, {machine}",
        *(_packages_line(extra, packages) for extra, packages in found["packages"].items()),
        f"runtime: {found['runtime'] or 'not found; install ai-edge-litert or tensorflow'}",
        f"GNU Go: {found['gnugo'] or 'not found; install it with apt-get install gnugo'}",
    ]
    return "\n".join(lines)


def _measured_text(found: Mapping[str, Any]) -> str:
    compiled = "compiled just now" if found["kernels_compiled"] else "found compiled"
    speeds = (f"{name} {speed:,}" for name, speed in found["positions_per_second"].items())
    return (
        f"kernels: {compiled} ({found['kernels_seconds']} s)\n"
        f"positions/s on 19x19: {', '.join(speeds) or 'not measured without a runtime'}"
    )


def _packages_line(extra: str, packages: Mapping[str, str | None]) -> str:
    there = ", ".join(f"{name} {found}" for name, found in packages.items() if found)
    absent = ", ".join(name for name, found in packages.items() if not found)
    if not absent:
        return f"{extra}: {there}"
    install = "pip install -e ." if extra == _BASE else f"pip install -e '.[{extra}]'"
    return f"{extra}: {there or 'nothing'}; not installed: {absent} ({install})"
