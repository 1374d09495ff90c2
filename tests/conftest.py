"""Random cases: a test that takes a `random_case` runs for the first few of its module's CASES; with --all-cases, for
each of them."""

FEW = 8


def pytest_addoption(parser):
    parser.addoption("--all-cases", action="store_true", help="run every random case, not only the first few")


def pytest_generate_tests(metafunc):
    if "random_case" in metafunc.fixturenames:
        count = metafunc.module.CASES if metafunc.config.getoption("all_cases") else FEW
        metafunc.parametrize("random_case", range(count))
