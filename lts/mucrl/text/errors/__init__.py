"""Messages for syntax errors.

`expectations` describes what was expected; `suggestions` recognises common mistakes and proposes
corrections."""
