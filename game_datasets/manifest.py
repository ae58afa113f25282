"""The manifest of a dataset, dataset.json: the options that it was made with, by which a run goes on with its own."""

import json
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from game_datasets.rows import DatasetError
from runtime.folders import Folder
from runtime.safe_writing import one_writer

_MANIFEST: Final = "dataset.json"
_SHOWN: Final = 80  # characters of an option's value


@contextmanager
def claim(dataset: Folder, options: dict[str, Any]) -> Iterator[set[str]]:
    """Hold a dataset that is new or was made with the same options, and yield the names of its files.

    Raises:
        DatasetError: it is another one.
        InputError: another process holds it.
    """
    with one_writer(dataset.place):
        yield _claimed(dataset, options)


def _claimed(dataset: Folder, options: dict[str, Any]) -> set[str]:
    names = set(dataset.names())
    if _MANIFEST in names:
        found = _read_manifest(dataset)
        if found != options:
            differing = "; ".join(_differences(_as_given(found), _as_given(options)))
            raise DatasetError(f"{dataset}: made with other options: {differing}; choose another folder")
    elif names:
        raise DatasetError(f"{dataset}: expected a new folder or a dataset, found other files")
    else:
        dataset.write(_MANIFEST, (json.dumps(options, indent=1) + "\n").encode())
    return names


def _as_given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a dataset by the names of `ownership prepare`; options of other commands as they are."""
    if not options.keys() >= {"gnugo", "model", "resigned"}:
        return options
    gnugo, model = options["gnugo"], options["model"]
    given = {
        "--scorer": "model" if gnugo is None else "gnugo" if model is None else "auto",
        "--finish": "resigned" if options["resigned"] else "counted",
        "--tolerance": options.get("tolerance"),
        **{f"--{name.replace('_', '-')}": value for name, value in (gnugo or {}).items()},
        "--model": model,
        **{f"--{name.replace('_', '-')}": value for name, value in (options.get("wanted") or {}).items()},
    }
    named = ("gnugo", "model", "resigned", "tolerance", "wanted")
    return given | {name: value for name, value in options.items() if name not in named}


def _differences(found: dict[str, Any], options: dict[str, Any]) -> Iterator[str]:
    """Yield each option that differs, such as "seed 3 there, 4 here"; groups of options are looked into.

    Another scorer has other options, so that it is the only difference.
    """
    names = dict.fromkeys((*found, *options))
    for name in ["--scorer"] if found.get("--scorer") != options.get("--scorer") else names:
        before, now = found.get(name), options.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            yield from _differences(before, now)
        elif before != now:
            yield f"{name} {_shown(before)} there, {_shown(now)} here"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        text = ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    else:
        text = "none" if value is None else value if isinstance(value, str) else json.dumps(value)
    return textwrap.shorten(text, _SHOWN, placeholder=" ...") or "none"


def _read_manifest(dataset: Folder) -> dict[str, Any]:
    place = f"{dataset}/{_MANIFEST}"
    try:
        found = json.loads(dataset.read(_MANIFEST))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DatasetError(f"{place}: expected the options of a dataset, a JSON object: choose another folder")
    return found
