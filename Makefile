# Tendril. `make demo` and `make test` set up all they need on a machine with Python 3.11 or 3.13.

PYTHON := .venv/bin/python

.PHONY: help demo rope-steps rope-contact gallery test test-all lint bench extension clean

help:
	@echo 'make demo       ties, bakes and renders the knot: out/trefoil_knot.png and out/trefoil_knot.blend'
	@echo 'make gallery    bakes and renders all of docs/gallery.md and its pictures'
	@echo 'make test       runs the tests; make test BLENDER="/path/to/blender ..." also inside those'
	@echo 'make test-all   runs what is slow too, every random case, all in each Blender, and kernels that check indices: hours'
	@echo 'make lint       checks style, types, and which part may import which'
	@echo 'make bench      measures speed: out/benchmarks.json'
	@echo 'make extension  builds the zips to install in Blender: out/extension/'
	@echo 'make clean      removes what all of these made'

# The virtual environment of the Python at hand, and those of the other supported Blenders whose Python is here. What the
# physics need comes first, so that they compile while the rest is installed.
.venv/.physics: pyproject.toml setup.py blender_manifest.toml
	@tools/set_up physics
	@touch $@

.venv/.ready: .venv/.physics
	@tools/set_up default
	@touch $@

.venv/.others-ready: .venv/.ready
	@tools/set_up others
	@touch $@

demo:
	@$(MAKE) --no-print-directory --jobs=3 .venv/.ready rope-steps rope-contact
	@echo 'Tying a knot, baking it and rendering six moments: three quarters of a minute.'
	@$(PYTHON) tools/blender.py -b --python-exit-code 1 --python tools/link.py --python examples/trefoil_knot.py

# What ropes need, compiled by two processes side by side: that is most of what a demo takes the first time.
rope-steps: .venv/.physics
	@echo 'Compiling the physics of ropes, two parts side by side: a minute and a half, the first time.'
	@$(PYTHON) -P -m tendril.physics.run.compile 'implicit steps'

rope-contact: .venv/.physics
	@$(PYTHON) -P -m tendril.physics.run.compile 'what touches or is joined in implicit steps'

gallery: .venv/.ready
	@echo 'Baking and rendering the gallery (an hour or more).'
	@$(PYTHON) tools/blender.py -b --python-exit-code 1 --python tools/link.py --python examples/gallery.py

# The rings of tests: one that needs no Blender, one inside each Blender module, one inside the Blenders given. Each keeps
# all cores busy, but for the Blenders given; one that fails is named, and the others go on to their ends.
MODULE := $(shell readlink .venv)
OTHERS := $(filter-out $(MODULE),$(wildcard .venv-*))
RINGS := without-blender $(MODULE) $(OTHERS) $(if $(BLENDER),blenders)
.PHONY: compiled others-compiled each-other-compiled rings with-bounds $(RINGS)
ON_ALL_CORES := --numprocesses auto --dist worksteal
CASES :=
ONCE := -m "not once"

test: .venv/.ready
	@$(MAKE) --no-print-directory --jobs=2 compiled
	@$(MAKE) --no-print-directory --keep-going rings

test-all: .venv/.ready
	@$(MAKE) --no-print-directory --jobs=2 compiled
	@$(MAKE) --no-print-directory --keep-going rings with-bounds CASES=--all-cases ONCE=

# Once for each Python, side by side, the others as soon as they are set up: else each of a ring's processes compiles what
# it needs for itself.
compiled: compile-$(MODULE) others-compiled

others-compiled: .venv/.others-ready
	@$(MAKE) --no-print-directory each-other-compiled

each-other-compiled: $(addprefix compile-,$(OTHERS))

compile-%:
	@echo 'Compiling the kernels for the Python of $*.'
	@$*/bin/python -P -m tendril.physics.run.compile

rings: $(RINGS)

without-blender:
	@echo 'Testing the physics and all else that needs no Blender.'
	@$(PYTHON) -m pytest $(ON_ALL_CORES) $(CASES)

$(MODULE):
	@tools/test_in_blender $@ tests/blender $(ON_ALL_CORES) $(CASES)

$(OTHERS):
	@tools/test_in_blender $@ tests/blender $(ON_ALL_CORES) $(CASES) $(ONCE)

blenders:
	@set -e; for blender in $(BLENDER); do tools/test_in_blender "$$blender" tests/blender $(CASES); done

with-bounds:
	@echo 'Testing kernels that check every index.'
	@TENDRIL_CHECK_BOUNDS=1 $(PYTHON) -m pytest $(ON_ALL_CORES) tests/unit tests/validation

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
extension: .venv/.ready .venv/.others-ready
	@echo 'Building the extension with its wheels (numba, scipy, ezdxf; about 550 MB to download the first time) and its kernels'
	@echo '(some minutes).'
	@$(PYTHON) tools/build_extension.py $(if $(PYTHONS),--pythons $(PYTHONS))

clean:
	rm -rf .venv .venv-* out build *.egg-info .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
