"""Jobs without their source: loaded from text, and compiled anew from artifacts."""
