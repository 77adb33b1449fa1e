"""A few trials of each family, with a fixed seed; `make torture` runs them all."""

import pytest

from torture import frame
from torture.families import FAMILIES
from torture.frame import Family, Trial, refused, run, said_in_one_sentence, survived, wrong


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("torture")


@pytest.mark.workflow
@pytest.mark.xdist_group("torture")
@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_goes_wrong(place, name):
    family = FAMILIES[name]
    if family.cannot():
        pytest.skip(family.cannot())
    figures = run(family, place / name, family.short, seed=1)
    assert not figures.wrongs
    assert figures.tried >= family.short


def test_a_wrong_trial_is_counted_and_named(tmp_path):
    """Also one that raises: no trial is left out of the figures."""
    given = [survived(), refused(), wrong("it was lost")]
    trials = [Trial(f"trial {i}", lambda verdict=verdict: verdict) for i, verdict in enumerate(given)]
    trials.append(Trial("broken", lambda: [][0]))
    family = Family("made up", "", "", 4, 4, lambda place, n, rng: trials)
    if family.cannot():
        pytest.skip(family.cannot())
    figures = run(family, tmp_path, 4, seed=1, say=lambda text: None)
    assert dict(figures.counts) == {"survived": 1, "refused": 1, "wrong": 2}
    assert figures.wrongs[0] == "trial 2: it was lost"
    assert figures.wrongs[1].startswith("broken: the trial raised IndexError")


def test_a_family_that_is_stopped_ends_what_it_has_begun_and_is_judged_by_it(tmp_path):
    def trials(place, n, rng):
        try:
            for i in range(n):
                yield Trial(f"trial {i}", survived)
        finally:
            raise AssertionError("the last study is lost")

    family = Family("made up", "", "", 4, 4, trials)
    figures = run(family, tmp_path, 4, seed=1, say=lambda text: None, seconds=0)
    assert dict(figures.counts) == {"survived": 1, "wrong": 1}
    assert "the last study is lost" in figures.wrongs[0]


@pytest.mark.parametrize(
    ("status", "text", "outcome"),
    [
        (1, "error: x.csv: expected a table, found none.", frame.REFUSED),
        (0, "error: x.csv: expected a table, found none.", frame.WRONG),
        (1, "Traceback (most recent call last):\nValueError: expected x.csv", frame.WRONG),
        (1, "error: y.csv: expected a table, found none.", frame.WRONG),
        (1, "error: x.csv: expected " + "a" * 5000, frame.WRONG),
        (1, "", frame.WRONG),
    ],
)
def test_one_sentence_names_the_file_and_is_short(status, text, outcome):
    assert said_in_one_sentence(status, text, "x.csv").outcome == outcome
