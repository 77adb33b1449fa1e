"""The report: one page, a summary, tables for a paper."""
