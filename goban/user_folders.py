"""Where files of a user are kept: data, such as imported models, and caches."""

import os
import sys
from pathlib import Path
from typing import Final

NAME: Final = "go-ownership"


def data_folder() -> Path:
    """Return the folder of the user's data: $XDG_DATA_HOME where that is set, else where the platform keeps it."""
    return _folder("XDG_DATA_HOME", f"Library/Application Support/{NAME}", NAME, f".local/share/{NAME}")


def cache_folder() -> Path:
    """Return the folder of the user's caches: $XDG_CACHE_HOME where that is set, else where the platform keeps it."""
    return _folder("XDG_CACHE_HOME", f"Library/Caches/{NAME}", f"{NAME}/Cache", f".cache/{NAME}")


def _folder(variable: str, mac: str, windows: str, others: str) -> Path:
    """Return the folder in the one that a variable names, else the platform's, in the user's home."""
    home = Path(os.path.expanduser("~"))
    if os.path.isabs(given := os.environ.get(variable, "")):
        return Path(given) / NAME
    if sys.platform == "darwin":
        return home / mac
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / windows
    return home / others
