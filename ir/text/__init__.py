"""The text of the IR: lexer, parsers, printer, and custom forms."""
