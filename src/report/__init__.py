"""The report: one self-contained page, a summary in Markdown and LaTeX tables, written from the result tables."""
