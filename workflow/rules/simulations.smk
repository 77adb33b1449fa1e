# The synthetic experiments: `snakemake simulations` makes the paper's figures, the verdicts on its claims and the table
# of its theorem; `snakemake simulations_full` adds the phase transition, noise, graph families and run time.
from study.simulation.layout import FIGURES, experiments

SIMULATIONS = experiments(config["simulations"]["seeds"])
CURVE_TABLES = [f"<results>/simulations/{figure}.csv" for figure in FIGURES]


localrules:
    simulations,
    simulations_full,


rule simulations:
    input:
        "<results>/simulations/verdicts.csv",
        "<results>/simulations/theory.csv",
        CURVE_TABLES,


rule simulations_full:
    input:
        "<results>/simulations/verdicts.csv",
        [f"<results>/simulations/{table}.csv" for row in SIMULATIONS.values() for table in row.tables],


rule simulate:
    """Run a part of a synthetic experiment."""
    input:
        study=lambda wildcards: (
            [f"{next(iter(RUNS.values())).folder}/study.npz"] if wildcards.experiment == "families" else []
        ),
    output:
        table="<results>/simulations/parts/{experiment}/{part}.csv",
    log:
        "<results>/simulations/logs/{experiment}/{part}.log",
    conda:
        ENVIRONMENT
    # An experiment that measures run time is alone on the machine.
    threads: lambda wildcards: workflow.cores if wildcards.experiment == "scaling" else 1
    params:
        code=code("simulate.py"),
        part=lambda wildcards: json.dumps(SIMULATIONS[wildcards.experiment].parts[wildcards.part]),
        seed=config["seed"],
    shell:
        '"$PYTHON" "$SCRIPTS"/simulate.py --experiment {wildcards.experiment} --part {params.part:q} --seed {params.seed}'
        " --study {input.study:q} --table {output.table:q} 2>&1 | tee {log:q}"


for simulation, row in SIMULATIONS.items():

    # One rule per experiment, because each has tables and figures of its own.
    rule:
        name:
            f"draw_{simulation}"
        input:
            parts=expand(f"<results>/simulations/parts/{simulation}/{{part}}.csv", part=row.parts),
        output:
            tables=[f"<results>/simulations/{table}.csv" for table in row.tables],
            figures=[f"<results>/simulations/figures/{figure}.svg" for figure in row.figures],
        log:
            f"<results>/simulations/logs/draw_{simulation}.log",
        conda:
            ENVIRONMENT
        params:
            code=code("draw_simulation.py"),
            experiment=simulation,
        shell:
            '"$PYTHON" "$SCRIPTS"/draw_simulation.py --experiment {params.experiment} --parts {input.parts:q}'
            " --tables {output.tables:q} --figures {output.figures:q} 2>&1 | tee {log:q}"


rule judge_simulations:
    """Judge the paper's claims by the curves."""
    input:
        curves=CURVE_TABLES,
    output:
        table="<results>/simulations/verdicts.csv",
    log:
        "<results>/simulations/logs/verdicts.log",
    conda:
        ENVIRONMENT
    params:
        code=code("judge_simulations.py"),
    shell:
        '"$PYTHON" "$SCRIPTS"/judge_simulations.py --curves {input.curves:q} --table {output.table:q} 2>&1 | tee {log:q}'
