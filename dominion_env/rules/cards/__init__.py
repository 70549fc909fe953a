"""The cards, one file a card in a folder for each set. This page explains how they read.

A file begins with the card's row. It says all that the card gives by itself (+Cards, +Actions, +Buys, coins, points), and in
`text` what it does beyond that. A card that does more also has functions, whose lines follow its clauses in their order:

    CARD = row("Remodel", cost=4, types="Action", text="Trash a card from your hand. Gain a card costing up to 2 more ...")

    @text(question(HAND, TRASH), question(SUPPLY, GAIN, step=2, above_trashed=2))
    def remodel(game, me, step, action):
        if step == 0:
            return must_choose(game, me, TRASH, HAND, ANY)
        card = card_of(action)
        if step == 1:
            trash_from_hand(game, me, card)
            return must_gain_for(game, me, card, up_to(cost_of(game, card) + 2))
        gain(game, me, card)
        return FINISHED

A text never waits inside. It is entered, does something, and returns; the engine enters it again until it is finished.
Remodel is entered three times: to ask which card is trashed, to trash it and ask which one is gained, and to gain that.

- `game` is the record of the whole game (`rules/state.py`), such as `game.coins`.
- `me` is the seat of the player who plays the card. What an Attack does to one player is a function of its own, and
  there `victim` is that player's seat.
- `step` says how often the text has been entered before, 0 the first time.
- `action` is the answer to the question that the text asked when it was last entered, or `NOTHING` if it asked none.
  `card_of(action)` is the card that the answer names, `verb_of(action)` what is done with it; `PASS` names no card.

A text returns one of four things:

- `FINISHED`: the text is done.
- `WAITING`: it has asked a question. `must_choose`, `may_choose` and the like ask and return this.
- `UNASKED`: they return this where no card would be an answer, as with an empty hand. A text that returns it is
  finished; a text in which other clauses follow compares with `WAITING` and goes on (Artisan).
- `AGAIN`: enter the text again, after the cards that it has made its player play (Throne Room), or simply for the next
  of many cards (Adventurer).

Between two steps a text can keep one number. `remember` keeps it, and it is read by a name that says what it counts:
`num_aside` for cards that lie revealed beside the play area, `card_to_replay` for Throne Room. Picking several cards
(`pick`, `may_pick`, `discard_picked`) and revealing cards (`reveal_cards`, `discard_aside`) count by themselves.

All words that a text can use are in `rules/vocabulary.py`. Cards move only by its verbs, and "may" in a text is a
`may_...` in the code; the rules never choose for a player.

A function is known by its name, that of the card with an ending, and each is entered with a `step` of its own:

- `militia_victim` is what an Attack does to each other player. Turn order and Reactions belong to the engine.
- `spy_each_player` is the same for each player, the attacker first.
- `thief_aftermath` is what the attacker does when all victims are through.
- `moat_reaction` is what a revealed Reaction does.

`@text` lists the questions that the text can ask: the zone, what may be done with a card of it, which cards will do, and
the step at which the question is open (1 if it says nothing else). `needs` is what else must hold then, such as cards that
lie revealed, and `most` how many cards may still be named. A saved position is checked with it. Besides the zones on the
table there are three: `ASIDE`, the cards of this effect beside the play area; `SUBJECT`, the one card that the question is
about; and `LOOT`, the Treasures that a Thief has trashed and may still gain.

`CARD` is the card's number, and `gist` in a row says in a few words what the card is for, if its numbers don't. `python -m
dominion_env.rules.generate` makes a new or changed file known.
"""
