"""With which power of the division what is computed converges."""

import numpy as np


def orders(errors):
    """From one error to the next, each of twice as many parts."""
    return np.log2(np.abs(errors[:-1]) / np.abs(errors[1:]))


def order(values):
    """From values at n, 2n, 4n parts."""
    return np.log2(abs((values[0] - values[1]) / (values[1] - values[2])))
