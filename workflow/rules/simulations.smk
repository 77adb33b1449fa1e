# The synthetic experiments. `snakemake simulations` makes the paper's figures, the verdicts on its claims and the table
# of its theorem; `snakemake simulations_full` the phase transition, noise, graph families and cost. Neither belongs to
# `rule all`; the report shows what is there.
from study.simulation.layout import FIGURES as CURVES
from study.simulation.layout import experiments, relevant

EXPERIMENTS = experiments(config["simulations"])
SIMULATION_TABLES = {
    name: [f"{SIMULATIONS}/{table}.csv" for table in experiment.tables] for name, experiment in EXPERIMENTS.items()
}
CURVE_TABLES = [table for name in CURVES for table in SIMULATION_TABLES[name]]
# The part of the configuration that an experiment depends on.
SIMULATION_SETTINGS = {
    name: json.dumps(
        {"seed": config["seed"], "simulations": relevant(config["simulations"], experiment.kind)},
        sort_keys=True,
    )
    for name, experiment in EXPERIMENTS.items()
}

for simulation, experiment in EXPERIMENTS.items():

    rule:
        name:
            f"simulate_{simulation}"
        input:
            study=[f"{RUNS[0].folder}/study.npz"] if simulation == "families" else [],
        output:
            output=f"{SIMULATIONS}/parts/{simulation}/{{part}}.csv",
        log:
            f"{SIMULATIONS}/logs/{simulation}/{{part}}.log",
        benchmark:
            f"{SIMULATIONS}/benchmarks/{simulation}/{{part}}.tsv"
        group:
            f"simulate_{simulation}"
        conda:
            ENVIRONMENT
        # What measures time is alone on the machine: other jobs would be in it.
        threads: workflow.cores if simulation == "scaling" else 1
        resources:
            **needs(f"simulate_{simulation}"),
        params:
            code=code("simulate", experiment.modules[0], registries=False),
            experiment=experiment.run,
            part=lambda wildcards, parts=experiment.parts: json.dumps(parts[wildcards.part]),
            settings=SIMULATION_SETTINGS[simulation],
        shell:
            job("simulate", input="study", output="output", params="experiment part settings")

    rule:
        name:
            f"draw_{simulation}"
        input:
            parts=expand(f"{SIMULATIONS}/parts/{simulation}/{{part}}.csv", part=experiment.parts),
        output:
            tables=SIMULATION_TABLES[simulation],
            figures=in_report(
                [f"{SIMULATIONS}/figures/{figure}.svg" for figure in experiment.figures],
                "Simulations",
                "simulations",
            ),
        log:
            f"{SIMULATIONS}/logs/draw_{simulation}.log",
        benchmark:
            f"{SIMULATIONS}/benchmarks/draw_{simulation}.tsv"
        group:
            f"simulate_{simulation}"
        conda:
            ENVIRONMENT
        resources:
            **needs(f"draw_{simulation}"),
        params:
            code=code("draw_simulation", experiment.modules[1]),
            name=simulation,
            drawing=experiment.draw,
            settings=SIMULATION_SETTINGS[simulation],
        shell:
            job("draw_simulation", input="parts", output="tables figures", params="name drawing settings")


rule judge_simulations:
    input:
        curves=CURVE_TABLES,
    output:
        output=f"{SIMULATIONS}/verdicts.csv",
    log:
        f"{SIMULATIONS}/logs/verdicts.log",
    benchmark:
        f"{SIMULATIONS}/benchmarks/verdicts.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("judge_simulations"),
    params:
        code=code("judge_simulations"),
    shell:
        job("judge_simulations", input="curves", output="output")


rule simulations:
    input:
        f"{SIMULATIONS}/verdicts.csv",
        CURVE_TABLES,
        SIMULATION_TABLES["theory"],
    localrule: True


rule simulations_full:
    input:
        rules.simulations.input,
        SIMULATION_TABLES.values(),
    localrule: True
