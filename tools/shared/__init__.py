"""What commands share: their errors, arguments, files and messages, and smaller modules."""
