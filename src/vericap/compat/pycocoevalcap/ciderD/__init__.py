"""CIDEr-D under the module path of the code bases that train with it."""
