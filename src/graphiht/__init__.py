"""Graph-structured iterative hard thresholding: one loop, a gradient estimator, a projection."""
