"""What installed packages add under a name: objects of an entry point group in their `pyproject.toml`."""

from typing import Any

from goban.errors import InputError


def entry_names(group: str) -> list[str]:
    """Return the names in a group, sorted."""
    from importlib.metadata import entry_points  # not at the start of every command

    return sorted({entry.name for entry in entry_points(group=group)})


def load_entry(group: str, name: str) -> Any:
    """Return the object of a name in a group, or None; raise InputError if it cannot be imported."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=group, name=name):
        try:
            return entry.load()
        except (ImportError, AttributeError) as error:
            package = entry.dist.name if entry.dist else "a package"
            raise InputError(f"{group}, {name}: expected {entry.value} of {package}. Received: {error}") from None
    return None
