"""Players in words for tests: functions of a text to a text, which other processes import by name."""

from __future__ import annotations

import re

MODULE = "tests.training.evaluate.speakers"


def money(text):
    """Buy the dearest Treasure or Province, in words of its own; answer other questions by the first of the list."""
    for card in ("Province", "Gold", "Silver"):
        if re.search(rf"\d buy {card}\b", text):
            return f"Buy a {card}."
    return "1"


class Mumbler:
    """Answers wrongly the first time that it is asked something, in turn by each kind, and rightly with the reason."""

    def __init__(self):
        """Count tokens, as a model does."""
        self.used = {"tokens": 0, "cost": 0.0}
        self.texts = []

    def __call__(self, text):
        """Answer."""
        self.texts.append(text)
        self.used["tokens"] += 100
        if "was not taken" in text:
            return money(text)
        return ("", "I like cards", "play Laboratory", "buy")[len(self.texts) // 2 % 4]


def mute(text):
    """Say nothing."""
    return ""


def unlisted(text):
    """Pass, after a look at the text."""
    assert "Answers:" not in text
    return "pass"


NUMBER = 17
