"""What each instruction does: one decoder per mnemonic, which refuses modifiers without a model."""
