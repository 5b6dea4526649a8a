"""The repository itself: what must agree between its files, and what may not stand in any."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ENVS = ROOT / "envs"
LOCK = ("build.txt", "torch.txt", "base.txt")

#: What the design names at the top; users and papers link to these.
TOP_LEVEL = {
    "Snakefile",
    "config.yaml",
    "configs",
    "profiles",
    "rules",
    "workflow_scripts",
    "reference",
    "envs",
    "tests",
    "benchmarks",
    "docs",
    "Makefile",
    "README.md",
    "LICENSE",
    "CITATION.cff",
}
CODE = {".py", ".smk", ".sh", ".md", ".toml"}
LONGEST = 320

REGISTRY = re.compile(
    r"pypi[.](org|python[.]org)|pythonhosted[.]org|download[.]pytorch[.]org|anaconda[.](org|com)"
    r"|registry[.]npmjs|(deb|security)[.]debian[.]org|archive[.]ubuntu[.]com|--(extra-)?index-ur[l]"
)
HOME = re.compile(r"(?<![\w.$}/-])(/(home|Users)/\w|/roo[t]/)")


@cache
def tracked() -> list[Path]:
    """The files of the repository; without git or its records, those that it does not ignore."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        listing = subprocess.run(
            ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        paths = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    else:
        ignored = {line.strip("/") for line in text(ROOT / ".gitignore").splitlines()} | {".git"}
        paths = [
            path
            for path in ROOT.rglob("*")
            if not any(part in ignored for part in path.relative_to(ROOT).parts)
            and path.suffix != ".pyc"
        ]
    return [path for path in paths if path.is_file()]


def text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in tracked()
        for number, line in enumerate(text(path).splitlines(), start=1)
        if pattern.search(line)
    ]


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements() -> set[str]:
    found = re.findall(r"(?m)^[A-Za-z0-9][\w.-]*", (ENVS / "requirements.in").read_text())
    return {normalised(name) for name in found}


def pins(name: str) -> dict[str, list[str]]:
    """The versions of each package that a file of the lock holds, local parts (`+cpu`) included."""
    found: dict[str, list[str]] = {}
    for package, version in re.findall(r"(?m)^([a-z0-9][\w.-]*)==(\S+)", (ENVS / name).read_text()):
        found.setdefault(normalised(package), []).append(version)
    return found


def targets() -> set[str]:
    """Every target that the Makefile declares phony: all of them are meant for users."""
    phony = re.search(r"(?m)^\.PHONY:(.*)$", (ROOT / "Makefile").read_text())
    assert phony is not None
    return set(phony.group(1).split())


def test_every_room_of_the_design_is_there() -> None:
    assert {name for name in TOP_LEVEL if not (ROOT / name).exists()} == set()


def test_files_stay_readable() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(text(path).splitlines())
        for path in tracked()
        if path.suffix in CODE or path.name in {"Snakefile", "Makefile"}
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_file_names_a_package_registry() -> None:
    assert lines_with(REGISTRY) == []


def test_no_file_names_a_home_folder() -> None:
    assert lines_with(HOME) == []


@pytest.mark.parametrize("folder", ["home", "Users", "root"])
def test_a_home_folder_would_be_found(folder: str) -> None:
    assert HOME.search(f"cache: /{folder}/ada/cache")
    assert not HOME.search(f"results/{folder}/ada")


@pytest.mark.parametrize("host", ["pypi", "files.pythonhosted", "conda.anaconda"])
def test_a_registry_would_be_found(host: str) -> None:
    assert REGISTRY.search(f"see https://{host}.org/simple")


def test_no_result_is_tracked() -> None:
    generated = ("results/", ".snakemake/", ".venv/")
    names = [str(path.relative_to(ROOT)) for path in tracked()]
    assert [name for name in names if name.startswith(generated)] == []


def test_the_lock_covers_what_is_asked_for() -> None:
    locked = {name for file in LOCK for name in pins(file)}
    assert requirements() - locked == set()


def test_a_package_is_locked_in_one_file_only() -> None:
    names = [name for file in LOCK for name in pins(file)]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", [*LOCK, "torch-cpu.txt"])
def test_every_locked_package_has_a_hash(name: str) -> None:
    entries = re.split(r"(?m)^(?=[a-z0-9])", (ENVS / name).read_text())[1:]
    assert entries
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_torch_is_one_version_everywhere() -> None:
    asked = re.search(r"(?m)^torch==(\S+)$", (ENVS / "requirements.in").read_text())
    assert asked is not None
    assert pins("torch.txt")["torch"] == [asked.group(1)]
    assert pins("torch-cpu.txt") == {"torch": [f"{asked.group(1)}+cpu"]}


def test_every_package_asked_for_is_explained() -> None:
    explained = {normalised(name) for name in re.findall(r"`([\w.-]+)`", text(ENVS / "README.md"))}
    assert requirements() - explained == set()


@pytest.mark.parametrize(
    "recipe", ["setup.sh", "environment.post-deploy.sh", "Dockerfile", "apptainer.def"]
)
def test_there_is_one_way_to_install_the_lock(recipe: str) -> None:
    commands = [line for line in text(ENVS / recipe).splitlines() if not line.startswith("#")]
    assert [line for line in commands if re.search(r"sh \S*envs/install\.sh", line)]
    assert [line for line in commands if re.search(r"pip3? install|-r \S+[.]txt", line)] == []


@pytest.mark.parametrize("recipe", ["Dockerfile", "apptainer.def"])
def test_a_container_gets_every_file_of_the_lock(recipe: str) -> None:
    wanted = {f"envs/{name}" for name in ("install.sh", "torch-cpu.txt", *LOCK)}
    assert wanted <= set(text(ENVS / recipe).split())


def test_conda_brings_no_package_of_the_lock() -> None:
    environment = yaml.safe_load((ENVS / "environment.yaml").read_text())
    names = {normalised(entry.split()[0]) for entry in environment["dependencies"]}
    assert names & (requirements() | {name for file in LOCK for name in pins(file)}) == set()


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_help_lists_every_target() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    listed = set(re.findall(r"(?m)^  ([a-z-]+) +\S", shown.stdout))
    assert listed == targets()


def test_the_readme_names_real_targets_and_files() -> None:
    readme = text(ROOT / "README.md")
    named = set(re.findall(r"make ([a-z-]+)", readme))
    assert named <= targets()
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", readme)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_continuous_integration_runs_the_tests_as_the_readme_says() -> None:
    assert "make test" in text(ROOT / "README.md")
    commands = text(ROOT / ".ci" / "run").splitlines()
    assert {"make test", "make check"} <= set(commands)


def test_the_citation_names_both_papers() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {reference["doi"] for reference in citation["references"]} == {
        "10.18653/v1/2020.blackboxnlp-1.4",
        "10.18653/v1/D19-1445",
    }
    assert citation["license"] in (ROOT / "LICENSE").read_text()
