"""A stand-in for a language model, to try out how one is measured: it sees the text alone, and errs as models do.

    dominion compare text:examples/rule_model.py:RuleModel big-money --games 400

With a list of answers it picks one. Without it, it says what it wants: a card of another kingdom, one whose price it recalls
or reckons wrongly, one that it owns but has not in hand, two at once, or one with more words than were asked for.
"""

from __future__ import annotations

import re
from random import Random

# Cards that it likes, the best first, with prices from memory. Smithy costs 4, and two of the cards are not in First Game.
PRICES = {"Province": 8, "Gold": 6, "Witch": 5, "Laboratory": 5, "Market": 5, "Militia": 4, "Smithy": 3, "Silver": 3}
ALWAYS = ("Province", "Gold", "Silver")  # it wants the others now and then
WORTHLESS = ("Curse", "Estate", "Duchy", "Province", "Copper")
POLITE = ("{}, because it makes my deck stronger.", "Great question! I will {}.", "{} (a strong move)")


class RuleModel:
    """A function of a text to a text, which gives the same answer to the same text.

    Attributes:
        used: the tokens that it has read and written, at four characters each.
    """

    def __init__(self) -> None:
        self.used = {"tokens": 0.0}

    def __call__(self, text: str) -> str:
        """Answer the question at the end of a text."""
        luck = Random(text)
        asked, _, refusal = text.partition("\n\nYour last answer was not taken: ")
        question, _, listed = asked.partition("\nAnswers: ")
        wishes = [wish for wish in wishes_of(question, luck) if f"“{wish}”" not in refusal]
        if listed and luck.random() < 0.98:  # now and then it does not look at the list
            legal = re.findall(r"\d+ (\w+(?: [A-Z]\w+)*)", listed)
            said = next((wish for wish in wishes if wish in legal), "1")
        else:
            said = (luck.choice(POLITE) if luck.random() < 0.1 else "{}").format(next(iter(wishes), "pass"))
        self.used["tokens"] += (len(text) + len(said)) / 4
        return said


def wishes_of(text: str, luck: Random) -> list[str]:
    """Return what the model would like to do when it is asked the last line of a text, the best first."""
    question = text.rpartition("\n")[2]
    verb = next(iter(re.findall("play|buy|gain|trash|discard|reveal", question.lower())), "")
    if verb in ("buy", "gain"):
        coins = int((re.findall(r"up to \$(\d+)", question) or re.findall(r"(\d+) coins?\n", text))[-1])
        coins += luck.choice((-1, 1)) if luck.random() < 0.1 else 0  # it has not counted well
        wanted = [card for card, price in PRICES.items() if price <= coins and (card in ALWAYS or luck.random() < 0.3)]
    else:
        me = re.findall(r"You are (\w+)", text)[-1]
        line = rf"{me} hand: (.*?) \|" if luck.random() < 0.9 else rf"All of {me} .*: (.*)"  # not all of it is in hand
        mine = re.findall(line, text)[-1]
        actions = [] if verb in ("trash", "discard") else re.findall(r"\n(\D+) \(Action", text)
        wanted = [card for card in actions or WORTHLESS if card in mine]
    many = re.search(r"[2-9] buys,", text) or re.search("[2-9] cards", question)
    if len(wanted) > 1 and luck.random() < (0.5 if many else 0.03):  # two at once
        wanted.insert(0, ", ".join(wanted[:2]))
    return [f"{verb} {card}" for card in wanted] + ["pass"]
