"""Stanford's englishPCFG of CoreNLP 3.6.0 as data: `vericap` reads the file beside this one."""
