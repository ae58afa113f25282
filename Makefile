# `make demo` scores an example game, `make test` runs the test suite; both set everything up by themselves.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
SHELL := /bin/bash
.DELETE_ON_ERROR:
# Where it is set, each of the hundreds of programs that the tests start would compile all modules: 2 s instead of 0.5.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test lint bench gallery docs wheel constraints gnugo clean

setup: .venv/ready gnugo

.venv/base: setup.cfg constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; found $$($(PYTHON) --version). Try make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv .venv \
		|| { echo "Python's venv module is missing; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PIP) --constraint constraints.txt --editable '.[serve]'
	@touch $@

.venv/ready: .venv/base
	$(PIP) --constraint constraints.txt --editable '.[train,dev]'
	@touch $@

gnugo:
	@bash tools/install gnugo gnugo

demo: .venv/base
	$(BIN)/ownership score examples/finished-19x19.sgf --picture demo.png

test: setup
	$(BIN)/ownership warm-up
	$(BIN)/python -m pytest -n 4 --dist worksteal

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	! git grep -nE '^(<{7}|>{7}) '

bench: setup
	$(BIN)/python -m benchmarks

gallery: setup
	bash docs/pictures/draw

docs: .venv/ready
	$(PIP) --constraint constraints.txt --editable '.[docs]'
	$(BIN)/python tools/doc_tables.py
	$(BIN)/mkdocs build

wheel: .venv/ready
	bash tools/build $(BIN)/python

constraints: .venv/ready
	$(PIP) --upgrade --upgrade-strategy eager --editable '.[train,dev,docs]'
	$(BIN)/pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf .venv build dist *.egg-info demo.png
