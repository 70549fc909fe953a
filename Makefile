# Two commands to know: `make train` and `make test`. `make` alone lists the rest.
# Everything runs in .venv, which is made and brought up to date when it is missing or older than pyproject.toml
# and constraints.txt. Another Python: `make PYTHON=python3.12 ...`; more options: `make train ARGS="--seed 3"`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.NOTPARALLEL:

# the first Python that starts and is new enough
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
ARGS ?=
# number of tests side by side; with 0 all run in one process, for debugging
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# without it every worker would compile all of the core
COMPILE := $(BIN)/dominion compile
SETTINGS := pyproject.toml constraints.txt
# pip's output without the lines that nobody needs: what is left is what it downloads, that it installs, and what is wrong.
SAYING := --progress-bar off 2>&1 | sed -uE \
	-e '/^ *(Collecting|Requirement|Using cached|Looking in|Obtaining|Preparing|Getting|Installing build|Checking)/d' \
	-e '/^ *(Attempting|Found existing|Uninstalling|Successfully|Created|Stored|Building|Running)|metadata|^ *$$/d' \
	-e '/is ignored: it is neither/d; s,^ *(Downloading|Processing) ([^ ]*/)?,  \1 ,; s/^Installing collected.*/  Installing .../'

# Each process has one thread, as two busy threads on two busy cores are slower than one.
export OMP_NUM_THREADS ?= 1
# pytest rewrites the assertions of all tests; kept on disk, that is done once and not in each process.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help train test check nightly part wheel rules bounds coverage slow lowest newest clients cluster browser notebooks \
	mutation endgames simulations lint format types docs install clean

help: ## list the commands
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

train: .venv/train.stamp ## train an agent on First Game by self-play (about five minutes) and measure it
	@trap : INT  # Ctrl-C is the command's: it saves, says how to go on, and ends with status 130
	$(BIN)/dominion train $(ARGS) || [ $$? -eq 130 ]

# --- tests: at every change, before a submission, at night --------------------------------------------------------------

# The rules run line by line in the plain interpreter, so that a failure names its line; all else as users run it.
RULES := tests/cards tests/rules
test: .venv/test.stamp ## the tests for every change: the rules interpreted, all else as shipped
	@NUMBA_DISABLE_JIT=1 $(PYTEST) $(RULES)
	$(COMPILE)
	$(PYTEST) -m "not slow and not nightly" $(addprefix --ignore=, $(RULES)) $(ARGS)

check: lint types bounds coverage slow ## before a submission, after `make test`: style, types, bounds, coverage, slow tests

# What is compiled, with every array access checked. It has a cache of its own, as Numba's cache key does not say whether
# the machine code was built with checks.
COMPILED := $(addprefix tests/, properties playthroughs reference contracts/test_game_batch.py agents/searching \
	agents/test_scripted.py agents/test_trained.py training/learner/test_shard.py training/learner/test_collector.py \
	training/learner/test_update.py research/test_playing.py)
bounds: .venv/dev.stamp ## tests of all that is compiled, with every array access checked
	@export NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.cache/numba-bounds
	$(COMPILE)
	$(PYTEST) -m "not slow and not nightly" $(COMPILED) $(ARGS)

# The core's Python source runs line by line, some thousand decisions a second, and coverage names lines without a test.
coverage: .venv/dev.stamp ## the core and the agents in the plain interpreter, with coverage
	@export NUMBA_DISABLE_JIT=1
	$(PYTEST) -m "not compiled and not slow and not nightly" --cov=dominion_env --cov=dominion_agents --cov-report=term \
		$(RULES) tests/contracts tests/agents $(ARGS)

slow: .venv/dev.stamp ## tests of some seconds each: processes, screens, exact resuming, the pages' examples, the wheel
	@$(COMPILE)
	$(PYTEST) -m "slow and not nightly" $(ARGS)

# `.ci/run` runs one of these parts each time, by the number of commits; none takes more than ten minutes.
PARTS := lowest newest clients cluster browser notebooks endgames simulations \
	mutation-1 mutation-2 mutation-3 mutation-4
nightly: test check $(PARTS) ## everything there is, about two hours

PART ?= $(shell git rev-list --count HEAD)
part: ## one part of the night's tests, PART by its number or its name
	@case "$(PART)" in
	*[!0-9]*) name="$(PART)" ;;
	*) parts=($(PARTS)); name="$${parts[$$(($(PART) % $(words $(PARTS))))]}" ;;
	esac
	echo "part of the nightly tests: $$name"
	$(MAKE) "$$name"

endgames: .venv/dev.stamp ## thousands of endgames, in which agents that search must play to win
	@$(COMPILE)
	$(PYTEST) -m nightly tests/agents $(ARGS)

simulations: .venv/dev.stamp ## tests of minutes: learning, secrets, the wheel
	@$(COMPILE)
	$(PYTEST) -m nightly --ignore=tests/agents $(ARGS)

# Each part puts a quarter of the faults, one at a time, into a copy of the project, and runs the tests that must notice.
mutation-%: .venv/dev.stamp
	@$(BIN)/python -m tests.mutation.mutate --jobs $(WORKERS) --part $*/4 $(ARGS)

mutation: mutation-1 mutation-2 mutation-3 mutation-4 ## what the tests notice: planted faults, and the test that catches each

# These are the recipes and examples of docs/clients.md and docs/language_models.md in the loops of other libraries. None is
# skipped because a library is missing. RLlib asks for an older Gymnasium and OpenEnv for an older mcp, and each has an
# environment of its own.
RLLIB := .cache/rllib
OPENENV := .cache/openenv
clients: .venv/clients.stamp $(RLLIB)/stamp $(OPENENV)/stamp ## tests with the libraries of other learners
	@$(COMPILE)
	CLIENTS_REQUIRED=1 RLLIB_PYTHON=$(CURDIR)/$(RLLIB)/bin/python OPENENV_PYTHON=$(CURDIR)/$(OPENENV)/bin/python \
		$(BIN)/python -m pytest tests/clients $(ARGS)

$(OPENENV)/stamp: $(SETTINGS)
	@echo "Installing OpenEnv ..."
	rm -rf $(OPENENV)
	$(PYTHON) -m venv $(OPENENV)
	$(OPENENV)/bin/python -m pip install "openenv==0.10.0" -e . $(SAYING)
	touch $@

$(RLLIB)/stamp: .venv/dev.stamp
	@echo "Installing RLlib ..."
	rm -rf $(RLLIB)
	$(BIN)/python -m venv $(RLLIB)
	grep -v '^gymnasium==' constraints.txt >$(RLLIB)/constraints.txt
	$(RLLIB)/bin/python -m pip install -c $(RLLIB)/constraints.txt "ray[rllib]" torch -e ".[research]" $(SAYING)
	touch $@

# The nodes of the cluster are processes of this machine, of one core each.
cluster: .venv/cluster.stamp ## tests on a small Ray cluster
	@$(COMPILE)
	CLUSTER_REQUIRED=1 $(BIN)/python -m pytest -m cluster tests/cluster $(ARGS)

# A browser test that is skipped fails, unless BROWSER_REFUSED=1 says that Chromium could not be installed.
browser: .venv/dev.stamp ## tests in a real browser, Debian's chromium
	@$(COMPILE)
	$(BIN)/python -m pytest -m browser tests/browser $(ARGS)

# The tests of what leans on other packages: each view, the screen, training, evaluation, notebooks, the examples of the
# pages and the wheel; and whole games, which an older compiler must play alike. They run in an environment of their own,
# and with a cache of their own, as two versions of Numba would throw away each other's files.
LOWEST := .cache/lowest
LEANING := $(addprefix tests/, agents/test_ppo_agent.py $(addprefix contracts/test_, compilation.py episode_logs.py \
	gymnasium.py gymnasium_vector.py pettingzoo.py registration.py render.py sb3.py vector_env_check.py) \
	docs/test_examples.py notebooks packaging app/mcp app/play playthroughs training/test_policies.py training/learner/test_run.py \
	$(addprefix training/evaluate/test_, commands.py entrants.py nash.py ratings.py))
# What other packages got later: PettingZoo its registry (1.27), Gymnasium masks that SyncVectorEnv refuses, and episode
# statistics that are right in every autoreset mode.
LATER := $(addprefix --deselect=tests/contracts/test_, registration.py::test_a_name_makes_what_it_says \
	registration.py::test_the_names_are_there_and_nothing_heavy_is_imported_for_them \
	vector_env_check.py::test_a_broken_rule_is_named[TakesAnyMask--] \
	gymnasium_vector.py::test_gymnasiums_episode_statistics_are_right[AutoresetMode.SAME_STEP])
lowest: $(LOWEST)/stamp ## tests with the lowest declared versions of all packages but torch
	@export NUMBA_CACHE_DIR=$(CURDIR)/.cache/numba-lowest
	$(LOWEST)/bin/python -m tests.lowest
	$(LOWEST)/bin/dominion compile
	# Old packages meet newer ones that they depend on, so that their warnings say nothing about us.
	$(LOWEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal -p no:cacheprovider -W ignore::DeprecationWarning \
		$(LEANING) $(LATER) $(ARGS)

# uv finds the lowest versions, and pip installs them. torch is left out of this and stays at the version of
# constraints.txt, as pip may have a small build of it where uv would fetch gigabytes.
$(LOWEST)/stamp: .venv/dev.stamp
	@echo "Installing the lowest declared versions ..."
	rm -rf $(LOWEST)
	$(BIN)/python -m venv $(LOWEST)
	echo torch >$(LOWEST)/torch.txt
	$(BIN)/python -m uv pip compile --quiet --no-header --no-annotate --resolution lowest-direct --extra all --group test \
		--python $(BIN)/python --excludes $(LOWEST)/torch.txt --output-file $(LOWEST)/requirements.txt pyproject.toml
	grep '^torch==' constraints.txt >>$(LOWEST)/requirements.txt
	$(LOWEST)/bin/python -m pip install --quiet -r $(LOWEST)/requirements.txt
	$(LOWEST)/bin/python -m pip install --quiet --no-deps -e .
	touch $@

# The newest Python that starts here, on the path or of pyenv, and is newer than the lowest that is supported. torch is left
# out, as its wheels for other Pythons than .venv's may be gigabytes; so are the tests that need it.
PYTHON_NEWEST ?= $(shell for v in 14 13 12; do for p in python3.$$v ~/.pyenv/versions/3.$$v.*/bin/python3.$$v; do \
	$$p -c '' 2>/dev/null && echo $$p && exit; done; done)
NEWEST := .cache/newest
NEWER := $(addprefix tests/, playthroughs $(addprefix contracts/test_, game_batch.py gymnasium.py infos.py pettingzoo.py \
	render.py))
newest: ## tests with the newest Python of this machine, in an environment without torch
	@if [ -z "$(PYTHON_NEWEST)" ]; then
		echo "No Python 3.12 or newer was found here, so none is tested: make newest PYTHON_NEWEST=/path/to/python3"
		exit
	fi
	$(MAKE) $(NEWEST)/stamp PYTHON_NEWEST=$(PYTHON_NEWEST)
	$(NEWEST)/bin/python --version
	NUMBA_DISABLE_JIT=1 $(NEWEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal -p no:cacheprovider $(RULES)
	export NUMBA_CACHE_DIR=$(CURDIR)/.cache/numba-newest
	$(NEWEST)/bin/python -m pytest -p no:cacheprovider -m "not slow and not nightly" $(NEWER) $(ARGS)

$(NEWEST)/stamp: $(SETTINGS)
	@echo "Installing what the tests need with $(PYTHON_NEWEST) ..."
	rm -rf $(NEWEST)
	$(PYTHON_NEWEST) -m venv $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(NEWEST)/bin/python -m pip install --quiet --only-binary :all: -c constraints.txt -e ".[play,web,research,notebooks]" pyyaml \
		--group test
	touch $@

lint: .venv/dev.stamp ## ruff: rules and formatting; imports point one way; pages and source say what holds
	@$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -q -m prose tests/prose $(ARGS)

format: .venv/dev.stamp ## ruff: repair what can be repaired
	@$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: .venv/dev.stamp ## mypy, strict
	@$(BIN)/mypy

docs: .venv/dev.stamp ## write the tables of docs/ and build the site, .cache/site/index.html
	@$(BIN)/python -m docs.site.describe
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --config-file docs/site/mkdocs.yml

notebooks: .venv/dev.stamp ## run all notebooks
	@$(PYTEST) tests/notebooks $(ARGS)

wheel: .venv/dev.stamp ## build the wheel that carries compiled code for this Python, in dist/
	@$(BIN)/python -m tools.wheel

install: .venv/dev.stamp ## only make the environment

clean: ## remove the environment, caches and reports (not the runs)
	rm -rf .venv .cache .coverage htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@[ -n "$(PYTHON)" ] || { echo "dominion_env needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"  # older ones know no dependency groups

.venv/train.stamp: .venv/bin/python $(SETTINGS)
	@echo "Installing what the commands need ..."
	$(BIN)/python -m pip install -c constraints.txt -e ".[train,play,web,research]" $(SAYING)
	touch $@

.venv/test.stamp: .venv/train.stamp
	@echo "Installing what the tests need ..."
	$(BIN)/python -m pip install -c constraints.txt -e ".[all]" --group test $(SAYING)
	touch $@

.venv/dev.stamp: .venv/test.stamp
	@echo "Installing what tests and checks need ..."
	$(BIN)/python -m pip install -c constraints.txt -e ".[all]" --group dev $(SAYING)
	touch $@

.venv/clients.stamp: .venv/dev.stamp
	@echo "Installing the libraries of other learners ..."
	$(BIN)/python -m pip install -c constraints.txt -e ".[all,clients]" $(SAYING)
	touch $@

.venv/cluster.stamp: .venv/dev.stamp
	@echo "Installing Ray ..."
	$(BIN)/python -m pip install -c constraints.txt -e ".[all,cluster]" $(SAYING)
	touch $@
