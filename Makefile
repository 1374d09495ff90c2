# Tendril. `make demo` and `make test` set up all they need on a machine with Python 3.11 or 3.13.

PYTHON := .venv/bin/python

.PHONY: help demo gallery test fuzz lint bench extension clean

help:
	@echo 'make demo       ties, bakes and renders the knot: out/trefoil_knot.png and out/trefoil_knot.blend'
	@echo 'make gallery    bakes and renders every figure of the rods paper, and hair: docs/gallery.md and docs/images'
	@echo 'make test       runs every test; make test BLENDER="/path/to/blender ..." also inside those'
	@echo 'make fuzz       runs every random case of tests/fuzz and tests/blender: some minutes'
	@echo 'make lint       checks style, types, and which part may import which'
	@echo 'make bench      measures speed: out/benchmarks.json'
	@echo 'make extension  builds the zips to install in Blender: out/extension/'
	@echo 'make clean      removes what all of these made'

# The virtual environment of the Python at hand, and those of the other supported Blenders whose Python is here.
.venv/.ready: pyproject.toml setup.py blender_manifest.toml
	@tools/set_up default
	@touch $@

.venv/.others-ready: .venv/.ready
	@tools/set_up others
	@touch $@

demo: .venv/.ready
	@echo 'Tying a knot, baking it and rendering eight moments: some minutes, half of one compiling the first time.'
	@$(PYTHON) tools/blender.py -b --python-exit-code 1 --python tools/link.py --python examples/trefoil_knot.py

gallery: .venv/.ready
	@echo 'Baking and rendering every figure of the rods paper (several minutes).'
	@$(PYTHON) tools/blender.py -b --python-exit-code 1 --python tools/link.py --python examples/gallery.py

# The rings of tests: one that needs no Blender, one inside each Blender module, one inside the Blenders given. The module
# of .venv comes after the others: it runs what the first ring has compiled.
MODULES := $(filter-out $(shell readlink .venv),$(wildcard .venv-*)) $(shell readlink .venv)
RINGS := without-blender $(MODULES) $(if $(BLENDER),blenders)
.PHONY: rings $(RINGS)

# Two at a time, each told whole when it ends; one that fails is named, and the others go on to their ends.
SIDE_BY_SIDE := $(if $(filter output-sync,$(.FEATURES)),--jobs=2 --output-sync)

test: .venv/.others-ready
	@echo 'Testing: what needs no Blender, and all else inside Blender. Each tells its results when it ends, in some minutes.'
	@$(MAKE) --no-print-directory --keep-going $(SIDE_BY_SIDE) rings

rings: $(RINGS)

without-blender:
	@echo 'Testing the physics and all else that needs no Blender.'
	@$(PYTHON) -m pytest

$(MODULES):
	@tools/test_in_blender $@

blenders:
	@set -e; for blender in $(BLENDER); do tools/test_in_blender "$$blender"; done

# make test runs the first few of each kind; here all.
fuzz: .venv/.ready
	@$(PYTHON) -m pytest --all-cases tests/fuzz
	@tools/test_in_blender .venv tests/blender --all-cases -k fuzz

lint: .venv/.ready
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m ruff format --check .
	@.venv/bin/lint-imports --no-logo --no-cache
	@mkdir -p out/types && ln -sfn ../.. out/types/tendril
	@$(PYTHON) -m mypy

bench: .venv/.ready
	@echo 'Measuring (a few minutes; an otherwise idle machine measures best).'
	@$(PYTHON) -m benchmarks

# PYTHONS=3.14 builds for a Blender that brings another Python than the official ones, as some distributions' do.
extension: .venv/.ready
	@echo 'Building the extension with its wheels (numba, scipy), about 500 MB to download the first time.'
	@$(PYTHON) tools/build_extension.py $(if $(PYTHONS),--pythons $(PYTHONS))

clean:
	rm -rf .venv .venv-* out build *.egg-info .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
