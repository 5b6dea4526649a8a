"""What every script of a rule does around its work: log, clear errors, records of outputs."""

import contextlib
import logging
import platform
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from tunescope.errors import InputError
from tunescope.provenance.code import package_versions
from tunescope.provenance.digests import file_sha256, source_digest
from tunescope.provenance.records import Record, by_name, read_record, record_path, write_record

LIBRARY = Path(__file__).parent


@contextlib.contextmanager
def job() -> Iterator[Any]:
    """Run the body of a rule's script.

    Messages, warnings and progress bars go to the rule's log. An `InputError` is printed as it is,
    without a traceback. At the end each output gets its record, without which it counts as not
    made; the old records go first, so that a killed job leaves none.

    Yields:
        The object that Snakemake gives to scripts.
    """
    main = sys.modules["__main__"]
    snakemake = main.snakemake
    results = snakemake.config.get("results", "results")
    records = [record_path(path, results) for path in snakemake.output]
    for path in records:
        path.unlink(missing_ok=True)
    terminal = sys.stderr
    with (
        Path(snakemake.log[0]).open("w", buffering=1, encoding="utf-8") as log,
        contextlib.redirect_stderr(log),
        contextlib.redirect_stdout(log),
    ):
        logging.basicConfig(stream=log, level=logging.INFO, format="%(levelname)s %(message)s")
        logging.captureWarnings(capture=True)
        _limit_threads(snakemake.threads)
        try:
            yield snakemake
        except InputError as error:
            _print_failure(f"{snakemake.rule}: {error}", log, terminal)
            raise SystemExit(1) from None
        except Exception:
            _print_failure(f"{snakemake.rule}: {traceback.format_exc()}", log, terminal)
            raise SystemExit(1) from None
    for output, path in zip(snakemake.output, records, strict=True):
        write_record(_record(snakemake, Path(str(main.__file__)), output, results), path)


def _record(snakemake: Any, script: Path, output: str, results: str) -> Record:
    """Record of one output, from what was really read and written."""
    given = {name: value for name, value in snakemake.input.items() if name != "stale"}
    inputs = {name: _input_digest(path, results) for name, path in by_name(given).items()}
    return Record(
        output=output,
        rule=snakemake.rule,
        sha256=file_sha256(Path(output)),
        bytes=Path(output).stat().st_size,
        settings=snakemake.params.settings,
        code=snakemake.params.code,
        inputs=inputs,
        versions={
            "python": platform.python_version(),
            **package_versions(LIBRARY / script.name, LIBRARY),
        },
    )


def _input_digest(path: str, results: str) -> str:
    """Content hash of an input: from its record where the workflow made it."""
    with contextlib.suppress(ValueError):
        record = read_record(record_path(path, results))
        if record is not None:
            return record.sha256
    digest = source_digest(Path(path))
    if digest is None:
        raise InputError(path, "gone while the job ran", "Put it back and run again")
    return digest


def _limit_threads(threads: int) -> None:
    """Keep to the rule's threads: the number changes sums in their last digits."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(threads)
    from threadpoolctl import threadpool_limits  # after the libraries it limits are loaded

    threadpool_limits(threads)


def _print_failure(message: str, *files: TextIO) -> None:
    for file in files:
        print(message, file=file, flush=True)
