"""Commands that run many others: pipelines, and the tables of case studies."""
