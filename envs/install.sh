#!/bin/sh
# Installs the lock into the Python given: `sh envs/install.sh .venv/bin/python`.
#
# TORCH=gpu takes the CUDA build of torch, TORCH=cpu insists on the CPU build. Without either, the CPU build
# is taken where there is no NVIDIA driver and one is offered beside the package index (the index itself has
# none for Linux), else the CUDA build, which runs on a CPU too.
#
# Every file is checked against its hash. --no-deps: the lock is complete, and a dependency's own range must
# not bring in another torch. --only-binary: a platform without a wheel is told so; it does not start to
# compile. --compile: an uncompiled torch with transformers costs each job some ten seconds.
set -eu
python=${1:?usage: sh envs/install.sh PYTHON}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=${TORCH:-auto}
case $build in
    auto | cpu | gpu) ;;
    *)
        echo "TORCH=$build: no such build of torch. Use TORCH=cpu or TORCH=gpu, or leave it out." >&2
        exit 2
        ;;
esac

# Settings of the user's own pip that would put the packages elsewhere or change which ones are taken.
unset PYTHONHOME PYTHONPATH PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIREMENT PIP_UPGRADE PIP_FORCE_REINSTALL \
    PIP_IGNORE_INSTALLED PIP_NO_BINARY PIP_ONLY_BINARY PIP_PRE PIP_DRY_RUN PIP_NO_COMPILE PIP_EDITABLE \
    PIP_CONSTRAINT PIP_REQUIRE_VIRTUALENV
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore

# -I: an installed copy on PYTHONPATH or in the user's site folder must not count as installed here.
install() {
    "$python" -I -m pip install --compile --require-hashes --no-deps --only-binary :all: "$@"
}

complain() {
    cat >&2 <<'MESSAGE'

The packages could not be installed; pip's message above says why.
  Network or index out of reach:  run the same command again; what was downloaded is kept.
  "No matching distribution":     this Python or platform has no build of that package. The lock is for
                                  Python 3.11 to 3.13 on 64-bit Linux: PYTHON=python3.12 chooses one.
  "No space left":                the CUDA build needs 6 GB here, and 3 GB more in the folder for temporary
                                  files (TMPDIR) and in pip's cache (PIP_CACHE_DIR).
MESSAGE
    exit 1
}

if [ "$build" = auto ] && [ -e /proc/driver/nvidia/version ]; then
    build=gpu
fi
if [ "$build" != gpu ]; then
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    if install --quiet -r "$here/torch-cpu.txt" 2>"$log"; then
        build=cpu
    elif [ "$build" = cpu ]; then
        cat "$log" >&2
        echo "TORCH=cpu: the CPU build that envs/torch-cpu.txt names is not offered to this Python." >&2
        echo "Name a folder or index that has it (PIP_FIND_LINKS, PIP_EXTRA_INDEX_URL), or leave TORCH out" >&2
        echo "for the CUDA build, which runs on a CPU too." >&2
        exit 1
    else
        build=gpu
    fi
fi
if [ "$build" = gpu ]; then
    # pip would take an installed CPU build for the version that is asked for.
    if "$python" -I -c 'import importlib.metadata as m; assert "+cpu" in m.version("torch")' 2>/dev/null; then
        "$python" -I -m pip uninstall --quiet --yes torch
    fi
    echo "Installing torch with its CUDA libraries (about 3 GB to download) ..."
    install -r "$here/torch.txt" || complain
fi
echo "Installing the other locked packages ..."
install --quiet -r "$here/build.txt" || complain
# connection-pool is published as source only: built with the setuptools just installed, not a fetched one.
install --quiet --no-binary connection-pool --no-build-isolation --use-pep517 -r "$here/base.txt" || complain
"$python" -I -m pip check
