"""Which runs a configuration asks for, where their files stand and what tables say about them.

Only the rules read this; no job does, so that another experiment in the configuration leaves what
is computed alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunescope.config.availability import NotRun
from tunescope.config.corpora import Generated
from tunescope.config.root import Config
from tunescope.errors import InputError

Paths = dict[str, str | list[str]]


def encoder_files(folder: str) -> dict[str, str]:
    """Files of an encoder's folder that every later stage reads."""
    return {
        "weights": f"{folder}/model.safetensors",
        "architecture": f"{folder}/config.json",
        "tokenizer": f"{folder}/tokenizer.json",
        "tokenizer_settings": f"{folder}/tokenizer_config.json",
        "origin": f"{folder}/origin.json",
    }


@dataclass(frozen=True)
class Runs:
    """The runs of a configuration.

    Methods that take `w` are input functions of rules: `w` holds a job's wildcards.

    Attributes:
        config: the configuration.
        not_run: what of it cannot run here.
    """

    config: Config
    not_run: tuple[NotRun, ...]

    def available(self, section: str, chosen: Sequence[str] = ()) -> list[str]:
        """Names of a section that can run here; of those chosen, if any are."""
        left_out = {(item.section, item.name) for item in self.not_run}
        names: Iterable[str] = chosen or getattr(self.config, section)
        return [name for name in names if (section, name) not in left_out]

    @property
    def encoders(self) -> list[str]:
        """Encoders that can run here."""
        return self.available("encoders")

    @property
    def laboratory(self) -> list[str]:
        """Encoders that are pre-trained here."""
        return [name for name in self.encoders if self.config.encoders[name].pretrain]

    @property
    def generated(self) -> list[str]:
        """Corpora drawn from a generated language."""
        return [name for name, corpus in self.config.corpora.items() if corpus.generated]

    @property
    def scored(self) -> list[str]:
        """Tasks whose scores after fine-tuning are reported."""
        return self.available("tasks", self.config.experiments.finetuning.tasks)

    def encoder(self, encoder: str, run: str = "base") -> dict[str, str]:
        """Files of a run's weights."""
        return encoder_files(f"{self.config.results}/{encoder}/models/{run}")

    def split(self, corpus: str, split: str) -> str:
        """File of one split of a corpus in canonical form."""
        return f"{self.config.results}/corpora/{corpus}/{split}.parquet"

    def evaluation(self, task: str) -> str:
        """File of the split on which a task is scored."""
        settings = self.config.tasks[task]
        return self.split(settings.corpus, settings.evaluation_split)

    def official_file(self, w: Any) -> Paths:
        """The user's file of a split, and its second one; none for a data set of the hub."""
        corpus = self.config.corpora[w.corpus]
        origins = {"file": corpus.files or {}, "companion": corpus.companions or {}}
        return {
            name: self.config.located(files[w.split])
            for name, files in origins.items()
            if w.split in files
        }

    def own_encoder(self, w: Any) -> Paths:
        """The user's folder, for an encoder given by path."""
        path = self.config.encoders[w.fetched].path
        return {"folder": self.config.located(path)} if path else {}

    def pretraining_text(self, w: Any) -> Paths:
        """The pre-training text of an encoder's language.

        Raises:
            InputError: no corpus holds it.
        """
        settings = self.config.encoders[w.laboratory].pretrain
        if settings is None:
            raise ValueError(f"{w.laboratory} is not pre-trained here")
        wanted = Generated(language=settings.language, part="pretraining")
        for name, corpus in self.config.corpora.items():
            if corpus.generated == wanted:
                return {"text": self.split(name, "train")}
        raise InputError(
            f"encoders.{w.laboratory}.pretrain.language",
            f"no corpus is the part 'pretraining' of language {settings.language!r}",
            "Define one under corpora",
        )

    def finetuning_inputs(self, w: Any) -> Paths:
        """Weights to start from, training split and evaluation split of a fine-tuned run."""
        return {
            **self.encoder(w.encoder, f"random-s{w.seed}" if w.scratch else "base"),
            "train": self.split(self.config.tasks[w.task].corpus, "train"),
            "evaluation": self.evaluation(w.task),
        }

    def untrained_inputs(self, w: Any) -> Paths:
        """Pre-trained weights and the evaluation splits of all scored tasks."""
        return {
            **self.encoder(w.encoder),
            "evaluation": [self.evaluation(task) for task in self.scored],
        }

    def dump_inputs(self, w: Any) -> Paths:
        """Weights of a run and the corpus its stimuli are drawn from."""
        stimuli = self.config.stimuli[w.stimuli]
        return {
            **self.encoder(w.encoder, w.run),
            "corpus": self.split(stimuli.corpus, stimuli.split),
        }

    def compared_stores(self, w: Any) -> Paths:
        """Hidden states of the pre-trained encoder and of a run on the same stimuli."""
        folder = f"{self.config.results}/{w.encoder}/activations"
        return {
            "base": f"{folder}/base/{w.stimuli}.h5",
            "tuned": f"{folder}/{w.run}/{w.stimuli}.h5",
        }

    def finetuning_runs(self) -> Iterator[dict[str, Any]]:
        """Each scored run, with the columns that tables begin with."""
        chosen = self.config.experiments.finetuning
        for encoder in self.encoders:
            for task in self.scored:
                names = self._columns(encoder, task)
                for seed in self.config.seeds_of(encoder):
                    run = f"{task}-s{seed}"
                    yield {**names, "run": run, "seed": seed, "initialisation": "pretrained"}
                    if chosen.random_initialisation:
                        run = f"{task}-scratch-s{seed}"
                        yield {**names, "run": run, "seed": seed, "initialisation": "random"}
                if chosen.untrained_heads:
                    run = f"{task}-untrained"
                    yield {**names, "run": run, "seed": None, "initialisation": "none"}

    def predictions(self, w: Any) -> Paths:
        """Predictions of every scored run, in the order of `finetuning_runs`."""
        del w
        results = self.config.results
        return {
            "predictions": [
                f"{results}/{run['encoder']}/predictions/finetuning/{run['run']}.h5"
                for run in self.finetuning_runs()
            ]
        }

    def comparisons(self) -> Iterator[dict[str, Any]]:
        """Each comparison of representations, with the columns that tables begin with."""
        chosen = self.config.experiments.similarity
        for encoder in self.encoders:
            for task in self.available("tasks", chosen.tasks):
                for seed in self.config.seeds_of(encoder):
                    for stimuli in self.available("stimuli", chosen.stimuli):
                        if domain := self.config.domain(task, stimuli):
                            yield {
                                **self._columns(encoder, task),
                                "run": f"{task}-s{seed}",
                                "seed": seed,
                                "corpus": stimuli,
                                "domain": domain,
                            }

    def compared(self, w: Any) -> Paths:
        """Result of every comparison, in the order of `comparisons`."""
        del w
        results = self.config.results
        return {
            "comparisons": [
                f"{results}/{c['encoder']}/similarity/{c['run']}/{c['corpus']}.h5"
                for c in self.comparisons()
            ]
        }

    def corpus_splits(self) -> Iterator[dict[str, str]]:
        """Every split of every corpus that can be read here."""
        for corpus in self.available("corpora"):
            for split in self.config.corpora[corpus].split_names:
                yield {"corpus": corpus, "split": split}

    def all_splits(self, w: Any) -> Paths:
        """File of every split, in the order of `corpus_splits`."""
        del w
        return {"splits": [self.split(s["corpus"], s["split"]) for s in self.corpus_splits()]}

    def finetuning_tables(self, w: Any) -> Paths:
        """Our scores after fine-tuning and the published ones."""
        del w
        return {
            "scores": self._table("finetuning"),
            "summary": self._table("summary_finetuning"),
            "reference": "reference/kovaleva2019_table1.csv",
        }

    def rsa_tables(self, w: Any) -> Paths:
        """Our similarities and those of a published figure."""
        reference = f"reference/merchant2020_{w.figure}.csv"
        return {"summary": self._table("summary_rsa"), "reference": reference}

    def reported(self, w: Any) -> Paths:
        """Every table and figure of the report, and the published numbers."""
        del w
        figures = ["kovaleva2019_table1"] if self.scored else []
        if domains := {comparison["domain"] for comparison in self.comparisons()}:
            figures += ["merchant2020_figure2"] if "out" in domains else []
            figures += ["merchant2020_figure5"] if "in" in domains else []
        return {
            "tables": [self._table("corpora"), *self._result_tables()],
            "figures": [f"{self.config.results}/figures/{name}.png" for name in figures],
            "reference": sorted(str(path) for path in Path("reference").glob("*.csv")),
        }

    def _result_tables(self) -> list[str]:
        names = ["finetuning", "summary_finetuning"] if self.scored else []
        names += ["rsa", "summary_rsa"] if any(self.comparisons()) else []
        return [self._table(name) for name in names]

    def _table(self, name: str) -> str:
        return f"{self.config.results}/tables/{name}.csv"

    def _columns(self, encoder: str, task: str) -> dict[str, Any]:
        pretraining = self.config.pretraining_seed(encoder)
        return {"encoder": encoder, "pretraining": pretraining, "task": task}
