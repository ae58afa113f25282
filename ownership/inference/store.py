"""Models with a name: those of the package, those that were imported, and which of them is the default."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from goban.errors import InputError

BUNDLED: Final = Path(__file__).parents[1] / "models"
DEFAULT: Final = "default"
VARIABLE: Final = "OWNERSHIP_MODEL"
WEIGHTS: Final = "model.tflite"
DESCRIPTION: Final = "model.json"
_FOLDER: Final = "go-ownership"


class Choice(NamedTuple):
    """The default model: a name or a directory, and what chose it, "" for nothing."""

    model: str
    by: str


def user_folder() -> Path:
    """Return the folder of the user's data: $XDG_DATA_HOME where that is set, else where the platform keeps it."""
    home = Path(os.path.expanduser("~"))
    if os.path.isabs(given := os.environ.get("XDG_DATA_HOME", "")):
        return Path(given) / _FOLDER
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / _FOLDER
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / _FOLDER
    return home / ".local" / "share" / _FOLDER


def imported_folder() -> Path:
    """Return the folder whose model directories all commands find by name."""
    return user_folder() / "models"


def bundled_models() -> list[str]:
    """Return the names of the models that come with the package, sorted."""
    return _names(BUNDLED)


def imported_models() -> list[str]:
    """Return the names of the models in the user's folder, sorted; a bundled model goes before one of its name."""
    return [name for name in _names(imported_folder()) if name not in bundled_models()]


def named_models() -> list[str]:
    """Return the names of all models: bundled, then imported."""
    return bundled_models() + imported_models()


def directory_of(model: str) -> Path:
    """Return the directory of a model with a name, else the path that is given, which may not be there."""
    if model in bundled_models():
        return BUNDLED / model
    return imported_folder() / model if model in imported_models() else Path(model)


def name_of(directory: Path) -> str | None:
    """Return the name of the model in a directory, None if it has none."""
    if directory.parent not in (BUNDLED, imported_folder()):
        return None
    return directory.name if directory_of(directory.name) == directory else None


def default_model() -> Choice:
    """Return the model that commands use where none is given: of OWNERSHIP_MODEL, of `choose_default`, or bundled."""
    if given := os.environ.get(VARIABLE):
        return Choice(given, VARIABLE)
    with suppress(OSError, UnicodeDecodeError):
        if chosen := _choice_file().read_text("utf-8").strip():
            return Choice(chosen, "`ownership models use`")
    return Choice(DEFAULT, "")


def default_note() -> str:
    """Return a line that names the default model and what chose it, "" where it is the bundled one."""
    model, by = default_model()
    return f"model: {model}, chosen by {by}" if by else ""


def choose_default(model: str) -> None:
    """Make a model, by name or directory, the default of this user; `default` goes back to the bundled one.

    Raises:
        OSError: the choice cannot be kept.
        InputError: the path has several lines.
    """
    if model == DEFAULT:
        _choice_file().unlink(missing_ok=True)
        return
    kept = model if model in named_models() else os.path.abspath(model)
    if not kept.isprintable():
        raise InputError(f"expected a name or a directory in one line. Received: {kept!r}")
    user_folder().mkdir(parents=True, exist_ok=True)
    _choice_file().write_text(kept + "\n", "utf-8")


def _choice_file() -> Path:
    return user_folder() / "default-model"


def _names(folder: Path) -> list[str]:
    files = (WEIGHTS, DESCRIPTION)
    with suppress(OSError):
        return sorted(each.name for each in folder.iterdir() if all((each / name).is_file() for name in files))
    return []
