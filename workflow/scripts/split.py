"""Draw the outer and inner folds of a trial from the master seed, or take stored outer folds."""

from study.cv.outcome import Outcome
from study.cv.splits import leave_cohorts_out, make_splits
from study.data.published_files import check_published
from study.data.stored_splits import read_stored
from study.data.studyfile import Study
from study.command import command


def main(study: str, published: str, stored: list, trial: int, settings: dict, splits: str) -> None:
    """Write the folds."""
    study = Study.load(study)
    if study.is_pooled:
        trained = settings["pooled"]["rounds"][trial - 1]
        folds = leave_cohorts_out(study.source, settings["pooled"]["cohorts"], [trained], trial)
    elif stored:
        check_published(stored, published)
        folds = read_stored(stored[0], study, settings, trial)
    else:
        chosen = {key: settings[key] for key in ("seed", "folds", "inner_folds")}
        outcome = Outcome.of(study, settings)
        folds = make_splits(outcome.y, trials=1, first=trial, known=outcome.known, **chosen)
    folds.save(splits)


if __name__ == "__main__":
    command(main)
