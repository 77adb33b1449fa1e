"""Fit one method to all patients, with settings chosen by cross-validation."""

from dataclasses import replace

from graphiht.signature import provenance
from study.command import command
from study.cv.final import final_model
from study.cv.learners import make_learner
from study.data.studyfile import Study
from study.io import write_text
from study.methods import METHODS


def main(method: str, study: str, sources: list, settings: dict, signature: str, table: str) -> None:
    patients, row, own = Study.load(study), METHODS[method], settings.pop("own")
    # New patients are transformed like these.
    transform = own["transform"] if settings.pop("cohort") == "own" else "none"
    learner = make_learner(row, settings | {"n_blocks": row.blocks(settings["n_blocks"])}, patients)
    model = final_model(row, learner, patients, settings)
    model = replace(
        model,
        settings=model.settings | {"transform": transform},
        provenance=provenance(settings["seed"], [study, *sources]),
    )
    write_text(signature, model.to_json())
    write_text(table, model.to_tsv())


command(main)
