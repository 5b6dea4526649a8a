"""What changes a code fingerprint, and what does not."""

from pathlib import Path

import pytest

from tunescope.provenance import code

LIBRARY = {
    "lib/__init__.py": "",
    "lib/used.py": '"""Docs."""\nimport numpy\nfrom lib.deeper import twice\n\n'
    'def f(x):\n    """Doc."""\n    return twice(x)\n',
    "lib/deeper.py": "def twice(x):\n    return 2 * x\n",
    "lib/unused.py": "import pandas\n",
    "script.py": "from lib.used import f\n\nprint(f(1))\n",
}


@pytest.fixture
def fingerprint(tmp_path):
    """Fingerprint of the script after replacing text in one file."""

    def compute(name="script.py", old="", new=""):
        for path, text in LIBRARY.items():
            target = tmp_path / path
            target.parent.mkdir(exist_ok=True)
            target.write_text(text.replace(old, new) if path == name and old else text)
        for cached in (code.code_fingerprint, code.reached_modules, code._imports, code._tree):
            cached.cache_clear()
        return code.code_fingerprint(tmp_path / "script.py", tmp_path)

    return compute


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("lib/used.py", '"""Doc."""', '"""Another."""'),
        ("lib/used.py", '"""Docs."""', "# a comment"),
        ("lib/used.py", "return twice(x)", "return twice(\n        x,\n    )  # why"),
        ("lib/unused.py", "import pandas", "import pandas\n\nx = 1"),
        ("script.py", "print(f(1))", "\n\nprint( f(1) )"),
    ],
)
def test_is_blind_to_what_cannot_change_a_result(fingerprint, name, old, new):
    assert fingerprint(name, old, new) == fingerprint()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("lib/deeper.py", "2 * x", "3 * x"),
        ("lib/used.py", "twice(x)", "twice(x) + 1"),
        ("lib/used.py", "import numpy", "import scipy"),
        ("script.py", "f(1)", "f(2)"),
    ],
)
def test_sees_what_can(fingerprint, name, old, new):
    assert fingerprint(name, old, new) != fingerprint()


def test_counts_the_packages_that_a_module_stands_in(fingerprint, monkeypatch):
    before = fingerprint()
    monkeypatch.setitem(LIBRARY, "lib/__init__.py", "x = 1\n")
    assert fingerprint() != before


def test_reaches_what_is_imported_and_no_more(fingerprint, tmp_path):
    fingerprint()
    reached = code.reached_modules(tmp_path / "script.py", tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in reached}
    assert names == {"script.py", "lib/__init__.py", "lib/used.py", "lib/deeper.py"}
    assert set(code.package_versions(tmp_path / "script.py", tmp_path)) == {"numpy"}


def test_another_version_of_a_package_is_another_fingerprint(fingerprint, monkeypatch):
    before = fingerprint()
    real = code._version
    monkeypatch.setattr(code, "_version", lambda name: "0" if name == "numpy" else real(name))
    assert fingerprint() != before


def test_every_script_of_the_workflow_has_a_fingerprint():
    folder = Path(code.__file__).parents[2]
    scripts = [path for path in sorted(folder.glob("*.py")) if path.name != "job.py"]
    assert scripts
    prints = {code.code_fingerprint(path, folder) for path in scripts}
    assert len(prints) == len(scripts)
