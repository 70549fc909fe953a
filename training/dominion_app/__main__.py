"""`python -m dominion_app` is the command `dominion`. Nothing imports this file."""

import sys

from dominion_app.cli import main

if __name__ == "__main__":
    sys.exit(main())
