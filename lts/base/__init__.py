"""What every room builds on: the table of bounds (`bounds`), displaying untrusted texts
(`escaping`), patterns (`regular`), and suggestions for misspelt names (`spelling`)."""
