"""The words in which the texts of the cards are written; `cards/__init__.py` explains how a text reads."""

from dominion_env.rules.record.costs import cost_of
from dominion_env.rules.record.state import ALL, OWNER
from dominion_env.rules.words.asking import (
    ALL_ASIDE, ALL_LOOT, ANY_STEP, ONE_FOR_EACH_EMPTY_PILE, THE_LAST, WHOLE_HAND, action_looked_at,
    action_on_discard_pile, down_to, in_all, looked_at_cards, one_for_each_victim, one_of_two_answered, picks,
    question, reaction, revealed_cards, revealed_subject, row, text,
)  # fmt: skip
from dominion_env.rules.words.decisions import (
    ACTION, AGAIN, ASIDE, DECK, DISCARD, DISCARD_PILE, FINISHED, GAIN, HAND, LOOT, NOTHING, PLAY, SET_ASIDE,
    SUBJECT, SUPPLY, TOPDECK, TRASH, TREASURE, VICTORY, WAITING, ask, ask_about, ask_about_next, ask_several,
    ask_to_gain_for, card_of, has_type, names_a_card, verb_of,
)  # fmt: skip
from dominion_env.rules.words.play import play, play_again, play_from_hand
from dominion_env.rules.words.stack import card_to_replay, first_answer, is_replay, num_aside, num_picked, remember
from dominion_env.rules.words.texts import (
    ask_to_pick, be_unaffected, discard_aside, discard_picked, draw_one_by_one, forget_loot, gain_loot, hand_size,
    look_and_draw_unless, look_at_cards, loot_size, num_revealed, pick, place_looked_at, put_revealed_into_hand,
    reveal_cards, set_aside_looked_at, trash_as_loot, trash_picked, trash_revealed,
)  # fmt: skip
from dominion_env.rules.zones import (
    NONE, aside, discard_deck, discard_top, draw, empty_piles, gain, gain_onto_deck, gain_to_hand, keep_looked_at,
    newest_aside, put_into_play_from_discard, react_with, show_hand, topdeck_from_discard, topdeck_from_hand,
    topdeck_revealed, trash_from_hand, trash_from_play,
)  # fmt: skip
from dominion_env.tables.actions import DISCARD_DECK, PASS
from dominion_env.tables.cards import Card

COPPER, SILVER, GOLD, CURSE = int(Card.COPPER), int(Card.SILVER), int(Card.GOLD), int(Card.CURSE)
