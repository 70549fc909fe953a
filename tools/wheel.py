"""Build a wheel with compiled code for this Python and this numba: `python -m tools.wheel [FOLDER]`, dist/ without one.

The code is for a family of processors (`dominion_env/compiled/shipped.py`), not for this machine alone.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.compiled_code import COMPILED_CODE

ROOT = Path(__file__).parent.parent
COMPILE = """
import sys
from pathlib import Path
from dominion_env.compiled import jit, shipped
shipped.FOLDER = Path(sys.argv[1])
from dominion_env.rules.record.state import GAME
from dominion_app.compiling import parts
for part in [part for seats in GAME for part in parts(seats)]:
    print(f"compiling {part.name} ...", flush=True)
    part.use()
for function, source_hash in jit.CACHED.items():
    shipped.write(function, source_hash)
"""


def main(folder: Path) -> int:
    """Compile everything into a folder of its own, build the wheel with it, and return the exit status."""
    from dominion_env.compiled.shipped import FAMILIES

    if platform.machine() not in FAMILIES:
        print(f"expected a machine of {', '.join(FAMILIES)}, got {platform.machine()}", file=sys.stderr)
        return 1
    family, _ = FAMILIES[platform.machine()]
    with tempfile.TemporaryDirectory() as temporary:
        code = Path(temporary) / "code"
        # a cache of its own, as only what is compiled in this process can be written
        settings = {"NUMBA_CPU_NAME": family, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": f"{temporary}/cache"}
        subprocess.run([sys.executable, "-c", COMPILE, str(code)], env={**os.environ, **settings}, cwd=ROOT, check=True)
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder.resolve())]
        subprocess.run(build, env={**os.environ, COMPILED_CODE: str(code)}, cwd=ROOT, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"))
