"""Places on drawn rods: the first and the last point of every spline that has ends."""

import numpy as np
from bl_ext.user_default.tendril.bridge import places
from bl_ext.user_default.tendril.bridge.curves import Polyline
from bl_ext.user_default.tendril.bridge.units import Units

CENTIMETRES = Units(0.01, 24.0, 1)


def line(*x, closed=False):
    x = np.array(x, dtype=float)
    return Polyline(x, np.ones(len(x)), np.zeros((len(x), 3)), np.zeros(len(x)), closed)


def test_starts_and_tails_are_the_ends_of_every_open_spline():
    hairs = [
        line((0, 0, 0), (0, 0, 1), (0, 1, 1)),
        line((1, 0, 0), (2, 0, 0), (2, 1, 0), closed=True),
        line((3, 0, 0), (3, 0, 2)),
    ]
    starts, tails = places.starts(hairs, CENTIMETRES), places.tails(hairs, CENTIMETRES)
    assert [(place.spline, place.fraction) for place in starts] == [(0, 0.0), (2, 0.0)]
    assert [(place.spline, place.fraction) for place in tails] == [(0, 1.0), (2, 1.0)]
    assert np.allclose([place.position for place in starts], [(0, 0, 0), (300, 0, 0)])
    assert np.allclose([place.position for place in tails], [(0, 100, 100), (300, 0, 200)])
    assert {(p.spline, p.fraction) for p in places.ends(hairs, CENTIMETRES)} == {
        (p.spline, p.fraction) for p in starts + tails
    }
