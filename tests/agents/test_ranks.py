"""Every Action card has its places in the orders of play, and the cache key of the compiled agents covers their sources."""

import ast
from pathlib import Path

import pytest

import dominion_agents
from dominion_agents.scripted import book, ranks
from dominion_env import CARDS, Type

PACKAGE = Path(dominion_agents.__file__).parent
ACTION_CARDS = [info.name for info in CARDS if Type.ACTION in info.types and info.set_name == "base"]
# The compiled files import classes and checks from these, nothing that is compiled.
PLAIN_PYTHON = {"checks/arrays.py", "strategies/strategy.py"}


@pytest.mark.parametrize("order", ["PLAY_ORDER", "THRONE_ORDER"])
def test_every_action_card_has_a_place(order):
    names = getattr(ranks, order)
    missing = [name for name in ACTION_CARDS if name not in names]
    assert not missing, (
        f"{', '.join(missing)}: no place in {order} of agents/dominion_agents/scripted/ranks.py, so never played"
    )
    assert sorted(names) == sorted(ACTION_CARDS), "a card comes twice, or is no Action"


def test_a_card_that_is_first_in_order_has_the_highest_rank():
    for order, rank in ((ranks.PLAY_ORDER, ranks.PLAY_RANK), (ranks.THRONE_ORDER, ranks.THRONE_RANK)):
        by_rank = sorted(ACTION_CARDS, key=lambda name, rank=rank: -rank[[info.name for info in CARDS].index(name)])
        assert by_rank == list(order)


def test_the_cache_key_covers_all_sources_of_the_compiled_agents():
    covered = {path for pattern in book.SOURCES for path in PACKAGE.glob(pattern)}
    compiled = {
        path for path in PACKAGE.glob("scripted/*.py") if "dominion_env.compiled.jit" in path.read_text("utf-8")
    }
    assert len(compiled) > 5
    imported = set()
    for path in compiled:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("dominion_agents."):
                module = PACKAGE / str(node.module).removeprefix("dominion_agents.").replace(".", "/")
                files = (
                    [module / f"{each.name}.py" for each in node.names]
                    if module.is_dir()
                    else [module.with_suffix(".py")]
                )
                imported |= set(files)
    others = {path.relative_to(PACKAGE).as_posix() for path in imported - covered}
    assert others <= PLAIN_PYTHON, "add the file to SOURCES of book.py, or to PLAIN_PYTHON here"
