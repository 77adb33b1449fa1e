# The configuration, complete and checked, and the runs it asks for. Nothing is written, started or put into the
# environment while this is read, because on a cluster every job reads it again.
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.settings.types import DeploymentMethod

REPOSITORY = Path(str(workflow.current_basedir)).parents[1]
sys.path.insert(0, str(REPOSITORY / "src"))

from study.data.registry import patients_of
from study.run import claim, configuration, identity, jobs
from study.run.config import cohorts, complete, load_schema, runs
from study.errors import StudyError
from study.io import write_json

try:
    # Snakemake has read them already, but asks less of them.
    for file in workflow.overwrite_configfiles:
        configuration.read(file)
    config.update(
        configuration.placed(
            complete(config, load_schema(REPOSITORY / configuration.SCHEMA)), workflow.overwrite_configfiles, REPOSITORY
        )
    )
except StudyError as error:
    raise WorkflowError(str(error))
RUNS = runs(config)

WITH_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
AGAIN = configuration.again(config, "make study")
VARIABLES = {"PUBLISHED_BASE_URL": config["published"]["base_url"]}
shell.prefix(jobs.prefix(str((REPOSITORY / "src").resolve()), WITH_CONDA, **VARIABLES))
