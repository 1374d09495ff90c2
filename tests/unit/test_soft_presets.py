"""Presets of soft bodies: whole, with sources, and soft as what they are named for."""

import tomllib

import pytest
from tendril.physics import materials
from tendril.presets import material
from tendril.properties.parameters import SOFT, SQUASH, bulk_and_shear, poisson_of, squash_shown, young_and_poisson

SHIPPED = sorted(material.SHIPPED_SOFT.glob("*.toml"))


def values(name):
    return material.read(material.SHIPPED_SOFT / f"{name}.toml", material.SOFT_BODIES)


def test_the_materials_an_animator_asks_for_are_there():
    assert {path.stem for path in SHIPPED} >= {
        "natural_rubber", "silicone", "polyurethane_foam", "memory_foam", "gelatine", "putty", "muscle", "cork",
        "marshmallow", "protoplasm",
    }  # fmt: skip


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_material_is_whole_and_names_the_source_of_every_value(path):
    assert set(material.read(path, material.SOFT_BODIES)) == set(material.SOFT_BODIES.required)
    assert material.summary(path)
    for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
        assert len(table["source"]) >= 5, name


def test_materials_are_as_soft_and_heavy_as_in_the_hand():
    softer = ["protoplasm", "gelatine", "muscle", "polyurethane_foam", "natural_rubber", "cork"]
    assert [values(name)["young"] for name in softer] == sorted(values(name)["young"] for name in softer)
    assert values("polyurethane_foam")["density"] < values("cork")["density"] < values("gelatine")["density"]
    assert values("gelatine")["relaxation"] < values("memory_foam")["relaxation"] < values("putty")["relaxation"]


def test_a_rods_key_is_none_of_a_soft_bodys(tmp_path):
    path = tmp_path / "mine.toml"
    material.write(path, values("cork"), "tried", material.SOFT_BODIES)
    assert material.read(path, material.SOFT_BODIES) == values("cork")
    path.write_text(path.read_text(encoding="utf-8") + "\n[friction]\nvalue = 1.0\n", encoding="utf-8")
    with pytest.raises(material.PresetError, match="unknown key friction: use only young, poisson"):
        material.read(path, material.SOFT_BODIES)


def test_moduli_are_those_of_the_physics_and_their_own_inverse():
    bulk, shear = bulk_and_shear(2e4, 0.3)
    assert (bulk, shear) == (materials.bulk_modulus(2e4, 0.3), materials.shear_modulus(2e4, 0.3))
    assert young_and_poisson(bulk, shear) == pytest.approx((2e4, 0.3))
    assert young_and_poisson(1e9, 1.0) == pytest.approx((2.998, 0.499))


def test_squashiness_is_poissons_ratio_shown_otherwise():
    assert squash_shown(poisson_of(0.3)) == pytest.approx(0.3)
    assert (squash_shown(0.0), squash_shown(0.5)) == (1.0, 0.0)
    assert SQUASH.default == pytest.approx(squash_shown(SOFT["poisson"].default))
