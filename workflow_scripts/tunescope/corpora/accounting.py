"""The account of all corpora as a table (`results/tables/corpora.csv`)."""

from collections.abc import Mapping

from tunescope.corpora.canonical import Split

#: Columns of the table. `outcome` is read, kept, dropped or noted (kept, but something was changed
#: or seen in it); `reason` says why, for the last two; `records` is how many.
COLUMNS = ("corpus", "split", "kind", "source", "sha256", "outcome", "reason", "records")


def accounting_rows(corpus: str, splits: Mapping[str, Split]) -> list[dict[str, str | int]]:
    """What became of the records of a corpus, one outcome a row.

    Args:
        corpus: its name in the configuration.
        splits: its splits by name.
    """
    rows: list[dict[str, str | int]] = []
    for name, split in splits.items():
        account = split.accounting
        outcomes = [
            ("read", "", account.read),
            ("kept", "", account.kept),
            *(("dropped", reason, count) for reason, count in sorted(account.dropped.items())),
            *(("noted", reason, count) for reason, count in sorted(account.notes.items())),
        ]
        common = (corpus, name, split.kind, account.source, account.sha256)
        rows.extend(dict(zip(COLUMNS, (*common, *outcome), strict=True)) for outcome in outcomes)
    return rows
