"""Where each platform keeps files of a user."""

import sys
from pathlib import Path

import pytest

from goban.user_folders import cache_folder, data_folder

_RELATIVE = {"XDG_DATA_HOME": "relative", "XDG_CACHE_HOME": "relative"}


@pytest.mark.parametrize(
    ("platform", "variables", "data", "cache"),
    [
        ("linux", {}, ".local/share/go-ownership", ".cache/go-ownership"),
        ("linux", _RELATIVE, ".local/share/go-ownership", ".cache/go-ownership"),
        ("darwin", {}, "Library/Application Support/go-ownership", "Library/Caches/go-ownership"),
        ("win32", {}, "AppData/Local/go-ownership", "AppData/Local/go-ownership/Cache"),
    ],
)
def test_the_folders_of_the_platform(
    platform: str, variables: dict[str, str], data: str, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (variables | {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}).items():
        monkeypatch.setenv(name, value)
    assert (data_folder(), cache_folder()) == (tmp_path / data, tmp_path / cache)


def test_variables_name_the_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert data_folder() == tmp_path / "data" / "go-ownership"
    assert cache_folder() == tmp_path / "cache" / "go-ownership"
