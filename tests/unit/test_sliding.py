"""How far two edges may go on by the contact that they have now."""

import numpy as np
import pytest
from tendril.physics.contact.sliding import OFF, slides_truly
from tendril.physics.model import CAPSULE

RADIUS, LENGTH = 0.001, 0.1


def may_slide(angle, way, gap=0.0, tilt=0.0):
    """Of an edge along x and one that crosses it at an angle [rad] a gap [radii] above it, where that goes a way (3,)
    [radii] at once, and tilts [rad] about its middle.
    """
    s = np.array([[-0.5], [0.5]]) * LENGTH
    level, along = (2.0 + gap) * RADIUS * np.array([0.0, 0.0, 1.0]), np.array([np.cos(angle), np.sin(angle), 0.0])
    drawn = s * [1.0, 0.0, 0.0], s * along + level
    edges = np.zeros(2, CAPSULE)
    edges["tail"], edges["head"], edges["radius"] = (0, 2), (1, 3), RADIUS
    moved = s * (np.cos(tilt) * along + [0.0, 0.0, np.sin(tilt)]) + level + RADIUS * np.array(way)
    return slides_truly(np.concatenate(drawn), np.concatenate([np.zeros((2, 3)), moved - drawn[1]]), *edges, 1.0)


@pytest.mark.parametrize("angle", [0.1, 0.5, 1.5])
def test_what_crosses_slides_far(angle):
    assert may_slide(angle, (20.0 * np.cos(angle), 20.0 * np.sin(angle), 0.0))
    assert may_slide(angle, (20.0, 0.0, 0.0))


def test_what_lies_along_another_does_not_go_over_it():
    """Sideways by d it is √(4 r² + d²) away where its normal tells 2 r."""
    most = np.sqrt((2.0 + OFF) ** 2 - 4.0)
    assert may_slide(0.0, (0.0, 0.99 * most, 0.0))
    assert not may_slide(0.0, (0.0, 1.01 * most, 0.0))


def test_what_tilts_does_not_slide_far():
    """Where it crosses the other one then it is higher, or lower, by the slope."""
    assert may_slide(1.5, (0.0, 20.0, 0.0), tilt=1e-3)
    assert not may_slide(1.5, (0.0, 20.0, 0.0), tilt=2e-3)


def test_nothing_passes_through():
    assert not may_slide(1.5, (0.0, 0.0, -10.0))
    assert not may_slide(1.5, (80.0, 0.0, -10.0))


def test_what_does_not_touch_is_free():
    assert may_slide(1.5, (0.0, 0.0, 10.0))
    assert may_slide(0.0, (0.0, 10.0, 0.0), gap=0.1)
