"""How far the wind bends a tree, against beams in closed form."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.scene import Rod
from tendril.trees.lean import bent, sway
from tendril.trees.tree import Leaves, Tree, join

WOOD = Material(1e10, 0.25, 700.0, drag_coefficient=1.1, twist_factor=0.2)
AIR, SPEED = 1.2, 3.0
BARE = Leaves(0.0, 0.0, 0.0)


def beam(start, end, edges=40, radius=0.03):
    x = np.linspace(start, end, edges + 1)
    return Rod.from_material("beam", x, radius, WOOD)


def lean(tree, wind, air_density):
    """How far the vertices (n, 3) of each rod go at small angles."""
    drawn = [rod.x for rod in tree.rods]
    return [x - before for x, before in zip(bent(tree, drawn, wind, air_density), drawn, strict=True)]


def alone(rod):
    return Tree((rod,), (), (), (0,))


def test_a_trunk_alone_leans_as_a_cantilever_under_a_load_along_it():
    trunk, length = beam((0, 0, 0), (0, 0, 4.0)), 4.0
    (found,) = lean(alone(trunk), np.array([SPEED, 0.0, 0.0]), AIR)
    load = 0.5 * AIR * 1.1 * 2.0 * 0.03 * SPEED**2
    assert found[-1, 0] == pytest.approx(load * length**4 / (8.0 * trunk.bend_stiffness[0, 0]), rel=3e-3)
    assert np.abs(found[:, 1]).max() < 1e-12
    (faster,) = lean(alone(trunk), np.array([2.0 * SPEED, 0.0, 0.0]), AIR)
    assert faster[-1, 0] == pytest.approx(4.0 * found[-1, 0], rel=1e-4)


def test_leaves_and_field_weights_count():
    bare = beam((0, 0, 0), (0, 0, 4.0))
    leafy = replace(bare, leaf_area=np.full(len(bare.x), 0.02))
    sheltered = replace(leafy, weights=np.array([1.0, 0.5, 1, 1, 1, 1]))
    ways = [lean(alone(rod), np.array([SPEED, 0.0, 0.0]), AIR)[0][-1, 0] for rod in (bare, leafy, sheltered)]
    assert ways[1] > 2.0 * ways[0]
    assert ways[2] == pytest.approx(0.25 * ways[1])


def test_a_limb_bends_and_twists_what_carries_it():
    """Across the wind, on a trunk that feels no air: force and twist of the trunk, and bending of its own."""
    high, out = 4.0, 1.5
    trunk = replace(beam((0, 0, 0), (0, 0, high), 400), drag_coefficient=0.0)
    limb = beam((0, 0, high - 0.005), (out, 0, high - 0.005), 60)
    tree = join("Oak", [trunk, limb], BARE, np.zeros(3))
    found = lean(tree, np.array([0.0, SPEED, 0.0]), AIR)
    load = 0.5 * AIR * 1.1 * 2.0 * 0.03 * SPEED**2
    force, (bend, twist) = load * out, (trunk.bend_stiffness[0, 0], trunk.twist_stiffness[1])
    sideways = force * high**3 / (3.0 * bend)
    assert found[0][-1, 1] == pytest.approx(sideways, rel=0.02)
    turned = 0.5 * force * out * high / twist
    own = load * out**4 / (8.0 * tree.rods[1].bend_stiffness[0, 0])
    assert found[1][-1, 1] == pytest.approx(sideways + out * turned + own, rel=0.02)


def test_a_twig_that_lies_in_the_wind_gives_it_less_hold_and_keeps_its_length():
    twig = beam((0, 0, 0), (0, 0, 1.0), radius=0.002)
    speeds, ways = sway(alone(twig), np.array([1.0, 0.0, 0.0]), 25.0, AIR)
    assert np.all(np.diff(ways) > -1e-3)
    linear = ways[1] * (speeds / speeds[1]) ** 2
    assert ways[-1] < 0.6 * linear[-1]
    assert ways[-1] < np.sqrt(2.0)
    (x,) = bent(alone(twig), [twig.x], np.array([40.0, 0.0, 0.0]), AIR)
    assert np.linalg.norm(np.diff(x, axis=0), axis=1) == pytest.approx(np.full(40, 1.0 / 40))
