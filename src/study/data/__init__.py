"""Where patients, genes and networks come from: read, verified, joined into one study file."""
