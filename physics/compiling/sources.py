"""What machine code is made of: the file of a kernel, and all that this file imports, to the end. No numba.

Whose content is the same is compiled the same. So what is kept of a program is named by the content of what it is made
of, and an edit compiles again only the programs that import what was edited.
"""

import hashlib
import re
from pathlib import Path

DIGITS = 16  # hexadecimal, of a digest in a name
_IMPORT = re.compile(r"^ *from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_KERNELS = re.compile(r"^(?:from \.+_jit import .*\b(?:kernel|entry)\b|@(?:kernel|entry)\b)", re.MULTILINE)


class Sources:
    """The sources of a folder, as they are when they are first asked for.

    compilers: files and folders in it that every program is made by, whatever it imports.
    """

    def __init__(self, folder: Path, made_by: str, compilers: tuple[str, ...]) -> None:
        self.folder, self._made_by = folder, made_by
        self._content = dict[Path, bytes]()
        self._imports = dict[Path, tuple[Path, ...]]()
        named = [folder / name for name in compilers]
        self._compilers = {file for one in named for file in (one.rglob("*.py") if one.is_dir() else [one])}

    def of_kernels(self) -> list[Path]:
        """The files that any kernel is made of."""
        found = {path for path in self.folder.rglob("*.py") if _KERNELS.search(self._text(path))}
        return sorted(self._compilers.union(*map(self.of, found)), key=self._name)

    def of(self, path: Path) -> set[Path]:
        """A file, and what it imports, to the end."""
        found, ahead = self._compilers | {path}, [path]
        while ahead:
            new = set(self._imported(ahead.pop())) - found
            found |= new
            ahead += new
        return found

    def digest(self, paths: set[Path] | list[Path]) -> str:
        """Hex digest of what such files hold, of their names, and of what they are compiled by."""
        digest = hashlib.sha256(self._made_by.encode())
        for path in sorted(paths, key=self._name):
            self._text(path)
            content = self._content[path]
            digest.update(f"{self._name(path)} {len(content)} ".encode())
            digest.update(content)
        return digest.hexdigest()[:DIGITS]

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _text(self, path: Path) -> str:
        if path not in self._content:
            self._content[path] = path.read_bytes()
        return self._content[path].decode(errors="replace")

    def _imported(self, path: Path) -> tuple[Path, ...]:
        """The files of the folder that a file imports names from; packages run for that lend it nothing."""
        if path not in self._imports:
            found = list[Path]()
            for dots, module, names in _IMPORT.findall(self._text(path)):
                parents = list(path.parents)
                if not parents[len(dots) - 1].is_relative_to(self.folder):
                    continue
                base = parents[len(dots) - 1].joinpath(*module.split(".")) if module else parents[len(dots) - 1]
                if (file := base.with_suffix(".py")).is_file() and module:
                    found.append(file)
                    continue
                for name in re.findall(r"\w+", names):
                    file = base / f"{name}.py"
                    found.append(file if file.is_file() else base / "__init__.py")
            self._imports[path] = tuple(path for path in found if path.is_file())
        return self._imports[path]
