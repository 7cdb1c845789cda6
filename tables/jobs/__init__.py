"""What workers do: a module a kind of job, above the pages, whose renderings it uses."""
