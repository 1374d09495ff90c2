"""Every conversion undone by the one beside it."""

from types import SimpleNamespace

import numpy as np
import pytest
from tendril.bridge.units import Units, quaternion, rotation_matrix, to_object, to_world
from tendril.physics.arithmetic.quaternions import continuous

RANDOM = np.random.default_rng(4)
CENTIMETRES = Units(metres_per_unit=0.01, fps=24000 / 1001, first_frame=-7)


def blender_scene(system="METRIC"):
    return SimpleNamespace(
        unit_settings=SimpleNamespace(system=system, scale_length=0.01),
        render=SimpleNamespace(fps=24, fps_base=1.001, frame_map_old=100, frame_map_new=50),
    )


def test_a_scene_in_centimetres_at_film_rate():
    units = Units.of(blender_scene(), first_frame=-7)
    assert units.metres(250.0) == 2.5
    assert units.seconds(-7) == 0.0
    assert np.isclose(units.seconds(17), 1.001)
    assert units.keys(3).tolist() == [-14.0, -12.0, -10.0]  # at double pace


def test_the_unit_scale_counts_only_with_a_unit_system():
    assert Units.of(blender_scene("NONE"), 1).metres(3.0) == 3.0


def test_lengths_and_times_come_back():
    values = RANDOM.normal(size=20)
    assert np.allclose(CENTIMETRES.blender_units(CENTIMETRES.metres(values)), values, rtol=1e-15)
    assert np.allclose(CENTIMETRES.frame(CENTIMETRES.seconds(values)), values, atol=1e-14)


def test_places_come_back_through_any_transform():
    matrix = np.eye(4)
    matrix[:3] = RANDOM.normal(size=(3, 4))  # sheared and mirrored
    points = RANDOM.normal(size=(5, 7, 3))
    assert np.allclose(to_object(matrix, to_world(matrix, points)), points)
    assert np.allclose(to_world(matrix, points[2, 3]), matrix[:3] @ [*points[2, 3], 1.0])


def test_a_quaternion_is_w_first_and_right_handed():
    half = np.sqrt(0.5)
    assert np.allclose(rotation_matrix([half, 0, 0, half]) @ [1, 0, 0], [0, 1, 0])


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, 3.0, np.pi])
def test_rotations_come_back(angle):
    axis = RANDOM.normal(size=(50, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    q = np.column_stack([np.full(50, np.cos(angle / 2)), np.sin(angle / 2) * axis])
    matrix = rotation_matrix(q)
    assert np.allclose(np.linalg.det(matrix), 1.0)
    back = quaternion(matrix)
    assert np.allclose(np.abs(np.sum(back * q, axis=1)), 1.0, atol=1e-14)
    assert np.allclose(rotation_matrix(back), matrix, atol=1e-14)


def test_quaternions_become_continuous_over_several_turns():
    angle = np.linspace(0.0, 30.0, 200)
    true = np.column_stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)])
    assert np.allclose(continuous(quaternion(rotation_matrix(true))), true, atol=1e-12)
