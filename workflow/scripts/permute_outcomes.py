"""Test the risk groups of one fixed setting by permuting outcomes through its cross-validation."""

from study.cv.outcome import Outcome
from study.cv.splits import Splits
from study.data.studyfile import Study
from study.evidence.fixed import fixed_learner
from study.evidence.permutation import cross_validated_risk, fixed_point, permutation_test
from study.methods import HEADLINE, METHODS
from study.command import command
from study.io import say
from study.io import write_json


def main(study: str, splits: str, permutation: str, settings: dict) -> None:
    study, splits = Study.load(study), Splits.load(splits)
    seed, wanted = settings["seed"], settings["permutations"]
    if not study.has_times or not wanted:
        reason = "no survival times" if wanted else "permutations is 0"
        write_json(permutation, {"left_out": reason})
        say(f"left out: {reason}")
        return
    point, outcome = fixed_point(study.X.shape[1]), Outcome.of(study, settings)
    learner = fixed_learner(METHODS[HEADLINE], point, study, settings)

    def risk_of(X):
        return cross_validated_risk(learner, point, X, outcome, splits, seed)

    def tell(done):
        if done % 50 == 0:
            say(f"permutations: {done} of {wanted}")

    result = permutation_test(risk_of, study.X, study.time, study.y, wanted, seed, tell)
    write_json(permutation, {"method": HEADLINE, "sparsity": point.sparsity, "lambda": point.lam} | result)


if __name__ == "__main__":
    command(main)
