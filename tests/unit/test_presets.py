"""Preset files: what is shipped is right, what is wrong is refused with one sentence."""

import tomllib

import numpy as np
import pytest
from tendril.physics import Rod, Scene, materials, sections
from tendril.physics.assemble import assemble
from tendril.presets import material
from tendril.properties.parameters import ROD

SHIPPED = sorted(material.SHIPPED.glob("*.toml"))
WOODS = sorted(material.WOODS.glob("*.toml"))


def bending_length(values):
    """Length [m] of rod, as thick as it usually is, that its weight bends by about a right angle: (B/ρAg)^⅓."""
    solid = materials.Material(values["young"], values["poisson"], values["density"], values["bend_factor"])
    section = sections.section([values["radius"]], 1.0, solid, values["inner_radius"])
    return (section.bend_stiffness[0, 0] / (section.mass_per_length[0] * 9.81)) ** (1 / 3)


def refused(tmp_path, old, new):
    """The sentence that refuses the steel wire with `old` replaced by `new`."""
    text = (material.SHIPPED / "steel_wire.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(material.PresetError) as refusal:
        material.read(path)
    sentence = str(refusal.value)
    assert "mine.toml" in sentence
    assert "\n" not in sentence
    return sentence


def test_at_least_ten_materials_are_shipped():
    assert len(SHIPPED) >= 10


@pytest.mark.parametrize("path", SHIPPED + WOODS, ids=lambda path: path.stem)
def test_a_shipped_material_is_whole_and_names_the_source_of_every_value(path):
    values = material.read(path)
    own = {
        *(material.LEAVES if path in WOODS else ()),
        *(("radius",) if path in SHIPPED or values["inner_radius"] else ()),
    }
    assert set(values) == {*material.REQUIRED, *material.ABSENT, *own}
    for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
        assert len(table["source"]) >= 5, name


def test_a_new_rod_is_the_polyester_rope():
    for name, value in material.read(material.SHIPPED / "polyester_rope.toml").items():
        assert value == pytest.approx(ROD[name].default * ROD[name].si, rel=1e-12), name


def test_materials_bend_as_they_do_in_the_hand():
    length = {path.stem: bending_length(material.read(path)) for path in SHIPPED}
    assert 0.02 < length["cotton_thread"] < 0.05
    assert 0.05 < length["polyester_rope"] < 0.12
    assert length["polyester_rope"] < length["hemp_rope"] < 0.2
    assert 0.15 < length["electrical_cable"] < 0.35
    assert 0.2 < length["garden_hose"] < 0.4
    assert 0.1 < length["coaxial_cable"] < 0.3
    assert length["ribbon_cable"] < 0.15
    assert 0.1 < length["vacuum_hose"] < length["brake_hose"] < length["coolant_hose"] < 0.35
    assert length["rubber_cord"] < 0.1
    assert length["spring_steel"] > 1.0
    assert 0.03 < length["shoelace"] < 0.08
    assert 0.03 < length["yarn"] < 0.07


def test_thick_things_that_are_limp_bend_over_a_few_thicknesses():
    """As a scarf, a braid and a chain do; a bar of what they are made of, over twenty or more."""
    for name in ("scarf", "braid", "chain"):
        values = material.read(material.SHIPPED / f"{name}.toml")
        assert bending_length(values) < 4.0 * values["radius"], name
        assert bending_length(values | {"bend_factor": 1.0}) > 20.0 * values["radius"], name


def test_cables_and_hoses_say_how_tightly_they_may_be_bent():
    """Between their own thickness and about ten diameters; a tube not more tightly than it kinks, by Brazier."""
    limits = {path.stem: values for path in SHIPPED if (values := material.read(path))["bend_limit"]}
    assert {"brake_hose", "coolant_hose", "vacuum_hose", "garden_hose", "coaxial_cable", "electrical_cable"} < {*limits}
    for name, values in limits.items():
        radius, inner = values["radius"], values["inner_radius"]
        assert 2.0 * radius < values["bend_limit"] < 21.0 * radius, name
        if inner:
            mean, wall = 0.5 * (radius + inner), radius - inner
            kinks = 3.0 * mean**2 * np.sqrt(1.0 - values["poisson"] ** 2) / (np.sqrt(2.0) * wall)
            assert values["bend_limit"] > 0.99 * kinks, name


def test_electrical_cables_say_how_hard_they_may_be_pulled():
    """HD 516: by 15 N/mm² of copper, .013 % of its modulus; so no more than the cable's own strain there, EA of all."""
    limits = {path.stem: values for path in SHIPPED if (values := material.read(path))["tension_limit"]}
    assert {*limits} == {"electrical_cable", "ribbon_cable"}
    for name, values in limits.items():
        area = np.pi * values["radius"] ** 2 * values["aspect"]
        assert values["tension_limit"] == pytest.approx(15e6 / 115e9 * values["young"] * area, rel=0.02), name


@pytest.mark.parametrize("path", WOODS, ids=lambda path: path.stem)
def test_a_wood_twists_as_easily_as_wood_does_and_its_leaves_hang_on_a_twig(path):
    values = material.read(path)
    wood = materials.Material(values["young"], values["poisson"], values["density"], 1.0, values["twist_factor"])
    twig = sections.section([0.003], 1.0, wood)
    twist_over_bend = twig.twist_stiffness[0] / twig.bend_stiffness[0, 0]
    assert 0.05 * 2.0 < twist_over_bend < 0.12 * 2.0  # GJ/EI of a round section is 2 G/E, a fifteenth of E or so
    assert 0.5 < values["leaf_mass"] / twig.mass_per_length[0] < 10.0


@pytest.mark.parametrize(
    ("name", "r", "density", "E", "G", "E_s", "kappa", "gammas"),
    [
        ("rope", 0.01, 1300.0, 0.5e6, 0.5e6, 20e6, 100e3, (10e-6, 1e-6)),
        ("wire", 0.001, 7860.0, 200e6, 100e6, 100e6, 300e3, (0.05e-6, 0.01e-6)),
        ("thread", 0.001, 1300.0, 10.0, 10.0, 0.02e6, 100.0, (1e-6, 0.1e-6)),
    ],
)
def test_a_paper_preset_has_the_numbers_of_table_2_by_r2_as_printed(name, r, density, E, G, E_s, kappa, gammas):
    """Spillmann & Teschner 2007, eqs. 9, 11, 12, 14: K_s = E_s πr², K = E πr²/4, G πr²/2, ρ πr², I₃ = ρ πr²/2."""
    values, area = material.read(material.SHIPPED / f"paper_{name}.toml"), np.pi * r**2
    own = materials.Material(**{key: values[key] for key in materials.Material.__dataclass_fields__})
    found = sections.section(r, 1.0, own)
    assert values["radius"] == r
    assert found.stretch_stiffness == pytest.approx(E_s * area, rel=1e-5)
    assert found.bend_stiffness == pytest.approx(np.full(2, E * area / 4.0), rel=1e-5)
    assert found.twist_stiffness == pytest.approx(G * area / 2.0, rel=1e-5)
    assert found.mass_per_length == pytest.approx(density * area, rel=1e-5)
    spin = values["spin_factor"] * found.mass_per_length * sections.gyration(r).sum()
    assert spin == pytest.approx(density * area / 2.0, rel=1e-5)
    assert values["parallel_stiffness"] == kappa
    x = np.linspace((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 5)
    damped = {key: values[key] for key in ("stretch_damping_factor", "twist_damping_factor")}
    model = assemble(Scene((Rod.from_material(name, x, r, own, model="cosserat", **damped),), 0.04, 1))[0]
    assert model.segments["viscosity"] == pytest.approx(np.full(6, gammas[0]), rel=1e-5)
    assert model.bends["viscosity"] == pytest.approx(np.full((5, 3), gammas[1]), rel=1e-5)


def test_what_is_written_is_read(tmp_path):
    values = material.read(material.SHIPPED / "rubber_cord.toml")
    material.write(tmp_path / "new folder" / "mine.toml", values, 'Tried by hand, "soft"')
    assert material.read(tmp_path / "new folder" / "mine.toml") == values


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[density]", "[dnsity]", ("unknown key dnsity", "density")),
        ("[friction]", "[radius_]", ("unknown key radius_", "friction")),
        ("[young]", "", ("unknown key value", "young")),
        ("value = 0.292", "valeu = 0.292", ("unknown key poisson.valeu", "value")),
        ("value = 0.292", "", ("lacks poisson.value",)),
        ("value = 0.292", "value = 0.7", ("poisson = 0.7", "0.5")),
        ("2.07e11", "nan", ("young = nan", "2e+12 Pa")),
        ("2.07e11", "-inf", ("young = -inf", "1000")),
        ("2.07e11", "1" + "0" * 400, ("young = 1000", "2e+12 Pa")),
        ("2.07e11", '"stiff"', ("young = 'stiff'", "number, in Pa")),
        ("2.07e11", "true", ("young = True", "number, in Pa")),
        ("value = false", "value = 0", ("stretchable = 0", "true or false")),
        ('source = "solid"', "source = 3", ("bend_factor.source = 3", "text")),
        ("[young]", "[young", ("not a TOML file",)),
    ],
)
def test_a_wrong_file_is_refused_with_its_key_value_and_cure(tmp_path, old, new, said):
    sentence = refused(tmp_path, old, new)
    for words in said:
        assert words in sentence


@pytest.mark.parametrize(
    ("inner", "radius", "said"),
    [
        (0.01, 0.01, "inner_radius = 0.01 must be less than its radius, 0.01 m"),
        (0.02, 0.01, "inner_radius = 0.02 must be less than its radius, 0.01 m"),
        (0.02, None, r"has an inner_radius but no radius: add a table \[radius\] with its value"),
        (-0.01, 0.01, "inner_radius = -0.01 must lie between 0 and 1000 m"),
        (float("nan"), 0.01, "inner_radius = nan must lie between 0 and 1000 m"),
    ],
)
def test_a_tube_is_larger_than_its_hollow(tmp_path, inner, radius, said):
    path, text = tmp_path / "mine.toml", (material.SHIPPED / "willow_twig.toml").read_text(encoding="utf-8")
    text = text[: text.index("[radius]")] + f"[inner_radius]\nvalue = {inner}\n"
    path.write_text(text + (f"[radius]\nvalue = {radius}\n" if radius else ""), encoding="utf-8")
    with pytest.raises(material.PresetError, match=rf"Preset mine\.toml:? {said}"):
        material.read(path)


def test_a_tube_no_larger_than_its_hollow_is_not_written(tmp_path):
    values = material.read(material.SHIPPED / "garden_hose.toml") | {"inner_radius": 0.01}
    with pytest.raises(material.PresetError, match="inner_radius = 0.01 must be less than its radius, 0.0085 m"):
        material.write(tmp_path / "mine.toml", values, "none")
    assert not (tmp_path / "mine.toml").exists()


def test_a_missing_key_is_named(tmp_path):
    values = material.read(material.SHIPPED / "steel_wire.toml")
    del values["friction"]
    material.write(tmp_path / "mine.toml", values, "incomplete")
    with pytest.raises(material.PresetError, match=r"mine\.toml lacks the key friction: add a table \[friction\]"):
        material.read(tmp_path / "mine.toml")


def test_bare_values_are_asked_to_become_tables(tmp_path):
    (tmp_path / "mine.toml").write_text("\n".join(f"{name} = 1" for name in material.REQUIRED))
    with pytest.raises(material.PresetError, match=r"mine\.toml: young = 1 must be a table: write \[young\]"):
        material.read(tmp_path / "mine.toml")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(material.PresetError, match=r"none\.toml cannot be read"):
        material.read(tmp_path / "none.toml")


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    with pytest.raises(material.PresetError, match=r"mine\.toml cannot be written to .*taken"):
        material.write(tmp_path / "taken" / "mine.toml", {"young": 1e9}, "none")


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(material.PresetError, match=r"mine\.toml is not a TOML file"):
        material.read(tmp_path / "mine.toml")
