"""The table of settings: ranges that hold, texts as Blender writes them, names that physics knows."""

from dataclasses import fields

import pytest
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, SoftBody
from tendril.presets import material
from tendril.properties.parameters import (
    BEND,
    BODY,
    COLLIDER,
    PIN,
    ROD,
    SCENE,
    SHEET_YOUNG,
    SOFT,
    SQUASH,
    TREE,
    bend_factor,
    bend_shown,
)

ALL = {
    f"{table}.{name}": row
    for table, rows in (
        ("rod", ROD),
        ("tree", TREE),
        ("body", BODY),
        ("collider", COLLIDER),
        ("pin", PIN),
        ("scene", SCENE),
        ("soft", SOFT),
        ("soft", {"squash": SQUASH, "sheet_young": SHEET_YOUNG}),
    )
    for name, row in rows.items()
}


@pytest.mark.parametrize("row", ALL.values(), ids=ALL.keys())
def test_defaults_lie_in_slider_ranges_and_these_in_the_ranges(row):
    if isinstance(row.default, bool):
        return
    low = row.minimum if row.soft_minimum is None else row.soft_minimum
    high = row.maximum if row.soft_maximum is None else row.soft_maximum
    for default in row.default if isinstance(row.default, tuple) else (row.default,):
        assert row.minimum <= low <= default <= high <= row.maximum


@pytest.mark.parametrize("row", ALL.values(), ids=ALL.keys())
def test_a_tooltip_is_a_text_without_a_full_stop(row):
    assert row.description[0].isupper()
    assert row.description[-1] not in ".!?"
    assert row.label


def test_settings_and_presets_have_the_names_of_physics():
    assert {field.name for field in fields(Material)} <= {*material.REQUIRED, *material.ABSENT} <= set(ROD)
    assert set(material.LEAVES) <= set(TREE)
    assert {"balanced", "touches", "stretchable", "shape_memory", "rest_length_factor", "radius", "inner_radius"} <= {
        field.name for field in fields(Rod)
    } & set(ROD)
    assert "balanced" in {field.name for field in fields(SoftBody)} & set(SOFT)


def test_the_bend_factor_is_shown_from_0_to_1_and_back_even_for_the_eye():
    row = ROD["bend_factor"]
    assert bend_shown(row.minimum) == pytest.approx(BEND.minimum)
    assert bend_shown(row.maximum) == pytest.approx(BEND.maximum)
    assert bend_shown(1e-2) - bend_shown(1e-3) == pytest.approx(bend_shown(1e-5) - bend_shown(1e-6))
    for factor in (row.minimum, row.default, 0.3, row.maximum):
        assert bend_factor(bend_shown(factor)) == pytest.approx(factor, rel=1e-12)
