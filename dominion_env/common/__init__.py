"""What all rooms use and what knows no game: errors, checks of arguments, files."""
