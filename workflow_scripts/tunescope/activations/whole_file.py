"""HDF5 files that are there as a whole or not at all."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import h5py

from tunescope.errors import InputError
from tunescope.provenance.digests import fsync_folder

COMPLETE = "complete"


@contextmanager
def write_whole(path: Path) -> Iterator[h5py.File]:
    """Write an HDF5 file under a temporary name; it takes its own name when all went well.

    The temporary name in the same folder holds machine and process, so that two jobs on one file
    do not mix. The attribute `complete` comes last; then the file is closed, synced to the disk and
    renamed. After an error the temporary file is removed; what a killed process left behind is
    removed by the next writer on the same machine. The same content gives the same bytes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}.{socket.gethostname()}."
    _remove_leftovers(path.parent, prefix)
    temporary = path.with_name(f"{prefix}{os.getpid()}.partial")
    try:
        with h5py.File(temporary, "w") as file:
            yield file
            file.attrs[COMPLETE] = True
        with temporary.open("rb") as handle:
            os.fsync(handle.fileno())
        temporary.rename(path)
    finally:
        temporary.unlink(missing_ok=True)
    fsync_folder(path.parent)


@contextmanager
def read_whole(path: Path, *, remedy: str) -> Iterator[h5py.File]:
    """Open a file that `write_whole` finished, without a lock.

    Raises:
        InputError: no such file, no HDF5 file, or not finished.
    """
    file = open_whole(path, remedy=remedy)
    with file:
        yield file


def open_whole(path: Path, *, remedy: str) -> h5py.File:
    """As `read_whole`, but the caller closes the file."""
    if not path.is_file():
        raise InputError(path, "no such file", remedy)
    try:
        file = h5py.File(path, "r", locking=False)
    except OSError as error:
        raise InputError(path, f"cannot be read as HDF5 ({error})", remedy) from error
    if not file.attrs.get(COMPLETE, False):
        file.close()
        raise InputError(path, "was not finished: no attribute `complete`", remedy)
    return file


def _remove_leftovers(folder: Path, prefix: str) -> None:
    """Remove temporary files of processes that are gone."""
    for leftover in folder.glob(f"{prefix}*.partial"):
        process = leftover.name.removeprefix(prefix).removesuffix(".partial")
        if process.isdigit() and int(process) != os.getpid() and not _alive(int(process)):
            leftover.unlink(missing_ok=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
