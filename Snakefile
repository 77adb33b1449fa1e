# The workflow is workflow/Snakefile. `include` does not keep the default target, so name it again.
include: "workflow/Snakefile"


rule study:
    default_target: True
    input:
        rules.all.input,
