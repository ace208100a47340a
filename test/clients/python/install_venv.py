"""Creates a virtual environment in folder argv[1] with the packages of file argv[2], once per content of that file.

Test files run side by side, and two of them may ask for the same folder: the second waits for a lock, which ends with its holder.
"""

import fcntl
import subprocess
import sys
import venv
from pathlib import Path

folder, requirements = Path(sys.argv[1]), Path(sys.argv[2])
mark = folder / "installed.txt"
wanted = requirements.read_text()

folder.parent.mkdir(parents=True, exist_ok=True)
with open(folder.with_suffix(".lock"), "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not mark.exists() or mark.read_text() != wanted:
        venv.create(folder, clear=True, with_pip=True, symlinks=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", "--requirement", requirements], check=True)
        mark.write_text(wanted)
