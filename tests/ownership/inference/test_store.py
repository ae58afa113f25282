"""Models with a name, and the default one."""

import sys
from pathlib import Path

import pytest

from ownership.inference.files import ModelError, find_model
from ownership.inference.speed import known_speed
from ownership.inference.store import (
    bundled_models,
    choose_default,
    default_note,
    imported_folder,
    imported_models,
    name_of,
    named_models,
    user_folder,
)


@pytest.fixture
def b18(user_data: Path, owner_model: Path) -> Path:
    """An imported model of that name."""
    imported_folder().mkdir(parents=True)
    (imported_folder() / "b18").symlink_to(owner_model)
    return imported_folder() / "b18"


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, ".local/share/go-ownership"),
        ("linux", {"XDG_DATA_HOME": "relative"}, ".local/share/go-ownership"),
        ("darwin", {}, "Library/Application Support/go-ownership"),
        ("win32", {}, "AppData/Local/go-ownership"),
    ],
)
def test_the_folder_of_the_platform(
    platform: str, variables: dict[str, str], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (variables | {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}).items():
        monkeypatch.setenv(name, value)
    assert user_folder() == tmp_path / folder


def test_an_imported_model_is_found_by_name_and_by_directory(b18: Path, owner_model: Path) -> None:
    assert imported_models() == ["b18"]
    assert named_models() == [*bundled_models(), "b18"]
    assert find_model("b18").weights.parent == b18
    assert find_model("b18").place == "b18"
    assert find_model(owner_model).place == str(owner_model)


def test_a_bundled_name_and_a_half_written_model_are_no_imported_ones(user_data: Path, owner_model: Path) -> None:
    (imported_folder() / "half").mkdir(parents=True)
    (imported_folder() / "half" / "model.tflite").touch()
    (imported_folder() / "fast").symlink_to(owner_model)
    assert imported_models() == []
    assert name_of(imported_folder() / "fast") is None
    assert find_model("fast").name == "fast"


def test_the_default_is_chosen_by_the_file_then_by_the_variable(
    b18: Path, owner_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (find_model().place, default_note()) == ("default", "")
    choose_default("b18")
    assert (find_model().place, default_note()) == ("b18", "model: b18, chosen by `ownership models use`")
    monkeypatch.setenv("OWNERSHIP_MODEL", "fast")
    assert (find_model().place, default_note()) == ("fast", "model: fast, chosen by OWNERSHIP_MODEL")
    assert find_model("default").place == "default"
    monkeypatch.delenv("OWNERSHIP_MODEL")
    monkeypatch.chdir(owner_model.parent)
    choose_default(owner_model.name)
    monkeypatch.chdir("/")
    assert find_model().place == str(owner_model)
    choose_default("default")
    assert (find_model().place, default_note()) == ("default", "")


def test_a_chosen_model_that_is_gone_is_named_with_what_chose_it(b18: Path) -> None:
    choose_default("b18")
    b18.unlink()
    with pytest.raises(ModelError, match=r"^the default model, chosen by `ownership models use`: .* Received: b18$"):
        find_model()


def test_a_speed_is_measured_once(user_data: Path, owner_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ownership.inference.speed._SECONDS", 0.01)
    speed = known_speed(find_model(owner_model))
    monkeypatch.setattr("ownership.inference.speed.measured_speed", lambda _: -1)
    assert known_speed(find_model(owner_model)) == speed > 0
    (user_folder() / "speeds.json").write_text("[")
    assert known_speed(find_model(owner_model)) == -1
