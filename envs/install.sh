#!/usr/bin/env bash
# Installs the lock into the Python given: `bash envs/install.sh .venv/bin/python`.
#
# TORCH=gpu takes the CUDA build at once; TORCH=cpu insists on the CPU build; by default the CPU build is
# taken where one is offered (no registry has it, so an ordinary machine gets the CUDA build).
# --no-deps: the lock is complete, and a dependency's own range must not pull in another torch.
# pip byte-compiles what it installs: uncompiled, torch and transformers cost some 10 s more at each job.
set -euo pipefail
python=${1:?the Python to install into}
here=$(cd "$(dirname "$0")" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() { "$python" -m pip install --quiet --disable-pip-version-check --compile --require-hashes --no-deps "$@"; }

if [ "${TORCH:-auto}" = gpu ] || ! install -r "$here/torch-cpu.txt" 2>"$log"; then
    if [ "${TORCH:-auto}" = cpu ]; then
        cat "$log" >&2
        echo "TORCH=cpu: the CPU build named in envs/torch-cpu.txt is not offered here; unset TORCH for the CUDA build" >&2
        exit 1
    fi
    echo "Installing the CUDA build of torch (about 3 GB to download) ..."
    install -r "$here/torch.txt"
fi
echo "Installing the other locked packages ..."
install -r "$here/base.txt"
"$python" -m pip check
