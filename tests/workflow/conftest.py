"""A finished run that the tests share."""

import shutil

import pytest
from filelock import FileLock

from workflow.harness import TINY, Workflow


@pytest.fixture(scope="session")
def finished(tmp_path_factory, worker_id):
    """A workflow that has run to its end; tests leave it as they find it.

    Workers of one session share it: the first to ask makes it, the others wait.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    folder = shared / "work flow" / "finished"
    folder.parent.mkdir(exist_ok=True)
    with FileLock(folder.parent / "lock"):
        done = folder.parent / "done"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            result = Workflow(folder, TINY).run()
            assert result.returncode == 0, result.stdout + result.stderr
            done.touch()
    return Workflow.at(folder)


@pytest.fixture
def changed(finished, tmp_path):
    """A copy of the finished workflow, to be changed."""
    shutil.copytree(finished.folder, tmp_path / "copy", symlinks=True)
    return Workflow.at(tmp_path / "copy")
