"""What is known of words beyond the captions at hand: document frequencies."""
