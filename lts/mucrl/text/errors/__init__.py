"""What is told of a text that is wrong.

`expectations` says what might have stood there, `suggestions` finds common slips and how to mend
them."""
