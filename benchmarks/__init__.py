"""The cost of Vericap compared with its peers (`speed`), and the tables of papers made again (`papers`)."""
