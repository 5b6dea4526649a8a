"""Tables on disk, published ones too, and the names in them.

Tables of published numbers are described in reference/README.md: they have the columns of the
tables in results/tables/ and, besides, `source`, `precision` and `error`.
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from tunescope.errors import InputError

#: The layer that lies below layer 0.
EMBEDDINGS = "embeddings"

#: What figures and report read of `summary_finetuning`: a row an encoder, task, start and metric.
FINETUNING_SUMMARY = ("encoder", "task", "initialisation", "metric", "value", "low", "high")
#: What they read of `finetuning`: a row a seed.
FINETUNING_SCORES = ("encoder", "task", "initialisation", "metric", "value", "constant")
#: What they read of `summary_rsa`: a row an encoder, task, corpus, layer and measure.
RSA_SUMMARY = (
    "encoder",
    "task",
    "corpus",
    "domain",
    "layer",
    "measure",
    "value",
    "low",
    "high",
)


def read_table(path: Path, columns: Iterable[str] = ()) -> pd.DataFrame:
    """Read a table in CSV; only an empty cell is missing (`none` is the name of a start).

    Args:
        path: the file.
        columns: columns it must have.

    Raises:
        InputError: no such file, no table, or a column is missing.
    """
    try:
        table = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except FileNotFoundError:
        raise InputError(path, "no such file", "Let the workflow make it first") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise InputError(
            path, f"not a table in CSV ({error})", "Delete it and make it again"
        ) from None
    return require_columns(table, columns, where=path)


def require_columns(
    table: pd.DataFrame, columns: Iterable[str], *, where: str | Path
) -> pd.DataFrame:
    """Return the table if it has the columns.

    Raises:
        InputError: a column is missing.
    """
    missing = [column for column in columns if column not in table]
    if missing:
        raise InputError(
            where,
            f"no column {', '.join(missing)} among {', '.join(map(str, table.columns))}",
            "Make the table again with this version of the workflow",
        )
    return table


def read_published(reference: Path, name: str, columns: Iterable[str] = ()) -> pd.DataFrame:
    """Read one published table or figure.

    Args:
        reference: the folder of published numbers.
        name: file name without its ending, such as `merchant2020_figure2`.
        columns: columns it must have beside `source`, `precision` and `error`.

    Raises:
        InputError: the file or a column is missing.
    """
    return read_table(reference / f"{name}.csv", [*columns, "source", "precision", "error"])


def layer_number(layer: object) -> int:
    """Number of a layer as tables name it: -1 for `embeddings`, else the block's, from 0.

    Raises:
        InputError: neither `embeddings` nor a whole number from 0.
    """
    text = str(layer)
    if text == EMBEDDINGS:
        return -1
    number = text.removesuffix(".0")
    if not number.isdecimal():
        raise InputError("column layer", f"{text!r}", f"Give {EMBEDDINGS} or a number from 0")
    return int(number)


def blocks_of(layers: Iterable[object]) -> int:
    """Number of blocks of the encoder whose layers a table names."""
    return max((layer_number(layer) for layer in layers), default=-1) + 1


def kind_of_run(run: object) -> str:
    """Name of a run without its seed, as published tables have it: `mnli-s0` becomes `mnli`."""
    text = str(run)
    stem, dash, seed = text.rpartition("-s")
    return stem if dash and seed.isdecimal() else text


def family(encoder: object) -> str:
    """Name that encoders share which differ by their pre-training seed: `lab` for `lab-p0`."""
    text = str(encoder)
    stem, dash, seed = text.rpartition("-p")
    return stem if dash and seed.isdecimal() else text


def of_encoder(table: pd.DataFrame, encoder: str) -> pd.DataFrame:
    """Rows of an encoder, or of all encoders of a family."""
    return table[[encoder in (name, family(name)) for name in table["encoder"]]]
