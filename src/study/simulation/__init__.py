"""The synthetic experiments: the paper's figures, its claims and its theorem, on data whose answer is known."""
