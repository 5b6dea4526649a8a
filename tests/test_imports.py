"""The direction of imports: what each part of the library may know of.

A layer may import those before it, never those after it. The experiments meet in files only and do
not import each other at all, so that an edited one makes no other run again.
"""

from itertools import combinations, permutations
from pathlib import Path

import grimp
import pytest

LIBRARY = Path(__file__).parents[1] / "workflow_scripts"

GROUND = ("errors", "config", "provenance", "statistics", "tables", "names")
MATERIALS = ("corpora", "encoders", "activations")
TRAINING = ("training",)
EXPERIMENTS = (
    "pretraining",
    "finetuning",
    "similarity",
    "probing",
    "layer_ablation",
    "attention",
    "head_ablation",
)
TABLES_ONLY = ("claims", "figures", "report")
RULES_ONLY = ("runs", "settings_of")
LAYERS = (GROUND, MATERIALS, TRAINING, EXPERIMENTS, TABLES_ONLY, RULES_ONLY)


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("tunescope", include_external_packages=True, cache_dir=None)


def parts(graph: grimp.ImportGraph) -> set[str]:
    return {module.removeprefix("tunescope.") for module in graph.find_children("tunescope")}


def members(graph: grimp.ImportGraph, part: str) -> set[str]:
    name = f"tunescope.{part}"
    return {name, *graph.find_descendants(name)} if part in parts(graph) else set()


def imports(graph: grimp.ImportGraph, importer: str, imported: str) -> list[str]:
    """Each import from one part of the library to another, as `module:line imports module`."""
    targets = members(graph, imported)
    return [
        f"{detail['importer']}:{detail['line_number']} imports {detail['imported']}"
        for source in sorted(members(graph, importer))
        for target in sorted(graph.find_modules_directly_imported_by(source) & targets)
        for detail in graph.get_import_details(importer=source, imported=target)
    ]


def test_every_part_has_a_layer(graph: grimp.ImportGraph) -> None:
    assert parts(graph) - {part for layer in LAYERS for part in layer} == set()


def test_no_layer_knows_a_later_one(graph: grimp.ImportGraph) -> None:
    wrong = [
        line
        for earlier, later in combinations(LAYERS, 2)
        for importer in earlier
        for imported in later
        for line in imports(graph, importer, imported)
    ]
    assert wrong == []


def test_experiments_do_not_know_each_other(graph: grimp.ImportGraph) -> None:
    wrong = [line for pair in permutations(EXPERIMENTS, 2) for line in imports(graph, *pair)]
    assert wrong == []


def test_what_reads_tables_knows_no_experiment_and_no_model(graph: grimp.ImportGraph) -> None:
    """Else a figure would be drawn again when a model's code moves."""
    wrong = [
        line
        for importer in TABLES_ONLY
        for imported in (*EXPERIMENTS, *TRAINING, "encoders", "activations")
        for line in imports(graph, importer, imported)
    ]
    assert wrong == []


def test_what_only_the_rules_read_knows_only_the_ground(graph: grimp.ImportGraph) -> None:
    """Rules are parsed in every job: nothing heavy may be reached from them."""
    wrong = [
        line
        for importer in RULES_ONLY
        for layer in LAYERS[1:-1]
        for imported in layer
        for line in imports(graph, importer, imported)
    ]
    assert wrong == []


def test_errors_know_nothing(graph: grimp.ImportGraph) -> None:
    imported = graph.find_modules_directly_imported_by("tunescope.errors")
    assert {module for module in imported if module.startswith("tunescope")} == set()


def test_no_import_goes_in_a_circle(graph: grimp.ImportGraph) -> None:
    modules = sorted(module for module in graph.modules if module.startswith("tunescope."))
    circles = [
        f"{module} and {imported}"
        for module in modules
        for imported in graph.find_modules_directly_imported_by(module)
        if graph.chain_exists(importer=imported, imported=module)
    ]
    assert circles == []


def test_the_library_knows_neither_snakemake_nor_the_scripts(graph: grimp.ImportGraph) -> None:
    scripts = {path.stem for path in LIBRARY.glob("*.py")}
    assert scripts, "the scripts moved: this test looks at nothing"
    external = {module.split(".")[0] for module in graph.modules} - {"tunescope"}
    strangers = scripts | {name for name in external if name.startswith("snakemake")}
    wrong = {name: graph.find_modules_that_directly_import(name) for name in strangers & external}
    assert wrong == {}
