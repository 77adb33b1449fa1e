#!/usr/bin/env bash
# Cancel the jobs that submit.sh named.
# SLURM. With PBS, SGE: qdel; with LSF: bkill.
exec scancel "${@%%@*}"
