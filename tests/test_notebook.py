"""The example notebook runs from records to the figure."""

import json

import pytest

from tests.support.paths import EXAMPLES


@pytest.mark.long
def test_the_notebook_draws_the_figure(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    for name, value in (("WORK", str(tmp_path)), ("GAMES", "42"), ("SAMPLES", "256")):
        monkeypatch.setenv(name, value)
    notebook = nbformat.read(EXAMPLES / "figure-of-2015.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    last = notebook.cells[-1].outputs
    assert "of decided points" in last[0].text
    assert last[1].data["image/png"]


def test_the_notebook_is_kept_without_outputs() -> None:
    notebook = json.loads((EXAMPLES / "figure-of-2015.ipynb").read_text())
    assert not any(cell.get("outputs") for cell in notebook["cells"])
