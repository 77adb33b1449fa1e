# The workflow lives in workflow/Snakefile. An include forgets its default target, so it is named again here.
include: "workflow/Snakefile"


rule study:
    default_target: True
    input:
        rules.all.input,
