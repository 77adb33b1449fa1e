"""The subcommands of `graphiht`, one per module: `add_to(commands)` declares one, with the function that runs it."""
