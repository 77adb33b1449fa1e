"""Read the 70 genes of van 't Veer et al., by the genes of a cohort."""

from study.command import command
from study.data.gene_names import read_aliases, read_annotation
from study.data.nki import read_seventy
from study.data.sources import open_wheel
from study.data.studyfile import Cohort
from study.io import write_text


def main(cohort: str, sources: str, wheel: str, annotation: str, aliases: str, genes: str) -> None:
    table = read_seventy(
        open_wheel(wheel, sources), Cohort.load(cohort), read_annotation(annotation), read_aliases(aliases)
    )
    write_text(genes, table.to_csv(index=False))


command(main)
