"""Jobs without their Python source: loaded from text, or recompiled from artifacts."""
