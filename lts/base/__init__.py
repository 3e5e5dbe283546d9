"""What every room builds on: displaying untrusted texts (`escaping`), and patterns (`regular`)."""
