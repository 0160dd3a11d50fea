"""Made from our own sources: pages of docs/, native text, and the view for type checkers."""
