"""An answer of a language model, read against the legal actions: in any spelling that fits one of them alone, or its number.

Every word must be understood, so that "buy Gold instead of Silver" is never taken for what it is not. Each word leaves some
of the legal actions: "trash" those that trash, "Copper" those with a Copper. What all leave together is what was meant. After
a "no" or "don't" the other words must fit all that can be done, as in "discard nothing", and the answer is to pass. A "no"
or "done" with a comma, full stop or line break behind it is an answer by itself, which the rest must not contradict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from dominion_env.common.errors import printable
from dominion_env.tables.actions import ACTION_NAMES, DISCARD_DECK, FIRST_CARD_ACTION, NUM_VERBS, PASS, Verb, action_id
from dominion_env.tables.cards import CARDS

MOST_CHARACTERS = 400  # of an answer that is read
Wrong: TypeAlias = Literal["", "unreadable", "not legal", "several", "empty"]

_EXCERPT = 60  # characters of an answer that are shown
_WORDS = re.compile(r"(?<!\w)-\d+|[^\W_]+")
_NUMBER = re.compile("[0-9]+")
_BY_ITSELF = re.compile(r"\b(no|nope|none|nothing|done|finished|stop)(?=[ \t]*([^\w\s'\u2019]+|\n)\s*\w)")
# Meanings, beside those of verbs, cards and "pass".
_END, _NO, _NOT, _KEEP, _YES, _DECK = "end", "no", "not", "keep", "yes", "deck"
_STOP, _TAKE, _TO_HAND, _IN_HAND, _TO_DISCARD = "stop", "take", "to hand", "in hand", "to discard"
_NEGATIONS = (_NO, _NOT, _KEEP)
_VERBS_THAT_FIT = {
    _TAKE: (Verb.GAIN, Verb.BUY), _TO_HAND: (Verb.GAIN,), _TO_DISCARD: (Verb.DISCARD, Verb.GAIN, Verb.BUY),
    _IN_HAND: (Verb.GAIN, Verb.PLAY, Verb.TRASH, Verb.DISCARD, Verb.REVEAL),
}  # fmt: skip

_VERBS = {
    Verb.PLAY: "play plays playing use",
    Verb.BUY: "buy buys buying purchase",
    Verb.GAIN: "gain gains gaining",
    Verb.TRASH: "trash trashes trashing",
    Verb.DISCARD: "discard discards discarding",
    Verb.TOPDECK: "topdeck topdecks topdecking back top",
    Verb.REVEAL: "reveal reveals revealing show",
    Verb.SET_ASIDE: "aside",
}
_WHOSE = ("", "my ", "the ", "your ")
_ON_TOP_OF = ("on", "onto", "on top of", "to top of", "on the top of", "to the top of", "on to", "back to")
_ON_THE_DECK = [f"{on} {whose}deck" for on in _ON_TOP_OF for whose in _WHOSE]
_OTHERS = {
    ACTION_NAMES[PASS]: ["pass", "passes", "passing", "skip", "decline"],
    _STOP: ["done", "finish", "finished", "stop"],
    _END: ["end", "buy phase", "action phase", "go on", "move on"],
    _NO: ["no", "no more", "none", "nothing", "nothing more", "nope"],
    _NOT: ["not", "dont"],
    _KEEP: ["keep", "keeps", "keeping"],
    _YES: ["yes", "yeah", "yep"],
    _TO_HAND: [f"{to} {whose}hand" for to in ("into", "to") for whose in _WHOSE],
    _IN_HAND: [f"in {whose}hand" for whose in _WHOSE],
    _TO_DISCARD: [f"{to} {whose}discard pile" for to in ("into", "in", "to") for whose in _WHOSE],
    _TAKE: ["take", "takes", "get", "gets"],
    _DECK: ["deck"],
}
_FILLERS = """
a action am an and answer anything be boxed card cards choice choose copy decision do else final for go going i id ill im is it
its json let lets like me move my now number of ok okay on one onto option or phase pick place please put select set sets
setting so text thank thanks that the them then these this those to turn want well whole will with would you your"""
_FILLING = [f"from {whose}{zone}" for whose in _WHOSE for zone in ("hand", "discard pile", "supply")]


class Answer(NamedTuple):
    """What came of an answer.

    Attributes:
        taken: whether it was one legal action; otherwise nothing has changed.
        action: the action in words, "buy Silver"; None if the answer was not taken.
        why: why it was not taken, and what was expected; "" if it was taken.
        wrong: the kind of mistake: "unreadable" names no action, "not legal" one that is not legal now, "several" more than
            one; "" if the answer was taken.
    """

    taken: bool
    action: str | None
    why: str
    wrong: Wrong = ""


def read_answer(text: object, legal: Sequence[str], request: str = "", listed: bool = True) -> Answer:
    """Read an answer; nothing of it is carried out.

    Args:
        text: the answer; what is no text, or has more than 400 characters, is refused.
        legal: the legal actions in words, in order of their numbers.
        request: the question, which `why` repeats.
        listed: whether the answering side has seen the legal actions with numbers, from 1, so that a number is an answer.
    """
    wrong, said, action = _read(text, legal, listed)
    if action is not None:
        return Answer(True, action, "")
    return Answer(False, None, f"{said}.{f' The question is: {request}.' if request else ''}", wrong)


def _read(text: object, legal: Sequence[str], listed: bool) -> tuple[Wrong, str, str | None]:
    """Return the kind of mistake, what is wrong in words, and the action if nothing is."""
    if not isinstance(text, str):
        return "unreadable", f"Expected a text, got {type(text).__name__}"[:_EXCERPT], None
    if len(text) > MOST_CHARACTERS:
        most = f"in at most {MOST_CHARACTERS} characters, as no more are read"
        return "unreadable", f"Expected the answer alone, {most}; got {len(text):,} characters", None
    line = " ".join(text.split())
    shown = f"“{printable(line)[:_EXCERPT]}{'...' if len(line) > _EXCERPT else ''}”"
    if not line.isprintable():
        return "unreadable", f"Expected letters and digits, got control characters in {shown}", None
    meanings: list[object] = []
    for word, meaning in _understood(text):
        if meaning is None or (type(meaning) is int and meanings not in ([], [_TAKE])):
            hint = " or its number" if listed else ""
            return "unreadable", f"Expected one answer alone{hint}, without “{word[:_EXCERPT]}”, got {shown}", None
        meanings.append(meaning)
    numbers = [each for each in meanings if type(each) is int]
    if not {*meanings} - {_IN_HAND} or (numbers and not listed):
        hint = ": no numbers are listed" if numbers else ""
        return "unreadable", f"Expected an answer such as “buy Silver” or “pass”, got {shown}{hint}", None
    fits = _fitting([each for each in meanings if each != _TAKE] if numbers else meanings, legal)  # "I take 3"
    if len(fits) == 1:
        return "", "", fits[0]
    if fits:
        which = f": {', '.join(fits)}" if listed else ""  # no list by a way round
        return "several", f"{shown} fits several answers{which}", None
    kinds = [kind for kind, _ in {(type(each), each) for each in meanings if each not in _NEGATIONS}]
    if len(kinds) > len(set(kinds)):
        return "several", f"Expected one answer, got several in {shown}", None
    return "not legal", f"{shown} fits no answer that is legal now", None


def _understood(line: str) -> Iterator[tuple[str, object]]:
    """Yield the words of an answer that matter, each with its meaning; None for one that is not understood.

    A meaning is a verb, the name of a card, the number in a list as an int, or one of the words for other answers.
    """
    line = _BY_ITSELF.sub(ACTION_NAMES[PASS], line.lower())
    words = _WORDS.findall(line.replace("\u2019", "'").replace("'", ""))
    at, last = 0, None
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            if phrase in _MEANINGS or length == 1:
                break
        at += length
        if phrase in _FILLED or (phrase == "1" and isinstance(last, Verb)):  # "buy 1 Silver"
            continue
        last = int(phrase) if _NUMBER.fullmatch(phrase) else _MEANINGS.get(phrase)
        yield phrase, last


def _fitting(meanings: Sequence[object], legal: Sequence[str]) -> list[str]:
    """Return the legal actions that all these words fit."""
    passing = ACTION_NAMES[PASS]
    if len(meanings) == 2 and meanings[0] == _STOP and isinstance(meanings[1], Verb):
        meanings = [_NO, meanings[1]]  # "done trashing"
    meanings = [passing if each == _STOP else each for each in meanings]
    others = [name for name in legal if name != passing]
    said = [each for each in meanings if each not in _NEGATIONS]
    if meanings[0] == passing and len(meanings) > 1:  # "no, I don't buy"
        return [name for name in _fitting(meanings[1:], legal) if name == passing]
    if len(said) == len(meanings):
        return [
            name for place, name in enumerate(legal, start=1) if all(_fits(each, name, place, others) for each in said)
        ]
    if _NOT not in meanings:  # "no, I pass", unlike "don't pass"
        said = [each for each in said if each not in (passing, _END)]
    if _KEEP in meanings:  # "keep it in my hand"
        said = [each for each in said if each not in (_TO_HAND, _IN_HAND)]
    doubtful = _YES in said or {_NOT, _KEEP} <= {*meanings}  # "don't keep it"
    declined = not doubtful and all(_fits(each, name, 0, others) for name in others for each in said)
    return [passing] if declined and passing in legal else []


def _fits(meaning: object, name: str, place: int, others: Sequence[str]) -> bool:
    """Return whether a word fits a legal action, which stands at a place of the list; `others` are those but "pass"."""
    if type(meaning) is int:
        return meaning == place
    number = action_id(name)
    if number == PASS:
        phase = all(each.startswith(("play ", "buy ")) for each in others)
        return meaning == name or (meaning == _END and phase)
    if meaning == _YES:
        return len(others) == 1
    if number == DISCARD_DECK:
        return meaning in (_DECK, _TO_DISCARD, Verb.DISCARD)
    card, verb = divmod(number - FIRST_CARD_ACTION, NUM_VERBS)
    if isinstance(meaning, str) and meaning in _VERBS_THAT_FIT:
        return Verb(verb) in _VERBS_THAT_FIT[meaning]
    return meaning == (Verb(verb) if isinstance(meaning, Verb) else CARDS[card].name)


def _spellings(name: str) -> set[str]:
    """Return the name of a card in small letters, one copy and several."""
    word = name.lower()
    return {word, f"{word}s", f"{word}es", re.sub("y$", "ies", word), re.sub("f$", "ves", word)}


_FILLED = {*_FILLERS.split(), *_FILLING}
_MEANINGS: dict[str, object] = {
    **{word: verb for verb, words in _VERBS.items() for word in words.split()},
    **{phrase: meaning for meaning, phrases in _OTHERS.items() for phrase in phrases},
    **dict.fromkeys(("top deck", *_ON_THE_DECK), Verb.TOPDECK),
    **{spelling: info.name for info in CARDS for spelling in _spellings(info.name)},
    **dict.fromkeys(_FILLED),
}
_LONGEST = max(phrase.count(" ") for phrase in _MEANINGS) + 1
