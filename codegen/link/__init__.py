"""An ELF linker: links relocatable objects to shared libraries."""
