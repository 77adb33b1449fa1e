"""Learners and their nested cross-validation."""
