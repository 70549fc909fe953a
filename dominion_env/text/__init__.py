"""Games for language models, which read texts and answer in words.

`TextGame` is one game against agents. For games of a batch, `telling.question_for` words a question, and
`reading.read_answer` reads an answer.
"""

from dominion_env.text.game import TextGame
from dominion_env.text.reading import Answer

__all__ = ["Answer", "TextGame"]
