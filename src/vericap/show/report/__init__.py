"""The report of each result: plain data that a page holds and its script, in `page/`, draws."""
