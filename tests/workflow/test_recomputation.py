"""Which jobs a change causes: exactly those, and no others."""

import copy
import os
import shutil

import pytest

from workflow.harness import TINY

pytestmark = pytest.mark.workflow

DUMPS = {
    "dump_hidden_states": 3
}  # the base on both stimuli is shared by every run compared with it
REPORT = {"report": 1}


def edit(workflow, path, old, new):
    file = workflow.folder / "workflow_scripts/tunescope" / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_time_stamps_do_not_count(changed):
    for number, path in enumerate(sorted(changed.folder.rglob("*"))):
        os.utime(path, (1e9 + 7919 * number % 1e6, 1e9 + 7919 * number % 1e6))
    shutil.rmtree(changed.folder / ".snakemake")
    assert changed.planned() == {}


def test_comments_docstrings_and_key_order_cause_nothing(changed):
    edit(changed, "similarity/rsa.py", '"""', '"""Otherwise said: ')
    edit(changed, "finetuning/run.py", "import", "# why\nimport")
    changed.configure(dict(reversed(TINY.items())))
    assert changed.planned() == {}


def test_a_setting_of_rsa_leaves_training_alone(changed):
    settings = copy.deepcopy(TINY)
    settings["similarity"]["tokens"] = 100
    changed.configure(settings)
    assert changed.planned() == {
        "dump_hidden_states": 4,
        "compare_representations": 2,
        "tabulate_similarity": 1,
        "draw_rsa": 2,
        **REPORT,
    }


def test_the_code_of_rsa_leaves_training_alone(changed):
    edit(changed, "similarity/rsa.py", "\nimport ", "\nUNUSED = 1\nimport ")
    planned = changed.planned()
    assert planned["compare_representations"] == 2
    assert "finetune" not in planned
    assert "pretrain_encoder" not in planned


def test_one_more_seed_makes_that_seed_alone(changed):
    settings = copy.deepcopy(TINY)
    settings["seeds"] = [0, 1]
    changed.configure(settings)
    planned = changed.planned()
    assert planned["finetune"] == 4
    assert planned["randomise_encoder"] == 1
    assert planned["compare_representations"] == 2
    assert "pretrain_encoder" not in planned
    assert "generate_corpus" not in planned


def test_a_published_number_changes_figures_and_report_only(changed):
    path = changed.folder / "reference/kovaleva2019_table1.csv"
    path.write_text(path.read_text().replace("0.646", "0.647"))
    assert changed.planned() == {"draw_finetuning_scores": 1, **REPORT}


def test_a_deleted_figure_is_drawn_again_and_nothing_else(changed):
    (changed.folder / "results/figures/kovaleva2019_table1.pdf").unlink()
    assert changed.planned("results/figures/kovaleva2019_table1.pdf") == {
        "draw_finetuning_scores": 1
    }


def test_a_cut_table_is_made_again(changed):
    path = changed.folder / "results/tables/rsa.csv"
    path.write_text(path.read_text()[:-40])
    planned = changed.planned()
    assert planned["tabulate_similarity"] == 1
    assert "compare_representations" not in planned


def test_changes_run_to_their_end_and_are_current_then(changed):
    settings = copy.deepcopy(TINY)
    settings["similarity"]["draws"] = 1
    changed.configure(settings)
    result = changed.run()
    assert result.returncode == 0, result.stdout + result.stderr
    assert changed.planned() == {}
