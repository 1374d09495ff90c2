"""Numbers of soft bodies and sheets that go with time are, at each time, as of a body that has those numbers."""

from dataclasses import replace

import numpy as np
import pytest
from plates import net
from solid_meshes import brick
from tendril.physics.assemble import assemble
from tendril.physics.assemble.solids import solids_laid_out
from tendril.physics.cost.stable_steps import soft_step
from tendril.physics.materials import Material
from tendril.physics.rods.keyed_numbers import lay_now
from tendril.physics.scene import Keyed, Rod, Scene, Sheet, SoftBody
from tendril.physics.solids.keyed_numbers import lay_solids_now
from tendril.physics.validate import SceneError, check

X, NODE = brick((2, 1, 1))
FIELDS = {
    "tetrahedra": ("collapse",), "domains": ("bulk", "shear", "dilation", "viscosity"),
    "plates": ("bulk", "shear", "bend", "relaxation"),
}  # fmt: skip


def jelly(name, **changed):
    return SoftBody(name, X, NODE, 1000.0, 1e5, 0.3, **{"zeta": 5.0, "mu": 7.0} | changed)


def felt(name, **changed):
    x, triangles = net(2, 2, 1.0, 1.0)
    return Sheet(
        name, np.asarray(x, float), 300.0, 1e6, 0.2, triangles=triangles, plate=0.01, relaxation=0.1, **changed
    )


def ramp(name, **ends):
    return Keyed(name, np.array([0.0, 1.0]), **{column: np.array([1.0, end]) for column, end in ends.items()})


def tables(solids, time=None):
    model = solids_laid_out(Scene((), 1.0, 2, solids=tuple(solids)))[0].solids
    if time is not None:
        lay_solids_now(model, time)
    return model


@pytest.mark.parametrize("time", [1.0, 0.5, 0.0])
def test_what_is_laid_is_what_a_body_of_such_numbers_has(time):
    """Of two of four bodies, and of no others."""
    bodies = [jelly("one"), felt("two"), jelly("three", elements="AFFINE"), felt("four"), jelly("five")]
    led = [replace(body, keyed=ramp(body.name, stretching=3.0, damping=0.2)) if k in (2, 3) else body
           for k, body in enumerate(bodies)]  # fmt: skip
    s, d = 1.0 + 2.0 * (3.0 * time**2 - 2.0 * time**3), 1.0 - 0.8 * (3.0 * time**2 - 2.0 * time**3)
    wanted = [*bodies]
    wanted[2] = replace(bodies[2], young=s * 1e5, zeta=s * d * 5.0, mu=s * d * 7.0)
    wanted[3] = replace(bodies[3], young=s * 1e6, relaxation=d * 0.1)
    found, exact = tables(led, time), tables(wanted)
    for table, columns in FIELDS.items():
        for column in columns:
            one, other = getattr(found, table)[column], getattr(exact, table)[column]
            assert one == pytest.approx(other, rel=1e-12, abs=1e-300), (table, column)


def test_painted_friction_goes_with_time_as_it_is_painted():
    rough = np.array([1.0, 2.0, 4.0])
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 3)
    rod = Rod.from_material("bar", x, 0.01, Material(1e9, 0.3, 1e3), friction=0.1, rougher=rough)
    keyed = Keyed("bar", np.array([0.0, 1.0]), friction=np.array([1.0, 3.0]))
    model = assemble(Scene((replace(rod, keyed=keyed),), 1.0, 2))[0]
    lay_now(model, 1.0)
    assert model.nodes["friction"] == pytest.approx(0.3 * rough)
    assert model.capsules["friction"] == pytest.approx([0.45, 0.9])


def test_what_becomes_stiffer_is_known_to_take_shorter_steps():
    for body in (jelly("one"), felt("two")):
        led = replace(body, keyed=ramp(body.name, stretching=4.0))
        scene = Scene((), 1.0, 2, solids=(body,))
        assert soft_step(scene, led) == pytest.approx(0.5 * soft_step(scene, body))


@pytest.mark.parametrize(
    ("body", "scheme", "said"),
    [
        (jelly("one", keyed=ramp("one", stretching=2.0)), "FEHLBERG", "not for FEHLBERG: choose VERLET"),
        (jelly("one", keyed=ramp("one", length=2.0)), "VERLET", "no rest length that goes with time"),
        (jelly("one", keyed=ramp("one", stretching=-2.0)), "VERLET", "its stiffness is -2 times its own at 1 s"),
        (felt("one", keyed=ramp("one", damping=np.nan)), "VERLET", "its internal damping is not a number at 1 s"),
        (jelly("one", balanced=True, keyed=Keyed("one", np.zeros(1), stretching=np.full(1, 2.0))), "VERLET",
         "with the stiffness of the start"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(body, scheme, said):
    with pytest.raises(SceneError, match=f"'one'.*{said}"):
        check(Scene((), 1.0 / 24.0, 2, solids=(body,), scheme=scheme))
