"""What running the workflow needs: configuration, files, jobs, progress, provenance."""
