"""When an output is current: by content, never by time."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tunescope.provenance.currency import Currency, Step
from tunescope.provenance.digests import file_sha256
from tunescope.provenance.records import Record, by_name, read_record, record_path, write_record


class Chain:
    """A source, a middle and an end, made as a workflow would."""

    def __init__(self):
        Path("source.txt").write_text("source")
        self.steps = {
            "r/middle": Step(("r/middle",), {"file": "source.txt"}, '{"a": 1}', "code1"),
            "r/end": Step(("r/end", "r/end2"), {"made": "r/middle"}, '{"b": 2}', "code2"),
        }
        self.steps["r/end2"] = self.steps["r/end"]
        for path in ("r/middle", "r/end"):
            self.make(path)

    def make(self, path, content=None):
        step = self.steps[path]
        for output in step.outputs:
            Path(output).parent.mkdir(exist_ok=True)
            Path(output).write_text(content or f"content of {output}")
            record = Record(
                output=output,
                rule="rule",
                sha256=file_sha256(Path(output)),
                bytes=Path(output).stat().st_size,
                settings=step.settings,
                code=step.code,
                inputs={name: self.digest(path) for name, path in step.inputs.items()},
                versions={},
            )
            write_record(record, record_path(output, "r"))

    def digest(self, path):
        return self.currency().digest(path)

    def currency(self):
        return Currency("r", self.steps.get)

    def current(self, path):
        return self.currency().current(self.steps[path])

    def change(self, path, **changes):
        step = replace(self.steps[path], **changes)
        for output in step.outputs:
            self.steps[output] = step


@pytest.fixture
def chain(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Chain()


def test_what_was_just_made_is_current(chain):
    assert chain.current("r/middle")
    assert chain.current("r/end")


@pytest.mark.parametrize("change", [{"settings": '{"a": 2}'}, {"code": "other"}, {"inputs": {}}])
def test_a_change_upstream_makes_all_that_follows_stale(chain, change):
    chain.change("r/middle", **change)
    assert not chain.current("r/middle")
    assert not chain.current("r/end")


def test_a_change_downstream_leaves_what_comes_before(chain):
    chain.change("r/end", settings='{"b": 3}')
    assert chain.current("r/middle")
    assert not chain.current("r/end")


def test_a_changed_source_is_seen_by_content_not_by_time(chain):
    os.utime("source.txt", (1, 1))
    assert chain.current("r/end")
    Path("source.txt").write_text("longer source")
    assert not chain.current("r/end")


def test_an_output_made_again_with_the_same_content_stops_the_wave(chain):
    chain.change("r/middle", code="other")
    chain.make("r/middle")
    assert chain.current("r/end")
    chain.make("r/middle", content="new")
    assert not chain.current("r/end")


def test_a_deleted_store_stays_current_and_so_do_its_readers(chain):
    Path("r/middle").unlink()
    assert chain.current("r/middle")
    assert chain.current("r/end")


def test_a_cut_output_or_record_is_not_accepted(chain):
    Path("r/end").write_text("cut")
    assert not chain.current("r/end")
    chain.make("r/end")
    path = record_path("r/end2", "r")
    path.write_text(path.read_text()[:40])
    assert read_record(path) is None
    assert not chain.current("r/end")


def test_a_source_may_move(chain):
    Path("source.txt").rename("moved.txt")
    chain.change("r/middle", inputs={"file": "moved.txt"})
    assert chain.current("r/end")


def test_inputs_of_a_list_are_numbered():
    assert by_name({"a": "x", "b": ["y", "z"]}) == {"a": "x", "b.0": "y", "b.1": "z"}


def test_a_missing_source_is_stale(chain):
    Path("source.txt").unlink()
    assert not chain.current("r/middle")


def test_records_only_stand_for_outputs(chain):
    with pytest.raises(ValueError, match="not in the subpath"):
        record_path("elsewhere/x", "r")
