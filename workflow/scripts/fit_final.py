"""Train one method on all patients, with settings chosen by cross-validation."""

from study.cv.final import final_model
from study.data.studyfile import Study
from study.plan import PEER_GRIDS, distinct_blocks
from study.run.command import add_settings, parser, run
from study.run.files import write_json


def make_learner(method: str, study: Study, settings: dict):
    """Return the learner of a method with all its points; only what it needs is imported."""
    if method in PEER_GRIDS:
        from study.cv.penalised import Peer

        return Peer(method)
    from graphiht.methods import METHODS
    from study import catalogue
    from study.cv.learners import IHT

    if method in METHODS:
        network = catalogue.make_network(study, settings)
        return IHT(method, settings, network, distinct_blocks(method, settings["n_blocks"]))
    return catalogue.make_learner(method, study, settings)


def main() -> None:
    made = parser(__doc__, study="the study file", method="name of the method", output="the model, as JSON")
    add_settings(made)
    arguments = made.parse_args()
    study, settings = Study.load(arguments.study), arguments.settings
    learner = make_learner(arguments.method, study, settings)
    write_json(arguments.output, final_model(arguments.method, learner, study, settings))


if __name__ == "__main__":
    run(main)
