"""The add-on's own library by the name `tendril`, under which the worker imports it.

What is compiled is kept by the name and the folder of a module, so what the worker has compiled is there, and what is
measured here is compiled once, not in every process that links the add-on into folders of its own.
"""

import importlib.util
import sys
from pathlib import Path


def load():
    """From here on `import tendril` finds what Blender has enabled."""
    if "tendril" in sys.modules:
        return
    from bl_ext.user_default import tendril as addon

    folder = Path(addon.__file__).resolve().parent
    spec = importlib.util.spec_from_file_location(
        "tendril", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules["tendril"] = package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
