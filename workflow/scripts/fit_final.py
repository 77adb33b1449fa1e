"""Train one method on all patients, with settings chosen by cross-validation."""

from study.cv.model import make_learner
from study.cv.nested import final_model
from study.data.studyfile import Study
from study.methods import METHODS
from study.run.command import command
from study.run.files import write_json


def main(study, method, settings, model):
    """Write the model as JSON."""
    study, row = Study.load(study), METHODS[method]
    learner = make_learner(row, settings | {"n_blocks": row.blocks(settings["n_blocks"])}, study)
    write_json(model, final_model(row, learner, study, settings))


if __name__ == "__main__":
    command(main, method="name of the method", model="the model to write, as JSON")
