# The synthetic experiments. `snakemake simulations` makes the paper's figures, the verdicts on its claims and the table
# of its theorem; `snakemake simulations_full` the phase transition, noise, graph families and cost. Neither belongs to
# `rule all`; the report shows what is there.
from study.simulation.layout import FAMILIES, drawings, relevant, seed_ranges
from study.simulation.layout import FIGURES as SIMULATED_FIGURES

SIMULATED = f"{config['results']}/simulations"
SIMULATION_SETTINGS = {
    kind: json.dumps(
        {"seed": config["seed"], "simulations": relevant(config["simulations"], kind)}, sort_keys=True
    )
    for kind in ("curves", "theory", "recovery", "noise", "scaling")
}
SEED_RANGES = seed_ranges(config["simulations"]["seeds"])


wildcard_constraints:
    seeds=r"\d+-\d+",
    sparsity=r"\d+",


rule simulate:
    output:
        f"{SIMULATED}/parts/{{figure}}/seeds-{{seeds}}.csv",
    log:
        f"{SIMULATED}/logs/{{figure}}/seeds-{{seeds}}.log",
    benchmark:
        f"{SIMULATED}/benchmarks/{{figure}}/seeds-{{seeds}}.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("simulate.py"),
        settings=SIMULATION_SETTINGS["curves"],
        first=lambda wildcards: int(wildcards.seeds.split("-")[0]),
        last=lambda wildcards: int(wildcards.seeds.split("-")[1]),
    shell:
        "python workflow/scripts/simulate.py --figure {wildcards.figure} --first {params.first} --last {params.last} "
        "--settings {params.settings:q} --output {output:q} 2>&1 | tee {log:q}"


for figure in SIMULATED_FIGURES:

    rule:
        name:
            f"draw_{figure}"
        input:
            parts=expand(f"{SIMULATED}/parts/{figure}/seeds-{{seeds}}.csv", seeds=SEED_RANGES),
        output:
            table=f"{SIMULATED}/{figure}.csv",
            figures=figures_in_report(drawings(figure, f"{SIMULATED}/figures").values(), "Simulations"),
        log:
            f"{SIMULATED}/logs/draw_{figure}.log",
        benchmark:
            f"{SIMULATED}/benchmarks/draw_{figure}.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("draw_simulation.py"),
            settings=SIMULATION_SETTINGS["curves"],
            figure=figure,
            drawn=[
                part
                for axis, path in drawings(figure, f"{SIMULATED}/figures").items()
                for part in (f"--{axis}", path)
            ],
        shell:
            "python workflow/scripts/draw_simulation.py --figure {params.figure} --parts {input.parts:q} "
            "--settings {params.settings:q} --table {output.table:q} {params.drawn:q} 2>&1 | tee {log:q}"


rule judge_simulations:
    input:
        expand(f"{SIMULATED}/{{figure}}.csv", figure=SIMULATED_FIGURES),
    output:
        f"{SIMULATED}/verdicts.csv",
    log:
        f"{SIMULATED}/logs/verdicts.log",
    benchmark:
        f"{SIMULATED}/benchmarks/verdicts.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("judge_simulations.py"),
    shell:
        "python workflow/scripts/judge_simulations.py --curves {input:q} --output {output:q} 2>&1 | tee {log:q}"


rule simulate_theory:
    output:
        f"{SIMULATED}/theory.csv",
    log:
        f"{SIMULATED}/logs/theory.log",
    benchmark:
        f"{SIMULATED}/benchmarks/theory.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("simulate_theory.py"),
        settings=SIMULATION_SETTINGS["theory"],
    shell:
        "python workflow/scripts/simulate_theory.py --settings {params.settings:q} --output {output:q} 2>&1 | tee {log:q}"


rule simulate_recovery:
    output:
        f"{SIMULATED}/parts/recovery/s-{{sparsity}}.csv",
    log:
        f"{SIMULATED}/logs/recovery/s-{{sparsity}}.log",
    benchmark:
        f"{SIMULATED}/benchmarks/recovery/s-{{sparsity}}.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("simulate_recovery.py"),
        settings=SIMULATION_SETTINGS["recovery"],
    shell:
        "python workflow/scripts/simulate_recovery.py --sparsity {wildcards.sparsity} --settings {params.settings:q} "
        "--output {output:q} 2>&1 | tee {log:q}"


rule draw_recovery:
    input:
        expand(
            f"{SIMULATED}/parts/recovery/s-{{sparsity}}.csv",
            sparsity=config["simulations"]["recovery_sparsities"],
        ),
    output:
        table=f"{SIMULATED}/recovery.csv",
        needed=f"{SIMULATED}/recovery_needed.csv",
        figure=figures_in_report([f"{SIMULATED}/figures/recovery.svg"], "Simulations"),
    log:
        f"{SIMULATED}/logs/recovery.log",
    benchmark:
        f"{SIMULATED}/benchmarks/recovery.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("draw_recovery.py"),
        settings=SIMULATION_SETTINGS["recovery"],
    shell:
        "python workflow/scripts/draw_recovery.py --parts {input:q} --settings {params.settings:q} "
        "--table {output.table:q} --needed {output.needed:q} --figure {output.figure:q} 2>&1 | tee {log:q}"


rule simulate_family:
    input:
        study=f"{RUN}/study.npz",
    output:
        f"{SIMULATED}/parts/families/{{family}}.csv",
    log:
        f"{SIMULATED}/logs/families/{{family}}.log",
    benchmark:
        f"{SIMULATED}/benchmarks/families/{{family}}.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("simulate_family.py"),
        settings=SIMULATION_SETTINGS["noise"],
    shell:
        "python workflow/scripts/simulate_family.py --family {wildcards.family} --study {input.study:q} "
        "--settings {params.settings:q} --output {output:q} 2>&1 | tee {log:q}"


rule draw_families:
    input:
        expand(f"{SIMULATED}/parts/families/{{family}}.csv", family=FAMILIES),
    output:
        table=f"{SIMULATED}/families.csv",
        figure=figures_in_report([f"{SIMULATED}/figures/families.svg"], "Simulations"),
    log:
        f"{SIMULATED}/logs/families.log",
    benchmark:
        f"{SIMULATED}/benchmarks/families.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("draw_families.py"),
        settings=SIMULATION_SETTINGS["noise"],
    shell:
        "python workflow/scripts/draw_families.py --parts {input:q} --settings {params.settings:q} "
        "--table {output.table:q} --figure {output.figure:q} 2>&1 | tee {log:q}"


rule measure_scaling:
    output:
        table=f"{SIMULATED}/scaling.csv",
        figure=figures_in_report([f"{SIMULATED}/figures/scaling.svg"], "Simulations"),
    log:
        f"{SIMULATED}/logs/scaling.log",
    benchmark:
        f"{SIMULATED}/benchmarks/scaling.tsv"
    conda:
        "../../environment.yml"
    # Alone on the machine: other jobs would be in the times.
    threads: workflow.cores
    params:
        code=code("measure_scaling.py"),
        settings=SIMULATION_SETTINGS["scaling"],
    shell:
        "python workflow/scripts/measure_scaling.py --settings {params.settings:q} --table {output.table:q} "
        "--figure {output.figure:q} 2>&1 | tee {log:q}"


rule simulations:
    input:
        f"{SIMULATED}/verdicts.csv",
        f"{SIMULATED}/theory.csv",
        [path for figure in SIMULATED_FIGURES for path in drawings(figure, f"{SIMULATED}/figures").values()],


rule simulations_full:
    input:
        rules.simulations.input,
        f"{SIMULATED}/recovery.csv",
        f"{SIMULATED}/families.csv",
        f"{SIMULATED}/scaling.csv",
