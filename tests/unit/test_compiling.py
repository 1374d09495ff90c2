"""How kernels are compiled changes nothing that they do, nor what numba does for anyone else."""

import ast
import os
import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import float64
from numba.core.errors import NumbaError
from tendril.physics import _jit
from tendril.physics._jit import CACHE_FOLDER, CHECKED, ENTRY, SOURCES, entry, kernel
from tendril.physics.compiling.by_reference import alike, by_reference
from tendril.physics.compiling.told import CompileError
from tendril.physics.materials import Material
from tendril.physics.model import table
from tendril.physics.run import simulate as simulation
from tendril.physics.scene import (
    Collider,
    Floor,
    ForceField,
    Pin,
    RigidBody,
    Rod,
    Scene,
    Shape,
    SoftBody,
    Weld,
)

ROW = table(count=np.int64, size=float, edge=(float, 3), matrix=(float, (2, 3)), on=bool)
ARRAYS = {
    "in rows": np.arange(12.0).reshape(4, 3),
    "in columns": np.asfortranarray(np.arange(12.0).reshape(4, 3)),
    "every other row": np.arange(24.0).reshape(8, 3)[::2],
    "backwards": np.arange(12.0).reshape(4, 3)[::-1, ::-1],
    "whole numbers": np.arange(12).reshape(4, 3),
    "truths": np.arange(12).reshape(4, 3) % 5 < 2,
}


@entry
def get(x, i, k):
    return x[i, k]


@entry
def put(x, i, k, value):
    x[i, k] = value


@pytest.mark.parametrize("name", ARRAYS)
def test_elements_are_where_numpy_has_them(name):
    x = ARRAYS[name]
    for i in range(4):
        for k in range(3):
            assert get(x, i, k) == x[i, k]
            assert get(x, np.uint8(i), np.int32(k)) == x[i, k]
            changed, expected = x.copy(order="K"), x.copy(order="K")
            put(changed, i, k, 1)
            expected[i, k] = 1
            np.testing.assert_array_equal(changed, expected)


@entry
def read_rows(rows, i, k):
    row = rows[i]
    return row.count, row.size, row.edge[k], row.matrix[1, k], row.on, rows["edge"][i, k], rows["matrix"][i, 1, k]


@entry
def write_rows(rows, i, k):
    rows[i].edge[k] = 7.0
    rows[i].matrix[1, k] = 8.0
    rows["size"][i] = 9
    rows[0] = rows[i]


def test_elements_of_rows_and_columns():
    rows = np.zeros(3, ROW)
    rows["count"], rows["size"], rows["on"] = [1, 2, 3], [0.5, 1.5, 2.5], [True, False, True]
    rows["edge"], rows["matrix"] = np.arange(9.0).reshape(3, 3), np.arange(18.0).reshape(3, 2, 3)
    for i in range(3):
        for k in range(3):
            row = rows[i]
            edge, inner = row["edge"][k], row["matrix"][1, k]
            assert read_rows(rows, i, k) == (row["count"], row["size"], edge, inner, row["on"], edge, inner)
    write_rows(rows, 2, 1)
    assert rows["edge"][2, 1] == 7.0
    assert rows["matrix"][2, 1, 1] == 8.0
    assert rows["size"][2] == 9.0
    assert rows[0] == rows[2]
    assert rows["edge"][1].tolist() == [3.0, 4.0, 5.0]


@entry
def row_of(x, i, k):
    return x[i][k], len(x[i]), x[i].size


@entry
def slab(x, i, j):
    return x[i, j, 1], x[i][j][1], len(x[i]), x[i].size, x[i, j].size


@entry
def cut(x, start, stop, i, k):
    part = x[start:stop]
    return len(part), part.size, len(x[start:]), len(x[:stop]), part[i, k] if len(part) > 0 else x[0, 0]


@entry
def columns(x):
    return x[1:, 2][2], x[:, ::2][3, 1], x[2][1], x[::2][1, 0]


@pytest.mark.parametrize("name", ARRAYS)
def test_rows_and_slices_are_where_numpy_has_them(name):
    x = ARRAYS[name]
    for i in range(4):
        assert row_of(x, i, 2) == (x[i][-1], 3, 3)
    for start in range(7):
        for stop in range(7):
            part = x[start:stop]
            first = part[-1, 1] if len(part) else x[0, 0]
            expected = len(part), part.size, len(x[start:]), len(x[:stop]), first
            assert cut(x, start, stop, len(part) - 1, 1) == expected
    assert columns(x) == (x[-1, 2], x[3, 2], x[2, 1], x[2, 0])


def test_rows_of_a_block():
    x = np.arange(24.0).reshape(2, 3, 4)
    for block in (x, x.transpose(0, 2, 1), x[::-1]):
        n = block.shape
        assert slab(block, 1, 2) == (block[1, 2, 1], block[1, 2, 1], n[1], n[1] * n[2], n[2])


def is_kernel(function):
    names = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    return any(isinstance(name, ast.Name) and name.id in ("kernel", "entry") for name in names)


def test_no_kernel_counts_from_the_end():
    found = []
    for path in SOURCES.of_kernels():
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for kernel_of in (node for node in nodes if isinstance(node, ast.FunctionDef) and is_kernel(node)):
            indices = (node.slice for node in ast.walk(kernel_of) if isinstance(node, ast.Subscript))
            below = (node for index in indices for node in ast.walk(index) if isinstance(node, ast.UnaryOp))
            found += [f"{path.name}:{node.lineno}" for node in below if isinstance(node.op, ast.USub)]
    assert not found


PROGRAM = """
import numpy as np
from tendril.physics._jit import entry, kernel

@kernel
def third(x, i):
    return x[i, 2]

@entry
def get(x, i):
    return third(x, i)

@entry
def write(x: np.ndarray, i: int) -> None:
    x[i, 2] = 1.0

@entry
def put(x, i):
    write(x, i)

x = np.arange(12.0).reshape(4, 3)
print(get(x, 3))
try:
    print(get(x, 4))
except IndexError as error:
    print(error, flush=True)
put(x, 3)
put(x, 4)
print("written")
"""


def test_a_checked_build_tells_of_what_is_out_of_bounds(tmp_path):
    """What Python calls raises; what another kernel calls lazily cannot, so the process ends."""
    program = tmp_path / "checked.py"
    program.write_text(PROGRAM)
    environment = os.environ | {"TENDRIL_CHECK_BOUNDS": "1"}
    call = [sys.executable, str(program)]
    ran = subprocess.run(call, check=False, env=environment, capture_output=True, text=True, timeout=600)
    assert ran.stdout.splitlines() == ["11.0", "index is out of bounds"]
    assert ran.returncode == 1
    assert "IndexError: index is out of bounds" in ran.stderr


@entry
def extremes(a, b, c):
    return min(a, b), max(a, b), min(a, b, c), max(c, a, b)


NUMBERS = [(1, 2, 3), (3.0, -1.0, 2.0), (2, -1.5, 7), (1.0, np.nan, 2.0), (np.nan, 1.0, -2.0)]


@pytest.mark.parametrize("numbers", NUMBERS)
def test_extremes_are_those_of_python(numbers):
    a, b, c = numbers
    np.testing.assert_equal(extremes(*numbers), (min(a, b), max(a, b), min(a, b, c), max(c, a, b)))


@by_reference
class Inner(NamedTuple):
    a: np.ndarray
    b: np.ndarray


@by_reference
class Outer(NamedTuple):
    x: np.ndarray
    inner: Inner
    rows: np.ndarray


@kernel
def add_up(outer, k):
    return outer.x[k] + outer.inner.a[k] + outer.inner.b[k, k] + outer.rows[k].size


@entry
def total(outer):
    outer.inner.a[0] = 100.0
    return add_up(outer, 0) + add_up(outer, 1)


@pytest.mark.parametrize("kind", [float, np.float32, np.int64])
def test_a_tuple_by_reference_shares_its_arrays(kind):
    a = np.array([10, 20], kind)
    outer = Outer(np.array([1.0, 2.0]), Inner(a, np.array([[5.0, 0.0], [0.0, 6.0]])), np.zeros(2, ROW))
    outer.rows["size"] = 0.25
    assert total(outer) == 1.0 + 100.0 + 5.0 + 0.25 + 2.0 + 20.0 + 6.0 + 0.25
    assert a[0] == 100


@pytest.mark.skipif(CHECKED, reason="what looks at each index goes one by one")
def test_a_loop_over_the_arrays_of_a_tuple_takes_several_numbers_at_once():
    """Where they lie is kept, whatever is written in between: else each turn of a loop would read it again."""

    def double(outer):
        for i in range(len(outer.x)):
            outer.inner.a[i] = 2.0 * outer.x[i]

    compiled = numba.njit(**ENTRY)(double)
    for x in np.arange(9.0), np.arange(9.0, 18.0):
        outer = Outer(x, Inner(np.zeros(9), np.eye(2)), np.zeros(1, ROW))
        compiled(outer)
        assert outer.inner.a.tolist() == (2.0 * x).tolist()
    (code,) = compiled.inspect_llvm().values()
    assert " x double>" in code


def outer_of(x):
    return Outer(x, Inner(np.zeros(1), np.eye(2)), np.zeros(1, ROW))


@pytest.mark.parametrize("x", [np.array([3.0]), np.array([5]), np.array([[4.0]])[0], np.array([4.0, 1.0])[::2]])
@pytest.mark.parametrize("factor", [2.0, np.float64(2.0), 2, True])
def test_an_entry_takes_numbers_and_tuples_of_all_kinds(x, factor):
    @entry
    def scaled(outer, factor):
        return outer.x[0] * factor

    known = outer_of(np.array([7.0]))
    assert [scaled(known, 0.5) for _ in range(3)] == [3.5, 3.5, 3.5]
    assert scaled(known, factor) == 7.0 * factor
    other = outer_of(x)
    assert [scaled(other, 0.5) for _ in range(3)] == [0.5 * x[0]] * 3
    with pytest.raises(TypeError):
        scaled(known)


def test_what_is_like_another_tuple_is_not_looked_through_again():
    @entry
    def scaled(outer, factor):
        return outer.x[0] * factor

    known = outer_of(np.array([7.0]))
    assert scaled(known, 0.5) == 3.5
    copy = outer_of(np.array([5.0]))
    assert copy.numba_type is None
    assert alike(known, copy).numba_type is known.numba_type
    assert scaled(copy, 0.5) == 2.5


def test_an_entry_fills_in_what_is_left_out_each_time():
    @entry
    def scaled(outer, factor=3.0):
        return outer.x[0] * factor

    outer = outer_of(np.array([7.0]))
    assert [scaled(outer) for _ in range(3)] == [21.0] * 3
    assert [scaled(outer, factor=2.0) for _ in range(3)] == [14.0] * 3
    assert [scaled(outer, 2.0) for _ in range(3)] == [14.0] * 3


def test_what_is_no_field_is_refused():
    @entry
    def misspelt(outer):
        return outer.why[0]

    with pytest.raises(Exception, match="why"):
        misspelt(Outer(np.zeros(1), Inner(np.zeros(1), np.zeros((1, 1))), np.zeros(1, ROW)))


@kernel
def power(a, n):
    return a**n  # numba has a function of its own for it


@kernel
def smaller(a, b):
    return min(power(a, 2), power(b, 2))


@entry
def loops(a, b, found):
    n = 0
    for i in range(b):
        found[n], n = i, n + 1
    for i in range(a, b):
        i *= 2  # noqa: PLW2901 – what a turn does to it, the next does not see
        found[n], n = i, n + 1
    for i in range(b, a, -2):
        found[n], n = i, n + 1
    for i in range(2):
        for k in range(i, b):
            if k == 3:
                break
            found[n], n = k, n + 1
    for i in range(a, b, 2) if a > 1 else range(b):
        found[n], n = i, n + 1
    for i in range(*(a, b)):
        found[n], n = i, n + 1
    i = -9
    for i in range(a):
        found[n] = i
    return n, i


@pytest.mark.parametrize(("a", "b"), [(0, 0), (2, 5), (5, 2), (-3, 1), (1, -3), (-4, -1)])
def test_loops_count_as_pythons_do(a, b):
    ours, pythons = np.zeros(99, int), np.zeros(99, int)
    assert loops(a, b, ours) == loops.py_func(a, b, pythons)
    np.testing.assert_array_equal(ours, pythons)


@kernel
def larger(a, b):
    return max(power(a, 3), smaller(a, b))


@entry
def by_one_way(a, b):
    return smaller(a, b) + larger(a, b)


@entry
def by_another(a, b):
    return larger(a, b) - power(a, 4) + smaller(b, a)


def test_programs_share_parts():
    def expected(a, b):
        least = min(a * a, b * b)
        return least + max(a**3, least), max(a**3, least) - a**4 + least

    for a, b in ((2.0, 3.0), (-1.5, 0.5)):
        assert (by_one_way(a, b), by_another(a, b)) == pytest.approx(expected(a, b))
        assert larger(a, b) == pytest.approx(max(a**3, min(a * a, b * b)))  # from Python


@kernel
def next_to(a):
    return a + 1.0


@kernel(forceinline=True)
def put_in_at_once(a):
    return next_to(a) + 2.0


def test_a_kernel_is_the_same_whoever_called_it_first():
    """numba passes on from a caller, the first there is, that it is to be put into what calls it in any case."""
    put_in_at_once.compile((float64,))  # anew, which an entry that is in the cache is not
    codes = {one: next(iter(one.overloads.values())).library.get_llvm_str() for one in (next_to, put_in_at_once)}
    assert {one.__name__: "alwaysinline" in code for one, code in codes.items()} == {
        "next_to": False, "put_in_at_once": True,
    }  # fmt: skip


@kernel
def one_more(a):
    return a + 1


def test_entries_made_by_many_threads_at_once_are_kept_in_the_cache_folder(tmp_path, monkeypatch):
    """numba has one setting for all; a thread that finds it changed under its hands writes where it is run."""
    monkeypatch.chdir(tmp_path)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            made = list(threads.map(lambda _: entry(one_more.py_func), range(400)))
    finally:
        sys.setswitchinterval(interval)
    folders = {Path(one.compiled.stats.cache_path) for one in made}
    assert all(folder.is_relative_to(CACHE_FOLDER) for folder in folders), folders
    assert not numba.config.CACHE_DIR


@entry
def halves(a: float, n: int) -> tuple[float, int, bool]:
    return 0.5 * a, n // 2, n % 2 == 1


@entry
def goes_on(x, a, n):
    if n > 0:
        add_to(x, n)
    half, rest, odd = halves(a, n)
    return half + rest, odd


@entry
def add_to(x: np.ndarray, n: int) -> None:
    x[0] += n


def test_an_entry_that_kernels_call_is_compiled_when_it_is_reached():
    x = np.zeros(1)
    assert goes_on(x, 3.0, 0) == (1.5, False)
    assert not add_to.address.cache_info().currsize
    assert goes_on(x, 3.0, 5) == (3.5, True)
    assert goes_on(x, 1.0, 2) == (1.5, False)
    assert x[0] == 7.0
    assert add_to.address.cache_info().currsize == halves.address.cache_info().currsize == 1


@entry
def rounds(a: float) -> int:
    return a + 0.5


@entry
def counts(a):
    return rounds(a) * 10


def test_an_entry_returns_to_kernels_what_it_is_annotated_to():
    assert counts(3.7) == 40


@entry
def fails(a: float) -> float:
    return a.nothing


@entry
def calls_what_fails(a: float) -> float:
    return fails(a)


@entry
def between(a: float) -> float:
    return calls_what_fails(a) + 1.0


@entry
def is_far_from_what_fails(a):
    return between(a)


@kernel
def fails_within(a):
    return a.nothing


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("called", [fails, calls_what_fails, between, is_far_from_what_fails, fails_within])
def test_what_does_not_compile_ends_all_that_reaches_it(called):
    """However many programs are between, of which none but what Python calls can raise; afterwards nothing else."""
    why = "did not compile: Unknown attribute 'nothing' of type float64$"
    with pytest.raises(CompileError, match=f"^{'fails_within' if called is fails_within else 'fails'} {why}") as told:
        called(1.0)
    assert isinstance(told.value.__cause__, NumbaError)
    assert goes_on(np.zeros(1), 3.0, 5) == (3.5, True)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_to_compile_ahead_ends_with_a_sentence_where_something_does_not_compile(monkeypatch):
    def simulate(scene):
        return iter([is_far_from_what_fails(1.0)])

    monkeypatch.setattr(simulation, "simulate", simulate)
    monkeypatch.setattr(_jit, "CACHE_FOLDER", None)  # so nothing is there yet
    monkeypatch.setattr(sys, "argv", ["compile", "force fields"])
    with pytest.raises(SystemExit, match="^fails did not compile: Unknown attribute 'nothing' of type float64.$"):
        runpy.run_module("tendril.physics.run.compile", run_name="__main__")


# What runs each scene in a process of its own, once what it needs is warm, and prints what it binds besides.
RUN = """
import gc, os, sys
from types import FunctionType
from tendril.physics.run import compile
from tendril.physics.run.simulate import simulate
from test_compiling import scene_of

def bound(scenes):
    for scene in scenes:
        for _ in simulate(scene):
            pass
    entries = [one for one in gc.get_objects() if type(one) is FunctionType and hasattr(one, "compiled")]
    entries = [one for one in entries if one.compiled.signatures or one.address.cache_info().currsize]
    return {f"{one.__module__}.{one.__name__}" for one in entries}

for case in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    scene = scene_of(*case.split())
    warm = bound([each for part in compile.needed(scene) for each in compile._run_by(part)])
    print(case, sorted(bound([scene]) - warm), flush=True)
    os._exit(0)
"""


def scene_of(solver, *things):
    """A rope that falls on a floor, and what else is there."""
    x, rubber = np.linspace((0.0, 0.0, 0.011), (0.3, 0.0, 0.011), 11), Material(1e6, 0.4, 1000.0, friction=0.5)
    scene = Scene((Rod.from_material("rope", x, 0.01, rubber),), 1 / 24, 4, floor=Floor(0.0), solver=solver)
    ball = RigidBody("ball", np.array([0.3, 0.0, 0.011]), 0.01, 1e-6 * np.eye(3))
    if "body" in things:
        scene = replace(scene, bodies=(ball,), welds=(Weld("ball", 0, 0, 10),))
    if "shapes" in things:
        places = np.array([[0.15, 0.0, 0.035 + 0.03 * k] for k in range(2)])
        shapes = [Shape(place[None], np.zeros((1, 3), np.int64), 0.015) for place in places]
        balls = tuple(replace(ball, position=shape.points[0], shape=shape, restitution=0.5) for shape in shapes)
        scene = replace(scene, bodies=balls)
    if "collider" in things:
        corners = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
        scene = replace(scene, floor=None, colliders=(Collider("c", np.arange(3)[None], np.zeros(1), corners[None]),))
    if "loop" in things:
        turn = np.linspace(0.0, 2.0 * np.pi, 20, endpoint=False)
        ring = np.stack([0.1 * np.cos(turn), 0.1 * np.sin(turn), 0.05 + 0.0 * turn], axis=1)
        scene = replace(scene, rods=(Rod.from_material("ring", ring, 0.01, rubber, closed=True),))
    if "rolls" in things:
        scene = replace(scene, rods=tuple(replace(rod, rolls=True) for rod in scene.rods))
    if "springs" in things:
        scene = replace(scene, treatment="SPRINGS")
    if "led" in things:
        scene = replace(scene, pins=(Pin.fixed(scene.rods[0], 0, "DIRECTION"),))
    if "wind" in things:
        blows = ForceField("w", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]), 5.0, noise=1.0)
        scene = replace(scene, fields=(blows, replace(blows, kind="TURBULENCE"), replace(blows, kind="VORTEX")))
    if {"long", "balanced"}.intersection(things):
        rod = replace(scene.rods[0], rest_length_factor=1.1 if "long" in things else 1.0, balanced="balanced" in things)
        scene = replace(
            scene, rods=(rod,), pins=tuple(Pin.fixed(rod, k, "POSITION", rod=0) for k in (0, 10)), floor=None
        )
    if "spins" in things:
        spinning = [replace(rod, model="cosserat", internal_damping=1e-3) for rod in scene.rods]
        scene = replace(scene, rods=tuple(spinning))
    if "swings" in things:
        scene = replace(scene, keep_swing=True)
    if "hangs" in things:
        hanging = replace(scene.rods[0], model="cable", shape_memory=0.0, rest_length_factor=1.1)
        pins = tuple(Pin.fixed(hanging, vertex, "POSITION") for vertex in (0, 10))
        scene = replace(scene, rods=(hanging,), pins=pins)
    if "soft" in things:
        corners = np.vstack([np.zeros(3), 0.1 * np.eye(3)]) + [0.0, 0.05, 0.01]
        solids = (SoftBody("jelly", corners, np.arange(4)[None], 1000.0, 1e5, 0.3, mu=20.0, friction=0.5),)
        scene = replace(scene, solids=solids, rods=() if "alone" in things else scene.rods)
    return replace(scene, settle="settle" in things)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each would need a Python that starts anew")
def test_what_a_scene_needs_is_all_that_it_binds():
    things = "", "body", "shapes", "collider", "loop", "rolls", "springs", "settle", "led", "wind", "spins", "swings"
    cases = [f"{solver} {thing}" for solver in ("EXPLICIT", "IMPLICIT") for thing in things]
    cases.remove("IMPLICIT springs")  # contact springs are of explicit steps
    cases += [f"{solver} {thing}" for solver in ("EXPLICIT", "IMPLICIT") for thing in ("long", "balanced")]
    cases += ["IMPLICIT rolls long", "EXPLICIT balanced spins", "IMPLICIT long settle"]
    cases += ["EXPLICIT spins loop", "EXPLICIT spins body", "EXPLICIT spins collider", "EXPLICIT hangs"]
    cases += [
        f"EXPLICIT soft {things}" for things in ("alone", "alone wind", "alone collider", "rope", "rope collider")
    ]
    call = [sys.executable, "-c", RUN, *cases]
    ran = subprocess.run(call, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=600, check=True)
    assert ran.stdout.splitlines() == [f"{case} []" for case in cases]


# With a numba of which a part is gone that is missed when what takes it is imported; or, of another version, only when
# something is compiled.
WITHOUT = """
import sys
from types import ModuleType
from typing import NamedTuple
import numba.core.callconv, numba.core.imputils, numba.core.pythonapi, numba.core.typing.templates
import numpy as np

where, _, what = sys.argv[1].rpartition(".")
home = sys.modules.get(where)
if home:
    sys.modules[where] = ModuleType(where)
    vars(sys.modules[where]).update({name: thing for name, thing in vars(home).items() if name != what})
else:
    numba.__version__ = "0.99"
if what == "PartCall":
    from tendril.physics.compiling import programs
    programs.PartCall.__call__ = lambda *_: None.gone
elif what == "numba_array_adaptor":
    del numba.core.pythonapi.PythonAPI.numba_array_adaptor
elif what == "return_user_exc":
    theirs = numba.core.callconv.CPUCallConv.return_user_exc

    def gone(self, *arguments):
        if sys._getframe(1).f_globals["__name__"].startswith("tendril"):  # numba itself has it by another name
            raise AttributeError(what)
        theirs(self, *arguments)

    numba.core.callconv.CPUCallConv.return_user_exc = gone
from tendril.physics._jit import entry, kernel
from tendril.physics.compiling.by_reference import alike, by_reference
from tendril.physics.compiling.told import CompileError
from tendril.physics.compiling.inside import inside
if home:
    sys.modules[where] = home

@by_reference
class Pair(NamedTuple):
    x: np.ndarray
    y: np.ndarray

@entry
def add(pair: Pair, a: float) -> float:
    return pair.x[0] + a * pair.y[1]

@kernel
def inner(pair, a):
    return add(pair, a) + 1.0

@entry
def outer(pair):
    return 2.0 * inner(pair, 3.0)

pair = Pair(np.ones(1), np.ones(2))
print(outer(pair), outer(alike(pair, Pair(np.zeros(1), np.zeros(2)))))
print(*(name for name in ("pointers", "lazy_binding", "programs") if inside(name) is None))
"""

GONE = {
    "none": [],
    "PartCall": ["programs"],
    "numba.core.imputils.impl_ret_borrowed": ["pointers"],
    "numba.core.typing.templates.AttributeTemplate": ["pointers"],
    "numba_array_adaptor": ["programs"],
    "return_user_exc": ["lazy_binding"],
}


@pytest.mark.parametrize("part", GONE)
def test_what_another_numba_lacks_is_done_without(part, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(WITHOUT)
    call = [sys.executable, "-P", str(program), part]
    ran = subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)
    assert ran.stdout.splitlines() == ["10.0 2.0", " ".join(GONE[part])], ran.stderr
