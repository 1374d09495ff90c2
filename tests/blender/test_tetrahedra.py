"""Meshes that come as tetrahedra, from files and from properties, and the wires that show those of any soft body."""

import os

import bpy
import numpy as np
import pytest
from artist import refused
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators.soft_preset import own_folder
from bl_ext.user_default.tendril.physics.elements.tetrahedra import boundary, volumes

X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
CUBE = np.array([[0, 4, 6, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 3, 1, 7], [0, 1, 5, 7], [0, 5, 4, 7]])
SWAP = [1, 0, 2, 3]  # turns a tetrahedron inside out
GMSH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
{count}
{nodes}
$EndNodes
$Elements
7
1 2 2 1 1 1 2 3
{elements}
$EndElements
"""
VTK = """# vtk DataFile Version 3.0
a cube
ASCII
DATASET UNSTRUCTURED_GRID
POINTS {count} double
{nodes}
CELLS 6 30
{elements}
CELL_TYPES 6
10 10 10 10 10 10
"""


def lines(rows):
    return "\n".join(" ".join(f"{value:g}" for value in row) for row in rows)


def gmsh(x=X, tetrahedra=CUBE):
    elements = [[k + 2, 4, 2, 1, 1, *(own + 1)] for k, own in enumerate(tetrahedra)]
    return GMSH.format(count=len(x), nodes=lines([[k + 1, *p] for k, p in enumerate(x)]), elements=lines(elements))


def vtk(x=X, tetrahedra=CUBE):
    return VTK.format(count=len(x), nodes=lines(x), elements=lines([[4, *own] for own in tetrahedra]))


def cube_of(tetrahedra=CUBE, x=X):
    """A soft body of the object `Block` with these tetrahedra of its own."""
    mesh = bpy.data.meshes.new("Block")
    mesh.from_pydata(x.tolist(), [], boundary(tetrahedra)[0].tolist())
    mesh["tetrahedra"] = tetrahedra.ravel().tolist()
    item = bpy.data.objects.new("Block", mesh)
    bpy.context.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    item.select_set(True)
    assert bpy.ops.tendril.add_soft() == {"FINISHED"}
    return item


@pytest.mark.parametrize(("name", "text"), [("cube.msh", gmsh()), ("cube.vtk", vtk())])
def test_a_file_of_tetrahedra_is_taken_as_it_is(name, text, tmp_path):
    (tmp_path / name).write_text(text)
    assert bpy.ops.tendril.import_tetrahedra(filepath=str(tmp_path / name)) == {"FINISHED"}
    item = bpy.context.object
    assert (item.name, item.tendril.is_soft, len(item.data.polygons)) == ("cube", True, 12)
    (body,) = read_scene(bpy.context)[0].solids
    assert np.array_equal(body.x, X)
    assert np.array_equal(body.tetrahedra, CUBE)
    assert body.density == pytest.approx(item.tendril.soft.density)


def test_nodes_that_belong_to_no_tetrahedron_are_left_out(tmp_path):
    (tmp_path / "cube.vtk").write_text(vtk(x=np.concatenate([X, [[9.0, 9.0, 9.0]]])))
    assert bpy.ops.tendril.import_tetrahedra(filepath=str(tmp_path / "cube.vtk")) == {"FINISHED"}
    (body,) = read_scene(bpy.context)[0].solids
    assert len(body.x) == 8
    assert volumes(body.x[body.tetrahedra]).sum() == pytest.approx(1.0)


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("make", ["pipe", "device", "folder", "large"])
def test_only_plain_files_of_a_size_in_proportion_are_opened(make, tmp_path):
    """A pipe would be waited for, a device has no end."""
    path = tmp_path / "cube.msh"
    match make:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "large":
            path.write_text("")
            os.truncate(path, 2**40)
    sentence = refused(bpy.ops.tendril.import_tetrahedra, filepath=str(path))
    said = "1099512 MB, of which 100 MB at most are read" if make == "large" else "is a pipe, device or folder"
    assert said in sentence or (make == "folder" and "Is a directory" in sentence)
    assert not bpy.data.objects


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "own.vtk").write_text(vtk())
    (tmp_path / "cube.vtk").symlink_to(tmp_path / "own.vtk")
    assert bpy.ops.tendril.import_tetrahedra(filepath=str(tmp_path / "cube.vtk")) == {"FINISHED"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("gone.msh", None, "cannot be read"),
        ("cube.obj", "v 0 0 0", "is none of .msh, .vtk, .vtu"),
        ("cube.msh", "nonsense", "no mesh that can be read"),
        ("cube.vtk", vtk(tetrahedra=CUBE + 5), "has node 9, but there are 8, from 0 on"),
        ("cube.msh", gmsh(tetrahedra=CUBE - 1), "has node 0, which is not there"),
        ("cube.msh", gmsh().replace("\n8\n", "\n1000000000000\n"), "it has 32 numbers where it counts 4000000000000"),
        ("cube.msh", gmsh(x=X * np.nan), "places are not numbers"),
        ("cube.vtk", vtk().replace("10 10 10 10 10 10", "9 9 9 9 9 9"), "no tetrahedra of four nodes"),
        ("cube.msh", gmsh()[:200], "no mesh that can be read"),
    ],
)
def test_a_file_that_will_not_do_is_one_sentence(name, text, said, tmp_path):
    if text is not None:
        (tmp_path / name).write_text(text)
    sentence = refused(bpy.ops.tendril.import_tetrahedra, filepath=str(tmp_path / name))
    assert said in sentence
    assert not bpy.data.objects


def test_a_broken_material_leaves_nothing_behind(tmp_path):
    """An artist's own silicone takes the place of ours, whatever is in it."""
    (tmp_path / "cube.vtk").write_text(vtk())
    own = own_folder() / "silicone.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("broken")
    try:
        assert "silicone.toml" in refused(bpy.ops.tendril.import_tetrahedra, filepath=str(tmp_path / "cube.vtk"))
    finally:
        own.unlink()
    assert not bpy.data.objects
    assert not bpy.data.meshes


def test_an_inner_vertex_is_held_and_weights_are_those_of_the_nodes():
    item = cube_of(np.array([[8, *face] for face in boundary(CUBE)[0]]), np.concatenate([X, [[0.5] * 3]]))
    item.vertex_groups.new(name="Middle").add([8], 1.0, "REPLACE")
    item.tendril.soft.density_group, item.tendril.soft.density_factor = "Middle", 3.0
    assert bpy.ops.tendril.add_soft_pin() == {"FINISHED"}
    scene, _ = read_scene(bpy.context)
    assert [hold.node for hold in scene.holds] == [8]
    assert scene.solids[0].weight.tolist() == [1.0] * 8 + [3.0]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda item: item.modifiers.new("Array", "ARRAY"), "its modifiers make 16"),
        (lambda item: item.data.__setitem__("tetrahedra", [0, 1, 2]), "no list of vertices, four of each"),
        (lambda item: item.data.__setitem__("tetrahedra", "all"), "no list of vertices, four of each"),
        (lambda item: item.data.__setitem__("tetrahedra", [0, 1, 2, 99]), "vertices that are not there"),
        (
            lambda item: item.data.__setitem__("tetrahedra", CUBE[:, SWAP].ravel().tolist()),
            "6 of 6 tetrahedra are inside out",
        ),
    ],
)
def test_tetrahedra_that_will_not_do_are_one_sentence(spoil, said):
    item = cube_of()
    spoil(item)
    bpy.context.scene.frame_end = 3
    assert said in refused(bpy.ops.tendril.bake)
    assert item.tendril.result is None


@pytest.mark.parametrize("x", [X * [1.0, 1.0, 0.0], np.zeros((8, 3))], ids=["flat", "a point"])
def test_tetrahedra_without_volume_are_one_sentence_when_shown_and_when_baked(x):
    item = cube_of()
    item.data.vertices.foreach_set("co", x.ravel())
    item.data.update()
    shown, baked = refused(bpy.ops.tendril.show_tetrahedra), refused(bpy.ops.tendril.bake)
    assert "'Block': tetrahedron 0 has no volume (0 m³) as it is drawn" in shown
    assert shown == baked
    assert item.tendril.result is None


def test_bad_elements_are_counted(tmp_path):
    flat = X * [1.0, 1.0, 0.05]
    swapped = np.concatenate([CUBE[:5], CUBE[5:, SWAP]])
    (tmp_path / "flat.vtk").write_text(vtk(flat, swapped))
    assert bpy.ops.tendril.import_tetrahedra(filepath=str(tmp_path / "flat.vtk")) == {"FINISHED"}
    from bl_ext.user_default.tendril.bridge.tetrahedra_file import read, report

    good, text = report(*read(str(tmp_path / "flat.vtk")))
    assert not good
    assert "8 nodes, 6 tetrahedra, the smallest dihedral angle is" in text
    assert "6 have one below 8°" in text
    assert "1 are inside out" in text


def test_wires_show_the_tetrahedra_and_go_without_a_trace():
    bpy.ops.mesh.primitive_monkey_add(location=(0, 0, 1))
    item = bpy.context.object
    bpy.ops.tendril.add_soft()
    assert bpy.ops.tendril.show_tetrahedra() == {"FINISHED"}
    wires = item.tendril.soft.wires
    (body,) = read_scene(bpy.context)[0].solids
    assert np.allclose([vertex.co[:] for vertex in wires.data.vertices], body.x, atol=1e-6)
    assert (wires.hide_render, wires.display_type, len(wires.data.polygons)) == (True, "WIRE", 0)
    assert bpy.ops.tendril.show_tetrahedra() == {"FINISHED"}
    assert list(bpy.data.objects) == [item]
    assert list(bpy.data.meshes) == [item.data]
    bpy.ops.tendril.show_tetrahedra()
    assert bpy.ops.tendril.remove_soft() == {"FINISHED"}
    assert list(bpy.data.objects) == [item]
