"""How fast rods are foreseen to move, how sharply they bend, and what that makes of implicit steps."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.cost import durations, near_rods
from tendril.physics.cost.motion import motion
from tendril.physics.cost.seen import seen
from tendril.physics.materials import Material
from tendril.physics.scene import LONGEST_STEPS, Floor, Pin, RigidBody, Rod, Scene, Weld

LIMP, STIFF = Material(1e4, 0.4, 1000.0), Material(1e10, 0.4, 1000.0)
LENGTH, EDGES, RADIUS = 1.0, 50, 0.004


def rod(material=LIMP, way=(1.0, 0.0, 0.0), **options):
    x = np.outer(np.linspace(0.0, LENGTH, EDGES + 1), way)
    return Rod.from_material("rod", x, RADIUS, material, **{"shape_memory": 0.0, **options})


def held(drawn, mode="TWIST", **options):
    return Scene((drawn,), 0.04, 51, pins=(Pin.fixed(drawn, 0, mode),), solver="IMPLICIT", **options)


def test_what_hangs_is_still_and_what_is_let_go_falls():
    """Let go level, its middle sinks by half its length: v² = 2g ½L; stiff, it sags by Γ/8 of its length."""
    assert motion(held(rod(way=(0.0, 0.0, -1.0)))).speed[0] == pytest.approx(0.0, abs=1e-6)
    assert motion(held(rod())).speed[0] == pytest.approx(np.sqrt(9.81 * LENGTH), rel=0.02)
    stiff = held(rod(STIFF))
    load = 9.81 * 1000.0 * np.pi * RADIUS**2 * LENGTH**3 / (1e10 * np.pi * RADIUS**4 / 4.0)
    assert motion(stiff).speed[0] == pytest.approx(np.sqrt(2.0 * 9.81 * LENGTH * load / 8.0), rel=1e-6)
    assert motion(held(rod(STIFF), "POSITION")).speed[0] > 3.0  # on a nail it swings, however stiff
    taut = held(rod())
    taut = replace(taut, pins=(*taut.pins, Pin.fixed(taut.rods[0], EDGES, rod=0)))
    assert motion(taut).speed[0] == pytest.approx(0.0, abs=1e-6)
    for still in (replace(taut, pins=()), held(rod(balanced=True)), held(rod(), settle=True)):
        assert motion(still).speed[0] == 0.0
    assert motion(replace(taut, pins=(), floor=Floor(-1.0))).speed[0] > 1.0


def test_how_sharp_a_bend_runs():
    """√(B/ρ)/v, no sharper than an edge nor blunter than the rod."""
    sharp, middle, blunt = (motion(held(rod(replace(LIMP, young=young)))) for young in (1.0, 1e4, 1e12))
    assert sharp.bend[0] == pytest.approx(LENGTH / EDGES)
    assert middle.bend[0] == pytest.approx(0.5 * RADIUS * np.sqrt(1e4 / 1000.0) / np.sqrt(9.81 * LENGTH), abs=0.02)
    assert blunt.bend[0] == pytest.approx(LENGTH)


def turned(spin):
    """A rod whose end is turned about itself so often; the other is held."""
    times, drawn = np.linspace(0.0, 2.0, 101), rod()
    half = np.pi * spin * times / times[-1]
    turn = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1)
    place = np.tile(drawn.x[-1], (len(times), 1))
    pins = Pin.fixed(drawn, 0, "TWIST", rod=0), Pin("hand", 0, EDGES, "TWIST", times, place, turn)
    return Scene((drawn,), 0.04, 51, pins=pins, gravity=np.zeros(3), solver="IMPLICIT")


def test_what_is_wound_up_touches_itself():
    assert motion(turned(7.0)).wound[0] == pytest.approx(7.0, rel=1e-3)
    assert motion(turned(0.0)).wound[0] == motion(held(rod())).wound[0] == 0.0
    slow, often = durations(turned(0.0))[0, 1:3], durations(turned(7.0))[0, 1:3]
    assert often[0] > 1.05 * slow[0]
    assert often[1] > 1.5 * slow[1]
    assert durations(replace(turned(7.0), contact=False))[0, 2] < 1.1 * slow[1]
    assert motion(turned(7.0)).speed[0] == pytest.approx(0.0, abs=1e-6)  # for it turns about itself


def a_step(scene):
    """Seconds of an implicit one: of a frame so long that nothing else counts."""
    return durations(replace(scene, frame_duration=10.0))[0, 2] / (10.0 / LONGEST_STEPS[scene.quality])


def test_what_is_limp_takes_more_iterations_and_touches_itself():
    stiff, limp = held(rod(STIFF)), held(rod(replace(LIMP, young=1e3)))
    alone = [a_step(replace(scene, contact=False)) for scene in (stiff, limp)]
    assert 1.2 * alone[0] < alone[1] < 4.0 * alone[0]
    assert a_step(limp) > 2.0 * alone[1]  # where bends may touch each other


def test_what_falls_flat_lands_all_at_once():
    flat, standing = (
        Scene((rod(way=way),), 0.04, 51, floor=Floor(-1.0), solver="IMPLICIT")
        for way in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    )
    high = replace(flat, floor=Floor(-100.0))  # it may bend as it likes: nothing bends it
    assert motion(flat).upright[0] == 0.0
    assert motion(standing).upright[0] == 1.0
    assert a_step(high) < a_step(flat) < 2.0 * a_step(high)
    assert a_step(standing) > 2.0 * a_step(flat)


def test_what_falls_on_another_takes_more_iterations():
    drawn = rod()
    for aside, one_falls in ((0.0, True), (3.0, True), (0.0, False)):
        over = replace(rod(way=(0.0, 1.0, 0.0)), x=rod(way=(0.0, 1.0, 0.0)).x + [0.5 + aside, -0.5, 0.5])
        scene = Scene((drawn, over), 0.04, 51, floor=Floor(-1.0), solver="IMPLICIT")
        if not one_falls:
            scene = replace(scene, pins=tuple(Pin.fixed(own, 0, rod=r) for r, own in enumerate(scene.rods)))
        assert seen(scene, *near_rods(scene)).struck.tolist() == [aside == 0.0 and one_falls] * 2
    assert not seen(replace(scene, gravity=np.zeros(3), pins=()), *near_rods(scene)).struck.any()
    falls = Scene((drawn, over), 0.04, 51, floor=Floor(-1.0), solver="IMPLICIT")
    apart = replace(falls, rods=(drawn, replace(over, x=over.x + [3.0, 0.0, 0.0])))
    assert a_step(falls) > 2.0 * a_step(apart)


def test_pairs_that_press_are_no_more_than_there_is_room_for():
    """However many are near each other."""
    across = [rod(way=(1.0, 0.0, 0.0)), rod(way=(1.0, 0.0, 0.0))]
    sheaf = tuple(replace(across[0], x=across[0].x + [0.0, 0.0085 * (k % 6), 0.0085 * (k // 6)]) for k in range(36))
    scene = Scene(sheaf, 0.04, 51, floor=Floor(-1.0), solver="IMPLICIT")
    near = near_rods(scene)
    found = seen(scene, *near).pairs
    assert len(near.rods) > 10 * found.sum() > 0
    assert np.all(found <= 0.5 * (EDGES + 1))


def test_what_hangs_on_a_rod_takes_more_iterations():
    drawn = rod()
    lamp = RigidBody("lamp", drawn.x[-1], 0.2, 1e-4 * np.eye(3))
    hung = replace(held(drawn, contact=False), bodies=(lamp,), welds=(Weld("tie", 0, 0, EDGES),))
    assert durations(hung)[0, 2] > 1.4 * durations(held(drawn, contact=False))[0, 2]


def led(places, force=np.inf, apart=1e-6):
    """A rod in space whose first vertex is led to so many places [m] above where it is, `apart` [s] from each other."""
    drawn, times = rod(), apart * np.arange(len(places))
    way = drawn.x[0] + np.outer(places, [0.0, 0.0, 1.0])
    pins = (Pin("hand", 0, 0, "POSITION", times, way, max_force=force),)
    return Scene((drawn,), 0.04, 51, pins=pins, gravity=np.zeros(3), solver="IMPLICIT")


def test_what_jumps_or_pulls_leads_no_faster_than_it_can():
    """Within half a frame, and by its force along the rod, m v²/2 = F L; so no bake is refused for its years."""
    assert motion(led([0.0, 0.5])).speed[0] == pytest.approx(0.5 / 0.02)
    pulled = led([0.0, 1e5], force=1.0)
    assert motion(pulled).speed[0] == pytest.approx(np.sqrt(2.0 * LENGTH / pulled.rods[0].mass.sum()))
    assert durations(pulled)[0, 1:3].max() < 100.0 * durations(led([0.0, 0.0]))[0, 1:3].max()
    assert motion(led([0.0, 0.5], apart=1e12)).speed[0] == pytest.approx(0.0, abs=1e-9)  # of the bake's time alone
