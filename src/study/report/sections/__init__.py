"""The sections of the page, a module each."""
