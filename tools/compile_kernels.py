"""Compiles every kernel of a copy of Tendril, for the Python that runs this, into the copy's `physics/kernels`, from
where installations take them.

    python tools/compile_kernels.py FOLDER_OF_TENDRIL

That copy is imported, wherever another one is installed. Prints the folder that it filled.
"""

import importlib.util
import os
import sys
from pathlib import Path


def main(package: Path) -> None:
    os.environ["TENDRIL_KERNELS"] = str(package / "physics" / "kernels")
    (package / "physics" / "kernels").mkdir(mode=0o755, exist_ok=True)
    spec = importlib.util.spec_from_file_location(
        "tendril", package / "__init__.py", submodule_search_locations=[str(package)]
    )
    assert spec is not None
    sys.modules["tendril"] = importlib.util.module_from_spec(spec)
    from tendril.physics._jit import CACHE_FOLDER, SOURCES
    from tendril.physics.compiling.one_at_a_time import LOCK
    from tendril.physics.compiling.shipped import BYTECODE, bytecode
    from tendril.physics.compiling.target import target
    from tendril.physics.run import compile as kernels

    if not target():
        print("No other processor would take what this one compiles: the zip goes without kernels.", file=sys.stderr)
        return
    assert CACHE_FOLDER is not None
    for part in kernels.warm_up(kernels.missing(kernels.every_part())):
        print(f"Compiling for Python {sys.version_info[0]}.{sys.version_info[1]}: {part}.", file=sys.stderr)
    for lock in CACHE_FOLDER.glob(f"{LOCK}-*"):
        lock.unlink()
    (CACHE_FOLDER / BYTECODE).write_text(bytecode(SOURCES.of_kernels()))
    for path in (CACHE_FOLDER, *CACHE_FOLDER.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)  # as all that is installed
    print(CACHE_FOLDER)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main(Path(sys.argv[1]).resolve())
