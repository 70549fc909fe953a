"""`dominion mcp`: the games behind the tools, and the tools by the package's own client."""
