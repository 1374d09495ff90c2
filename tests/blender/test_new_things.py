"""What Add Rod and Add Soft Body choose by themselves, and what is told of it."""

import bpy
import numpy as np
import pytest
from artist import choose, draw
from bl_ext.user_default.tendril.bridge.soft_volume import filling_now
from bl_ext.user_default.tendril.operators import run_state


def hair(count=40, spread=0.02):
    """A ponytail: strands that hang down side by side and swing out a little."""
    root = np.random.default_rng(1).uniform(-spread, spread, (count, 2))
    down = np.linspace(0.0, 1.0, 16)
    bend = 0.2 * down**2
    return [np.stack([x * (1.0 + down) + bend, y * (1.0 + down), -down], axis=1) for x, y in root]


def net(count):
    """Ropes that cross each other over and under, so many each way."""
    along, ways = np.linspace(0.0, 1.0, 4 * count + 1), []
    for number in range(count):
        at, wave = np.full_like(along, (number + 0.5) / count), 0.01 * np.cos(np.pi * (count * along + number))
        ways += [np.stack([along, at, wave], axis=1), np.stack([at, along, -wave], axis=1)]
    return ways


@pytest.mark.parametrize(
    ("ways", "touch"), [(hair(), False), (hair(300, 0.1), False), (net(14), True), (hair(3), True)]
)
def test_hair_does_not_touch_by_itself_and_a_net_does(ways, touch, capfd):
    item = draw("Strands", ways, depth=0.001)
    choose(item)
    bpy.ops.tendril.add_rod()
    assert item.tendril.rod.touches == touch
    told = f"'Strands' has {len(ways)} strands side by side: Touch Rods, in Contact, is off"
    assert (told in capfd.readouterr().out) != touch


def coil(turns):
    angle = np.linspace(0.0, 2.0 * np.pi * turns, 121)
    return np.stack([0.1 * np.cos(angle), 0.1 * np.sin(angle), angle / 60.0], axis=1)


def hint():
    run_state.compare(bpy.context)
    return bpy.context.window_manager.tendril.hint


def test_what_is_drawn_coiled_and_held_at_its_ends_is_told_that_it_stays_so():
    item = draw("Vine", [coil(5.0)], depth=0.003)
    choose(item)
    bpy.ops.tendril.add_rod()
    assert not hint()  # nothing holds it yet
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    assert hint() == "'Vine' is drawn coiled, and keeps that shape: with Rest Shape 0 it unwinds"
    item.tendril.rod.shape_memory = 0.0
    assert not hint()
    item.tendril.rod.shape_memory = 1.0
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.5, holder="EMPTY")
    assert not hint()


@pytest.mark.parametrize("way", [coil(1.2), np.array([[0.0, 0, 0], [1, 0, 0], [2, 0.5, 0], [3, 0, 0]])])
def test_a_hook_or_a_wave_is_not_told_so(way):
    choose(draw("Hook", [way], depth=0.003))
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    assert not hint()


def test_a_plain_cube_gets_no_more_tetrahedra_than_it_needs():
    """Four cubes across bend within 3 %; ten, of which there were 13 200, take eight times as long."""
    bpy.ops.mesh.primitive_cube_add(size=0.25)
    bpy.ops.tendril.add_soft()
    assert bpy.context.object.tendril.soft.resolution == 6
    assert len(filling_now(bpy.context, bpy.context.object).tetrahedra) < 4000
    bpy.ops.mesh.primitive_cube_add(scale=(1.0, 0.5, 0.2))
    bpy.ops.object.transform_apply()
    bpy.ops.tendril.add_soft()
    assert bpy.context.object.tendril.soft.resolution == 10


def test_a_soft_body_that_would_fall_for_ever_is_offered_the_floor(capfd):
    settings, offer = bpy.context.scene.tendril, "Nothing is below: turn on Floor"
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 0.2))
    bpy.ops.tendril.add_soft()
    assert not settings.use_floor
    assert offer in capfd.readouterr().out
    bpy.ops.tendril.remove_soft()
    bpy.ops.tendril.add_soft(floor=True)
    assert settings.use_floor
    assert settings.floor_height == pytest.approx(-0.3)
    assert offer not in capfd.readouterr().out
