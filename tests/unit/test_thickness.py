"""Automatic Thickness rests on numbers of the physics, which Blender's process cannot import."""

from tendril.physics.geometry import rounding
from tendril.physics.time_integration import verify
from tendril.properties import thickness
from tendril.trees import tree


def test_its_numbers_are_those_of_the_physics():
    assert thickness.OVERLAP == verify.DEEP
    assert thickness.TIP == tree.THINNEST
    assert (thickness.ROUND, thickness.LEAST_ROUND) == (rounding.ROUND, rounding.LEAST_ROUND)
    assert thickness.ROUND_OF_EDGES == rounding.ROUND_OF_EDGES
