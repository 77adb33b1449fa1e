"""Draw the outer and inner folds of every trial from the master seed, or take stored outer folds."""

from study.cv.outcome import Outcome
from study.cv.splits import leave_cohorts_out, make_splits
from study.data.fetch import check_published
from study.data.stored_splits import read_stored
from study.data.studyfile import Study
from study.run.command import command


def main(study, published, stored, settings, splits):
    """Write the folds."""
    study = Study.load(study)
    if study.is_pooled:
        folds = leave_cohorts_out(study.source, settings["pooled"]["cohorts"], settings["pooled"]["rounds"])
    elif stored:
        check_published(stored, published)
        folds = read_stored(stored, study, settings)
    else:
        chosen = {key: settings[key] for key in ("seed", "trials", "folds", "inner_folds")}
        folds = make_splits(Outcome.of(study, settings).y, **chosen)
    folds.save(splits)


if __name__ == "__main__":
    command(
        main,
        stored=["an overlap_data file per trial, in their order; none: draw the outer folds"],
        splits="the folds to write",
    )
