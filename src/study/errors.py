"""The one exception whose message is written for the user."""


class StudyError(Exception):
    """Bad input: one sentence that names the file or key, what was expected, and what was found."""
