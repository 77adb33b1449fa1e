"""How Sphinx builds the documentation: `make site`. Nothing is fetched, when it is built or when it is read."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from graphiht import __version__

project = "graphiht"
author = copyright = "the graphiht maintainers"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build", "example", "requirements.txt"]
html_theme = "furo"
html_title = "graphiht"
html_copy_source = False

myst_heading_anchors = 3

# `make site` runs the examples with -D nb_execution_mode=force. Read the Docs cannot: the tutorial runs a study.
nb_execution_mode = "off"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False


def setup(app):
    """Point links to files outside this folder, which are right where the files are read, at their pages."""

    def relink(app, name, source):
        source[0] = source[0].replace("](../config/README.md)", "](configuration.md)")

    app.connect("source-read", relink)
