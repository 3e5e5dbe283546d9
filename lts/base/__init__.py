"""What every room builds on: displaying untrusted texts (`escaping`), patterns (`regular`), and
suggestions for misspelt names (`spelling`)."""
