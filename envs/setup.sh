#!/bin/sh
# `make setup`: a virtual environment with the locked packages in .venv; nothing to do where it is current.
#
# .venv/tunescope-lock is written last, and says which lock and which build of torch were installed: an
# interrupted set-up leaves none and is done again, and so is one of an older lock, whatever the files' times.
set -eu
cd -- "$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)"
unset PYTHONHOME PYTHONPATH
venv=.venv
stamp=$venv/tunescope-lock
begun=$venv/tunescope-begun
torch=${TORCH:-auto}

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}
version() { "$1" -I -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null; }
fits() {
    case $(version "$1") in
        3.11 | 3.12 | 3.13) "$1" -I -c 'import sys; sys.exit(sys.maxsize < 2**32)' ;;
        *) return 1 ;;
    esac
}
makes_environments() { "$1" -I -c 'import ensurepip, venv' >/dev/null 2>&1; }
describe() {
    found=$(command -v "$1" 2>/dev/null) || found='not found'
    echo "$1 ($found, Python $(version "$1" || echo '?'))"
}
case $torch in
    auto | cpu | gpu) ;;
    *) fail "TORCH=$torch: no such build of torch. Use TORCH=cpu or TORCH=gpu, or leave it out." ;;
esac
no_venv_module="Its venv module is missing. On Debian and Ubuntu: apt-get install python3-venv (or python3.12-venv
for python3.12), then run the same command again."

# One set-up at a time: a second one waits, then finds nothing to do.
if command -v flock >/dev/null 2>&1; then
    exec 9<envs
    flock 9 2>/dev/null || true
fi

lock=$(cat envs/install.sh envs/build.txt envs/torch.txt envs/torch-cpu.txt envs/base.txt | cksum)
state=absent
if [ -f "$stamp" ]; then
    state=outdated
    read -r built_lock <"$stamp"
    built=$(sed -n 2p "$stamp")
    if [ "$built_lock" = "$lock" ] && { [ "$torch" = auto ] || [ "$torch" = "$built" ]; } && fits "$venv/bin/python" &&
        { [ -z "${PYTHON:-}" ] || [ "$(version "$PYTHON")" = "$(version "$venv/bin/python")" ]; }; then
        echo "The environment is current: .venv"
        exit 0
    fi
elif [ -f "$begun" ]; then
    state=interrupted
elif [ -e "$venv/bin/python" ] || [ -L "$venv/bin/python" ]; then
    state=foreign
fi

if [ "$state" = foreign ]; then
    fits "$venv/bin/python" || fail "The .venv that is here already has Python $(version "$venv/bin/python" || echo '?')," \
        "not 3.11, 3.12 or 3.13. Remove it (rm -r .venv) and run the same command again."
    "$venv/bin/python" -I -m pip --version >/dev/null 2>&1 || fail "The .venv that is here already has no pip." \
        "Remove it (rm -r .venv) and run the same command again."
    echo "Using the virtual environment that is here already (.venv, Python $(version "$venv/bin/python"))."
else
    python=
    if [ -n "${PYTHON:-}" ]; then
        fits "$PYTHON" || fail "PYTHON=$(describe "$PYTHON") does not serve:" \
            "tunescope needs a 64-bit Python 3.11, 3.12 or 3.13."
        makes_environments "$PYTHON" || fail "PYTHON=$(describe "$PYTHON") cannot make a virtual environment." \
            "$no_venv_module"
        python=$PYTHON
    else
        fitting=
        for candidate in python3 python3.13 python3.12 python3.11 python; do
            fits "$candidate" || continue
            fitting=${fitting:-$candidate}
            if makes_environments "$candidate"; then
                python=$candidate
                break
            fi
        done
        if [ -z "$python" ] && [ -n "$fitting" ]; then
            fail "$(describe "$fitting") cannot make a virtual environment." "$no_venv_module"
        fi
        [ -n "$python" ] || fail "tunescope needs a 64-bit Python 3.11, 3.12 or 3.13; found: $(describe python3)." \
            "Install one, or name one: make setup PYTHON=/path/to/python3.12"
    fi
    case $state in
        outdated) echo "The lock, the Python or the build of torch has changed: making .venv anew." ;;
        interrupted) echo "An earlier set-up was interrupted: making .venv anew." ;;
    esac
    # With .venv activated, python3 is the one in it, about to be removed: take the Python that it came from.
    python=$("$python" -I -c 'import sys; print(sys._base_executable)')
    # .venv itself stays: it may be a link to a disk with more room.
    mkdir -p "$venv"
    rm -f "$stamp"
    : >"$begun"
    find "$venv/" -mindepth 1 -maxdepth 1 ! -name "${begun##*/}" -exec rm -rf {} +
    echo "Making .venv with Python $(version "$python") ..."
    "$python" -I -m venv "$venv" || fail "The virtual environment could not be made (see above)." "$no_venv_module"
fi

rm -f "$stamp"
TORCH=$torch sh envs/install.sh "$venv/bin/python"
torch=$("$venv/bin/python" -I -c 'from importlib.metadata import version; print(version("torch"))')
case $torch in
    *+cpu) build=cpu ;;
    *) build=gpu ;;
esac
printf '%s\n%s\n' "$lock" "$build" >"$stamp.part"
mv "$stamp.part" "$stamp"
rm -f "$begun"
echo "Ready: .venv (Python $(version "$venv/bin/python"), torch $torch)."
