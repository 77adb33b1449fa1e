"""The default target on a cohort without survival times: a sentence, not an error."""

import json

import pandas as pd
import pytest

from sandbox import CONFIG, RUN, make_sandbox, snakemake

pytestmark = [pytest.mark.workflow, pytest.mark.long]


def test_cohort_without_times_still_has_everything_else(tmp_path):
    folder = make_sandbox(tmp_path / "no-times")
    outcome = folder / "own/outcome.csv"
    outcome.write_text("\n".join(line.rpartition(",")[0] for line in outcome.read_text().splitlines()) + "\n")
    config = CONFIG | {"methods": ["graph-iht"], "trials": 1}
    (folder / "config/ring.json").write_text(json.dumps(config))
    snakemake(folder, "--cores", "1")
    evidence = folder / RUN / "evidence"
    assert pd.read_csv(evidence / "survival.csv").empty
    assert len(pd.read_csv(evidence / "patients.csv")) == 60
    assert len(pd.read_csv(evidence / "outcomes.csv")) == 1
    assert not (evidence / "external.csv").exists()
    assert "Nothing to be done" in snakemake(folder, "--cores", "1", "-n")
