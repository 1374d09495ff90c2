"""Where the frames of a scene's bake are kept.

A bake goes to the folder FILE/SCENE below `tendril_cache` beside the .blend, or below the folder that was chosen; two
files never share a FILE. So it is found again although the .blend was never saved after it. The scene also remembers
where its last bake went, and which it was (`input_hash`): a file saved under another name, or a renamed scene, finds it
there as long as it is that bake still; but bakes into a folder of its own.
"""

import hashlib
import ntpath
import os
import stat
from contextlib import suppress
from pathlib import Path

import bpy

from ..bake import folder, job
from ..bake.cache import Cache
from ..bake.errors import BakeError
from ..bridge.mesh_cache import normal

BESIDE_BLEND = ".."  # the way from the default cache folder to the file's


def bake_folder(scene):
    """The folder a new bake of `scene` goes to, which need not exist. Raises BakeError for a useless Cache setting."""
    base = _base(scene.tendril.cache_folder.strip())
    home, remembered = folder.locate(base, _file_name(base)), Path(scene.tendril.baked_in)
    if normal(remembered.parent) == normal(home) and _owner(remembered) == scene:
        return remembered  # also when the scene was renamed
    first = name = scene.name if bpy.data.filepath else f"{scene.name} {scene.session_uid}"
    number = 1
    while _owner(folder.locate(home, name)) not in {None, scene}:  # who was called so then
        number += 1
        name = f"{first} {number}"
    return folder.locate(home, name)


def cache_folder(scene, *, asked=True):
    """The folder with the bake of `scene`: its own, or the one it remembers. Raises BakeError as `bake_folder`.

    asked: by the artist, so that other machines may be looked at too.
    """
    own, remembered = bake_folder(scene), Path(scene.tendril.baked_in)
    if remembered == own or _owner(remembered) != scene:
        return own
    if not asked and (on_other_machine(own) or on_other_machine(remembered)):
        return own
    return remembered if not _is_cache(own) and _is_cache(remembered, scene.tendril.baked_hash) else own


def may_hold_cache(scene):
    """Whether `scene` seems to have a bake on disk, cheaply; one on another machine is not asked. Raises BakeError."""
    own, remembered = bake_folder(scene), Path(scene.tendril.baked_in)
    places = {own, remembered} if _owner(remembered) == scene else {own}
    return any(on_other_machine(place) or _seems_there(place) for place in places)


def has_begun(scene, frames):
    """Whether another bake of `scene` than that of so many frames which it remembers was begun there, and left. Raises
    BakeError.
    """
    place = cache_folder(scene, asked=False)
    if on_other_machine(place):
        return True  # it is not asked
    cache = Cache(place)
    same = cache.input_hash == scene.tendril.baked_hash and len(cache.frames) == frames
    return not same or job.at_work(place) != job.SETTINGS


def remember(scene, place, input_hash):
    """Keep in the scene that its bake is in the folder `place`."""
    scene.tendril.baked_in, scene.tendril.baked_hash = str(place), input_hash


def free(scene):
    """Delete the scene's bake on disk → (how many frames, bytes, from where). Raises BakeError."""
    place = cache_folder(scene)
    cache = Cache(place)
    frames, size = len(cache.frames), cache.size()
    cache.free()
    for parent in (place.parent, place.parent.parent):
        if parent == place.parent or parent.name == folder.BESIDE_BLEND:  # a folder that was chosen stays
            with suppress(OSError):  # it is not empty
                parent.rmdir()
    return frames, size, place


def on_other_machine(path, file=None):
    r"""Whether a path names a share (\\server\share) on which the .blend `file` (None: the open one) does not lie.

    Merely opening a file must not make Windows log on to a server that the file names.
    """
    share = ntpath.splitdrive(path)[0]
    own = ntpath.splitdrive(bpy.data.filepath if file is None else file)[0]
    return share.startswith(("\\\\", "//")) and ntpath.normcase(share) != ntpath.normcase(own)


def _base(chosen):
    """The folder below which files have theirs. Raises BakeError."""
    file = bpy.data.filepath
    if not chosen:  # until it is saved: in the folder that goes when Blender does
        return (Path(file).parent if file else Path(bpy.app.tempdir)) / folder.BESIDE_BLEND
    if chosen.startswith("//") and not file:
        raise BakeError(f"Cache '{chosen}' lies beside a file that was never saved: save it or choose another folder.")
    base = bpy.path.abspath(os.path.expanduser(chosen))
    if not os.path.isabs(base):
        raise BakeError(
            f"Cache '{chosen}' does not say where it begins: write //{chosen} for one beside the file, or choose one."
        )
    return Path(os.path.normpath(base))


def _file_name(base):
    """A name for the open file that no other has below `base`: with a hash of the way to it unless it lies beside."""
    file = bpy.data.filepath
    if not file:
        return f"unsaved {Path(bpy.app.tempdir).name} {os.getpid()}"
    path = Path(file)
    name = path.stem if path.suffix == ".blend" else path.name  # a backup, shot.blend1, is another file
    try:
        way = os.path.relpath(path.parent, base)
    except ValueError:  # on another drive
        way = str(path.parent)
    way = Path(way).as_posix()
    return name if way == BESIDE_BLEND else f"{name} {hashlib.sha256(way.encode()).hexdigest()[:8]}"


def _owner(place):
    """The scene of this file that remembers the folder `place`; of copies the one that is called like it, or None."""
    found = [
        scene for scene in bpy.data.scenes if scene.tendril.baked_in and normal(scene.tendril.baked_in) == normal(place)
    ]
    called = [scene for scene in found if folder.locate("", scene.name).name == place.name]
    return next(iter([*called, *found]), None)


def _seems_there(place):
    """Whether there is a folder, or what keeps it from being seen is not that there is none."""
    try:
        return stat.S_ISDIR(os.stat(place).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:  # as disks on other machines have them
        return True


def _is_cache(place, input_hash=None):
    """Whether there are frames of a bake in a folder, of the one with `input_hash` if given."""
    found = Cache(place).input_hash
    return found is not None and input_hash in {None, found}
