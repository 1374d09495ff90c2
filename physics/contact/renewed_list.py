"""A list of pairs that may touch is made anew beside the old one, and put in its place where that has room for it: each
pair with the force that it had, so that what rests keeps resting. One that lacks room says so.
"""

import numpy as np

from .._jit import kernel
from .scratch import ContactScratch


@kernel
def renew(pairs: np.ndarray, listing: np.record, count: int, work: ContactScratch) -> bool:
    """Put the first `count` of work.found in place of the pairs of a listing; False without room: then all else is as
    it was.
    """
    listing.asked = count
    if count > len(pairs):
        return False
    inherit(pairs, max(listing.count, 0), work.found, count, work)
    for p in range(count):
        pairs[p] = work.found[p]
    listing.count = count
    return True


@kernel
def inherit(old: np.ndarray, old_count: int, pairs: np.ndarray, count: int, work: ContactScratch) -> None:
    """Carry forces over from old PAIR to new ones."""
    first, following = work.first, work.following
    for i in range(len(first)):
        first[i] = -1
    for p in range(count):
        i = pairs[p].i
        clear_force(pairs[p])
        following[p] = first[i]
        first[i] = p
    for q in range(old_count):
        if old[q].force[0] > 0.0:
            p = first[old[q].i]
            while p >= 0 and pairs[p].j != old[q].j:
                p = following[p]
            if p >= 0:
                for c in range(4):
                    pairs[p].force[c] = old[q].force[c]


@kernel
def clear_force(pair: np.record) -> None:
    """The pair does not touch."""
    for c in range(4):
        pair.force[c] = 0.0
