"""The floor that the viewport shows: where it is, and when."""

from types import SimpleNamespace

import numpy as np
import pytest
from bl_ext.user_default.tendril.ui import floor
from mathutils import Matrix, Vector


def view(perspective="PERSP", place=(3.0, -7.0, 2.0), distance=8.0):
    camera = Matrix.Translation((1.0, 2.0, 3.0)) @ Matrix.Rotation(np.pi / 2.0, 4, "X")  # looks along y
    return SimpleNamespace(
        view_perspective=perspective, view_location=Vector(place), view_distance=distance, view_matrix=camera.inverted()
    )


@pytest.mark.parametrize("distance", [0.02, 8.0, 1e4])
def test_a_sheet_and_its_grid_lie_at_the_height_around_what_is_looked_at(distance):
    middle = np.array([0.3, -0.7, 0.2]) * distance
    sheet, lines = (np.array(places) for places in floor.grid(middle, distance, -1.5))
    assert np.all(sheet[:, 2] == -1.5)
    assert np.all(lines[:, 2] == -1.5)
    low, high = sheet.min(axis=0)[:2], sheet.max(axis=0)[:2]
    assert np.all(np.abs(middle[:2] - 0.5 * (low + high)) < 0.05 * (high - low))
    assert np.all(high - low >= 2.0 * distance)
    pieces = lines.reshape(-1, 2, 3)[:, :, :2]
    assert np.all(np.ptp(pieces, axis=1).min(axis=1) == 0.0)
    assert np.allclose(np.ptp(pieces, axis=1).max(axis=1), (high - low).max())


def test_cells_stay_where_they_are_as_the_view_moves():
    ends = [np.array(floor.grid((x, 0.0, 0.0), 8.0, 0.0)[1])[:, 0] for x in (0.0, 0.3, 1.4)]
    for own in ends:
        assert np.allclose(own, np.round(own))


def test_it_lies_around_what_the_view_or_the_camera_looks_at():
    assert np.allclose(floor.looked_at(view()), (3.0, -7.0, 2.0))
    assert np.allclose(floor.looked_at(view("ORTHO")), (3.0, -7.0, 2.0))
    assert np.allclose(floor.looked_at(view("CAMERA")), (1.0, 10.0, 3.0), atol=1e-6)


@pytest.mark.parametrize(
    ("use_floor", "mode", "overlays", "shown"),
    [(True, "OBJECT", True, True), (False, "OBJECT", True, False), (True, "EDIT_CURVE", True, False),
     (True, "OBJECT", False, False)],
)  # fmt: skip
def test_it_is_drawn_in_object_mode_with_overlays_on(monkeypatch, use_floor, mode, overlays, shown):
    drawn = []
    context = SimpleNamespace(
        scene=SimpleNamespace(tendril=SimpleNamespace(use_floor=use_floor, floor_height=0.5)), mode=mode,
        region_data=view(), space_data=SimpleNamespace(overlay=SimpleNamespace(show_overlays=overlays)),
    )  # fmt: skip
    monkeypatch.setattr(floor, "bpy", SimpleNamespace(context=context))
    monkeypatch.setattr(floor, "fill", lambda kind, _places, _color: drawn.append(kind))
    floor.draw()
    assert drawn == (["TRI_STRIP", "LINES"] if shown else [])
