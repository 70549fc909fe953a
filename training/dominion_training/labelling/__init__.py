"""Labels: decisions of games, with what each legal action leads to, as a teacher for networks."""
