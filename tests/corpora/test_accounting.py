from tunescope.corpora.accounting import COLUMNS, accounting_rows
from tunescope.corpora.canonical import Accounting, make_split


def test_one_outcome_a_row() -> None:
    account = Accounting("dev.tsv", "ab", 4, 1, {"z": 1, "cut": 2}, {"quotes": 1})
    split = make_split("text", [{"row": 0, "text": "t"}], (), account)
    rows = accounting_rows("mine", {"dev": split})
    assert all(tuple(row) == COLUMNS for row in rows)
    assert {(r["corpus"], r["split"], r["kind"], r["source"], r["sha256"]) for r in rows} == {
        ("mine", "dev", "text", "dev.tsv", "ab")
    }
    assert [(r["outcome"], r["reason"], r["records"]) for r in rows] == [
        ("read", "", 4),
        ("kept", "", 1),
        ("dropped", "cut", 2),
        ("dropped", "z", 1),
        ("noted", "quotes", 1),
    ]
