"""What links join hangs together."""

import numpy as np
from tendril.physics.scenes.linked import linked


def test_links_join_one_with_the_next():
    assert linked([(0, 2), (4, 2), (3, 1)], 6).tolist() == [0, 1, 0, 1, 0, 2]


def test_what_nothing_joins_is_alone():
    assert linked([], 3).tolist() == [0, 1, 2]
    assert linked(np.zeros((0, 2), int), 0).tolist() == []
