"""The examples of the library in the documents run as they are printed, and print what they say."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks(path):
    """(language, text) of each block of code of a page."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_readme_s_rope_falls():
    ((_, text),) = [block for block in blocks("README.md") if block[0] == "python"]
    given = {}
    exec(text, given)
    tip = np.array(given["tip"])
    assert tip.shape == (48, 3)
    assert tip[0, 2] == 0.0
    assert tip[:, 2].min() < -0.5


@pytest.mark.parametrize("page", ["docs/physics.md"])
def test_an_example_prints_what_is_printed_beside_it(page, capsys):
    found = blocks(page)
    (at,) = [k for k, (language, _) in enumerate(found) if language == "python"]
    exec(found[at][1], {})
    said = [line.split() for line in re.sub(r"[\[\]]", " ", capsys.readouterr().out).strip().splitlines()]
    printed = [line.split() for line in re.sub(r"[\[\]]", " ", found[at + 1][1]).strip().splitlines()]
    np.testing.assert_allclose(np.array(said, float), np.array(printed, float), atol=2e-3)
