"""What links join hangs together."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from tendril.physics.scenes.linked import linked


def test_links_join_one_with_the_next():
    assert linked([(0, 2), (4, 2), (3, 1)], 6).tolist() == [0, 1, 0, 1, 0, 2]


def test_what_nothing_joins_is_alone():
    assert linked([], 3).tolist() == [0, 1, 2]
    assert linked(np.zeros((0, 2), int), 0).tolist() == []


def test_as_what_scipy_finds():
    rng = np.random.default_rng(0)
    for count in (1, 5, 40, 2000):
        for share in (0.3, 0.6, 2.0):
            links = rng.integers(count, size=(int(share * count), 2))
            graph = coo_matrix((np.ones(len(links)), tuple(links.T)), shape=(count, count))
            np.testing.assert_array_equal(linked(links, count), connected_components(graph, directed=False)[1])


def test_a_long_chain_in_any_order():
    chain = np.stack([np.arange(20000), np.arange(1, 20001)], axis=1)
    assert not linked(chain, 20001).any()
    order = np.random.default_rng(0).permutation(20001)
    assert not linked(order[chain], 20001).any()
