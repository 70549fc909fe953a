"""Learners and how they are judged; `python -m training.train` is the main job."""
