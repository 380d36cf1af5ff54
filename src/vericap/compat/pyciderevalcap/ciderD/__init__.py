"""CIDEr-D under pyciderevalcap's module path."""
