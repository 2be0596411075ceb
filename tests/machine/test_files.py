"""Files whole or not at all, and places in source that are the same on every machine."""

import os

import pytest

from fedtheory.files import relative, traced, whole, write_text


def test_a_file_is_whole_or_not_there(tmp_path):
    """An error while writing leaves what was there, and nothing beside it."""
    path = tmp_path / "a.txt"
    write_text(path, "one")
    with pytest.raises(KeyError), whole(path) as temporary:
        temporary.write_text("half")
        raise KeyError
    assert path.read_text() == "one" and os.listdir(tmp_path) == ["a.txt"]


def test_a_folder_that_is_there_stays(tmp_path):
    """Another process may have finished the same run meanwhile."""
    for text in ("one", "two"):
        with whole(tmp_path / "run") as temporary:
            temporary.mkdir()
            (temporary / "x").write_text(text)
    assert (tmp_path / "run" / "x").read_text() == "one" and os.listdir(tmp_path) == ["run"]


def test_places_begin_at_the_package():
    """Modules, packages, drafts and text that was typed."""
    assert relative("/x/lib/proofs/one/two.py", "proofs.one.two") == "proofs/one/two.py"
    assert relative("/x/lib/proofs/one/__init__.py", "proofs.one") == "proofs/one/__init__.py"
    assert relative("/home/me/lemma.py", "fedtheory_draft_3.lemma") == "lemma.py"
    assert relative("<stdin>", "__main__") == "<stdin>"


def test_a_traceback_has_no_place_of_this_machine():
    """Every frame is told from its package on."""
    try:
        relative(None, "a")
    except TypeError as error:
        places, text = traced(error)
    assert places[0].startswith("test_files.py:") and "fedtheory/files.py:" in " ".join(places)
    assert os.path.dirname(__file__) not in text and "Traceback" in text
