# The workflow lives in workflow/Snakefile, which also names the default target.
include: "workflow/Snakefile"
