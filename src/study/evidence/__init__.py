"""What the fits of a study, together, say about methods, genes, patients and the network."""
