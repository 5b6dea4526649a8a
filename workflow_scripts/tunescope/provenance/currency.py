"""Whether an output is what the settings, the code and the sources now ask for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tunescope.provenance.digests import source_digest
from tunescope.provenance.records import Record, read_record, record_path


@dataclass(frozen=True)
class Step:
    """What one job has to make, and from what.

    Attributes:
        outputs: paths of its outputs.
        inputs: path of each input, by its name in the rule: a folder of data may move.
        settings: the settings that it uses, as JSON text.
        code: fingerprint of its code.
    """

    outputs: tuple[str, ...]
    inputs: Mapping[str, str]
    settings: str
    code: str


class Currency:
    """Decides which steps are current, by content and never by time.

    A step is current when the record of each of its outputs names the present settings, code and
    content of every input, and the steps that made these inputs are current themselves. Whether
    the outputs are still there is another question: a store deleted after use stays current, so
    that a changed reader has it made again without running the other readers.

    Args:
        results: the results folder.
        step_of: the step that makes a path, or None for a source of the user's.
    """

    def __init__(self, results: str, step_of: Callable[[str], Step | None]) -> None:
        self._results = results
        self._step_of = step_of
        self._known: dict[tuple[str, ...], bool] = {}
        self._records: dict[str, Record | None] = {}

    def current(self, step: Step) -> bool:
        """Whether a step's records agree with what it would be made from now."""
        known = self._known.get(step.outputs)
        if known is None:
            known = self._known[step.outputs] = self._agrees(step)
        return known

    def digest(self, path: str) -> str | None:
        """Content hash of an input; None while it is missing or has to be made again."""
        step = self._step_of(path)
        if step is None:
            return source_digest(Path(path))
        record = self._record(path)
        return record.sha256 if record is not None and self.current(step) else None

    def _agrees(self, step: Step) -> bool:
        for output in step.outputs:
            record = self._record(output)
            if (
                record is None
                or record.settings != step.settings
                or record.code != step.code
                or record.inputs.keys() != step.inputs.keys()
                or not _size_agrees(output, record)
            ):
                return False
            if any(self.digest(path) != record.inputs[name] for name, path in step.inputs.items()):
                return False
        return True

    def _record(self, output: str) -> Record | None:
        if output not in self._records:
            self._records[output] = read_record(record_path(output, self._results))
        return self._records[output]


def _size_agrees(output: str, record: Record) -> bool:
    """Whether an output, if it is there, has the recorded size: a cut copy is not accepted."""
    try:
        return Path(output).stat().st_size == record.bytes
    except OSError:
        return True
