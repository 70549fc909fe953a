"""What training, evaluation and research share: folders, records, processes."""
