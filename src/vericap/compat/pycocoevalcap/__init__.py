"""pycocoevalcap's modules and calls (Chen et al. 2015) under this name: `eval.COCOEvalCap`, `bleu.bleu.Bleu`,
`meteor.meteor.Meteor`, `rouge.rouge.Rouge`, `cider.cider.Cider`, `tokenizer.ptbtokenizer.PTBTokenizer`, and
`coco.COCO` for files.

Numbers, types, orders and keys are the original's; Java is not needed and nothing is printed.
"""
