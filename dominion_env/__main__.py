"""`python -m dominion_env` is the command `dominion`. Nothing imports this file."""

import sys

from dominion_env.cli import main

if __name__ == "__main__":
    sys.exit(main())
