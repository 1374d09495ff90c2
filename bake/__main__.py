"""`python -P -m tendril.bake JOB_FOLDER [--resume]`: see `terminal`. The program `tendril-bake` does the same.

-P, because without it Python looks for modules in the folder it is started in, and a shot's folder may come from
anyone. Should it be forgotten, that folder is left out from here on: `terminal`, and with it libraries, are imported
only then.
"""

import os
import sys
from pathlib import Path

if __name__ == "__main__" and not sys.flags.safe_path and sys.path[:1] in ([""], [os.getcwd()]):
    del sys.path[0]

from .environment import shed


def script() -> int:
    """The program → exit code. Libraries find nothing in the folder it was started in or in the environment."""
    folder = Path.cwd()
    os.chdir(Path(sys.executable).parent)
    shed()
    from .terminal import main

    return main(started_in=folder)


if __name__ == "__main__":
    sys.exit(script())
