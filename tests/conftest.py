"""What is left out unless --all-cases asks for it: tests marked slow, and most random cases. A test that takes a
`random_case` runs for the first few of its module's CASES, and those that have FAILED once."""

FEW = 8


def pytest_addoption(parser):
    parser.addoption("--all-cases", action="store_true", help="run what is slow, and every random case")


def pytest_collection_modifyitems(config, items):
    slow = [] if config.getoption("all_cases") else [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]


def pytest_generate_tests(metafunc):
    if "random_case" in metafunc.fixturenames:
        every, failed = range(metafunc.module.CASES), getattr(metafunc.module, "FAILED", ())
        few = sorted({*every[:FEW], *failed})
        metafunc.parametrize("random_case", every if metafunc.config.getoption("all_cases") else few)
