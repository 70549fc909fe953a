"""`python -m dominion_env.render`: the command of `dominion_env.play.draw`. Nothing imports this file."""

import sys

from dominion_env.play.draw import main

if __name__ == "__main__":
    sys.exit(main())
