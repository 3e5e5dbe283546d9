"""What several commands have in common: options, files, limits, progress, what is told."""
