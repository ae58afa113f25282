"""The models that are there: bundled and imported ones by name, the default one, and finding the files of one."""

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from goban.errors import InputError, suggestion
from goban.user_folders import data_folder
from ownership.inference.model_files import DESCRIPTION, WEIGHTS, ModelError, ModelFiles, is_file, read_model_files
from runtime.safe_writing import replacing

BUNDLED: Final = Path(__file__).parents[1] / "models"
DEFAULT: Final = "default"
VARIABLE: Final = "OWNERSHIP_MODEL"


class ChosenModel(NamedTuple):
    """The default model: a name or a directory, and the setting that chose it, "" for none."""

    model: str
    by: str


def imported_folder() -> Path:
    """Return the folder whose model directories all commands find by name."""
    return data_folder() / "models"


def bundled_models() -> list[str]:
    """Return the names of the models that come with the package, sorted."""
    return _names(BUNDLED)


def imported_models() -> list[str]:
    """Return the names of the models in the user's folder, sorted; a bundled model hides one of its name."""
    return [name for name in _names(imported_folder()) if name not in bundled_models()]


def named_models() -> list[str]:
    """Return the names of all models: bundled, then imported, then evaluators of installed packages."""
    from ownership.inference.own_evaluators import named_evaluators

    found = bundled_models() + imported_models()
    return found + [name for name in named_evaluators() if name not in found]


def _directory_of(model: str) -> Path:
    """Return the directory of a model with a name, else the path that is given, which may not be there."""
    if model in bundled_models():
        return BUNDLED / model
    return imported_folder() / model if model in imported_models() else Path(model)


def name_of(directory: Path) -> str | None:
    """Return the name of the model in a directory, None if it has none."""
    if directory.parent not in (BUNDLED, imported_folder()):
        return None
    return directory.name if _directory_of(directory.name) == directory else None


def default_model() -> ChosenModel:
    """Return the model that commands use where none is given: of OWNERSHIP_MODEL, of `choose_default`, or bundled."""
    if given := os.environ.get(VARIABLE):
        return ChosenModel(given, VARIABLE)
    with suppress(OSError, UnicodeDecodeError):
        if chosen := _default_file().read_text("utf-8").strip():
            return ChosenModel(chosen, "`ownership models use`")
    return ChosenModel(DEFAULT, "")


def default_note() -> str:
    """Return a line that names the default model and the setting that chose it, "" for the bundled one."""
    model, by = default_model()
    return f"model: {model}, chosen by {by}" if by else ""


def choose_default(model: str) -> None:
    """Make a model, by name or directory, the default of this user; `default` goes back to the bundled one.

    Raises:
        OSError: the choice cannot be kept.
        InputError: the path has several lines.
    """
    if model == DEFAULT:
        _default_file().unlink(missing_ok=True)
        return
    kept = model if model in named_models() else os.path.abspath(model)
    if not kept.isprintable():
        raise InputError(f"expected a name or a directory in one line. Received: {kept!r}")
    data_folder().mkdir(parents=True, exist_ok=True)
    with replacing(_default_file()) as partial:
        partial.write_text(kept + "\n", "utf-8")


def _default_file() -> Path:
    return data_folder() / "default-model"


def _names(folder: Path) -> list[str]:
    files = (WEIGHTS, DESCRIPTION)
    with suppress(OSError):
        return sorted(each.name for each in folder.iterdir() if all((each / name).is_file() for name in files))
    return []


def find_model(model: str | Path | None = None) -> ModelFiles:
    """Return the files of a model with a name, or of a model directory.

    Args:
        model: a name from `named_models`, a directory, or None for the default model. Names of models go first, then
            directories, then evaluators of installed packages.

    Raises:
        ModelError: no such model, or its `model.json` cannot be read or is not what `ownership train` writes.

    It does not load the weights.
    """
    if model:
        return _files_of(str(model))
    name, by = default_model()
    try:
        return _files_of(name)
    except ModelError as error:
        if not by:
            raise
        raise ModelError(f"the default model, chosen by {by}: {error}") from None


def _files_of(model: str) -> ModelFiles:
    directory = _directory_of(model)
    if not is_file(directory / WEIGHTS):
        from ownership.inference.own_evaluators import find_evaluator

        if (own := find_evaluator(model)) is not None:
            return own
        names = named_models()
        raise ModelError(
            f"expected a directory with {WEIGHTS} or the name of a model ({', '.join(names) or 'none'}). "
            f"Received: {model}{suggestion(model, names)}"
        )
    return read_model_files(directory)


def place_of(model: ModelFiles) -> str:
    """Return by what `find_model` finds a model: the name of a bundled one, on any machine, of an imported one or of an
    evaluator of a package, or the directory."""
    directory = model.weights.parent
    return model.name if model.is_own else name_of(directory) or str(directory)


def distinct_names(models: Sequence[ModelFiles]) -> list[str]:
    """Return a name for each model: its own, or where several share one as much of their paths as tells them apart."""
    count = Counter(model.name for model in models)
    directories = [model.weights.parent.resolve() for model in models]
    names = [model.name for model in models]
    for depth in range(1, max(len(each.parts) for each in directories) + 1):
        if len(set(names)) == len(set(directories)):
            break
        tails = (str(Path(*directory.parts[-depth:])) for directory in directories)
        names = [model.name if count[model.name] == 1 else tail for model, tail in zip(models, tails, strict=True)]
    return names
