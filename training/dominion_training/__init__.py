"""Learners and how they are judged; `dominion train` is the main job."""
