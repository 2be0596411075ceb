"""Whether a body is a statement: its shapes, the same twice, what it branches on and reads, what it leaves unread or empty."""
