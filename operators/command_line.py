"""`blender --background shot.blend --command tendril bake`: what the Bake button does, and the file is saved."""

import argparse
import os
import sys
from pathlib import Path

import bpy

from ..bake.errors import BakeError
from ..bake.messages import EXIT_CODES
from ..physics.validate import SceneError
from .baking import Baking


def main(arguments):
    """Runs the command → exit code: 0 baked, 1 stopped by an error, 2 refused, 3 cancelled."""
    parser = argparse.ArgumentParser(prog="blender --background FILE.blend --command tendril", description=__doc__)
    bake = parser.add_subparsers(required=True).add_parser("bake", help="bake the rods of the file's scene")
    bake.add_argument("--resume", action="store_true", help="go on with a bake that was stopped")
    bake.add_argument("--output", metavar="FILE.blend", help="save there, not over the file itself")
    options = parser.parse_args(arguments)
    return bake_and_save(options.resume, options.output or bpy.data.filepath)


def bake_and_save(resume, output):
    """Bakes the current scene and saves it as `output` → exit code."""
    if not output:
        return refuse("The file was never saved: name one with --output")
    if not os.access(Path(output).parent, os.W_OK):
        return refuse(f"'{output}' cannot be written: name a file in another folder with --output")
    run = bpy.context.window_manager.tendril
    kinds = []

    def tell(said):
        kinds.append(said["kind"])
        if said["kind"] in {"progress", "compiling"}:
            print(run.message, flush=True)

    try:
        Baking(bpy.context, resume=resume).run(bpy.context, tell)
    except (SceneError, BakeError) as error:
        return refuse(str(error))
    for warning in run.warnings:
        print(f"Warning, frame {warning.frame}: {warning.text}")
    print(run.message, file=sys.stderr if run.failed else sys.stdout, flush=True)
    code = next((EXIT_CODES[kind] for kind in reversed(kinds) if kind in EXIT_CODES), 1)
    if code != EXIT_CODES["verdict"]:
        bpy.ops.wm.save_as_mainfile(filepath=output, check_existing=False)
    return code


def refuse(text):
    print(text, file=sys.stderr)
    return EXIT_CODES["verdict"]


def register():
    global _command
    _command = bpy.utils.register_cli_command("tendril", main)


def unregister():
    bpy.utils.unregister_cli_command(_command)
