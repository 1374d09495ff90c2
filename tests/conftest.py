"""What is left out unless --all-cases asks for it: tests marked slow, and most random cases. A test that takes a
`random_case` runs for the first few of its module's CASES, and those that have FAILED once.

Outside of Blender Python seldom looks for garbage: it would go through all that the compiler keeps, and all tests that
were collected, again and again, in a twelfth of the processor time.
"""

import gc
import sys

FEW = 8
SELDOM = 100_000  # objects made, between two looks


def pytest_addoption(parser):
    parser.addoption("--all-cases", action="store_true", help="run what is slow, and every random case")


def pytest_collection_modifyitems(config, items):
    slow = [] if config.getoption("all_cases") else [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]


def pytest_collection_finish():
    if "bpy" not in sys.modules:
        gc.collect()
        gc.freeze()
        gc.set_threshold(SELDOM)


def pytest_generate_tests(metafunc):
    if "random_case" in metafunc.fixturenames:
        every, failed = range(metafunc.module.CASES), getattr(metafunc.module, "FAILED", ())
        few = sorted({*every[:FEW], *failed})
        metafunc.parametrize(
            "random_case", sorted({*every, *failed}) if metafunc.config.getoption("all_cases") else few
        )
