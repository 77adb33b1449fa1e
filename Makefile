# One command each, from a fresh clone on. Everything runs in .venv, which is made on demand from the pins.
# `source`-free on purpose: relative paths keep it working in a folder whose name has spaces.

PYTHON ?= python3
CONFIG ?= config/config.yaml
RUN ?= results/nki/scnet
REPORT ?= reports/report.html
CORES ?= $(shell nproc 2>/dev/null || echo 1)
BIN := .venv/bin
READY := .venv/.ready
PYTEST := $(BIN)/python -m pytest -n $(CORES) --dist loadgroup -rs

# Recipes see the interpreter's folder first, because tests start snakemake by name, and the sources, installed or not.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHONPATH := $(CURDIR)/src

.DEFAULT_GOAL := help
.PHONY: help check plan verify study report open compare pooled smoke test test-all torture bench lint format defaults costs docs \
  findings screenshots site pins sbom clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

# One sentence for a configuration that cannot be used, before Snakemake says it in many.
FOUND = @$(BIN)/python -m study.run.configuration "$(CONFIG)"

check: $(READY) ## Look at a configuration and its files before a run, in seconds (CONFIG=mine.yaml)
	@$(BIN)/python -m study.run.check "$(CONFIG)" --cores $(CORES)

verify: $(READY) ## Look at every finished file of a run: is it as it was written? (CONFIG=mine.yaml)
	@$(BIN)/python -m study.run.verify "$(CONFIG)"

plan: $(READY) ## Say what a configuration will take: jobs, core-hours, memory, time on some cores (CONFIG=mine.yaml CORES=64)
	$(FOUND)
	@$(BIN)/python -m study.run.plan "$(CONFIG)" --cores $(CORES)

study: $(READY) ## Run the whole study and write reports/report.html (CONFIG=mine.yaml: another one)
	$(FOUND)
	$(BIN)/snakemake --cores $(CORES) --configfile "$(CONFIG)"

report: $(READY) ## Write the report anew from what is there, also of an unfinished study (CONFIG=mine.yaml)
	$(FOUND)
	@$(BIN)/snakemake --quiet all --configfile "$(CONFIG)" --cores 1 page

open: ## Print where the report is, and open it where there is a desktop (REPORT=file: another one)
	@bash workflow/scripts/open.sh "$(REPORT)"

compare: $(READY) ## Print our metrics beside the paper's, and the graph methods beside the baselines
	$(FOUND)
	@$(BIN)/snakemake --quiet all --configfile "$(CONFIG)" --cores $(CORES) compare
	@cat "$(RUN)/comparison.md"

pooled: $(READY) ## Train on several cohorts, test in the one left out; report in reports/pooled/report.html
	$(BIN)/snakemake --cores $(CORES) --configfile config/pooled.yaml

smoke: $(READY) ## Run the same pipeline on a small grid; report in reports/smoke/report.html
	$(BIN)/snakemake --cores $(CORES) --configfile config/smoke.yaml

test: $(READY) ## Run the tests (minutes)
	$(BIN)/snakemake --quiet all --cores $(CORES) downloads
	@echo "the long forms of the suites do not run here, because they take half an hour: make test-all"
	$(PYTEST) -m "not long"

test-all: $(READY) ## Run the tests with their long forms, and print what they cover
	$(BIN)/snakemake --quiet all --cores $(CORES) downloads
	$(PYTEST) --cov=src --cov-report=term:skip-covered

torture: $(READY) ## Kill, starve and damage small studies for an hour, count what survived, keep the figures (ONLY="kills" N=50 SEED=2: some)
	PYTHONPATH="$(PYTHONPATH):$(CURDIR)/tests" $(BIN)/python -m torture $(if $(ONLY),--only $(ONLY)) $(if $(N),--n $(N)) \
	  $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES)) --record

bench: $(READY) ## Measure against other solvers (minutes), fail if a ratio fell (PUBLISHED=folder: also its network)
	$(BIN)/snakemake --quiet all --cores $(CORES) results/nki/scnet/study.npz
	$(BIN)/python tests/bench/bench_projection.py --study results/nki/scnet/study.npz $(if $(PUBLISHED),--published "$(PUBLISHED)")
	$(BIN)/python tests/bench/bench_supports.py --study results/nki/scnet/study.npz
	$(BIN)/python tests/bench/bench_solver.py --study results/nki/scnet/study.npz
	$(BIN)/python tests/bench/bench_study.py --study results/nki/scnet/study.npz
	$(BIN)/python tests/bench/bench_table.py --study results/nki/scnet/study.npz

lint: $(READY) ## Check style, types and documentation: ruff, snakefmt, snakemake --lint, mypy, tables of the docs
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

defaults: $(READY) ## Compare the defaults of the methods anew, on the tcga cohort, and write docs/defaults.md (5 to 9 minutes of one core)
	$(BIN)/snakemake --cores $(CORES) --config cohort=tcga network=scnet -- defaults
	cp results/tcga/scnet/defaults.csv results/tcga/scnet/defaults_penalties.csv data/
	$(BIN)/python -m study.run.docs

costs: $(READY) ## Measure anew what every rule costs, for plans and clusters, and write data/costs.csv (15 minutes of one core)
	$(BIN)/python -m study.run.measured

docs: $(READY) ## Write the tables of the documentation anew from the schema and the registries
	$(BIN)/python -m study.run.docs

findings: $(READY) ## Gather the figures that README and docs quote from results of `make study`, `make pooled` and their targets
	$(BIN)/python -m study.run.findings
	$(BIN)/python -m study.run.docs

screenshots: $(READY) ## Take the pictures of docs/report.md anew from a report (REPORT=file: another one)
	$(BIN)/python docs/screenshots.py --report "$(REPORT)"

site: docs .venv/.docs ## Build the documentation, with its examples executed: docs/_build/html/index.html (a minute or two)
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

pins: $(READY) ## Write requirements.txt and docs/requirements.txt anew, with the hashes of all packages
	@bash workflow/scripts/pins.sh

sbom: $(READY) ## List what is installed, with versions, hashes and licences: reports/sbom.json (CycloneDX), reports/licences.md
	@$(BIN)/python -m study.run.sbom

clean: ## Delete results and reports; downloads and .venv stay
	rm -rf results .snakemake
	find reports -mindepth 1 ! -name README.md -delete

.venv/.docs: $(READY) docs/requirements.txt
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes -r docs/requirements.txt
	@touch $@

$(READY): requirements.txt pyproject.toml workflow/scripts/setup.sh
	@PYTHON="$(PYTHON)" bash workflow/scripts/setup.sh
	@touch $(READY)
