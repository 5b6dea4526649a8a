import base64
from pathlib import Path

import pytest

from tunescope.errors import InputError
from tunescope.report.content import Table, picture
from tunescope.report.material import counted, interval, listed, percent, shown


def test_tables_refuse_uneven_rows_and_groups() -> None:
    with pytest.raises(ValueError, match="2 columns"):
        Table("caption", ("a", "b"), (("x",),))
    with pytest.raises(ValueError, match="do not span 2"):
        Table("caption", ("a", "b"), (("x", "y"),), groups=(("all", 3),))


def test_pictures_travel_in_the_page(tmp_path: Path) -> None:
    path = tmp_path / "figure.svg"
    path.write_bytes(b"<svg/>")
    found = picture(path, alt="a chart", caption="what it shows")
    assert found.source == "data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode()
    assert found.files == "figure.svg, figure.pdf"


def test_pictures_of_other_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.jpg"):
        picture(tmp_path / "figure.jpg", alt="", caption="")


def test_numbers_in_words() -> None:
    assert shown(-0.5, 1) == "\N{MINUS SIGN}0.5"
    assert shown(float("nan")) == "\N{EM DASH}"
    assert percent(0.8125) == "81.2"
    assert interval(0.1, 0.25, places=0, factor=100) == "[10, 25]"
    assert interval(float("nan"), 1) == ""
    assert counted(1, "seed") == "1 seed"
    assert counted(1200, "seed") == "1,200 seeds"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a"]) == "a"
