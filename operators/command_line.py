"""`blender --background shot.blend --command tendril bake`: what the Bake button does, and the file is saved.

exit codes:
  0  baked; or estimated, or freed
  1  stopped by an error, or not saved: finished frames are kept
  2  refused, nothing was changed
  3  cancelled by Ctrl C or SIGTERM: finished frames are kept and saved
  4  the bake process crashed: finished frames are kept and saved
"""

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import bpy

from ..bake.errors import BakeError
from ..bake.messages import EXIT_CODES
from ..bridge import scene as scenes
from ..physics.validate import SceneError
from ..properties.run import duration
from . import cache_folder, contact_sheet, reading, wedge
from .baking import Baking
from .estimate import forecasts, slowly

REFUSED, FAILED = EXIT_CODES["verdict"], EXIT_CODES["error"]
LEAST_ROOM = 1_000_000  # bytes, below which a disk is full: a .blend without any bake takes a tenth
QUALITIES = ("preview", "good", "fine")


def main(arguments):
    """Runs the command → exit code, as above."""
    options = _parser().parse_args(arguments)
    try:
        with signals_to(_interrupt):
            check_file(named_file(sys.argv))
            return options.run(options)
    except (SceneError, BakeError) as error:
        return _complain(str(error), REFUSED)
    except KeyboardInterrupt:
        return _complain("Cancelled: nothing was changed", EXIT_CODES["cancelled"])


class _Parser(argparse.ArgumentParser):
    """To which -1e-05 is a number, and no option."""

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        self._negative_number_matcher = re.compile(r"^-\d*\.?\d+(e[+-]?\d+)?$", re.IGNORECASE)


def _parser():
    look = {"epilog": __doc__.partition("\n\n")[2], "formatter_class": argparse.RawDescriptionHelpFormatter}
    name = "blender --background FILE.blend --command tendril"
    parser = _Parser(prog=name, description=__doc__.partition("\n")[0], **look)
    commands = parser.add_subparsers(required=True, metavar="bake | estimate | free | sheet")
    bake = commands.add_parser("bake", help="bake the rods and rigid bodies of the file's scene and save it", **look)
    bake.set_defaults(run=bake_and_save)
    bake.add_argument("--resume", action="store_true", help="go on with a bake that was stopped")
    bake.add_argument("--output", metavar="FILE.blend", help="save there, not over the file itself")
    wedge_help = "set a number of the file, as Copy Full Data Path names it, to one between two values; '' is none"
    bake.add_argument("--wedge", nargs=3, metavar=("PROPERTY", "FROM", "TO"), help=wedge_help)
    bake.add_argument(
        "--take", metavar="K/N", type=wedge.take, default=(1, 1), help="to the K-th of N values of --wedge"
    )
    sheet = commands.add_parser("sheet", help="lay pictures of rendered takes on one sheet, a row for each", **look)
    sheet.set_defaults(run=contact_sheet.lay_out)
    sheet.add_argument("folder", help="in which each take has a folder of frames")
    sheet.add_argument("--output", metavar="FILE.png", required=True, help="the picture that is written")
    sheet.add_argument("--columns", type=int, default=5, help="pictures of each take")
    estimate = commands.add_parser("estimate", help="check the scene and say how long its bake will take", **look)
    estimate.set_defaults(run=say_estimate)
    for command in (bake, estimate):
        command.add_argument("--frames", metavar="A..B", type=frame_range, help="other frames than the file's")
        command.add_argument("--quality", choices=QUALITIES, help="another quality than the file's")
    free = commands.add_parser("free", help="delete the frames of the bake on disk; the animation stays", **look)
    free.set_defaults(run=free_cache)
    for command in (bake, free):
        command.add_argument("--cache", metavar="FOLDER", help="the folder of the frames, in place of the file's")
    parser.set_defaults(frames=None, quality=None, cache=None, wedge=None)
    return parser


def frame_range(text):
    """'10..50' → (10, 50)."""
    found = re.fullmatch(r"(-?\d{1,7})\.\.(-?\d{1,7})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is no range of frames: write it as 1..250")
    return int(found[1]), int(found[2])


def apply(options):
    """Set what the options say. It is saved with the file, so that it says what was baked."""
    settings = bpy.context.scene.tendril
    if options.frames:
        settings.use_frame_range = True
        settings.frame_start, settings.frame_end = options.frames
    if options.quality:
        settings.quality = options.quality.upper()
    if options.cache:
        settings.cache_folder = os.path.abspath(options.cache)


def bake_and_save(options):
    """Bakes the current scene and saves the file → exit code. Raises SceneError, BakeError: refused."""
    output, begun = check_output(options.output or bpy.data.filepath), time.monotonic()
    apply(options)
    if options.wedge:
        wedge.choose(*options.wedge, *options.take)
    run = bpy.context.window_manager.tendril
    with reading.printed(*scenes.frame_range(bpy.context.scene)):
        baking = Baking(bpy.context, resume=options.resume)

    part = ""  # that is compiled

    def tell(said):
        nonlocal part
        if said["kind"] != "compiling":
            part = ""
        else:
            if said["text"] == part or said["text"].startswith(f"{part}, "):
                return  # told again each second, with how long it takes: for a panel, not for a log
            part = said["text"]
        if said["kind"] in {"progress", "compiling", "settling"}:
            print(run.message, flush=True)

    with signals_to(baking.cancel):
        baking.run(bpy.context, tell)
        for warning in run.warnings:
            print(f"Warning, frame {warning.frame}: {warning.text}")
        print(run.message, file=sys.stderr if run.failed else sys.stdout)
        print(f"It took {duration(time.monotonic() - begun)}", flush=True)
        code = max(EXIT_CODES[baking.ending], FAILED if run.failed else 0)
        return save(output, code) if baking.began else code


def say_estimate(options):
    apply(options)
    first, last = scenes.frame_range(bpy.context.scene)
    *_, found = slowly(forecasts(bpy.context))
    print(f"{last - first + 1} frames. {found.text}")
    return EXIT_CODES["done"]


def free_cache(options):
    apply(options)
    frames, size, place = cache_folder.free(bpy.context.scene)
    print(f"Deleted {frames} frames, {size / 1e6:.1f} MB, from {place}")
    return EXIT_CODES["done"]


def named_file(arguments):
    """The .blend that Blender's own command line, `arguments`, asks for; '' if none."""
    ends = [index for index, argument in enumerate(arguments) if argument in {"-c", "--command"}]
    named = ""
    for before, argument in pairwise(arguments[: ends[0]] if ends else []):
        if not argument.startswith("-") and (argument.endswith(".blend") or before in {"-b", "--background"}):
            named = argument
    return named


def check_file(name):
    """Raises BakeError if Blender could not open the file it was asked for and so has none open."""
    if name and not bpy.data.filepath:
        path = Path(name)
        trouble = "is no .blend file that this Blender can read" if path.is_file() else "does not exist"
        raise BakeError(f"'{name}' {'is a folder' if path.is_dir() else trouble}: name a .blend file.")


def check_output(name):
    """The path of a .blend that can be written. Raises BakeError."""
    if not name:
        raise BakeError("The file was never saved: name one with --output.")
    path = Path(bpy.path.abspath(name)).absolute()
    if path.is_dir():
        raise BakeError(f"'{name}' is a folder: name a .blend file in it with --output.")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            writable = True
    except OSError:
        writable = False
    if not writable or (path.exists() and not os.access(path, os.W_OK)):
        raise BakeError(f"'{name}' cannot be written: name a file in another folder with --output.")
    if _room(path) < LEAST_ROOM:
        raise BakeError(f"The disk of '{name}' is full: free some space or name another place with --output.")
    return str(path)


def _room(path):
    """Bytes left on the disk of a file, as far as one can tell."""
    try:
        return shutil.disk_usage(Path(path).parent).free
    except OSError:
        return LEAST_ROOM


def save(path, code):
    """Saves the file → `code`, or 1 if that fails."""
    try:
        bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    except RuntimeError as error:
        reason = "the disk is full" if _room(path) < LEAST_ROOM else str(error).strip().removeprefix("Error: ")
        return _complain(f"'{path}' could not be saved ({reason}): the frames stay in the cache, use --resume.", FAILED)
    return code


@contextmanager
def signals_to(end):
    """Ctrl C and SIGTERM call `end`; in background Blender would take the first Ctrl C and go on."""
    before = {number: signal.signal(number, lambda *_: end()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:  # else Blender's own, which Python cannot put back
                signal.signal(number, handler)


def _interrupt():
    raise KeyboardInterrupt


def _complain(text, code):
    print(text, file=sys.stderr, flush=True)
    return code


def register():
    global _command
    _command = bpy.utils.register_cli_command("tendril", main)


def unregister():
    bpy.utils.unregister_cli_command(_command)
