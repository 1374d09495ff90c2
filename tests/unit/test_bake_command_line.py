"""`python -m tendril.bake JOB`: the bake for a machine without Blender."""

import ast
import os
import runpy
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
from tendril.bake import job, messages
from tendril.bake import terminal as program
from tendril.bake.__main__ import script
from tendril.bake.cache import Cache
from tendril.bake.environment import KEPT, SET
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene
from tendril.physics.scenes.measured import MEASURED

DUMMY = Path(__file__).with_name("bake_dummy.py")
AS_INSTALLED = "import sys; from tendril.bake.__main__ import script; sys.exit(script())"


def make_job(folder, frame_count):
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 9)
    rope = Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0))
    return job.write(folder, Scene((rope,), 0.01, frame_count), {}).folder


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "tendril.bake", *arguments], capture_output=True, text=True, check=False
    )


def test_it_bakes_and_prints_sentences(tmp_path, capsys):
    code = program.main([str(make_job(tmp_path, 6))], solver=runpy.run_path(str(DUMMY))["solver"])
    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert lines[0].startswith("The scene is in order. Takes 1 s or more")
    assert lines[1].startswith("Frame 0 of 6")
    assert "Warning: Rope, frame 3: The toy has reached its third frame." in lines
    assert lines[-1] == "Done: 6 frames."
    assert len(Cache(tmp_path).frames) == 6


def test_what_cables_came_to_is_a_sentence():
    none = {name: [0.0, 0.0] for name in MEASURED}
    said = messages.message("cables", **none | {"curvature": [2.0, 4.0], "tension": [30.0, -1.0]})
    assert program.sentence(said) == "Cables are bent to a radius of 0.25 m and pulled with 30 N at most."
    straight = messages.message("cables", **{name: [0.0] for name in MEASURED})
    assert "are straight" in program.sentence(straight)


def test_a_refusal_is_a_sentence_and_an_exit_code(tmp_path):
    answer = run(str(tmp_path))
    assert answer.returncode == messages.EXIT_CODES["verdict"]
    assert answer.stdout.startswith("Error: There is no bake job in")
    assert answer.stdout.count("\n") == 1
    assert answer.stderr == ""


def test_no_job_named_is_a_usage_error():
    answer = run()
    assert answer.returncode == 2
    assert "JOB_FOLDER" in answer.stderr or "job" in answer.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_order_and_it_can_go_on(tmp_path, how):
    folder = make_job(tmp_path / "job", 100_000)
    text = f"import runpy, sys; from tendril.bake import terminal as m; toy = runpy.run_path({str(DUMMY)!r});" + (
        "sys.exit(m.main(solver=toy['solver']))"
    )
    call = [sys.executable, "-c", text, str(folder)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as bake:
        deadline = time.monotonic() + 20.0
        while len(Cache(folder).frames) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        bake.send_signal(how)
        out, err = bake.communicate(timeout=20.0)
    frames = Cache(folder).frames
    assert bake.returncode == messages.EXIT_CODES["cancelled"]
    assert f"Cancelled: {len(frames)} frames are kept" in out
    assert err == ""
    assert Cache(folder).restore()[0] == frames[-1]


@pytest.mark.parametrize("call", [["-P", "-m", "tendril.bake"], ["-m", "tendril.bake"], ["-c", "script"]])
def test_nothing_is_imported_from_the_folder_it_is_started_in(tmp_path, call):
    """A shot's folder may come from anyone. -c: as `tendril-bake` does."""
    for name in ("numpy", "scipy", "numba", "argparse", "threading"):
        (tmp_path / f"{name}.py").write_text("print('run by ' + __name__)")
    if "-P" in call:
        (tmp_path / "tendril.py").write_text("print('run by ' + __name__)")
    if call == ["-c", "script"]:
        call = ["-P", "-c", AS_INSTALLED]
    answer = subprocess.run([sys.executable, *call, "shot"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.stdout == f"Error: There is no bake job in '{tmp_path / 'shot'}': bake from Blender first.\n"
    assert answer.stderr == ""


def test_the_installed_program_is_there():
    scripts = tomllib.loads((Path(program.__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]["scripts"]
    assert scripts == {"tendril-bake": f"{script.__module__}:{script.__name__}"}


@pytest.mark.parametrize("call", [["-P", "-m", "tendril.bake"], ["-P", "-c", AS_INSTALLED]])
def test_libraries_find_no_settings_in_the_environment(tmp_path, call):
    """As in a worker. The first library that is imported, a false one, tells what it finds."""
    (tmp_path / "numpy.py").write_text("import os; print(dict(os.environ)); raise SystemExit(7)")
    settings = {"OPENBLAS_CORETYPE": "Prescott", "NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "7"}
    answer = subprocess.run(
        [sys.executable, *call, "shot"], capture_output=True, text=True, check=False,
        env=os.environ | settings | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert answer.returncode == 7, answer
    found = ast.literal_eval(answer.stdout)
    assert found.keys() <= KEPT | SET.keys()
    assert SET.items() <= found.items()
    assert found["PATH"] == os.environ["PATH"]


def test_names_do_not_command_the_terminal():
    said = messages.message("warning", object="\x1b[2JRope\r\x07", frame=3, text="a\u202eb\x9bc \ud800 ü")
    assert program.sentence(said) == "Warning: �[2JRope��, frame 3: a�b�c � ü"
    assert program.sentence(messages.message("error", text="No.", detail="one\ntwo")) == "Error: No.\none\ntwo"
