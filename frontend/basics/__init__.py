"""What every room uses: located errors, checks of arguments, element types and settings."""
