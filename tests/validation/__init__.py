"""The command `dominion validate`: published figures beside ours, from games that are played for them."""
