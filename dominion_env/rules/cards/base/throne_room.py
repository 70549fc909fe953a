from dominion_env.rules.words.vocabulary import (
    ACTION, AGAIN, FINISHED, HAND, PASS, PLAY, ask, card_of, card_to_replay, play_again, play_from_hand, question,
    remember, row, text,
)  # fmt: skip

CARD = row(
    "Throne Room", cost=4, types="Action",
    gist="play an Action twice",
    text="Choose an Action card from your hand (second edition: you may) and play it twice.",
)  # fmt: skip

PLAYED_TWICE = question(
    HAND, PLAY, types=ACTION, may="in the second edition", words="{may}play an Action card from your hand twice"
)


@text
def throne_room(game, me, step, action):
    if step == 0:
        return ask(game, me, PLAYED_TWICE)
    if action == PASS:
        return FINISHED
    if step == 1:
        remember(game, card_of(action))
        play_from_hand(game, me, card_of(action))
        return AGAIN
    play_again(game, me, card_to_replay(game))
    return FINISHED
