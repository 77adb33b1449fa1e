"""What runs around a study: checks, the lock, code hashes, manifest, crate, documentation."""
