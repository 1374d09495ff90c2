"""Kernels that were compiled of earlier sources, and are of these as well: so an edit compiles what it changes.

They lie in folders beside, of the same name but for the content of the sources; see `sources` for what their files are
named by.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

from .kernel_folder import is_private
from .sources import DIGITS

_MADE_OF = re.compile(rf"\.([0-9a-f]{{{DIGITS}}})-[^/]*\.nbi$")


def carry_over(folder: Path, digests: Collection[str]) -> bool:
    """Links what was compiled of sources with such digests to where `folder` is to be → whether there was any."""
    beside = [one for one in folder.parent.glob(f"{folder.name[:-DIGITS]}*") if one.name[-DIGITS - 1] == "-"]
    files = dict[Path, Path]()
    for other in sorted(filter(is_private, beside), key=lambda one: one.lstat().st_mtime, reverse=True):
        for index in other.rglob("*.nbi"):
            made_of, name = _MADE_OF.search(index.name), index.relative_to(other)
            if name not in files and made_of and made_of[1] in digests:  # all of a program's files from one folder
                files |= {name.with_name(path.name): path for path in index.parent.glob(f"{index.stem}.*.nbc")}
                files[name] = index
    if not files:
        return False
    copy = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        for name, path in files.items():
            (copy / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                os.link(path, copy / name)
            except OSError:  # this file system has no links
                shutil.copyfile(path, copy / name)
        copy.rename(folder)  # at once, so no other process sees half of it; it fails where another one was first
    except OSError:
        shutil.rmtree(copy, ignore_errors=True)
        return False
    return True
