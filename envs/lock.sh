#!/usr/bin/env bash
# Rewrites the lock from envs/requirements.in: `bash envs/lock.sh` (needs uv and Python; only for maintainers).
#
# One resolution for Python 3.11 to 3.13, cut into files that are installed one after another:
#   build.txt  setuptools, which builds the one locked package that has no wheel
#   torch.txt  torch with what only its CUDA build needs
#   base.txt   everything else
# torch-cpu.txt (the CPU build and its hash) is kept by hand: there is no way to ask for it without an address.
# What is locked already stays as it is unless it must move; `bash envs/lock.sh --upgrade` renews all.
set -euo pipefail
cd "$(dirname "$0")"
whole=$(mktemp)
trap 'rm -f "$whole"' EXIT
cat build.txt torch.txt base.txt >"$whole" 2>/dev/null || true
uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet \
    "$@" requirements.in -o "$whole"
python3 - "$whole" <<'PY'
import re
import sys
from pathlib import Path

NOTE = "# Made by envs/lock.sh from envs/requirements.in; do not edit.\n"
PARTS = {
    "build.txt": r"setuptools==",
    "torch.txt": r"(torch|triton|nvidia-[a-z0-9-]+|cuda-[a-z]+)==",
    "base.txt": r"",
}

entries = re.split(r"(?m)^(?=[a-z0-9])", Path(sys.argv[1]).read_text())
entries = [entry for entry in entries if re.match(r"[a-z0-9]", entry)]
for name, pattern in PARTS.items():
    part = [entry for entry in entries if re.match(pattern, entry)]
    entries = [entry for entry in entries if entry not in part]
    Path(name).write_text(NOTE + "".join(part))
    print(f"{name}: {len(part)} packages")
PY
