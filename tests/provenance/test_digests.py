"""Content hashes of files and folders."""

from tunescope.provenance.digests import file_sha256, source_digest


def test_of_a_file_is_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert file_sha256(tmp_path / "a") == source_digest(tmp_path / "a") == expected


def test_of_a_folder_covers_names_and_bytes_but_no_hidden_files(tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    before = source_digest(tmp_path)
    (tmp_path / ".hidden").write_bytes(b"1")
    assert source_digest(tmp_path) == before
    (tmp_path / "a").rename(tmp_path / "b")
    assert source_digest(tmp_path) != before


def test_of_nothing_is_none(tmp_path):
    assert source_digest(tmp_path / "missing") is None
