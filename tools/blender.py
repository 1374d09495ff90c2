#!/usr/bin/env python
"""The `blender` command around the bpy module: the part of Blender's command line that scripts and pytest-blender use.

    blender.py [-b] [FILE.blend] [--python SCRIPT]… [--python-expr CODE]… [--python-exit-code N] [-- ARGUMENTS]
    blender.py --version

As in Blender the arguments work in the order given, sys.argv stays whole, a script runs as __main__, and one that
fails lets the next one run. There is no window: it always runs in background. Settings live in a temporary folder
unless BLENDER_USER_RESOURCES names one.
"""

import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path


def run(code: bytes | str, name: str, exit_code: int) -> None:
    """Run a script as Blender does: SystemExit leaves, any other error shows, and leaves only if an exit code asks."""
    try:
        exec(compile(code, name, "exec"), {"__name__": "__main__", "__file__": name})
    except Exception:
        traceback.print_exc()
        if exit_code:
            raise SystemExit(exit_code) from None


def run_arguments(arguments: Iterator[str]) -> None:
    import bpy

    exit_code = 0
    for argument in arguments:
        match argument:
            case "--":
                return
            case "-b" | "--background" | "--factory-startup":
                pass
            case "-P" | "--python":
                script = os.path.abspath(next(arguments))
                run(Path(script).read_bytes(), script, exit_code)
            case "--python-expr":
                run(next(arguments), "<python-expr>", exit_code)
            case "--python-exit-code":
                exit_code = int(next(arguments))
            case file if not file.startswith("-"):
                bpy.ops.wm.open_mainfile(filepath=os.path.abspath(file))
            case unknown:
                raise SystemExit(f"blender.py does not know the option {unknown}")


def remove_temporary_folder() -> None:
    """What Blender removes at a regular exit."""
    import bpy

    shutil.rmtree(bpy.app.tempdir, ignore_errors=True)


def main() -> int:
    """The exit code of what sys.argv asks for."""
    if "--version" in sys.argv:
        print("Blender", version("bpy"))
        return 0
    with tempfile.TemporaryDirectory(prefix="blender-") as folder:
        os.environ.setdefault("BLENDER_USER_RESOURCES", folder)
        try:
            run_arguments(iter(sys.argv[1:]))
        except StopIteration:
            print(f"blender.py: {sys.argv[-1]} lacks its value", file=sys.stderr)
            return 1
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
                return 1
            return int(end.code or 0)
        finally:
            remove_temporary_folder()
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # at a regular exit the module of 4.5 hangs while anything is registered
