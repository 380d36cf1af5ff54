"""The modules and calls of `pyciderevalcap` (Vedantam et al. 2015), the package `cider` of the code bases that train
with CIDEr: `ciderD.ciderD.CiderD`, `cider.cider.Cider` (plain CIDEr), `eval.CIDErEvalCap`."""
