"""`dominion mcp`: games for language models, which play by tools of the Model Context Protocol."""
