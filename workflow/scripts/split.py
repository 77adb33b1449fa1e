"""Draw the outer and inner folds of a trial from the master seed, or take stored outer folds."""

from study.command import command
from study.cv.outcome import Outcome
from study.cv.splits import leave_cohorts_out, make_splits
from study.cv.stored_splits import read_stored
from study.data.published_files import check_published
from study.data.studyfile import Study
from study.io import say


def main(study: str, published: str, stored: list, trial: int, settings: dict, splits: str) -> None:
    patients = Study.load(study)
    if patients.is_pooled:
        trained = settings["pooled"]["rounds"][trial - 1]
        folds = leave_cohorts_out(patients.source, settings["pooled"]["cohorts"], [trained], trial)
    elif stored:
        check_published(stored[0], published)
        folds = read_stored(stored[0], patients, settings, trial)
    else:
        chosen = {key: settings[key] for key in ("seed", "folds", "inner_folds")}
        outcome = Outcome.of(patients, settings)
        if outcome.warning and trial == 1:
            say(f"warning: {outcome.warning}")
        folds = make_splits(outcome.y, trials=1, first=trial, known=outcome.known, **chosen)
    folds.save(splits)


command(main)
