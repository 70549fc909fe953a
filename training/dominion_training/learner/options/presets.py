"""The presets: settings that were chosen for a purpose, and why."""

from __future__ import annotations

from pathlib import Path

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_training.learner.options.settings import Attacks, Range, Settings, read_settings

# A run of some seconds that shows that everything works.
SMOKE = Settings(
    samples=24_000, teacher_samples=8_000, num_envs=32, batch_size=Range(512, 512), net_arch=(32, 32),
    snapshot_every=10_000, eval_freq=10_000, eval_games=Range(20, 20),
)  # fmt: skip

# Lists for First Game that empty cheap piles before a network that has not met such lists has bought points. `dominion exploit`
# found the first six, against networks that learned without them.
RUSHES = (
    (
        "discard: dead-then-cheapest; guard: on; Workshop if Workshop < deck / 6; Village; Workshop; Estate; "
        "Mine if Mine < 1; Cellar; Province if provinces <= 7"
    ),
    (
        "Remodel; Village if Village < 1; Province; Moat; Village; Smithy if Smithy <= Village; Mine; "
        "Estate if Estate < money / 6; Workshop; Province if end <= 12; Market"
    ),
    "guard: on; Duchy; Smithy; Estate; Village; Merchant",
    "Workshop if provinces <= 8; Duchy; Moat",
    "Militia; Village if Village < 1; Cellar; Estate if end <= 6; Workshop if Workshop < 10; Moat; Smithy",
    (
        "Smithy if Smithy < 4 and turn <= 12; Market; Silver if Silver < 2; Village if Village < 1; Cellar; Village; "
        "Workshop if turn <= 9; Duchy if provinces <= 2"
    ),
    "Workshop if Workshop < 3; Village; Cellar; Moat; Estate if end <= 4",
    "Market; Merchant; Village; Workshop; Estate if end <= 3",
)

# First Game, second edition: five minutes on two idle cores.
QUICK = Settings(
    samples=19_000_000, precision="auto", keep_certain=0.25, ent_coef=Range(0.012, 0.001), self_play=1.0,
    opponents=(
        "first-game=10", "smithy-optimised=1", "big-money-ultimate=0.2", "random-menu:1=0.2", "random-menu:2=0.2",
        *(f"{each}=0.4" for each in RUSHES),
    ),
)  # fmt: skip

# First Game, second edition, as strong as it gets in thirty minutes on two idle cores. It meets every agent that is meant for
# this kingdom, and the buy lists that were found to beat it. The searches for these grow, as they take longer to succeed.
# Minibatches grow too: small ones learn a great deal from few games, and large ones see through the luck of the draw. Nothing
# pays it for exploring at the end. The teacher is a list with a Mine and Merchants, as few runs find these by themselves:
# dominion evolve --kingdom first-game-2e --heart Merchant,Mine --games 4_000_000 --seed 1
LAPTOP = Settings(
    samples=120_000_000, precision="auto", batch_size=Range(2_048, 16_384), keep_certain=0.25,
    learning_rate=Range(1.5e-3, 3e-5), ent_coef=Range(0.012, 0.0),
    teacher="remodel: better; mine: copper-first; guard: on; Province; Duchy if end <= 3; Remodel if Remodel < 1; "
    "Mine if Mine < 1; Militia if Militia < 1; Village if Village < 5; Smithy if Smithy < 3; Market; Village; "
    "Estate if end <= 1; Merchant; Cellar if Cellar < 1; Moat if Moat < 2",
    self_play=2.0, snapshots=1.0, snapshot_every=5_000_000,
    attacks=Attacks(every=10_000_000, games=Range(20_000, 60_000), weight=2.0),
    opponents=(
        "first-game=5", "smithy-optimised=2", "big-money-ultimate=0.4", "provincial-market=1", "double-militia=0.5",
        "random-menu:1=0.2", "random-menu:2=0.2",
    ),
    anchors=("big-money-ultimate", "smithy-optimised", "first-game", "provincial-market", "double-militia"),
    eval_freq=10_000_000, eval_games=Range(1_000, 4_000),
)  # fmt: skip

# One network for all kingdoms, learned on those of the train split: about half an hour on two cores, in as many steps as one
# likes. It clones lists that were evolved on these kingdoms, for so long that it plays as well as they do, and goes on by
# itself. Engines of Villages and Smithies are rare among them and hard to learn, so their kingdoms come more often.
FULL = Settings(
    kingdom=(
        "train",
        "train:59+61+115+123+138+155+211+264+279+284+356+401+442+635+664+670+755+766+797+837+905+962+970=10",
    ),
    net_arch=(512, 256), samples=87_000_000, precision="auto", batch_size=Range(4_096, 4_096), keep_certain=0.25,
    learning_rate=Range(7e-4, 1e-5), ent_coef=Range(0.008, 0.001), lead_weight=Range(0.5, 0.2), teacher="evolved-train",
    teacher_samples=12_000_000, self_play=2.0, snapshots=1.0, snapshot_every=6_000_000,
    opponents=(
        "evolved-train=4", "auto-2=1.5", "smithy-optimised=0.4", "big-money-ultimate=0.3", "first-game=0.2",
        "random-menu:1=0.1", "random-menu:2=0.1",
    ),
    anchors=("auto-2", "big-money-ultimate"), eval_freq=4_000_000, eval_games=Range(1_000, 4_000),
)  # fmt: skip

# One network for all kingdoms and three players. It begins with the one for two players.
THREE = Settings(
    kingdom=("train",), players=3, net_arch=(512, 256), start_from="any", teacher=None, samples=30_000_000,
    precision="auto", batch_size=Range(4_096, 4_096), learning_rate=Range(1e-3, 3e-5), self_play=2.0, snapshots=1.0,
    snapshot_every=4_000_000, opponents=("auto-2=4", "random-menu:1=0.1", "random-menu:2=0.1"), anchors=("auto-2",),
    eval_games=Range(1_200, 4_002),
)  # fmt: skip

PRESETS = {"smoke": SMOKE, "quick": QUICK, "laptop": LAPTOP, "full": FULL, "three": THREE}


def preset(name: str) -> Settings:
    """Return the settings of a preset, or of a YAML file of that path.

    Raises:
        InvalidOption: there is no such preset, or the file can't be read, or it holds something else.
    """
    if name in PRESETS:
        return PRESETS[name]
    try:
        return read_settings(Path(name))
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidOption):
            raise
        missing = ", and there is no such file" if isinstance(error, FileNotFoundError) else ""
        raise InvalidOption(
            f"preset: expected one of {', '.join(PRESETS)} or a YAML file, got {shown(name)}{missing}"
        ) from error
