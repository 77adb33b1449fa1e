"""The one exception whose message is written for the user."""


class StudyError(Exception):
    """Bad input. The message says in one line what is wrong, in which file or key, and what to do."""
