"""Files of tetrahedra: read as another reader writes them, or refused in a few words, whatever they count."""

import base64
import struct
import zlib

import meshio
import numpy as np
import pytest
from tendril.meshing.formats.read import read_tetrahedra
from tendril.meshing.formats.unreadable import Unreadable

X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
CUBE = np.array([[0, 4, 6, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 3, 1, 7], [0, 1, 5, 7], [0, 5, 4, 7]])
FACES = np.array([[0, 1, 3], [0, 3, 2]])
BLOCKS = [("triangle", FACES), ("tetra", CUBE[:4]), ("tetra", CUBE[4:]), ("hexahedron", np.arange(8)[None])]
WRITTEN = [
    (".msh", {"file_format": "gmsh22", "binary": False}),
    (".msh", {"file_format": "gmsh22", "binary": True}),
    (".msh", {"file_format": "gmsh", "binary": False}),
    (".msh", {"file_format": "gmsh", "binary": True}),
    (".vtk", {"file_format": "vtk42", "binary": False}),
    (".vtk", {"file_format": "vtk42", "binary": True}),
    (".vtk", {"file_format": "vtk", "binary": False}),
    (".vtk", {"file_format": "vtk", "binary": True}),
    (".vtu", {"file_format": "vtu", "binary": False}),
    (".vtu", {"file_format": "vtu", "binary": True, "compression": None}),
    (".vtu", {"file_format": "vtu", "binary": True, "compression": "zlib"}),
    (".vtu", {"file_format": "vtu", "binary": True, "compression": "lzma", "header_type": "UInt64"}),
]


def written(folder, kind, options):
    """The bytes of a cube, as meshio writes it, with a node that is not used, faces, values at nodes and in cells."""
    values = {"heat": np.linspace(0.0, 1.0, 9)}
    blocks = [("tetra", CUBE)] if options["file_format"] == "gmsh" else BLOCKS  # it writes no others without more ado
    data = {"region": [np.arange(len(cells)) for _, cells in blocks]}
    mesh = meshio.Mesh(np.vstack([[[9.0, 9.0, 9.0]], X + 0.123456789]), [(k, c + 1) for k, c in blocks], values, data)
    path = folder / f"cube{kind}"
    meshio.write(path, mesh, **options)
    return path.read_bytes()


def refusal(data, kind):
    with pytest.raises(Unreadable) as found:
        read_tetrahedra(data, kind)
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 200
    return str(found.value)


@pytest.mark.parametrize(("kind", "options"), WRITTEN)
def test_what_another_program_writes_is_read_to_the_last_bit(kind, options, tmp_path):
    x, tetrahedra = read_tetrahedra(written(tmp_path, kind, options), kind)
    assert np.array_equal(tetrahedra, CUBE)
    assert x == pytest.approx(X + 0.123456789, abs=0.0 if options["file_format"] != "gmsh22" else 1e-15)


def lines(rows):
    return "\n".join(" ".join(f"{value:g}" for value in row) for row in rows)


def msh2(tags=range(1, 9), elements=None, count=8, many=7, x=X):
    rows = [[k + 2, 4, 2, 1, 1, *(own + 1)] for k, own in enumerate(CUBE)] if elements is None else elements
    nodes = lines([tag, *p] for tag, p in zip(tags, x, strict=True))
    return (
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count}\n{nodes}\n$EndNodes\n"
        f"$Elements\n{many}\n1 2 2 1 1 1 2 3\n{lines(rows)}\n$EndElements\n"
    ).encode()


def msh4(tags=range(1, 9), cells=CUBE + 1, count=8, total=8, many=6, blocks=1):
    names, places = "\n".join(map(str, tags)), lines(X)
    own = lines([k + 1, *cell] for k, cell in enumerate(cells))
    return (
        f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n{blocks} {total} 1 8\n3 1 0 {count}\n{names}\n{places}\n"
        f"$EndNodes\n$Elements\n1 {many} 1 6\n3 1 4 {many}\n{own}\n$EndElements\n"
    ).encode()


def vtk(points=8, cells=6, size=30, kinds="10 " * 6, own=CUBE, begin="", x=X):
    rows = lines([4, *cell] for cell in own)
    return (
        f"# vtk DataFile Version 3.0\na cube\nASCII\n{begin}DATASET UNSTRUCTURED_GRID\n"
        f"POINTS {points} double\n{lines(x)}\nCELLS {cells} {size}\n{rows}\nCELL_TYPES {cells}\n{kinds}\n"
    ).encode()


def vtu(points=8, cells=6, connectivity=None, offsets=None, begin="", root="", x="", more=""):
    a = connectivity or f'<DataArray type="Int64" Name="connectivity">{lines(CUBE)}</DataArray>'
    b = offsets or '<DataArray type="Int64" Name="offsets">4 8 12 16 20 24</DataArray>'
    c = '<DataArray type="UInt8" Name="types">10 10 10 10 10 10</DataArray>'
    x = x or f'<DataArray type="Float64" NumberOfComponents="3">{lines(X)}</DataArray>'
    return (
        f'{begin}<VTKFile type="UnstructuredGrid" {root}><UnstructuredGrid><Piece NumberOfPoints="{points}" '
        f'NumberOfCells="{cells}"><Points>{x}</Points><Cells>{a}{b}{c}</Cells></Piece></UnstructuredGrid>{more}</VTKFile>'
    ).encode()


def packed(sizes, blocks, last=0):
    header = struct.pack(f"<{3 + len(sizes)}I", len(sizes), 2**15, last, *sizes)
    return (base64.b64encode(header) + base64.b64encode(b"".join(blocks))).decode()


def array(name, form, text, kind="Int64", more=""):
    return f'<DataArray type="{kind}" Name="{name}" format="{form}" {more}>{text}</DataArray>'


BOMB = zlib.compress(b"\0" * 100_000_000)
ZLIB = 'compressor="vtkZLibDataCompressor"'
LZMA = 'compressor="vtkLZMADataCompressor"'
LAUGHS = "<!DOCTYPE a [" + "".join(f'<!ENTITY a{k + 1} "{f"&a{k};" * 10}">' for k in range(9)) + "]>"
HUGE = [10**12, 2 * 10**9, 2**63, 10**30]
SOUND = [(".msh", msh2()), (".msh", msh4()), (".vtk", vtk()), (".vtu", vtu())]


@pytest.mark.parametrize(("kind", "data"), SOUND)
def test_these_files_are_sound_as_they_are(kind, data):
    """Else what is refused below is refused for another reason."""
    x, tetrahedra = read_tetrahedra(data, kind)
    assert np.array_equal(x, X)
    assert np.array_equal(tetrahedra, CUBE)


def test_tags_of_nodes_may_have_gaps_and_any_order():
    tags = np.array([30, 7, 8, 9, 1, 2, 3, 5])
    rows = [[k, 4, 0, *tags[own]] for k, own in enumerate(CUBE)]
    for data in (msh2(tags, rows), msh4(tags, tags[CUBE])):
        x, tetrahedra = read_tetrahedra(data, ".msh")
        assert np.array_equal(x[tetrahedra], X[CUBE])


def with_node(value):
    cells = CUBE.copy().astype(object)
    cells[3, 2] = value
    return cells


def msh2_node(value):
    return msh2(elements=[[k, 4, 0, *(own + 1)] for k, own in enumerate(with_node(value))])


NODES = [-(2**31) - 1, -9, -1, 8, 2**31, 2**32, 2**40, 2**62]
WRONG_NODES = [(".msh", msh2_node(node)) for node in NODES]
WRONG_NODES += [(".msh", msh4(cells=with_node(node) + 1)) for node in NODES]
WRONG_NODES += [(".vtk", vtk(own=with_node(node))) for node in NODES]
WRONG_NODES += [
    (".vtu", vtu(connectivity=array("connectivity", "ascii", lines(with_node(node))))) for node in NODES
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data"), WRONG_NODES)
def test_a_node_that_is_not_there_is_named(kind, data):
    text = refusal(data, kind)
    assert "has node" in text or "not whole" in text


COUNTS = [(".msh", msh2(count=n)) for n in (0, 7, 9, -1, *HUGE)] + [
    (".msh", msh2(many=n)) for n in (0, 6, 8, -1, *HUGE)
]
COUNTS += [(".msh", msh4(count=n)) for n in (0, 7, 9, -1, *HUGE)] + [(".msh", msh4(many=n)) for n in (0, 5, 7, *HUGE)]
COUNTS += [(".msh", msh4(total=n)) for n in (7, *HUGE)] + [(".msh", msh4(blocks=n)) for n in (0, 2, *HUGE)]
COUNTS += [(".vtk", vtk(points=n)) for n in (0, 7, 9, -1, *HUGE)] + [(".vtk", vtk(cells=n)) for n in (0, 5, 7, *HUGE)]
COUNTS += [(".vtk", vtk(size=n)) for n in (0, 29, 31, -1, *HUGE)]
COUNTS += [(".vtu", vtu(points=n)) for n in (0, 7, 9, -1, *HUGE)] + [(".vtu", vtu(cells=n)) for n in (0, 5, 7, *HUGE)]
COUNTS += [(".vtu", vtu(offsets=array("offsets", "ascii", f"4 8 12 16 20 {n}"))) for n in (-1, 3, 23, 25, *HUGE)]


@pytest.mark.parametrize(("kind", "data"), COUNTS)
def test_counts_that_lie_are_refused(kind, data):
    refusal(data, kind)


OTHERS = [
    (".msh", b"", "no $MeshFormat"),
    (".msh", b"\0" * 1000, "no $MeshFormat"),
    (".msh", msh2()[:150], "have no end"),
    (".msh", msh2().replace(b"2.2 0 8", b"4.0 0 8"), "of version 4.0"),
    (".msh", msh2().replace(b"2.2 0 8", b"2.2 1 8"), "another order"),
    (".msh", b"$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n$Nodes\n9999999999\n", "no $Elements"),
    (".msh", b"$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n$Nodes\n9999999999\n$Elements\n1\n", "numbers where"),
    (".msh", msh2(tags=[1, 1, *range(3, 9)]), "two nodes have the number 1"),
    (".msh", msh2(tags=[0.5, *range(2, 9)]), "not whole"),
    (".msh", msh2(x=X * np.nan), "places are not numbers"),
    (".msh", msh2(x=X * np.inf), "places are not numbers"),
    (".msh", msh2(x=X * 1e40), "places are not numbers, or too large"),
    (".msh", msh2().replace(b"4 2 1 1", b"99 2 1 1"), "kind 99"),
    (".msh", msh2().replace(b"4 2 1 1", b"4 -2 1 1"), "but has fewer"),
    (".msh", msh2().replace(b"4 2 1 1", b"2 2 1 1"), "but has others"),
    (".msh", msh2().replace(b"4 2 1 1", b"3 2 1 1"), "no tetrahedra of four nodes"),
    (".msh", msh4().replace(b"3 1 0 8", b"3 1 1 8"), "have parameters"),
    (".msh", msh4(tags=[1, 1, *range(3, 9)]), "two nodes"),
    (".msh", msh4().replace(b"0 0 1", b"0 O 1"), "something else than numbers"),
    (".vtk", b"# vtk DataFile Version 3.0", "neither ASCII nor BINARY"),
    (".vtk", b"vtk", "does not begin"),
    (".vtk", b"# vtk DataFile Version 3.0\n\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 3 3\n", "no UNSTRUCTURED"),
    (".vtk", vtk(begin="FIELD a 1000000000000\n"), "not counted"),
    (".vtk", vtk(begin="FIELD a 1\nb 1000000 1000000 double\n"), "has 0 numbers"),
    (".vtk", vtk(begin="FIELD a 1\nb 1 1 object\n"), "of no kind"),
    (".vtk", vtk(begin="METADATA\nx\n"), "is missing"),
    (".vtk", vtk(kinds="9 " * 6), "no tetrahedra of four nodes"),
    (".vtk", vtk(kinds="10 " * 5 + "ten"), "something else than numbers"),
    (".vtk", vtk(begin="SCALARS a double\n"), "another section"),
    (".vtk", vtk().replace(b"4 0 4 6 7", b"5 0 4 6 7"), ""),
    (".vtk", vtk().replace(b"4 0 4 6 7", b"-9 0 4 6 7"), ""),
    (".vtk", vtk().replace(b"POINTS 8 double", b"POINTS 8 string"), "of no kind"),
    (".vtk", vtk(x=X * np.inf), "places are not numbers"),
    (".vtk", vtk().replace(b"ASCII", b"BINARY"), ""),
    (".vtk", vtk().replace(b"3.0", b"5.1"), "OFFSETS is missing"),
    (".vtu", b"<a>", "as XML"),
    (".vtu", b"<a/>", "no UnstructuredGrid"),
    (".vtu", vtu(begin=LAUGHS, more="&a9;"), "declares entities"),
    (".vtu", vtu(begin='<!DOCTYPE a [<!ENTITY b SYSTEM "/etc/passwd">]>', more="&b;"), "declares entities"),
    (".vtu", vtu(begin=LAUGHS, more="&a9;").decode().encode("utf-16"), "declares entities"),
    (".vtu", b"<a>" * 1_000_000, "more elements than arrays"),
    (".vtu", vtu(root=" ".join(f'a{k}=""' for k in range(20_000))), "more elements than arrays"),
    (".vtu", vtu(root='compressor="vtkLZ4DataCompressor"'), "not by zlib or LZMA"),
    (".vtu", vtu(root='header_type="Float64"'), "not by zlib or LZMA"),
    (".vtu", vtu(connectivity=array("connectivity", "ascii", "0", "Object")), "of no kind"),
    (".vtu", vtu(connectivity=array("connectivity", "words", "0")), "in no way"),
    (".vtu", vtu(connectivity=array("connectivity", "appended", "", more='offset="0"')), "where it should be"),
    (".vtu", vtu(connectivity=array("connectivity", "appended", "", more='offset="-1"')), "where it should be"),
    (".vtu", vtu(connectivity=array("connectivity", "binary", "****")), "base64"),
    (".vtu", vtu(connectivity=array("connectivity", "binary", "AAAA")), ""),
    (".vtu", vtu(connectivity=array("connectivity", "binary", packed([len(BOMB)], [BOMB])), root=ZLIB), "numbers"),
    (".vtu", vtu(connectivity=array("connectivity", "binary", packed([9], [b"nonsense!"])), root=ZLIB), "unpacked"),
    (".vtu", vtu(connectivity=array("connectivity", "binary", packed([9], [b"nonsense!"])), root=LZMA), "unpacked"),
    (".vtu", vtu(connectivity=array("connectivity", "binary", packed([2**31], [b""])), root=ZLIB), "numbers where"),
    (".vtu", vtu(connectivity=array("connectivity", "binary", base64.b64encode(b"\xff" * 24).decode()), root=ZLIB), ""),
    (".vtu", vtu(offsets=array("offsets", "ascii", "4 8 12 11 20 24")), ""),
    (".vtu", vtu(x='<DataArray type="Float64" NumberOfComponents="2">0 0</DataArray>'), "no points in space"),
    (".vtu", vtu(more='<AppendedData encoding="raw">_'), "has no end"),
]  # fmt: skip


def test_what_is_beside_the_mesh_does_not_matter():
    beside = b"$NodeData\n1000000000000\n$EndNodeData\n$Elements"
    assert np.array_equal(read_tetrahedra(msh2().replace(b"$Elements", beside), ".msh")[1], CUBE)
    data = vtk(begin="FIELD a 1\nb 2 2 double\n1 2 3 4\n") + b"POINT_DATA 1000000000000\nSCALARS a b\n"
    assert np.array_equal(read_tetrahedra(data, ".vtk")[1], CUBE)
    assert np.array_equal(read_tetrahedra(vtk(kinds="10 " * 5 + "14"), ".vtk")[1], CUBE[:5])


@pytest.mark.parametrize(("kind", "data", "said"), OTHERS)
def test_what_is_no_mesh_is_refused_in_a_few_words(kind, data, said):
    assert said in refusal(data, kind)
