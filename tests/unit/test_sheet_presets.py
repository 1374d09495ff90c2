"""Presets of sheets: whole, with sources, and as stiff and heavy as what they are named for."""

import tomllib

import numpy as np
import pytest
from tendril.physics.scene import Sheet
from tendril.physics.validate.sheets import check_sheet
from tendril.presets import material

SHIPPED = sorted(material.SHIPPED_SHEETS.glob("*.toml"))
SIDE = 0.02  # m


def values(name):
    return material.read(material.SHIPPED_SHEETS / f"{name}.toml", material.SHEETS)


def hanging(name):
    """[m] over an edge, of what hangs 41.5° below it at its end: 2 (D/w)^⅓ (Peirce 1930)."""
    own = values(name)
    rigidity = own["young"] * own["thickness"] ** 3 / 12.0 / (1.0 - own["poisson"] ** 2)
    return 2.0 * (rigidity / (9.81 * own["density"] * own["thickness"])) ** (1.0 / 3.0)


def test_the_materials_an_animator_asks_for_are_there():
    assert {path.stem for path in SHIPPED} == {
        "carpet", "felt", "insulation_mat", "leather", "paper", "rubber_mat", "sheet_steel",
    }  # fmt: skip


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_material_is_whole_names_the_source_of_every_value_and_makes_a_sheet(path):
    own = material.read(path, material.SHEETS)
    assert set(own) == set(material.SHEETS.required)
    assert material.summary(path)
    for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
        assert len(table["source"]) >= 5, name
    corners = SIDE * np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    thick = own.pop("thickness")
    check_sheet(Sheet("Sheet", corners, triangles=np.array([[0, 1, 2]]), plate=thick, **own))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("carpet", 0.2),
        ("felt", 0.12),
        ("rubber_mat", 0.144),
        ("paper", 0.138),
        ("leather", 0.33),
        ("sheet_steel", 0.79),
    ],
)
def test_it_stands_out_over_an_edge_as_far_as_such_a_thing_does(name, expected):
    assert hanging(name) == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("name", [path.stem for path in SHIPPED])
def test_a_metre_that_hangs_stretches_by_less_than_is_seen(name):
    own = values(name)
    assert own["density"] * 9.81 / (2.0 * own["membrane"] * own["young"]) < 0.005
