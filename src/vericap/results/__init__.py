"""The results of a run as plain data: each has one `to_dict`, and `show` draws it."""
