"""Take the outer folds stored in the published files; draw inner folds within them from the master seed."""

from pathlib import Path

import numpy as np

from study.data.fetch import check_blob_id, read_files
from study.data.stored_splits import read_outer, with_inner
from study.data.studyfile import Study
from study.run.command import add_settings, parser, run
from study.run.errors import StudyError


def main() -> None:
    made = parser(
        __doc__,
        files="table of the published files: path, git_blob_sha1",
        study="the study file",
        output="the folds",
    )
    made.add_argument(
        "--stored", required=True, nargs="+", help="an overlap_data file per trial, in their order"
    )
    add_settings(made)
    arguments = made.parse_args()
    study, settings = Study.load(arguments.study), arguments.settings
    files = read_files(arguments.files)
    outer = []
    for path in arguments.stored:
        check_blob_id(path, files[Path(path).name][1])
        outer.append(read_outer(path, study.y, study.entrez))
        if outer[-1].max() != settings["folds"]:
            raise StudyError(
                f"config: folds: expected {outer[-1].max()}, as stored in {path}, found {settings['folds']}."
            )
    with_inner(np.array(outer), study.y, settings["seed"], settings["inner_folds"]).save(arguments.output)


if __name__ == "__main__":
    run(main)
