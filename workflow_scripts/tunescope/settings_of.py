"""What of the configuration each rule uses; another value there makes it run again, elsewhere not.

Only the rules read this; a job gets its settings as JSON text.
"""

from dataclasses import asdict, dataclass
from typing import Any

from tunescope.config.root import Config
from tunescope.runs import Runs


@dataclass(frozen=True)
class SettingsOf:
    """Settings of each rule's jobs; `w` holds a job's wildcards."""

    config: Config
    runs: Runs

    def generated_split(self, w: Any) -> dict[str, Any]:
        """One split of a generated corpus."""
        generated = self.config.corpora[w.generated].generated
        if generated is None:
            raise ValueError(f"{w.generated} is not generated")
        language = self.config.languages[generated.language].model_dump()
        return {"language": language, "part": generated.part, "split": w.split}

    def read_split(self, w: Any) -> dict[str, Any]:
        """One split of official files or of a hub data set."""
        chosen = self.config.corpora[w.corpus].model_dump()
        # Another split's file is no business of this one.
        for origin in ("files", "companions", "splits"):
            if chosen[origin] is not None:
                chosen[origin] = {w.split: chosen[origin][w.split]}
        return {"corpus": chosen, "split": w.split}

    def fetched_encoder(self, w: Any) -> dict[str, Any]:
        """What decides an encoder's weights; its seeds and notes take no part."""
        origin = ("hub", "revision", "path", "wheel", "sha256")
        chosen = self.config.encoders[w.fetched].model_dump()
        return {key: chosen[key] for key in origin}

    def pretrained_encoder(self, w: Any) -> dict[str, Any]:
        """Schedule and seed of an encoder's pre-training."""
        chosen = self.config.encoders[w.laboratory].pretrain
        if chosen is None:
            raise ValueError(f"{w.laboratory} is not pre-trained here")
        return {"pretraining": self.config.pretraining.model_dump(), "seed": chosen.seed}

    def finetuned_run(self, w: Any) -> dict[str, Any]:
        """Schedule and seed of a fine-tuned run."""
        return {"finetuning": self.config.finetuning_of(w.task).model_dump(), "seed": int(w.seed)}

    def untrained_heads(self, w: Any) -> dict[str, Any]:
        """Tasks and number of heads scored without training."""
        del w
        tasks = {task: self.config.finetuning_of(task).model_dump() for task in self.runs.scored}
        return {"finetuning": tasks, "heads": self.config.experiments.finetuning.untrained_heads}

    def finetuning_table(self, w: Any) -> dict[str, Any]:
        """Runs of the table, and the metrics of their tasks."""
        del w
        metrics = ("metrics", "positive_label")
        tasks = {task: self.config.tasks[task].model_dump() for task in self.runs.scored}
        return {
            "runs": list(self.runs.finetuning_runs()),
            "tasks": {
                task: {key: chosen[key] for key in metrics} for task, chosen in tasks.items()
            },
        }

    def dumped_stimuli(self, w: Any) -> dict[str, Any]:
        """How the stimuli are drawn and cut."""
        return {"stimuli": self.config.stimuli[w.stimuli].model_dump()}

    def comparison(self, w: Any) -> dict[str, Any]:
        """How representations are compared."""
        del w
        return self.config.similarity.model_dump()

    def similarity_table(self, w: Any) -> dict[str, Any]:
        """Comparisons of the table, and the level of its intervals."""
        del w
        return {
            "comparisons": list(self.runs.comparisons()),
            "confidence": self.config.similarity.confidence,
            "seed": self.config.similarity.seed,
        }

    def corpora_table(self, w: Any) -> dict[str, Any]:
        """Splits of the table."""
        del w
        return {"splits": list(self.runs.corpus_splits())}

    def none(self, w: Any) -> dict[str, Any]:
        """Nothing: the tables say it all."""
        del w
        return {}

    def figure(self, w: Any) -> dict[str, Any]:
        """Which published figure's layout."""
        return {"figure": w.figure}

    def report(self, w: Any) -> dict[str, Any]:
        """The whole configuration, and what of it was not run."""
        del w
        return {
            "configuration": self.config.model_dump(mode="json"),
            "not_run": [asdict(item) for item in self.runs.not_run],
        }
