"""Random cases: a test that takes a `random_case` runs for the first few of its module's CASES, and those that have
FAILED once; with --all-cases, for each of them."""

FEW = 8


def pytest_addoption(parser):
    parser.addoption("--all-cases", action="store_true", help="run every random case, not only the first few")


def pytest_generate_tests(metafunc):
    if "random_case" in metafunc.fixturenames:
        every, failed = range(metafunc.module.CASES), getattr(metafunc.module, "FAILED", ())
        few = sorted({*every[:FEW], *failed})
        metafunc.parametrize("random_case", every if metafunc.config.getoption("all_cases") else few)
