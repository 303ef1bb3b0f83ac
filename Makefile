# The words of this house: make run · test · test-assistants · lint · eval · bench · bench-peers · docs
# Each works on a fresh clone: the first one called builds .venv, later ones find it ready.

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	  command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
BIN := .venv/bin
READY := .venv/.ready

.PHONY: run test test-assistants lint types eval bench bench-peers docs lock clean help
.DEFAULT_GOAL := help

help:
	@sed -n '1,2p' Makefile

run: $(READY)
	@$(BIN)/anaphora chat

test: lint types
	@$(BIN)/python -m pytest

# Claude Code and Codex themselves, fetched with pip and npm into .assistants, against a model server of ours.
test-assistants: $(READY)
	@$(BIN)/python -m tests.assistants.programs
	@ANAPHORA_TEST_ASSISTANTS=1 $(BIN)/python -m pytest -n 0 --force-enable-socket tests/assistants

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "Run '.venv/bin/ruff format .'" >&2; exit 1; }

types: $(READY)
	@$(BIN)/mypy

eval: $(READY)
	@$(BIN)/python -m evals

bench: $(READY)
	@$(BIN)/python -m benchmarks

# Beside other memories, each in an environment of its own; takes a quarter of an hour the first time.
bench-peers: $(READY)
	@$(BIN)/python -m benchmarks rivals

docs: $(READY)
	@$(BIN)/python -m docs.generate

# Pinned versions of everything, from what pyproject.toml and requirements-dev.in allow.
lock:
	@rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/pip install --quiet --disable-pip-version-check . -r requirements-dev.in
	@{ echo "# Pinned by 'make lock'. Do not edit."; .venv-lock/bin/pip freeze --exclude anaphora; } > requirements.lock
	@rm -rf .venv-lock

clean:
	@rm -rf .venv .venv-lock dist .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml requirements.lock
	@test -n "$(PYTHON)" || { echo "Anaphora needs Python 3.11 or newer with the venv module. Install it, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up .venv with $(PYTHON) (once) ..." >&2
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
