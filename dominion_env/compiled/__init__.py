"""How functions are compiled, kept on disk and shipped, and the machine instructions that they use. No rule is known here."""

CACHE_LINE = 64  # bytes that the processor fetches at once
