"""The variables that jobs share: how they begin, who may change them, and files of them."""
