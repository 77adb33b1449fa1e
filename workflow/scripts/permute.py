"""Test the risk groups of one fixed setting by permuting outcomes through its cross-validation."""

import sys

from study.catalogue import make_learner
from study.cv.splits import Splits
from study.data.studyfile import Study
from study.evidence.permutation import METHOD, cross_validated_risk, fixed_point, permutation_test
from study.run.command import add_settings, parser, run
from study.run.files import write_json


def main() -> None:
    made = parser(__doc__, study="the study file", splits="the folds", output="the result, as JSON")
    add_settings(made)
    arguments = made.parse_args()
    study, splits, settings = Study.load(arguments.study), Splits.load(arguments.splits), arguments.settings
    n_wanted = settings["permutations"]
    if not study.has_times or not n_wanted:
        why = "no survival times" if n_wanted else "permutations is 0"
        write_json(arguments.output, {"left_out": why})
        print(f"left out: {why}", file=sys.stderr)
        return
    point = fixed_point(study.X.shape[1])
    learner = make_learner(METHOD, study, settings | {"lambdas": [point.lam], "sparsities": [point.sparsity]})

    def risk_of(X):
        return cross_validated_risk(learner, point, X, study.y, splits, settings["seed"])

    def tell(done: int) -> None:
        if done % 50 == 0:
            print(f"permutations: {done} of {n_wanted}", file=sys.stderr, flush=True)

    result = permutation_test(risk_of, study.X, study.time, study.y, n_wanted, settings["seed"], tell)
    write_json(arguments.output, {"method": METHOD, "sparsity": point.sparsity, "lam": point.lam} | result)


if __name__ == "__main__":
    run(main)
