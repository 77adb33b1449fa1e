#!/usr/bin/env bash
# Submit a job script and print its name: the number that the batch system gave it, and the file that its exit code is
# written to. That file, on the shared file system, says how a job ended even if the batch system has forgotten it.
# Usage: submit.sh CORES MEGABYTES MINUTES SCRIPT
set -euo pipefail
cores=$1 memory=$2 minutes=$3 script=$4
folder=.snakemake/cluster
mkdir -p "$folder"
ended=$(mktemp -u "$folder/$(basename "$script").XXXXXX")
run="bash $(printf %q "$script"); echo \$? >$ended.part; mv $ended.part $ended"

# SLURM. With PBS: echo "$run" | qsub -l select=1:ncpus=$cores:mem=${memory}mb,walltime=$((minutes * 60)) -
# With LSF: bsub -n $cores -M ${memory}MB -W $minutes "$run"; with SGE: qsub -terse -pe smp $cores -l h_rt=... -b y "$run".
number=$(sbatch --parsable --cpus-per-task="$cores" --mem="$memory" --time="$minutes" --output="$ended.log" --wrap "$run")

echo "${number%%;*}@$ended"
