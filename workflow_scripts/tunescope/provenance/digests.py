"""Content hashes of files and folders."""

import hashlib
import os
from functools import cache
from pathlib import Path


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def source_digest(path: Path) -> str | None:
    """Content hash of a file or folder that the workflow did not make; None if it is not there.

    A folder's hash covers the names and bytes of the files in it, hidden ones left out. A file is
    read once a process however often it is asked for, unless its size or time changes meanwhile.
    """
    if path.is_dir():
        files = sorted(p for p in path.rglob("[!.]*") if p.is_file())
        parts = [f"{p.relative_to(path).as_posix()} {source_digest(p)}" for p in files]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()
    try:
        status = path.stat()
    except OSError:
        return None
    return _cached_sha256(path, status.st_size, status.st_mtime_ns)


@cache
def _cached_sha256(path: Path, size: int, time: int) -> str:
    del size, time  # part of the key alone
    return file_sha256(path)


def fsync_folder(folder: Path) -> None:
    """Make renames in a folder survive a crash of the machine."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
