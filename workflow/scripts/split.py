"""Draw the outer and inner folds of every trial from the master seed."""

from study.cv.splits import make_splits
from study.data.studyfile import Study
from study.run.command import add_settings, parser, run


def main() -> None:
    made = parser(__doc__, study="the study file", output="the folds")
    add_settings(made)
    arguments = made.parse_args()
    make_splits(Study.load(arguments.study).y, **arguments.settings).save(arguments.output)


if __name__ == "__main__":
    run(main)
