"""A finished run that the tests share."""

import shutil

import pytest

from workflow.harness import TINY, Workflow


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A workflow that has run to its end; tests leave it as they find it."""
    workflow = Workflow(tmp_path_factory.mktemp("work flow") / "finished", TINY)
    result = workflow.run()
    assert result.returncode == 0, result.stdout + result.stderr
    return workflow


@pytest.fixture
def changed(finished, tmp_path):
    """A copy of the finished workflow, to be changed."""
    shutil.copytree(finished.folder, tmp_path / "copy", symlinks=True)
    return Workflow.at(tmp_path / "copy")
