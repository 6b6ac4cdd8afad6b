# Everything a developer types. Needs only make and Python 3.11 or 3.12; the rest goes into .venv.
#
#   make PYTHON=/path/to/python3.12 ...   another Python for the environment
#   make VENV=/path/to/venv ...           another place for the environment
#   make test PYTEST_ARGS="-k corridor"   arguments handed on to pytest

VENV ?= .venv
OUT ?= out
DIST ?= dist
PYTEST_ARGS ?=

python := $(VENV)/bin/python
arena := $(VENV)/bin/arena
demo_map := tracks/demo/arena_hall/map.yaml

.DEFAULT_GOAL := help
.PHONY: help demo test lint types imports bench golden build smoke docs clean

help:  ## list what make can do
	@grep -hE '^[a-z]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 10

# --- the environment -------------------------------------------------------------------------
# One stamp for each set of extras, so that a second run installs nothing; a larger set stands for
# the smaller ones. A changed pyproject.toml installs anew.

$(python):
	@chosen=$$(sh tools/find_python.sh $(PYTHON)) && \
	  echo "Creating $(VENV) with $$chosen" && \
	  "$$chosen" -m venv --clear "$(VENV)"

$(VENV)/.installed-%: pyproject.toml | $(python)
	@echo "Installing RoboRacer Arena [$*] into $(VENV) (the first time takes a few minutes)"
	@$(python) -m pip install --quiet --disable-pip-version-check -e ".[$*]"
	@extras="$*"; while touch "$(VENV)/.installed-$$extras" && [ "$$extras" != "$${extras%,*}" ]; do \
	  extras=$${extras%,*}; done

for_use := $(VENV)/.installed-all
for_test := $(VENV)/.installed-all,test
for_lint := $(VENV)/.installed-all,test,lint

# --- use -------------------------------------------------------------------------------------

demo: $(for_use)  ## build the bundled map into a USD track and drive three laps on it
	@mkdir -p $(OUT)/demo
	@$(arena) build $(demo_map) -o $(OUT)/demo/track.usdc --preview $(OUT)/demo/preview.png \
	  --view $(OUT)/demo/view.png --force
	@$(arena) drive $(OUT)/demo/track.usdc --laps 3 --plot $(OUT)/demo/run.png \
	  --view $(OUT)/demo/car.png --record $(OUT)/demo/run.npz --force
	@echo
	@echo "  the track, for Isaac Sim or usdview   $(OUT)/demo/track.usdc"
	@echo "  the map with what was found in it     $(OUT)/demo/preview.png"
	@echo "  the track in 3D                       $(OUT)/demo/view.png"
	@echo "  the car on the grid                   $(OUT)/demo/car.png"
	@echo "  three laps, coloured by speed         $(OUT)/demo/run.png"
	@echo "  every step of them                    $(OUT)/demo/run.npz"

test: $(for_test)  ## run the whole test suite
	@$(python) -m pytest $(PYTEST_ARGS)

# --- quality ---------------------------------------------------------------------------------

lint: $(for_lint)  ## check style and formatting
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .

types: $(for_lint)  ## check the types, strictly
	@$(VENV)/bin/mypy

imports: $(for_lint)  ## check that imports read one way
	@$(VENV)/bin/lint-imports

bench: $(for_use)  ## time the build over a ladder of map sizes, and the lidar
	@$(python) -m roboracer_arena.bench
	@echo
	@$(python) -m roboracer_arena.bench.scans

golden: $(for_test)  ## write the golden files anew; look at the diff before committing it
	@$(python) -m pytest tests/golden --regenerate-golden $(PYTEST_ARGS)

docs: $(for_test)  ## write the generated pages of docs/ anew
	@$(python) tools/write_docs.py

# --- release ---------------------------------------------------------------------------------

build: $(for_lint)  ## build wheel and sdist into dist/
	@rm -rf $(DIST)
	@$(python) -m build --outdir $(DIST) .

smoke: build  ## install the wheel outside the checkout and use it as a stranger would
	@wheel=$$(cd $(DIST) && pwd)/$$(cd $(DIST) && ls *.whl) && \
	  folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	  $(python) -m venv "$$folder/venv" && cp tools/smoke_test.py "$$folder" && cd "$$folder" && \
	  venv/bin/python -m pip install --quiet --disable-pip-version-check "$$wheel[usd,render]" && \
	  venv/bin/python smoke_test.py "$$folder/venv/bin/arena"

clean:  ## remove everything that make made
	@rm -rf $(VENV) $(OUT) $(DIST) build .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache
	@find roboracer_arena tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
