"""What commands share: their errors, arguments, files and messages."""
