"""What the README and the docs show is what happens."""

import argparse
import configparser
import importlib
import json
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from gogui_plugin.gtp_program import parse_arguments
from ownership.cli import COMMANDS, main
from tests.support.pages import code
from tests.support.paths import ROOT

README = (ROOT / "README.md").read_text()
MEASURED = (ROOT / "docs" / "measured.md").read_text()
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "ownership" / "models").rglob("*.md")),
    *sorted((ROOT / "ownership" / "benchmark").rglob("*.md")),
]
COMMAND = re.compile(r"^(?:\w+\$ +)?(?:\w+=\S+ )?(?:cat \S+ \| )?(?:\.venv/bin/)?(ownership(?:-gtp)?(?: .*)?)$")
MODULE = re.compile(r"python -m (benchmarks|experiments)\b(?:\.(\w+)| +(\w+))?")


def words(command: str) -> list[str]:
    """Return the words of a shown command: "[--every 10]" with the option, "[games of a month]" as one word."""
    command = re.sub(r"\[(--?\w[^]|]*)[^]]*\]", r"\1", command)
    return shlex.split(re.sub(r"\[[^]]*\]", "GAMES", command), comments=True)


def parse(command: str) -> None:
    """Parse a command line as its program does; raise SystemExit where it is wrong."""
    program, *arguments = words(command)
    if program == "ownership-gtp":
        parse_arguments(arguments)
        return
    name, *options = arguments
    assert name in COMMANDS, f"no command {name}"
    parser = argparse.ArgumentParser()
    importlib.import_module(f"ownership.commands.{name.replace('-', '_')}").add_arguments(parser)
    parser.parse_args(options)


def test_shown_command_lines_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    wrong: list[str] = []
    for page in PAGES:
        for line in code(page.read_text()):
            if command := COMMAND.match(line):
                try:
                    parse(command[1])
                except (AssertionError, SystemExit) as error:
                    wrong.append(f"{page.relative_to(ROOT)}: {line}: {error} {capsys.readouterr().err}")
    assert not wrong, "\n".join(wrong)


def test_the_modules_of_shown_measurements_exist() -> None:
    wrong: list[str] = []
    for page in PAGES:
        for package, module, name in MODULE.findall(page.read_text()):
            file = module or f"bench_{name}" if name or module else "__main__"
            if not (ROOT / package / f"{file}.py").exists():
                wrong.append(f"{page.relative_to(ROOT)}: {package}.{file}")
    assert not wrong, "\n".join(wrong)


@cache
def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def leads_somewhere(page: Path, target: str) -> bool:
    file, _, anchor = target.partition("#")
    found = (page.parent / file).resolve() if file else page
    return found.exists() and (not anchor or anchor in anchors(found))


def test_links_lead_somewhere() -> None:
    wrong: list[str] = []
    for page in PAGES:
        text = page.read_text()
        assert "<img" not in text, f"{page}: the site moves pages and mends only links in Markdown"
        targets = [each for each in re.findall(r"\]\(([^)\s]+)\)", text) if not each.startswith("https://")]
        wrong += [f"{page.relative_to(ROOT)}: {each}" for each in targets if not leads_somewhere(page, each)]
    assert not wrong, "\n".join(wrong)


def test_an_experiment_names_its_command_and_a_page_that_shows_it() -> None:
    listed = MEASURED.split("## Experiments")[1]
    for module in (ROOT / "experiments").glob("[a-z]*.py"):
        docstring = module.read_text().split('"""')[1]
        assert docstring.split()[:3] == ["python", "-m", f"experiments.{module.stem}"]
        pages = re.findall(r"docs/[\w/-]+\.md", docstring)
        shown = any(f"experiments.{module.stem}" in (ROOT / page).read_text() for page in pages)
        assert shown, f"the docstring must name a page that shows experiments.{module.stem}. It names: {pages}"
        assert f"`{module.stem}`" in listed, f"write a row for {module.stem} into docs/measured.md, Experiments"


def test_the_figures_of_the_readme_are_those_of_the_page_of_measurements_and_of_the_benchmark() -> None:
    scores, benchmark = re.findall(r"(?:^\|.*\|\n)+", README, re.MULTILINE)
    assert scores in MEASURED
    measured = (ROOT / "docs" / "benchmark.md").read_text().splitlines()
    rows = [row.strip("|").split("|") for row in benchmark.splitlines()[2:]]
    for model, *cells in rows:
        [row] = [row for row in measured if row.startswith(f"|{model.split(',')[0].rstrip()}")]
        assert set(cells) - {" "} <= set(row.split("|")), model


def test_the_design_has_every_package_that_is_installed() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    listed = "\n".join([setup["options"]["install_requires"], *setup["options.extras_require"].values()])
    table = (ROOT / "docs" / "design.md").read_text().split("## Dependencies")[1].split("## ")[0]
    named = {name for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) for name in row.split(", ")}
    assert set(re.findall(r"^[\w-]+", listed, re.MULTILINE)) <= named


def test_each_way_to_begin_the_line_about_trust_is_on_the_page_of_scoring() -> None:
    answer = (ROOT / "docs" / "scoring.md").read_text().split("## The answer")[1].split("\n## ")[0]
    named = tuple(name.strip(".").lower() for name in re.findall(r"\*\*(.+?)\*\*", answer))
    sentences = json.loads((ROOT / "goban" / "counting" / "sentences" / "en.json").read_text())
    trust = [sentence for key, sentence in sentences.items() if key.startswith("trust_")]
    assert trust
    assert [sentence for sentence in trust if not sentence.lower().startswith(named)] == []


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(example, {})
    assert re.fullmatch(r"0|[BW]\+\d+(\.\d)?", capsys.readouterr().out.strip())


def test_the_scored_example_is_the_one_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["score", "examples/finished-9x9.sgf"]) == 0
    assert capsys.readouterr().out.strip() in README
