"""Commands that run many others: a pipeline, the tables of case studies."""
