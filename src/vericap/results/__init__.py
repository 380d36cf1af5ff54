"""What a run gives, as plain data: each result has one `to_dict`, and `show` draws it."""
