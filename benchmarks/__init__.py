"""What Vericap costs beside its peers (`speed`), and the tables of papers made anew (`papers`)."""
