"""Train one method on all patients, with settings chosen by cross-validation."""

from dataclasses import replace

from graphiht.signature import provenance
from study.cv.final import final_model
from study.cv.model import make_learner
from study.data.studyfile import Study
from study.methods import METHODS
from study.run.command import command
from study.run.files import write_text


def main(study, inputs, method, settings, transform, signature, table):
    """Write the signature, as JSON and as a table."""
    patients, row = Study.load(study), METHODS[method]
    learner = make_learner(row, settings | {"n_blocks": row.blocks(settings["n_blocks"])}, patients)
    model = final_model(row, learner, patients, settings)
    # New patients are transformed like these.
    settings = model.settings | {"transform": transform}
    model = replace(model, settings=settings, provenance=provenance(settings["seed"], [study, *inputs]))
    write_text(signature, model.to_json())
    write_text(table, model.to_tsv())


if __name__ == "__main__":
    command(
        main,
        inputs=["the files that the study file was made from"],
        method="name of the method",
        transform="what was done to the values when they were read: none or log2",
        signature="the signature to write, as JSON",
        table="the same as a table",
    )
