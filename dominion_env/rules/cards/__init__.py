"""The cards, one file a card in a folder for each set. This page explains how they read.

A file begins with the card's row. It says all that the card gives by itself (+Cards, +Actions, +Buys, coins, points), and in
`text=` what it does beyond that. A card that does more also has functions marked `@text`, called its texts below, whose lines
follow its clauses in their order, and before them the questions that they ask:

    CARD = row("Remodel", cost=4, types="Action", text="Trash a card from your hand. Gain a card costing up to 2 more ...")

    TRASHED = question(HAND, TRASH, words="trash a card from your hand, and gain one costing up to $2 more")
    GAINED = question(SUPPLY, GAIN, step=2, above_trashed=2)

    @text
    def remodel(game, me, step, action):
        if step == 0:
            return ask(game, me, TRASHED)
        card = card_of(action)
        if step == 1:
            trash_from_hand(game, me, card)
            return ask_to_gain_for(game, me, GAINED, card)
        gain(game, me, card)
        return FINISHED

A text never waits inside. It is entered, does something, and returns; the engine enters it again until it is finished.
Remodel is entered three times: to ask which card is trashed, to trash it and ask which one is gained, and to gain that.

- `game` is the record of the whole game (`rules/record/state.py`), such as `game.coins`.
- `me` is the seat of the player who plays the card. What an Attack does to one player is a function of its own, and
  there `victim` is that player's seat.
- `step` says how often the text has been entered before, 0 the first time.
- `action` is the answer to the question that the text asked when it was last entered, or `NOTHING` if it asked none.
  `card_of(action)` is the card that the answer names, `verb_of(action)` what is done with it; `PASS` names no card.

A text returns one of four things:

- `FINISHED`: the text is done.
- `WAITING`: it has asked a question. `ask` and the like ask and return this.
- `UNASKED`: they return this where no card would be an answer, as with an empty hand. A text that returns it is
  finished; a text in which other clauses follow compares with `WAITING` and goes on (Artisan).
- `AGAIN`: enter the text again, after the cards that it has made its player play (Throne Room), or simply for the next
  of many cards (Adventurer).

A question says the zone, what may be done with a card of it, which cards will do, whether passing is an answer (`may`, as in
the card's text; the rules never choose for a player), and the `step` with which its answer comes (1 if it says nothing else).
`needs` is what else must hold then, such as cards that lie revealed, and `most` how many cards may still be named. Only a
saved position is checked with step, needs and most, so that a wrong one shows when a game is loaded. Besides the zones on
the table there are three: `ASIDE`, the cards of this effect beside the play area; `SUBJECT`, the one card that the question
is about; and `LOOT`, the Treasures that a Thief has trashed and may still gain.
`words` is the question as one says it; a question without them is said in words made from the rest (`render/wording.py`).
`picks` is the usual question for several cards of the hand, which `ask_to_pick` asks until there are enough.

Between two steps a text can keep one number. `remember` keeps it, and it is read by a name that says what it counts:
`num_aside` for cards that lie revealed beside the play area, `card_to_replay` for Throne Room, `first_answer` for Sentry.
What the last two remember is a part of observations, so they are for texts that mean the same. Picking several cards (`pick`,
`ask_to_pick`, `discard_picked`) and revealing cards (`reveal_cards`, `discard_aside`) count by themselves.

All words that a file can use are in `rules/words/vocabulary.py`. Cards move only by its verbs.

A function is known by its name, and one with another name is never called. Each is entered with a `step` of its own:

- `remodel`, the card's name alone, is what the card does for the player who plays it.
- `militia_victim` is what an Attack does to each other player. Turn order and Reactions belong to the engine.
- `spy_each_player` is the same for each player, the attacker first.
- `thief_aftermath` is what the attacker does when all victims are through.
- `moat_reaction` is what a revealed Reaction does. The engine asks whether it is revealed, in the words of `@reaction`.

`CARD` is the card's number, and `gist` in a row says in a few words what the card is for, if its numbers don't. `python -m
dominion_env.rules.turns.generate` makes a new or changed file known.
"""
