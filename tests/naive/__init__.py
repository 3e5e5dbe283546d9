"""What is computed, from its definitions: slow, obvious, and sharing nothing with the product."""
