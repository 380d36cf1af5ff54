"""Storage for later use: tables of arrays, vectors, document frequencies, scene graphs."""
