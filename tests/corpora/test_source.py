from pathlib import Path

import pytest

from tunescope.corpora.source import read_source, shorten, split_lines
from tunescope.errors import InputError


def write(folder: Path, data: bytes) -> Path:
    path = folder / "source.txt"
    path.write_bytes(data)
    return path


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    inside = "a\x1cb\x1dc\x1ed\x85e\u2028f\u2029g\x0bh\x0ci"
    lines, notes = split_lines(read_source(write(tmp_path, f"{inside}\nz\n".encode())))
    assert lines == [inside, "z"]
    assert notes == {}


def test_windows_line_ends_and_byte_order_mark_are_removed_and_noted(tmp_path: Path) -> None:
    source = read_source(write(tmp_path, b"\xef\xbb\xbfa\r\nb\r\nc"))
    lines, notes = split_lines(source)
    assert lines == ["a", "b", "c"]
    assert notes == {
        "byte order mark at the start of the file": 1,
        "lines that ended in CR LF": 2,
        "last line without a line end": 1,
    }


def test_other_bytes_are_named_by_line_and_offset(tmp_path: Path) -> None:
    path = write(tmp_path, "é\nab".encode() + b"\xe9\n")
    with pytest.raises(InputError) as caught:
        read_source(path)
    assert caught.value.where == f"{path}:2"
    assert "byte 0xe9 at offset 5 is not UTF-8" in caught.value.found
    assert "iconv" in caught.value.remedy


def test_utf_16_is_refused_at_its_first_byte(tmp_path: Path) -> None:
    path = write(tmp_path, "label".encode("utf-16"))
    with pytest.raises(InputError, match="offset 0 is not UTF-8"):
        read_source(path)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"  \r\n"])
def test_empty_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = write(tmp_path, data)
    with pytest.raises(InputError, match="the file is empty") as caught:
        read_source(path)
    assert caught.value.where == str(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_source(tmp_path / "absent.tsv")
    with pytest.raises(InputError, match="cannot be read"):
        read_source(tmp_path)


def test_the_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    source = read_source(write(tmp_path, b"abc"))
    assert source.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_values_in_messages_are_cut() -> None:
    assert shorten("short") == "'short'"
    assert len(shorten("x" * 500)) == 62
