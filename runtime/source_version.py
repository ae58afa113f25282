"""Which sources of the project run: the commit of the clone, or of the installation from a repository."""

import json
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Final

PROJECT: Final = "go-ownership"
_ROOT: Final = Path(__file__).parents[1]
_DESCRIBE: Final = ("git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")


def source_commit() -> str | None:
    """Return the commit of the sources, 40 hexadecimal digits, then "-dirty" for changed files; None if not known."""
    return _commit_of_clone() if (_ROOT / ".git").exists() else _commit_of_installation()


def installed_version(package: str) -> str | None:
    """Return the version of an installed package, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit_of_clone() -> str | None:
    with suppress(OSError, subprocess.SubprocessError):
        found = subprocess.run(_DESCRIBE, cwd=_ROOT, capture_output=True, text=True, check=True)
        return found.stdout.strip() or None
    return None


def _commit_of_installation() -> str | None:
    """Return what pip notes of an installation from a repository (PEP 610)."""
    with suppress(PackageNotFoundError, ValueError, LookupError, TypeError):
        return str(json.loads(distribution(PROJECT).read_text("direct_url.json") or "")["vcs_info"]["commit_id"])
    return None
