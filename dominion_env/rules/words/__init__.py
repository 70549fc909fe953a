"""The words in which the cards' texts are written, and the questions that they ask."""
