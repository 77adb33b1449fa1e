# The synthetic experiments. `snakemake simulations` makes the paper's figures, the verdicts on its claims and the table
# of its theorem; `snakemake simulations_full` the phase transition, noise, graph families and cost. Neither belongs to
# `rule all`; the report shows what is there.
from study.simulation.layout import FIGURES as CURVES
from study.simulation.layout import experiments, relevant

SIMULATIONS = f"{config['results']}/simulations"
EXPERIMENTS = experiments(config["simulations"])


def simulation_settings(name):
    """The part of the configuration that an experiment depends on."""
    simulations = relevant(config["simulations"], EXPERIMENTS[name].kind)
    return json.dumps({"seed": config["seed"], "simulations": simulations}, sort_keys=True)


def module_of(package, reference):
    return f"{package}.{reference.partition(':')[0]}"


def tables_of(*names):
    return [f"{SIMULATIONS}/{table}.csv" for name in names for table in EXPERIMENTS[name].tables]


for simulation, experiment in EXPERIMENTS.items():

    rule:
        name:
            f"simulate_{simulation}"
        input:
            study=[f"{RUN}/study.npz"] if simulation == "families" else [],
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
            **HEAVY,
        params:
            code=code("simulate", module_of("study.simulation", experiment.run)),
            experiment=experiment.run,
            part=lambda wildcards, parts=experiment.parts: json.dumps(parts[wildcards.part]),
            settings=simulation_settings(simulation),
        shell:
            job("simulate", input="study", output="output", params="experiment part settings")

    rule:
        name:
            f"draw_{simulation}"
        input:
            parts=expand(f"{SIMULATIONS}/parts/{simulation}/{{part}}.csv", part=experiment.parts),
        output:
            tables=tables_of(simulation),
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
            "draw_simulations"
        conda:
            ENVIRONMENT
        resources:
            **LIGHT,
        params:
            code=code("draw_simulation", module_of("study.figures", experiment.draw)),
            name=simulation,
            drawing=experiment.draw,
            settings=simulation_settings(simulation),
        shell:
            job("draw_simulation", input="parts", output="tables figures", params="name drawing settings")


rule judge_simulations:
    input:
        curves=tables_of(*CURVES),
    output:
        output=f"{SIMULATIONS}/verdicts.csv",
    log:
        f"{SIMULATIONS}/logs/verdicts.log",
    benchmark:
        f"{SIMULATIONS}/benchmarks/verdicts.tsv"
    group:
        "draw_simulations"
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        code=code("judge_simulations"),
    shell:
        job("judge_simulations", input="curves", output="output")


localrules:
    simulations,
    simulations_full,


rule simulations:
    input:
        f"{SIMULATIONS}/verdicts.csv",
        tables_of(*CURVES, "theory"),


rule simulations_full:
    input:
        rules.simulations.input,
        tables_of("recovery", "families", "scaling"),
