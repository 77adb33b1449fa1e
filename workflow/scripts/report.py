"""Write the report page from the tables."""

import pandas as pd

from study.command import add_settings, parser, run
from study.files import read_json, write_text
from study.report import render


def main() -> None:
    made = parser(
        __doc__,
        template="the page's template",
        data="summary of the data",
        metrics="table, a row per fold",
        summary="table, a row per method and trial",
        genes="table, a row per fold and gene",
        output="the page",
    )
    add_settings(made)
    arguments = made.parse_args()
    page = render(
        arguments.template,
        read_json(arguments.data),
        pd.read_csv(arguments.metrics),
        pd.read_csv(arguments.summary, dtype={"trial": str}),
        pd.read_csv(arguments.genes, dtype={"symbol": str}),
        arguments.settings,
    )
    write_text(arguments.output, page)


if __name__ == "__main__":
    run(main)
