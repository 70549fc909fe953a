"""The tables of the pages in docs/, made from the code: `python -m docs.site.describe` writes them.

People write the rest of a page. A table stands between `<!-- name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from docs.site.attacks import ENEMY, KINDS, kept_attacks
from dominion_agents.trained.box import models_in_the_box
from dominion_agents.trained.card import page_of as card_in_markdown
from dominion_agents.trained.card import strongest
from dominion_app.catalogue.agents import rated_agents, rating
from dominion_app.cli import COMMANDS
from dominion_env.core.observing.fields import observation_fields, observation_size
from dominion_env.players.registry import Strength
from dominion_env.tables.actions import ACTION_NAMES, FIRST_CARD_ACTION, NUM_ACTIONS, NUM_VERBS, Verb, action_of
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS, Card, CardInfo, Type
from dominion_env.tables.kingdoms import KINGDOMS, SPLIT_SIZES, Kingdom, resolve, split
from dominion_env.views import registration
from dominion_env.views.common.defaults import DIFFERING, VIEWS, Differing

DOCS = Path(__file__).parents[1]

VERBS = {
    Verb.PLAY: "play it: an Action or Treasure of the turn, or what Throne Room and Vassal play",
    Verb.BUY: "buy it",
    Verb.GAIN: "gain it from the Supply; of the cards that Thief has trashed, from the trash",
    Verb.TRASH: "trash it",
    Verb.DISCARD: "discard it",
    Verb.TOPDECK: "put it onto the deck, or leave it there",
    Verb.REVEAL: "reveal it: a Moat",
    Verb.SET_ASIDE: "set it aside: an Action that Library draws",
}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    head = list(head)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows))


# --- cards and kingdoms ----------------------------------------------------------------------------------------------


def _types(info: CardInfo) -> str:
    return ", ".join(kind.name.capitalize() for kind in Type if kind in info.types and kind.name)


def _bonuses(info: CardInfo) -> Iterator[str]:
    for number, name in ((info.cards, "Card"), (info.actions, "Action"), (info.buys, "Buy")):
        if number:
            yield f"+{number} {name}{'s' * (number > 1)}"
    if info.coins:
        yield f"{'' if Type.TREASURE in info.types else '+'}{info.coins} coin{'s' * (info.coins > 1)}"
    if info.points:
        yield f"{info.points} point{'s' * (abs(info.points) > 1)}"


def _cards(cards: Iterable[Card]) -> str:
    rows = []
    for card in cards:
        info = card.info
        does = " ".join([*(f"{bonus}." for bonus in _bonuses(info)), info.text]).strip()
        editions = " and ".join(map(str, info.editions))
        rows.append([str(int(card)), info.name, str(info.cost), _types(info), editions, does])
    return table(["number", "card", "cost", "types", "edition", "what it does"], rows)


def _titles(kingdom: Iterable[Card]) -> str:
    return ", ".join(card.title for card in kingdom)


def _sets() -> str:
    return table(["name", "cards"], ([f"`{name}`", _titles(cards)] for name, cards in KINGDOMS.items()))


def _pools() -> str:
    rows = []
    for name in ("random", "random-1e", "random-2e"):
        choice = resolve(name)
        rows.append([f"`{name}`", str(len(choice.pool)), str(choice.editions[0])])
    return table(["name", "cards to draw from", "wording"], rows)


def _splits() -> str:
    def row(name: str, kingdoms: tuple[Kingdom, ...]) -> list[str]:
        return [f"`{name}`", f"{len(kingdoms):,}", _titles(kingdoms[0])]

    return table(["name", "kingdoms", "the first one"], (row(name, split(name)) for name in SPLIT_SIZES))


def _piles() -> str:
    from dominion_env.views.game import Game  # brings the compiled core with it

    supplies = [Game(players, kingdom="size-distortion-2e").to_dict()["supply"] for players in range(1, 7)]
    shown = [*(card.title for card in list(Card)[:NUM_BASE_CARDS]), "Gardens"]
    rows = [[name, *(str(supply[name]) for supply in supplies)] for name in shown]
    rows.append(["any other Kingdom card", *(str(supply["Chapel"]) for supply in supplies)])
    return table(["pile", *map(str, range(1, 7))], rows)


# --- the environment -------------------------------------------------------------------------------------------------


def _summary() -> str:
    size = observation_size(2)
    rows = [
        ["Import", "`from dominion_env import dominion_v0`"],
        ["Agents", "`player_0` to `player_5`, as many as there are players; 2 by default"],
        ["API", "AEC: `env`, `raw_env`; parallel: `parallel_env`; other libraries: [views](views.md)"],
        ["Action space", f"`Discrete({NUM_ACTIONS})` for every agent, with a mask"],
        ["Observation space", f"`Dict`: `observation`, float32 ({size},) for two players; `action_mask`, int8 ({NUM_ACTIONS},)"],
        ["State", f"float32 ({2 * size},) for two players"],
        ["Rewards", "at the end only, zero-sum by default"],
        ["For people", "`dominion play` [in the terminal](playing.md)"],
    ]  # fmt: skip
    return table(["", ""], rows)


def _actions() -> str:
    rows = [["0", "`pass`", "end the phase, stop choosing, decline, keep the card"]]
    rows += [["1", f"`{ACTION_NAMES[1]}`", "Chancellor: put the deck into the discard pile"]]
    for verb in Verb:
        example = action_of(verb, Card.MOAT)
        number = f"{FIRST_CARD_ACTION + verb} + {NUM_VERBS} x card"
        rows += [[number, f"`{verb.word} ...`", f"{VERBS[verb]}; `{ACTION_NAMES[example]}` is {example}"]]
    return table(["number", "in words", "meaning"], rows)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _observation() -> str:
    rows = [
        [
            f"`{field.name}`",
            f"{field.start}:{field.start + field.size}",
            _number(1 / field.scale),
            "yes" if field.strict else "",
            field.meaning,
        ]
        for field in observation_fields(2)
    ]
    return table(["field", "slice", "1 / scale", "strict", "meaning"], rows)


def _sizes() -> str:
    head = ["players", *map(str, range(1, 7))]
    sizes = [observation_size(players) for players in range(1, 7)]
    states = [players * size for players, size in enumerate(sizes, start=1)]
    return table(head, [["an observation", *map(str, sizes)], ["`state()`", *map(str, states)]])


def arguments(callable_: Callable[..., Any]) -> list[tuple[str, str]]:
    """Return the entries of the `Args` of a docstring: the names as written there ("a, b"), and their meaning."""
    text = inspect.cleandoc(callable_.__doc__ or "")
    found = re.search(r"^Args:\n((?:    .*\n|\n)*)", text + "\n", flags=re.MULTILINE)
    if found is None:
        raise ValueError(f"{callable_.__name__}: its docstring has no Args")
    entries = re.findall(r"^(\w[\w, ]*):\s((?:.*\n)(?:[ ].*\n)*)", textwrap.dedent(found[1]), flags=re.MULTILINE)
    return [(names, " ".join(meaning.split())) for names, meaning in entries]


def _options(callable_: Callable[..., Any]) -> str:
    parameters = inspect.signature(callable_).parameters

    def default(name: str) -> str:
        value = parameters[name].default if name in parameters else inspect.Parameter.empty
        return "" if value is inspect.Parameter.empty else f"`{getattr(value, 'value', value)!r}`"

    rows = []
    for names, meaning in arguments(callable_):
        each = names.split(", ")
        defaults = [text for text in map(default, each) if text]
        rows.append([", ".join(f"`{name}`" for name in each), ", ".join(defaults), meaning.replace("|", "or")])
    return table(["argument", "default", "meaning"], rows)


def _view_options(module: str, name: str) -> str:
    from importlib import import_module  # views bring large packages with them

    return _options(getattr(import_module(f"dominion_env.{module}"), name))


def _defaults() -> str:
    def cell(row: Differing, view: str) -> str:
        return f"`{row.defaults[view]!r}`" if view in row.defaults else ""

    rows = ([f"`{row.option}`", *(cell(row, view) for view in VIEWS), row.reason] for row in DIFFERING)
    return table(["option", *(f"`{view}`" for view in VIEWS), "why"], rows)


def _registered() -> str:
    rows = [[f'`gymnasium.make("{name}")`, `make_vec`', ", ".join(f"`{key}={value!r}`" for key, value in options.items())]
            for name, options in registration.GYMNASIUM_IDS.items()]  # fmt: skip
    rows += [[f'PettingZoo 1.26 and newer: `"{registration.PETTINGZOO_ID}"`, as `"aec"` and `"parallel"`', ""]]
    return table(["name", "options"], rows)


# --- the command line ------------------------------------------------------------------------------------------------


def _commands() -> str:
    return table(["command", "does"], ([f"`dominion {name}`", command.does] for name, command in COMMANDS.items()))


def _keys(app: str) -> str:
    from dominion_app.play import screen  # needs the extra `play`

    names = {
        "question_mark": "?",
        "pageup": "page up",
        "pagedown": "page down",
        "right,space": "→ or space",
        "left": "←",
        "down": "↓",
        "up": "↑",
    }
    keys = [(names.get(binding.key, binding.key), binding.description) for binding in getattr(screen, app).BINDINGS]
    return table(["key", "does"], ([f"`{key}`", meaning.lower()] for key, meaning in keys))


# --- training --------------------------------------------------------------------------------------------------------


def _settings() -> str:
    from dominion_training.learner.options.presets import QUICK
    from dominion_training.learner.options.settings import Attacks, Settings, meanings

    told = meanings(Settings) | {f"attacks.{name}": meaning for name, meaning in meanings(Attacks).items()}
    quick = {name: _in_yaml(value) for name, value in _flat(QUICK.as_dict()).items()}
    rows = []
    for name, value in _flat(Settings().as_dict()).items():
        usual, own = _in_yaml(value), quick[name]
        other = "" if own == usual else own if len(own) <= 100 else "see the preset"
        rows.append([f"`{name}`", usual, other, told[name]])
    return table(["setting", "default", "where `quick` differs", "meaning"], rows)


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings with those of a group under their names on the command line."""
    found: dict[str, Any] = {}
    for name, value in settings.items():
        found |= {f"{name}.{key}": each for key, each in value.items()} if isinstance(value, dict) else {name: value}
    return found


def _in_yaml(value: Any) -> str:
    """Return a value as a preset has it."""
    if isinstance(value, list):
        return f"`[{', '.join(_in_yaml(each).strip('`') for each in value)}]`"
    if value is None or isinstance(value, bool):
        return f"`{ {None: 'null', True: 'true', False: 'false'}[value] }`"
    return f"`{value:_}`" if isinstance(value, int) else f"`{value}`"


def _inputs() -> str:
    from dominion_agents.trained.inputs import COLUMNS, NUMBERS, layout

    columns = ", ".join(dict.fromkeys(f"`{column.field}`" for column in COLUMNS))
    numbers = ", ".join(f"`{name}`" for name in NUMBERS)
    sizes = ", ".join(
        f"{layout(slots, players).num_inputs} ({slots}, {players} players)"
        for slots in ("kingdom", "all", "piles")
        for players in (2, 3)
    )
    rows = [["of each slot", columns], ["of the game", numbers], ["inputs in all", sizes]]
    return table(["inputs", "fields of the observation"], rows)


# --- research --------------------------------------------------------------------------------------------------------


def _columns(name: str) -> str:
    from dominion_training.research.collect.schema import TABLES  # needs the extra `research`

    rows = ([f"`{column.name}`", _type_in_words(column.dtype), column.meaning] for column in TABLES[name])
    return table(["column", "type", "meaning"], rows)


def _type_in_words(dtype: Any) -> str:
    """Return a polars type as a table has it, such as "UInt8" or "10 x UInt8"."""
    inner, size = getattr(dtype, "inner", None), getattr(dtype, "size", None)
    return str(dtype) if inner is None else f"{size} x {inner}"


def _analyses() -> str:
    from dominion_training.research.reports.sections import ANALYSES

    words = {"data": "observed", "sizes": "experiment", "": "experiment"}
    return table(
        ["`--only`", "shows", ""], ([f"`{name}`", each.does, words[each.needs]] for name, each in ANALYSES.items())
    )


# --- agents ----------------------------------------------------------------------------------------------------------


def _levels() -> str:
    """Return the table of the agents to choose among first, as `dominion agents` has them."""
    agents = rated_agents()
    kingdoms = list(dict.fromkeys(kingdom for _, strength in agents for kingdom in strength.elo_on))
    rows = (
        [strength.level, f"`{name}`", *map(rating, (strength.elo, *map(strength.elo_on.get, kingdoms))), strength.brief]
        for name, strength in agents
    )
    return table(["level", "agent", "on all", *kingdoms, "plays"], rows)


def _ladder() -> str:
    """Return the agents that are rated on the kingdom of the ladder, the weakest first, and what a place is worth in games."""
    rated = ((each.elo_on.get(KINGDOM_OF_THE_LADDER), name) for name, each in rated_agents())
    rungs = sorted((elo, name) for elo, name in rated if elo is not None)
    rows = []
    for place, (elo, name) in enumerate(rungs):
        score = 1 / (1 + 10 ** ((rungs[max(0, place - 1)][0] - elo) / 400))
        games = 2 * math.ceil((1.96 / 2 / (score - 0.5)) ** 2 / 2) if place else 0  # Wilson's interval is above 50%
        rows.append([f"`{name}`", f"{elo:+}", *([f"{score:.0%}", f"{games:,}"] if place else ["-", "-"])])
    return table(["agent", "Elo", "score against the one before", "games that show it"], rows)


def _generality(strength: Strength) -> int:
    """Return 0 for an agent that is rated on all kingdoms, 1 for one that is rated on some, else 2."""
    return 0 if strength.elo is not None else 1 if strength.elo_on else 2


def _models() -> str:
    boxed = models_in_the_box()
    best_first = list(reversed(rated_agents()))
    order = [name for name, _ in sorted(best_first, key=lambda agent: _generality(agent[1])) if name in boxed]
    cards = [card_in_markdown(name, boxed[name], level=3) for name in dict.fromkeys([*order, *boxed])]
    return "\n".join(cards).strip() or "There is none in this version."


def _attacks() -> str:
    """Return the table of the best attack on each agent that has no card, in each kingdom. The text says its usual n."""
    by_agent = groupby(kept_attacks(), key=itemgetter("agent"))
    attacks = {agent: {row["kingdom"]: row for row in strongest(found)} for agent, found in by_agent}
    kingdoms = sorted({kingdom for found in attacks.values() for kingdom in found})

    def cell(row: Mapping[str, Any] | None) -> str:
        if row is None:
            return ""
        score, kind = f"{row['score']:.1%} [{row['low']:.1%}, {row['high']:.1%}]", KINDS_IN_SHORT[row["kind"]]
        n = "" if row["games"] == 4000 else f", n = {row['games']:,}"
        return f"{score}{n}, {kind} of {row['searched']}"

    rows = ([kingdom, *(cell(found.get(kingdom)) for found in attacks.values())] for kingdom in kingdoms)
    return table(["kingdom", *(f"`{agent}`" for agent in attacks)], rows)


KINDS_IN_SHORT = {KINDS["lists"]: "list", KINDS["learner"]: "network", ENEMY: "enemy"}
KINGDOM_OF_THE_LADDER = "first-game-2e"  # the default of `dominion compare`

PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "agents.md": {"levels": _levels, "models": _models},
    "evaluation.md": {"attacks": _attacks, "ladder": _ladder},
    "data.md": {
        **{name: partial(_columns, name) for name in ("games", "players", "events")},
        "analyses": _analyses,
    },
    "cards.md": {
        "base": partial(_cards, list(Card)[:NUM_BASE_CARDS]),
        "kingdom": partial(_cards, list(Card)[NUM_BASE_CARDS : len(CARDS)]),
    },
    "kingdoms.md": {"sets": _sets, "pools": _pools, "splits": _splits},
    "rules.md": {"piles": _piles},
    "environment.md": {
        "summary": _summary,
        "batch-arguments": partial(_view_options, "core.batch", "GameBatch"),
        "actions": _actions,
        "observation": _observation,
        "sizes": _sizes,
    },
    "views.md": {
        "defaults": _defaults,
        "registered": _registered,
        "gymnasium": partial(_view_options, "views.gymnasium_env", "DominionEnv"),
    },
    "training.md": {"inputs": _inputs, "settings": _settings},
    "playing.md": {
        "commands": _commands,
        "play-keys": partial(_keys, "PlayApp"),
        "watch-keys": partial(_keys, "WatchApp"),
    },
}


def filled(name: str, page: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with the table of each mark between `<!-- mark -->` and `<!-- end -->`.

    Raises:
        ValueError: the page of this name has no place for one of the tables.
    """
    for mark, make in tables.items():
        before, begin, rest = page.partition(f"<!-- {mark} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not begin or not end:
            raise ValueError(f"{name} must have a line <!-- {mark} --> and then <!-- end -->")
        page = f"{before}{begin}{make()}\n{end}{after}"
    return page


def with_tables(name: str, page: str) -> str:
    """Return the page of this name with its tables as they are now.

    Raises:
        ValueError: the page has no place for one of its tables.
    """
    return filled(name, page, PAGES[name])


def main() -> None:
    """Write the tables of all pages."""
    for name in PAGES:
        path = DOCS / name
        path.write_text(with_tables(name, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
