from dominion_env.rules.words.vocabulary import row

CARD = row(
    "Gardens", cost=4, types="Victory",
    gist="1 point for 10 cards",
    text="Worth 1 point for every 10 cards you own, rounded down.",
)  # fmt: skip
