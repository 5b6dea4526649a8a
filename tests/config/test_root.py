"""The configuration: what is refused, and how the refusal reads."""

import copy
from pathlib import Path

import pytest
import yaml

from tunescope.config.availability import not_run
from tunescope.config.root import Config, parse_config
from tunescope.config.schema import schema_text
from tunescope.errors import InputError

ROOT = Path(__file__).parents[2]
CONFIGURATIONS = [ROOT / "config.yaml", *sorted((ROOT / "configs").glob("*.yaml"))]


@pytest.fixture
def values():
    return copy.deepcopy(yaml.safe_load((ROOT / "config.yaml").read_text()))


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: path.name)
def test_every_configuration_that_is_shipped_is_accepted(path):
    assert parse_config(yaml.safe_load(path.read_text()), path.name).encoders


def test_the_schema_is_in_step():
    assert (ROOT / "configs/schema.json").read_text() == schema_text(), "run `make schema`"


def test_every_key_is_explained():
    def undocumented(model):
        for name, field in model.model_fields.items():
            if not field.description:
                yield f"{model.__name__}.{name}"
            arguments = getattr(field.annotation, "__args__", ())
            for kind in (field.annotation, *arguments):
                if hasattr(kind, "model_fields"):
                    yield from undocumented(kind)

    assert not list(undocumented(Config))


def put(values, key, value):
    *parents, last = key.split("/")
    for parent in parents:
        values = values[parent]
    values[last] = value


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("finetunning", {}, ["finetunning", "unknown key", "finetuning"]),
        ("similarity/token", 3, ["similarity.token", "unknown key", "tokens"]),
        ("encoders/lab-p0/pretrain/language", "latin", ["'latin'", "choices: lab"]),
        ("tasks/mnli/corpus", "mnlii", ["tasks.mnli.corpus", "'mnlii'", "mnli"]),
        ("tasks/mnli/evaluation_split", "test", ["evaluation_split", "'test'", "dev, train"]),
        ("tasks/mnli/finetuning", {"epoch": 1}, ["tasks.mnli.finetuning.epoch"]),
        ("stimuli/mrpc-dev/corpus", "x", ["stimuli.mrpc-dev.corpus", "'x'"]),
        ("stimuli/mrpc-dev/split", "test", ["stimuli.mrpc-dev.split", "'test'"]),
        ("experiments/finetuning/tasks", ["cola"], ["experiments.finetuning.tasks", "'cola'"]),
        ("experiments/similarity/stimuli", ["y"], ["experiments.similarity.stimuli", "'y'"]),
        ("encoders/Lab_1", {"pretrain": {"language": "lab", "seed": 0}}, ["encoders.Lab_1"]),
        ("encoders/b", {"hub": "google-bert/bert-base-uncased"}, ["encoders.b", "revision"]),
        ("encoders/b", {"wheel": "x==1", "sha256": "ABC"}, ["SHA-256", "ABC"]),
        ("encoders/b", {}, ["exactly one of hub, path, wheel, pretrain"]),
        ("corpora/c", {"files": {"train": "x"}}, ["corpora.c", "format"]),
        ("finetuning/epochs", 0, ["finetuning.epochs", "found 0"]),
        ("finetuning/optimizer", "sgd", ["finetuning.optimizer", "bert-adam"]),
    ],
)
def test_a_refusal_names_key_value_and_choices(values, key, value, words):
    put(values, key, value)
    with pytest.raises(InputError) as refusal:
        parse_config(values)
    for word in words:
        assert word in str(refusal.value)


def test_a_task_changes_only_what_it_names(values):
    put(values, "tasks/mnli/finetuning", {"epochs": 9})
    config = parse_config(values)
    assert config.finetuning_of("mnli").epochs == 9
    assert config.finetuning_of("mnli").model_copy(update={"epochs": config.finetuning.epochs}) == (
        config.finetuning_of("qnli")
    )


def test_domains_of_stimuli(values):
    config = parse_config(values)
    assert config.domain("mnli", "mnli-dev") == "in"
    assert config.domain("mnli", "out-of-domain") == "out"
    assert config.domain("mnli", "mrpc-dev") is None


def test_missing_files_leave_out_what_rests_on_them_and_nothing_else(values, tmp_path):
    put(values, "data_root", str(tmp_path))
    files = {"train": "RTE/train.tsv", "dev": "RTE/dev.tsv"}
    put(values, "corpora/mrpc", {"format": "glue-rte", "files": files})
    left_out = not_run(parse_config(values))
    names = {(item.section, item.name) for item in left_out}
    assert names == {("corpora", "mrpc"), ("tasks", "mrpc"), ("stimuli", "mrpc-dev")}
    assert all(str(tmp_path / "RTE/dev.tsv") in item.reason for item in left_out)


def test_a_data_root_that_is_no_folder_is_refused(values, tmp_path):
    put(values, "data_root", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="nowhere"):
        not_run(parse_config(values))
