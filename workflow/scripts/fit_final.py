"""Train one method on all patients, with settings chosen by cross-validation."""

from dataclasses import replace

from graphiht.signature import provenance
from study.cv.final import final_model
from study.cv.model import make_learner
from study.data.studyfile import Study
from study.methods import METHODS
from study.command import command
from study.io import write_text


def main(study: str, inputs: list, method: str, settings: dict, transform: str, signature: str, table: str) -> None:
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
    command(main)
