"""Code common to several commands: options, files, limits, progress, output."""
