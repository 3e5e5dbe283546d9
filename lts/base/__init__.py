"""What every room builds on: the table of bounds (`bounds`), checks of argument types, names of
labels as arguments (`label_names`), loading on first use (`lazy`), displaying untrusted texts
(`escaping`), patterns (`regular`), and suggestions for misspelt names (`spelling`)."""
