"""Fingerprints of code: what a script does, whatever its comments say."""

import ast
import hashlib
import json
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

#: Packages whose version cannot change a result: they run the scripts and print progress.
_NO_INFLUENCE = frozenset({"snakemake", "tqdm"})


@cache
def code_fingerprint(script: Path, library: Path) -> str:
    """Fingerprint a script with everything of the library that it reaches.

    Hashes the syntax trees, without comments and docstrings, of the script, of the modules beside
    it and of the library's modules that it imports, directly or through others, and the versions of
    the third-party packages that any of these imports. So an edited comment changes nothing, and
    an edited function changes only the scripts that can call it.

    Args:
        script: the script.
        library: folder from which it imports; the library is the packages in it.

    Returns:
        64 hexadecimal digits.
    """
    modules = reached_modules(script, library)
    packages = sorted({name for path in modules for name in _imports(path)[1]})
    versions = {name: _version(name) for name in packages if name not in _NO_INFLUENCE}
    trees = {
        path.relative_to(library).as_posix() if library in path.parents else path.name: _tree(path)
        for path in modules
    }
    return hashlib.sha256(json.dumps([trees, versions], sort_keys=True).encode()).hexdigest()


@cache
def reached_modules(script: Path, library: Path) -> tuple[Path, ...]:
    """List the script and the library's files that it imports, directly or through others."""
    found = {script}
    waiting = [script]
    while waiting:
        names, _ = _imports(waiting.pop())
        for name in names:
            for path in _files_of(name, library):
                if path not in found:
                    found.add(path)
                    waiting.append(path)
    return tuple(sorted(found))


def package_versions(script: Path, library: Path) -> dict[str, str]:
    """Versions of the third-party packages that a script reaches, for an output's record."""
    packages = {n for path in reached_modules(script, library) for n in _imports(path)[1]}
    return {name: _version(name) for name in sorted(packages)}


def _files_of(name: str, library: Path) -> list[Path]:
    """Files that importing a dotted name executes; empty where it is no module of the library."""
    parts = name.split(".")
    files = []
    for length in range(1, len(parts) + 1):
        base = library.joinpath(*parts[:length])
        candidates = (base / "__init__.py", base.with_suffix(".py"))
        files += [path for path in candidates if path.is_file()]
    return files


@cache
def _imports(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Dotted names a file may import, and the third-party packages among their first parts."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.level:
                raise ValueError(f"{path}:{node.lineno}: relative import; write the full name")
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    installed = _distributions()
    first = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)
    return tuple(sorted(names)), tuple(sorted(name for name in first if name in installed))


@cache
def _tree(path: Path) -> str:
    """Hash of a file's syntax tree without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        # Only strings that stand alone go: docstrings of modules, classes, functions, attributes.
        node.body = [  # type: ignore[attr-defined]  # every node with a body list can be given one
            item
            for item in body
            if not (
                isinstance(item, ast.Expr)
                and isinstance(item.value, ast.Constant)
                and isinstance(item.value.value, str)
            )
        ]
    return hashlib.sha256(ast.dump(tree, annotate_fields=False).encode()).hexdigest()


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


@cache
def _version(package: str) -> str:
    return "+".join(metadata.version(name) for name in sorted(set(_distributions()[package])))
