# One command per task. Everything runs in .venv, which is built on demand from the pins.
# Relative paths keep it working in a folder whose name has spaces.

PYTHON ?= python3
CONFIG ?= config/config.yaml
RUN ?= results/nki/scnet
# The newest report.
REPORT ?= $(shell ls -t reports/*/report.html reports/*/*/report.html 2>/dev/null | head -n 1)
BENCH ?= results/nki/scnet/study.npz
# Whether `make site` runs the examples: force or off.
EXAMPLES ?= force
CORES ?= $(shell nproc 2>/dev/null || echo 1)
BIN := .venv/bin
READY := .venv/.ready
PYTEST := $(BIN)/python -m pytest -n $(CORES) --dist loadfile --no-loadscope-reorder -rs

# Tests start snakemake by name and import the sources, installed or not.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHONPATH := $(CURDIR)/src

SNAKEMAKE = GRAPHIHT_RESUME="make $(MAKECMDGOALS) $(MAKEOVERRIDES)" $(BIN)/snakemake --cores $(CORES) --configfile

.DEFAULT_GOAL := help
.PHONY: help check study open compare pooled paper smoke test test-all bench lint format docs findings screenshots \
  site pins verify clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

# One sentence for a configuration that cannot be used, before Snakemake reads it.
VALID = @$(BIN)/python -m study.run.check "$(CONFIG)" --quick

check: $(READY) ## Check a configuration and its files before a run, in seconds (CONFIG=mine.yaml)
	@$(BIN)/python -m study.run.check "$(CONFIG)" --cores $(CORES)

study: $(READY) ## Run the whole study and write reports/nki-scnet/report.html (CONFIG=mine.yaml)
	$(VALID)
	@$(SNAKEMAKE) "$(CONFIG)"

open: ## Print the path of the newest report, and open it on a desktop (REPORT=file)
	@test -f "$(REPORT)" || { echo "error: no report there: '$(REPORT)'. Run \`make smoke\` or \`make study\` first." >&2; exit 1; }
	@realpath "$(REPORT)"
	@[ -z "$$DISPLAY$$WAYLAND_DISPLAY" ] || xdg-open "$(REPORT)" >/dev/null 2>&1 &

compare: $(READY) ## Compare our metrics with the paper's, and the graph methods with the baselines
	$(VALID)
	@[ -f "$(RUN)/metrics.csv" ] || { echo "error: $(RUN) holds no finished study. Run \`make study\` first, or name another: RUN=results/..." >&2; exit 1; }
	@$(BIN)/snakemake "$(RUN)/comparison.md" --quiet all --configfile "$(CONFIG)" --cores $(CORES)
	@cat "$(RUN)/comparison.md"

pooled: $(READY) ## Train on several cohorts, test in the one left out; report in reports/pooled/pooled-scnet/report.html
	@$(SNAKEMAKE) config/pooled.yaml
	@$(SNAKEMAKE) config/pooled_fixed.yaml

paper: $(READY) ## Run the paper's protocol as printed (hours); report in reports/paper/nki-scnet/report.html
	@$(SNAKEMAKE) config/paper.yaml

smoke: $(READY) ## Run the same pipeline on a small grid; report in reports/smoke/nki-scnet/report.html
	@$(SNAKEMAKE) config/smoke.yaml

test: $(READY) ## Run the tests (minutes)
	$(BIN)/snakemake --quiet all --cores $(CORES) downloads
	@echo "make test-all also runs the long tests (half an hour)"
	$(PYTEST) -m "not long"

test-all: $(READY) ## Run all tests, the long ones too, and print the coverage
	$(BIN)/snakemake --quiet all --cores $(CORES) downloads
	$(PYTEST) --cov=src --cov-report=term:skip-covered

bench: $(READY) ## Measure against other solvers (minutes), write the tables of the documentation, fail if a ratio fell
	$(BIN)/snakemake --quiet all --cores $(CORES) $(BENCH)
	$(BIN)/python tests/bench/bench_pursuit.py --study $(BENCH)
	$(BIN)/python tests/bench/bench_supports.py --study $(BENCH)
	$(BIN)/python tests/bench/bench_peers.py --study $(BENCH)
	$(BIN)/python tests/bench/bench_scaling.py
	$(BIN)/python tests/bench/bench_network.py
	$(BIN)/python -m study.run.docs

lint: $(READY) ## Check style, types and documentation: ruff, snakefmt, snakemake --lint, mypy, tables of the documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint
	$(BIN)/mypy
	$(BIN)/python -m study.run.docs --check

format: $(READY) ## Rewrite the sources in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

docs: $(READY) ## Write the tables of the documentation from schema, registries and docs/key_figures.json
	$(BIN)/python -m study.run.docs

findings: $(READY) ## Write docs/key_figures.json from the results of the study and of `make pooled`, then the documentation
	$(BIN)/python -m study.run.key_figures
	$(BIN)/python -m study.run.docs

screenshots: $(READY) ## Take the pictures of docs/report.md from a report (REPORT=file)
	$(BIN)/python docs/screenshots.py --report "$(REPORT)"

site: docs .venv/.docs ## Build the documentation and run its examples, in minutes (EXAMPLES=off: without them, in seconds)
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -D nb_execution_mode=$(EXAMPLES) -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

pins: $(READY) ## Write requirements.txt and docs/requirements.txt with the hashes of all packages
	@bash workflow/scripts/pins.sh

verify: ## Compare the files of a finished run with its SHA256SUMS (RUN=results/mine/own)
	@cd "$(RUN)" && sha256sum --check --quiet SHA256SUMS

clean: ## Delete results and reports; downloads and .venv stay
	rm -rf results .snakemake
	find reports -mindepth 1 ! -name README.md -delete

.venv/.docs: $(READY) docs/requirements.txt
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes -r docs/requirements.txt
	@touch $@

$(READY): requirements.txt pyproject.toml workflow/scripts/setup.sh
	@PYTHON="$(PYTHON)" bash workflow/scripts/setup.sh
	@touch $(READY)
