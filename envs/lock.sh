#!/usr/bin/env bash
# Rewrites the lock from envs/requirements.in (needs uv; only maintainers run it): `bash envs/lock.sh`.
#
# One resolution for Linux and Python 3.11 to 3.13, in two files, so that a machine to which a CPU
# build of torch is offered can take that one and skip several GB of CUDA libraries:
#   torch.txt  torch with what only its CUDA build needs
#   base.txt   everything else
# torch-cpu.txt (the CPU build's hash) is kept by hand: uv has no way to ask for it without an address.
set -euo pipefail
cd "$(dirname "$0")"
whole=$(mktemp)
trap 'rm -f "$whole"' EXIT
uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate \
    --no-emit-index-url --no-emit-find-links --no-header --quiet "$@" requirements.in -o "$whole"
python3 - "$whole" <<'PY'
import re
import sys
from pathlib import Path

entries = re.split(r"(?m)^(?=[a-z0-9])", Path(sys.argv[1]).read_text())
entries = [entry for entry in entries if entry.strip()]
cuda = [e for e in entries if re.match(r"(torch|triton|nvidia-[a-z0-9-]+|cuda-[a-z]+)==", e)]
base = [e for e in entries if e not in cuda]
note = "# Made by envs/lock.sh from envs/requirements.in; do not edit.\n"
Path("torch.txt").write_text(note + "".join(cuda))
Path("base.txt").write_text(note + "".join(base))
print(f"torch.txt: {len(cuda)} packages, base.txt: {len(base)} packages")
PY
