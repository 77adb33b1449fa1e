"""The breast-cancer study: cohorts, networks, splits, evaluation and report."""
