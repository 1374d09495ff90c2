"""Kernels that came compiled with the installation, in `physics/kernels`, a folder for each Python.

They are pickles: loading one runs what is in it. So they are taken only from where nobody could put them but who could
have put anything there: this user, and the system's.

numba finds them by what Python made of the sources, which patches of Python may make otherwise: then they are not taken
either, for each program would be compiled where a bake reaches it.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType

SHIPPED = Path(__file__).parents[1] / "kernels"
BYTECODE = "bytecode"  # the file that tells what Python made of the sources


def bring(folder: Path, sources: Iterable[Path], shipped: Path = SHIPPED) -> bool:
    """Copies what came compiled, of `folder`'s name and the sources, to where that folder is to be → whether it did."""
    found, copy = shipped / folder.name, None
    try:
        if not (is_out_of_reach(found) and (found / BYTECODE).read_text() == bytecode(sources)):
            return False
        copy = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
        for path in sorted(found.rglob("*")):  # each folder before what is in it
            place = copy / path.relative_to(found)
            if path.is_dir():
                place.mkdir(mode=0o700)
            else:
                shutil.copyfile(path, place)
        copy.rename(folder)  # at once, so no other process sees half of it; it fails where another one was first
        return True
    except OSError:
        if copy:
            shutil.rmtree(copy, ignore_errors=True)
        return False


def bytecode(sources: Iterable[Path]) -> str:
    """Hex digest of what this Python makes of the sources."""
    digest = hashlib.sha256()
    for path in sources:
        for code in _codes(compile(path.read_bytes(), path.name, "exec", dont_inherit=True)):
            digest.update(code.co_code)
    return digest.hexdigest()


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def is_out_of_reach(folder: Path) -> bool:
    """Whether nobody but this user and the system's can change a folder, what is in it, or what it is called: in a
    folder above it that is everybody's, as /tmp is, each has only what is theirs. Raises OSError: it is not there.
    """
    whole = folder.resolve(strict=True)
    inside = [whole, *whole.rglob("*")]
    return all(map(_is_safe, inside)) and all(_is_safe(above, shared=True) for above in whole.parents)


def _is_safe(path: Path, shared: bool = False) -> bool:
    found = path.lstat()
    if os.name == "nt":  # whose lists of who may write Python does not read
        return not stat.S_ISLNK(found.st_mode)
    if stat.S_ISLNK(found.st_mode) or found.st_uid not in {0, os.geteuid()}:
        return False
    if shared and found.st_mode & stat.S_ISVTX:
        return True
    others = found.st_mode & 0o002 or (found.st_mode & 0o020 and not _is_alone_in(found.st_gid))
    return not others


def _is_alone_in(group: int) -> bool:
    """Whether that is the group of this user alone, as most Linux systems have one for each."""
    import grp
    import pwd

    with suppress(KeyError):
        name, own = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(group)
        return own.gr_name == name and set(own.gr_mem) <= {name}
    return False
