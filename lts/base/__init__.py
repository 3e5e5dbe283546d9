"""What all rooms stand on: texts as they may be shown (`escaping`), and patterns (`regular`)."""
