"""Plain CIDEr under pyciderevalcap's module path."""
