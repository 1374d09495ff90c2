"""Stiffness and damping of soft bodies and sheets that go with time: what a change of stiffness does is work,

    dW = ∂E/∂s ds,

E the elastic energy at the places where nodes are, and their energy, kinetic, elastic and in gravity, rises by that.
"""

from dataclasses import replace

import numpy as np
import pytest
from plates import net
from solid_meshes import brick, clamped
from tendril.physics.assemble.solids import assemble_solids
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.materials import Material, bulk_modulus, shear_modulus
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Frame, Keyed, Rod, Scene, Sheet, SoftBody, Tie
from tendril.physics.solids.keyed_numbers import solids_at
from tendril.physics.time_integration.velocity_verlet import verlet_steps

FRAME = 1.0 / 24.0
ROPE = Material(1e7, 0.45, 1100.0, internal_damping=0.01)
X, NODE = brick((6, 2, 2), (0.6, 0.1, 0.1))
JELLY = SoftBody("jelly", X, NODE, 1000.0, 2e5, 0.3)


def smooth(duration, start, end):
    """(times, from start to end)."""
    times = np.linspace(0.0, duration, 25)
    return times, start + (end - start) * 0.5 * (1.0 - np.cos(np.pi * times / duration))


def keyed(body, duration=0.2, **ends):
    """The body whose numbers go from its own to so many times those."""
    ways = {name: smooth(duration, 1.0, end)[1] for name, end in ends.items()}
    return replace(body, keyed=Keyed(body.name, smooth(duration, 0.0, 0.0)[0], **ways))


def hanging(body, **given):
    """Clamped at its left end, from where it falls."""
    held = clamped(body.x, body.x[:, 0] < (0.11 if isinstance(body, Sheet) else 0.01))
    usual = {"frame_count": 8, "solids": (body,), "holds": held, "air_density": 0.0}
    return Scene((), FRAME, **usual | given)


def rubber_sheet():
    x, triangles = net(6, 3, 0.6, 0.3)
    return Sheet("sheet", np.asarray(x, float), 1100.0, 5e6, 0.3, triangles=triangles, plate=0.02)


def viscous(body, relaxation):
    moduli = (f(body.young, body.poisson) for f in (bulk_modulus, shear_modulus))
    return replace(body, **{name: relaxation * own for name, own in zip(("zeta", "mu"), moduli, strict=True)})


def work_and_gain(scene, h, count):
    """(what the numbers did, what the body won) [J] in so many steps of h [s], the work by the trapezoidal rule."""
    model, state, work = assemble_solids(scene)

    def changed(time):
        """[J] by which numbers of h [s] from `time` on change elastic energy where the body is."""
        held = []
        for moment in (time, time + h):
            solids_at(model.solids, moment)
            held.append(soft_energies(model, state).total)
        return held[1] - held[0]

    before, done = soft_energies(model, state).total, 0.0
    for k in range(count):
        shift = changed(k * h)
        solids_at(model.solids, k * h)
        status, _, left = verlet_steps(model, state, work, False, h, 0.8, h)
        assert (status, left) == (0, 0.0)
        done += 0.5 * (shift + changed(k * h))
    return done, soft_energies(model, state).total - before


@pytest.mark.parametrize("body", [JELLY, rubber_sheet()], ids=["jelly", "sheet"])
@pytest.mark.parametrize("end", [4.0, 0.3])
def test_bodies_win_what_the_change_of_their_stiffness_does(body, end):
    done, won = work_and_gain(hanging(keyed(body, stretching=end)), 1e-4, 2500)
    assert abs(done) > 1e-3
    assert won == pytest.approx(done, rel=1e-3), (done, won)


@pytest.mark.parametrize("body", [viscous(JELLY, 0.1), replace(rubber_sheet(), relaxation=0.1)], ids=["jelly", "sheet"])
def test_what_has_become_twice_as_stiff_ends_where_a_body_does_that_was_so_from_the_start(body):
    """Its viscosity has become twice as large with it, and it comes to rest in the same place."""
    long = hanging(keyed(body, 0.5, stretching=2.0), frame_count=61)
    ends = [final(scene) for scene in (long, alike(long, young=2.0 * body.young), alike(long))]
    assert np.abs(ends[0] - ends[1]).max() < 2e-3 * np.abs(ends[0] - ends[2]).max()
    assert np.abs(ends[0] - ends[2]).max() > 0.1


def with_rope(scene):
    """A rope hangs on the free end."""
    x = scene.solids[0].x
    nodes = np.flatnonzero(x[:, 0] > 0.59)
    rope = Rod.from_material("rope", x[nodes].mean(axis=0) - np.arange(5)[:, None] * [0.0, 0.0, 0.05], 0.01, ROPE)
    return replace(scene, rods=(rope,), ties=(Tie("end", 0, nodes, vertex=(0, 0)),), contact=False)


def test_it_does_so_with_a_rope_that_hangs_on_it():
    """Which swings on, and hardly moves it."""
    long = with_rope(hanging(keyed(viscous(JELLY, 0.1), 0.25, stretching=2.0), frame_count=61))
    ends = [final(scene)[5:] for scene in (long, alike(long, young=2.0 * JELLY.young), alike(long))]
    assert np.abs(ends[0] - ends[1]).max() < 0.01 * np.abs(ends[0] - ends[2]).max()


def alike(scene, young=None):
    """The scene without keys, of a body with another modulus, and as much more viscous."""
    body = replace(scene.solids[0], keyed=None)
    if young is not None:
        more = young / body.young
        body = replace(body, young=young, zeta=more * body.zeta, mu=more * body.mu)
    return replace(scene, solids=(body,))


def frames(scene, *state):
    return [frame for frame in simulate(scene, *state) if isinstance(frame, Frame)]


def final(scene):
    return frames(scene)[-1].x


@pytest.mark.parametrize(
    "body", [viscous(JELLY, 0.02), replace(rubber_sheet(), relaxation=0.02)], ids=["jelly", "sheet"]
)
def test_damping_fades_out(body):
    """Until it is none, energy is lost; then it stays."""
    model, state, work = assemble_solids(hanging(keyed(body, 0.25, damping=0.0)))
    lossy, total = (
        bool(model.solids.bodies["viscous"].any()),
        [soft_energies(*assemble_solids(hanging(body))[:2]).total],
    )
    for _ in range(16):
        status, _, left = verlet_steps(model, state, work, lossy, 1.0 / 32.0, 0.5, np.inf)
        assert (status, left) == (0, 0.0)
        total.append(soft_energies(model, state).total)
    assert np.ptp(total[9:]) < 0.01 * (total[0] - total[8])


@pytest.mark.parametrize(
    "body", [viscous(JELLY, 1e-3), replace(rubber_sheet(), relaxation=1e-3)], ids=["jelly", "sheet"]
)
def test_a_bake_that_is_resumed_is_the_same(body):
    scene = hanging(keyed(body, 0.3, stretching=3.0, damping=0.2))
    whole = frames(scene)
    again = frames(scene, whole[3].state)
    assert [frame.x.tobytes() for frame in again] == [frame.x.tobytes() for frame in whole[4:]]


@pytest.mark.parametrize("loaded", [False, True], ids=["alone", "with a rope"])
@pytest.mark.parametrize("body", [JELLY, viscous(JELLY, 1e-3), rubber_sheet()], ids=["jelly", "lossy", "sheet"])
def test_numbers_that_stay_change_nothing(body, loaded):
    """To the last bit."""
    once = with_rope(hanging(body, frame_count=5)) if loaded else hanging(body, frame_count=5)
    still = Keyed(body.name, np.array([0.0, 1.0]), stretching=np.ones(2), damping=np.ones(2))
    found = [frames(scene) for scene in (once, replace(once, solids=(replace(body, keyed=still),)))]
    assert [frame.x.tobytes() for frame in found[0]] == [frame.x.tobytes() for frame in found[1]]
