"""Trained networks as agents: the same answer in any batch, by name and by file, and words for all that can't play."""

from __future__ import annotations

import copy
import json
import os
import pickle
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from dominion_agents.trained import box
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.header import FORMAT, MOST_BYTES
from dominion_agents.trained.model import VERSIONS, Model, model_of, read_model
from dominion_app.cli import main
from dominion_app.play.table import GameTable
from dominion_env import DominionEnv, GameBatch, InvalidKingdom, InvalidOption, agent_names, make_agent
from dominion_env.players import registry
from dominion_env.players.agent import shown_to
from dominion_env.tables.actions import NUM_ACTIONS, action_id
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_env.views.game import Game
from dominion_training.play.loop import Player
from dominion_training.play.sets import play_sets
from dominion_training.research.collect.playing import play
from tests.agents.networks import FIRST_GAME, decisions, is_legal, network
from tests.agents.test_ppo_agent import Planted

LAYOUTS = ("kingdom", "all", "piles")  # a network whose slots tell their cards has card vectors


def told_of(model: Model, **changes: Any) -> bytes:
    """Return the file of a model whose description is changed."""
    content = model.to_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    told = json.loads(header["__metadata__"]["model"]) | changes
    return save(dict(model.arrays), {"format": FORMAT, "model": json.dumps(told)})


# --- answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize("slots", LAYOUTS)
def test_a_row_has_the_same_answer_in_any_batch_and_order(slots, deterministic):
    agent = TrainedAgent(network(slots, units=(64, 48)), deterministic)
    values, masks, keys = decisions(512)
    whole = agent.act(values, masks, keys)
    assert is_legal(whole, masks)
    assert len(np.unique(whole)) > 10
    for size in (1, 7):
        parts = [slice(start, start + size) for start in range(0, len(keys), size)]
        np.testing.assert_array_equal(np.concatenate([agent.act(values[p], masks[p], keys[p]) for p in parts]), whole)
    order = np.random.default_rng(1).permutation(len(keys))
    np.testing.assert_array_equal(agent.act(values[order], masks[order], keys[order]), whole[order])
    probabilities, shares = agent.evaluate(values, masks)
    alone = [agent.evaluate(values[i : i + 1], masks[i : i + 1]) for i in range(50)]
    np.testing.assert_array_equal(np.concatenate([each[0] for each in alone]), probabilities[:50])
    np.testing.assert_array_equal(np.concatenate([each[1] for each in alone]), shares[:50])


def test_rows_may_lie_apart_and_be_read_only():
    agent = TrainedAgent(network())
    values, masks, keys = decisions(6, games=6)
    expected = agent.act(values, masks, keys)
    apart = np.zeros((6, values.shape[1] + 3), np.float32)
    apart[:, :-3] = values
    masks.flags.writeable = False
    np.testing.assert_array_equal(agent.act(apart[:, :-3], masks, keys), expected)
    np.testing.assert_array_equal(agent.act(values[::-1], masks[::-1], keys[::-1]), expected[::-1])
    assert agent.act(values[:0], masks[:0], keys[:0]).shape == (0,)
    np.testing.assert_array_equal(agent.act(np.asfortranarray(values), masks, np.repeat(keys, 2)[::2]), expected)


@pytest.mark.parametrize("slots", LAYOUTS)
@pytest.mark.parametrize("players", [2, 4])
def test_it_reads_no_more_than_it_says(slots, players):
    agent = TrainedAgent(network(slots, players))
    batch = GameBatch(12, players, kingdom="first-game-2e", seed=6)
    unread = np.full((12, batch.observation_size), np.nan, np.float32)
    for _ in range(5):
        masks, keys = batch.action_mask, batch.policy_keys()
        answers = agent.act(batch.observe(), masks, keys)
        np.testing.assert_array_equal(agent.act(shown_to(agent, batch, out=unread), masks, keys), answers)
        batch.step(answers)


@pytest.mark.parametrize(
    ("slots", "units", "card_units"),
    [
        ("kingdom", (64, 32), 0),
        ("all", (64, 32), 0),
        ("kingdom", (64, 32), 16),
        ("piles", (64, 32), 48),
        ("piles", (32,), 16),
    ],
)
@pytest.mark.parametrize("players", [2, 3])
def test_it_computes_what_torch_computes(slots, units, card_units, players):
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from dominion_agents.trained.forward import ready
    from dominion_env.compiled.jit import COMPILED, specialised
    from dominion_training.learner.optimiser.networks import new_network
    from dominion_training.learner.rollouts.samples import OPEN, Samples, collect  # reads inputs as the learner does

    model = network(slots, players, units, seed=players, card_units=card_units)
    agent = TrainedAgent(model)
    number = 300 if COMPILED else 4
    values, masks, keys = decisions(number, players, "first-game-2e" if slots == "kingdom" else "random", games=number)
    samples, rows = Samples(model.layout, number), np.arange(number)
    actions, nobody = np.zeros(number, np.int64), np.full(number, OPEN)
    given = (
        values, masks, keys, rows, np.zeros(number, np.int64), np.zeros((number, players), np.int64),
        ready(model.layout.reading(), *model.exported()), samples.decided(), 0, np.full((number, players), -1), nobody,
        actions,
    )  # fmt: skip
    specialised(collect, *given)(*given)
    same = new_network(model.network, model.layout, model.units, model.card_units)
    same.load(model)
    with torch.no_grad():
        scores, told = same(torch.from_numpy(samples.inputs))
    probabilities, shares = agent.evaluate(values, masks)
    np.testing.assert_allclose(shares, torch.sigmoid(told[:, 0]).numpy(), atol=1e-4)
    for row in range(number):
        legal = np.unpackbits(samples.legal[row], bitorder="little")[: model.layout.num_actions].astype(bool)
        wanted = torch.softmax(scores[row][torch.from_numpy(legal)], 0).numpy()
        np.testing.assert_allclose(probabilities[row][masks[row]], wanted, atol=1e-4)


@pytest.mark.compiled
@pytest.mark.parametrize("slots", LAYOUTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_legal_action_and_no_other_has_a_probability(slots, players):
    """So slots lead from each legal action to the network's and back."""
    agent = TrainedAgent(network(slots, players, units=(16,), seed=5))
    values, masks, _ = decisions(10_000, players, "random", games=500)
    probabilities, shares = agent.evaluate(values, masks)
    np.testing.assert_array_equal(probabilities > 0, masks)
    np.testing.assert_allclose(probabilities.sum(1), 1, atol=1e-5)
    assert masks.any(axis=0).sum() > 150
    assert ((shares >= 0) & (shares <= 1)).all()


def test_a_draw_follows_the_probabilities():
    agent = TrainedAgent(network(), deterministic=False)
    values, masks, _ = decisions(40, games=40)
    row = int(masks.sum(1).argmax())
    number = 400
    keys = np.random.default_rng(0).integers(1 << 64, size=number, dtype=np.uint64)
    drawn = agent.act(np.repeat(values[row : row + 1], number, 0), np.repeat(masks[row : row + 1], number, 0), keys)
    probabilities, _ = agent.evaluate(values[row : row + 1], masks[row : row + 1])
    shares = np.bincount(drawn, minlength=NUM_ACTIONS) / number
    assert np.abs(shares - probabilities[0]).max() < 0.1
    assert TrainedAgent(network()).act(values, masks, keys[:40])[row] == probabilities[0].argmax()


def test_treasures_that_are_asked_for_one_by_one_are_all_played():
    agent = TrainedAgent(network(seed=2))
    batch = GameBatch(8, kingdom="first-game-2e", seed=1, auto_treasures=False)
    treasures = [action_id(f"play {name}") for name in ("Copper", "Silver", "Gold")]
    played = 0
    for _ in range(40):
        actions = agent.act(batch.observe(), batch.action_mask, batch.policy_keys())
        in_buy_phase = batch.action_mask[:, treasures].any(axis=1)
        assert np.isin(actions[in_buy_phase], treasures).all()
        played += int(in_buy_phase.sum())
        batch.step(actions)
    assert played > 50


def test_it_plays_in_a_view():
    env = DominionEnv(opponents=TrainedAgent(network()), kingdom="first-game-2e", auto_treasures=True, max_turns=2)
    env.reset(seed=0)
    assert not env.game.is_over


def test_rounding_to_half_precision_is_what_is_kept():
    model = network(units=(48, 32))
    half = model.half()
    assert all(array.dtype == np.float16 for array in half.arrays.values())
    kept = model_of(half.to_bytes(), "kept")
    values, masks, keys = decisions(20, games=20)
    for told, wanted in zip(
        TrainedAgent(kept).evaluate(values, masks), TrainedAgent(half).evaluate(values, masks), strict=True
    ):
        np.testing.assert_array_equal(told, wanted)
    np.testing.assert_array_equal(
        TrainedAgent(kept).act(values, masks, keys), TrainedAgent(half).act(values, masks, keys)
    )
    assert len(half.to_bytes()) < 0.6 * len(model.to_bytes())


@pytest.mark.parametrize(("slots", "units"), [("kingdom", (256, 256)), ("all", (512, 512))])
def test_a_file_in_half_precision_has_less_than_two_megabytes(slots, units):
    assert len(network(slots, units=units).half().to_bytes()) < 2_000_000


def test_a_copy_and_a_pickle_answer_alike():
    agent = TrainedAgent(network(kingdom=FIRST_GAME).half(), deterministic=False)
    values, masks, keys = decisions(5, games=5)
    for other in (copy.copy(agent), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        np.testing.assert_array_equal(other.act(values, masks, keys), agent.act(values, masks, keys))
        assert other.model.kingdom == FIRST_GAME
    assert repr(agent) == "TrainedAgent(kingdom, 2 players)"


# --- what it refuses to play -----------------------------------------------------------------------------------------


def test_a_table_with_another_number_of_players_is_refused():
    agent = TrainedAgent(network())
    with pytest.raises(InvalidOption, match=r"trained with 2 players, got one of 3; any-3p, auto and all buy lists"):
        agent.act(*decisions(2, 3, games=2))
    with pytest.raises(InvalidOption, match=r"trained with 2 players, got 5$"):
        agent.act(np.zeros((1, 5), np.float32), np.ones((1, NUM_ACTIONS), bool), np.zeros(1, np.uint64))


@pytest.mark.parametrize(
    "seat",
    [
        lambda: DominionEnv(num_players=3, opponents="any"),
        lambda: play_sets([Player(name, make_agent(name)) for name in ("any", "random", "random")], range(1), 0),
        lambda: play([Player("any", make_agent("any"))], np.zeros((1, 3), np.int64), np.arange(1), 3, 0),
        lambda: GameTable(Game(3), {1: make_agent("any")}, ["a", "any", "b"]),
    ],
)
def test_whoever_seats_a_network_at_a_table_of_another_size_is_offered_one_that_plays_there(seat):
    with pytest.raises(InvalidOption, match=r"agent '?any'?: expected a table of 2, .* got one of 3; any-3p"):
        seat()


def test_another_kingdom_is_refused():
    agent = TrainedAgent(network(kingdom=FIRST_GAME))
    assert is_legal(agent.act(*decisions(2, games=2)), decisions(2, games=2)[1])
    other = decisions(2, kingdom="size-distortion-2e", games=2)
    for ask in (lambda: agent.act(*other), lambda: agent.evaluate(*other[:2])):
        with pytest.raises(
            InvalidKingdom,
            match=r"^row 0: the model was trained for Cellar, .* only \(kingdom first-game-2e\), got .*Witch.*; any, auto "
            "play on every kingdom",
        ):
            ask()


def test_a_mask_without_a_legal_action_is_refused():
    values, masks, keys = decisions(3, games=3)
    masks[1] = False
    for slots in LAYOUTS:
        agent = TrainedAgent(network(slots))
        for ask in (lambda a=agent: a.act(values, masks, keys), lambda a=agent: a.evaluate(values, masks)):
            with pytest.raises(InvalidOption, match=r"^action_masks, row 1: expected a legal action .* got none"):
                ask()
    absent = next(
        number for number, card in enumerate(CARDS) if number >= NUM_BASE_CARDS and card.name not in FIRST_GAME
    )
    masks[1, action_id(f"buy {CARDS[absent].name}")] = True
    with pytest.raises(InvalidOption, match=r"^action_masks, row 1: .* got 1 with other cards"):
        TrainedAgent(network()).act(values, masks, keys)


@pytest.mark.parametrize("content", [0.0, 1.0, np.nan, np.inf, -np.inf, 1e30])
@pytest.mark.parametrize("slots", LAYOUTS)
def test_observations_that_are_none_do_no_harm(slots, content):
    agent = TrainedAgent(network(slots))
    values, masks, keys = decisions(3, games=3)
    nonsense = np.full_like(values, content)
    with np.errstate(all="ignore"):
        if slots == "all":
            assert is_legal(agent.act(nonsense, masks, keys), masks)
            return
        with pytest.raises(
            InvalidKingdom, match="expected a game with 17 kinds of cards, as the model was trained with"
        ):
            agent.act(nonsense, masks, keys)


@pytest.mark.parametrize(
    "change",
    [
        lambda o, m, k: (o.astype(np.float64), m, k),
        lambda o, m, k: (o[0], m, k),
        lambda o, m, k: (o, m.astype(np.int8), k),
        lambda o, m, k: (o, m[:, :5], k),
        lambda o, m, k: (o, m, k[:1]),
        lambda o, m, k: (o.tolist(), m, k),
    ],
)
def test_arrays_of_another_kind_are_refused(change):
    with pytest.raises(InvalidOption, match="expected"):
        TrainedAgent(network()).act(*change(*decisions(2, games=2)))


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_path_is_a_name(tmp_path):
    path, model = tmp_path / "model.safetensors", network(kingdom=FIRST_GAME).half()
    path.write_bytes(model.to_bytes())
    values, masks, keys = decisions(6, games=6)
    agent = make_agent(str(path))
    np.testing.assert_array_equal(agent.act(values, masks, keys), TrainedAgent(model).act(values, masks, keys))
    drawing = make_agent(str(path), deterministic=False)
    np.testing.assert_array_equal(
        drawing.act(values, masks, keys), TrainedAgent(model, deterministic=False).act(values, masks, keys)
    )
    with pytest.raises(InvalidOption, match="has no such settings: expected deterministic, got guard"):
        make_agent(str(path), guard=True)
    assert read_model(path).kingdom == FIRST_GAME


def test_a_card_is_kept_with_the_model():
    card = {"seed": 1, "results": [{"score": 0.5}], "settings": {"kingdom": "first-game-2e"}}
    assert model_of(replace(network(), card=card).to_bytes(), "kept").card == card


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"versions": {**VERSIONS, "rules": 0}}, r"expected a model of rules \d+, .*, got one of rules 0, observation"),
        ({"versions": {**VERSIONS, "observation": 99}}, r"expected a model .* got one of rules \d+, observation 99"),
        ({"versions": None}, "expected a model .* got one of none"),
        (
            {"cards": "base+x (40 cards, 0)"},
            r"expected a model for cards of base \(39 .*, got one for 'base\+x \(40 cards, 0\)'",
        ),
        ({"slots": "some"}, "expected a whole description of a model"),
        ({"slots": ["kingdom"]}, "expected a whole description of a model"),
        ({"players": 1}, "expected a whole description of a model"),
        ({"players": True}, "expected a whole description of a model"),
        ({"players": 10**400}, "expected a whole description of a model"),
        ({"players": 3}, "expected arrays of the shapes"),
        ({"units": [32]}, "expected arrays of the shapes"),
        ({"units": [32, 32]}, "expected arrays of the shapes"),
        ({"units": []}, "expected a whole description of a model"),
        ({"units": [30, 16]}, "expected a whole description of a model"),
        ({"units": [10**9, 16]}, "expected a whole description of a model"),
        ({"units": 5}, "expected a whole description of a model"),
        ({"kingdom": ["Moat"]}, "expected a whole description of a model"),
        ({"kingdom": "first-game"}, "expected a whole description of a model"),
        ({"kingdom": ["Copper", *FIRST_GAME[1:]]}, "expected a whole description of a model"),
        ({"kingdom": ["Nothing", *FIRST_GAME[1:]]}, "expected a whole description of a model"),
        ({"kingdom": [[], *FIRST_GAME[1:]]}, "expected a whole description of a model"),
        ({"card": None}, "expected a whole description of a model"),
        ({"card": [["seed", 1]]}, "expected a whole description of a model"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(changes, message):
    with pytest.raises(InvalidOption, match=rf"^m: {message}"):
        model_of(told_of(network(), **changes), "m")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": "plain"}, "expected a whole description of a model"),
        ({"network": "other"}, "expected a whole description of a model"),
        ({"network": None}, "expected a whole description of a model"),
        ({"network": ["cards"]}, "expected a whole description of a model"),
        ({"card_units": 0}, "expected a whole description of a model"),
        ({"card_units": -32}, "expected a whole description of a model"),
        ({"card_units": True}, "expected a whole description of a model"),
        ({"card_units": 32.0}, "expected a whole description of a model"),
        ({"card_units": 24}, "expected a whole description of a model"),
        ({"card_units": 1 << 20}, "expected a whole description of a model"),
        ({"card_units": 48}, "expected arrays of the shapes"),
        ({"network": "plain", "card_units": 0}, "expected a whole description of a model"),  # as its slots tell cards
        ({"slots": "all"}, "expected a whole description of a model"),
        ({"slots": "kingdom"}, "expected arrays of the shapes"),
        ({"slots": "kingdom", "network": "plain", "card_units": 0}, "expected arrays of the shapes"),
        ({"units": [32]}, "expected arrays of the shapes"),
        ({"players": 3}, "expected arrays of the shapes"),
    ],
)
def test_a_description_that_does_not_fit_card_vectors_is_refused(changes, message):
    with pytest.raises(InvalidOption, match=rf"^m: {message}"):
        model_of(told_of(network("piles"), **changes), "m")


def test_a_plain_network_is_none_with_card_vectors():
    for changes in ({"network": "cards"}, {"card_units": 32}):
        with pytest.raises(InvalidOption, match=r"^m: expected a whole description of a model"):
            model_of(told_of(network(), **changes), "m")
    with pytest.raises(InvalidOption, match=r"^m: expected arrays of the shapes"):
        model_of(told_of(network(), network="cards", card_units=32), "m")


def test_a_file_that_names_no_kind_of_network_has_a_plain_one():
    model = network()
    content = told_of(model)
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    told = json.loads(header["__metadata__"]["model"])
    older = {key: told[key] for key in ("versions", "slots", "players", "units", "kingdom", "card")}
    assert set(told) - set(older) == {"network", "card_units", "cards"}  # without "cards" it is one of the base game
    found = model_of(save(dict(model.arrays), {"format": FORMAT, "model": json.dumps(older)}), "m")
    assert (found.network, found.card_units) == ("plain", 0)
    assert model_of(network("piles").to_bytes(), "m").network == "cards"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e6])
def test_weights_that_are_no_weights_are_refused(value):
    model = network()
    model.arrays["policy.bias"][3] = value
    with pytest.raises(
        InvalidOption, match=r"expected finite numbers, at most 1000 either way, got others in policy\.bias"
    ):
        model_of(model.to_bytes(), "m")


@pytest.mark.parametrize(
    "metadata", [None, {}, {"format": "pt"}, {"format": FORMAT}, {"format": FORMAT, "model": "{"},
                 {"format": FORMAT, "model": "[]"}, {"format": FORMAT, "model": "[" * 100_000},
                 {"format": FORMAT, "model": "9" * 10_000}]
)  # fmt: skip
def test_a_file_without_a_description_is_refused(metadata):
    with pytest.raises(InvalidOption, match=r"^m: expected "):
        model_of(save(dict(network().arrays), metadata), "m")


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.float64, np.bool_])
def test_numbers_of_another_kind_are_refused(kind):
    arrays = {name: array.astype(kind) for name, array in network().arrays.items()}
    with pytest.raises(InvalidOption, match="damaged or of another kind"):
        model_of(replace(network(), arrays=arrays).to_bytes(), "m")


@pytest.mark.parametrize(
    "header",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"__metadata__": null}', b'{"a": null}',
     b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 9]}, "__metadata__": {"format": "FORMAT"}}',
     b'{"a": {"dtype": "BF16", "shape": [4611686018427387904, 8], "data_offsets": [0, 0]}}', b'{"a": {"dtype": []}}'],
)  # fmt: skip
@pytest.mark.parametrize("length", [None, 0, 7, (1 << 64) - 1, 1 << 40])
def test_a_header_of_nonsense_is_refused(header, length):
    header = header.replace(b"FORMAT", FORMAT.encode())
    content = (len(header) if length is None else length).to_bytes(8, "little") + header
    with pytest.raises(InvalidOption, match=r"^m: expected "):
        model_of(content, "m")


def plays_or_refuses(content: bytes, asked: Any) -> bool:
    """Whether the content of a file is a model, which then must play; else it must be refused in words."""
    try:
        model = model_of(content, "m")
    except InvalidOption:
        return False
    agent = TrainedAgent(model)
    try:
        assert is_legal(agent.act(*asked), asked[1])
        probabilities, shares = agent.evaluate(*asked[:2])
        assert np.isfinite(probabilities).all()
        assert np.isfinite(shares).all()
    except InvalidKingdom:
        assert model.kingdom != FIRST_GAME
    return True


@pytest.mark.parametrize("card_units", [0, 16])
def test_a_file_that_was_cut_is_refused(card_units):
    model = network(units=(16,), kingdom=FIRST_GAME, card_units=card_units)
    content, asked = model.half().to_bytes(), decisions(2, games=2)
    header = 8 + int.from_bytes(content[:8], "little")
    places = {*range(40), *range(header - 3, header + 3), *range(0, len(content), 97), len(content) - 1}
    assert not [place for place in places if plays_or_refuses(content[:place], asked)]
    assert not plays_or_refuses(content + b"\0", asked)
    assert plays_or_refuses(content, asked)


@pytest.mark.compiled
@pytest.mark.parametrize("card_units", [0, 16])
def test_a_file_with_a_wrong_byte_is_refused_or_a_model_that_plays(card_units):
    model = network(units=(16,), kingdom=FIRST_GAME, card_units=card_units)
    content, asked = model.half().to_bytes(), decisions(2, games=2)
    header = 8 + int.from_bytes(content[:8], "little")
    random = np.random.default_rng(0)
    places = [*range(header), *random.integers(header, len(content), 300).tolist()]
    played = 0
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(random.integers(8))
        played += plays_or_refuses(bytes(damaged), asked)
    assert 100 < played < len(places) - 500  # weights may change a little; a description hardly


def test_nothing_runs_in_a_file_with_code(tmp_path):
    planted = tmp_path / "ran"
    pickled = pickle.dumps(Planted(str(planted)))
    (tmp_path / "pickle.safetensors").write_bytes(pickled)
    with zipfile.ZipFile(tmp_path / "zip.safetensors", "w") as archive:
        archive.writestr("data", pickled)
        archive.writestr("policy.pth", pickled)
    (tmp_path / "long.safetensors").write_bytes(len(pickled).to_bytes(8, "little") + pickled)
    for name in ("pickle", "zip", "long"):
        with pytest.raises(
            InvalidOption, match=rf"{name}\.safetensors: expected a model \(\.safetensors\), got a file that"
        ):
            make_agent(str(tmp_path / f"{name}.safetensors"))
    assert not planted.exists()


def test_what_is_no_file_to_read_is_refused(tmp_path):
    with pytest.raises(InvalidOption, match=r"^nothing\.safetensors: there is no such file"):
        make_agent("nothing.safetensors")
    (tmp_path / "folder.safetensors").mkdir()
    os.mkfifo(tmp_path / "pipe.safetensors")  # to open it would wait for ever
    for name in ("folder.safetensors", "pipe.safetensors"):
        with pytest.raises(InvalidOption, match="there is no such file"):
            make_agent(str(tmp_path / name))
    for path in ("a\0b.safetensors", "x" * 10_000 + ".safetensors"):
        with pytest.raises(InvalidOption) as caught:
            read_model(path)
        assert len(str(caught.value)) < 1500


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "huge.safetensors"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InvalidOption, match=r"expected a model of at most 64 MB, got 67,108,865 bytes"):
        make_agent(str(path))


# --- the box ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def in_the_box(tmp_path, monkeypatch):
    """Put two models and a damaged file into the box, as if they had come with the package."""
    folder = tmp_path / "models"
    folder.mkdir()
    card = {"command": "dominion train", "results": [], "limits": ["Plays First Game only."]}
    (folder / "tiny.safetensors").write_bytes(replace(network(kingdom=FIRST_GAME).half(), card=card).to_bytes())
    (folder / "tiny-3p.safetensors").write_bytes(network("all", 3).half().to_bytes())
    (folder / "broken.safetensors").write_bytes(b"nothing")
    (folder / "README.md").write_text("no model")
    monkeypatch.setattr(box, "FOLDER", folder)
    for name in ("_AGENTS", "_FORMS", "_CALLED", "_BROKEN"):
        monkeypatch.setattr(registry, name, type(getattr(registry, name))())
    monkeypatch.setattr(registry, "_loaded", False)
    return folder


@pytest.mark.usefixtures("in_the_box")
def test_models_in_the_box_are_agents_by_name(capsys):
    assert {"tiny", "tiny-3p", "broken", "big-money"} <= set(agent_names())
    assert "README" not in agent_names()
    known = registry.registered_agents()
    assert [card.title for card in known["tiny"].cards] == sorted(FIRST_GAME)
    assert known["tiny"].described == "a network that was trained for 2 players on first-game-2e"
    assert known["tiny-3p"].described == "a network that was trained for 3 players on every kingdom"
    assert known["tiny-3p"].cards == ()
    values, masks, keys = decisions(4, games=4)
    expected = TrainedAgent(network(kingdom=FIRST_GAME).half()).act(values, masks, keys)
    np.testing.assert_array_equal(make_agent("tiny").act(values, masks, keys), expected)
    assert make_agent("tiny", deterministic=False)._draws
    with pytest.raises(InvalidOption, match=r"has no such settings: expected deterministic, got guard"):
        make_agent("tiny", guard=True)
    assert "big-money" in agent_names()  # a damaged file keeps no other agent from its name
    with pytest.raises(InvalidOption, match=r"broken\.safetensors: expected a model"):
        make_agent("broken")
    assert main(["agents", "tiny"]) == 0
    told = capsys.readouterr().out
    assert "Plays First Game only." in told
    assert main(["agents", "tiny", "--json"]) == 0
    assert {each["name"] for each in json.loads(capsys.readouterr().out)} == {"tiny", "tiny-3p"}


@pytest.mark.usefixtures("in_the_box")
def test_models_are_rated_on_the_kingdoms_that_they_play():
    pytest.importorskip("scipy", reason="needs the extra `research`")
    from dominion_training.evaluate.standings import baselines_for

    assert "tiny" in baselines_for("first-game-2e")
    assert not {"tiny", "tiny-3p", "broken"} & set(baselines_for("size-distortion-2e"))
    assert box.models_in_the_box()["tiny-3p"].plays(range(10), 3)


@pytest.mark.usefixtures("in_the_box")
def test_arrays_are_read_only_for_the_agent_that_is_made(monkeypatch):
    read: list[str] = []
    original = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or original(path))
    agent_names()
    assert read == []
    make_agent("tiny")
    assert read == ["tiny.safetensors"]


@pytest.mark.compiled
@pytest.mark.usefixtures("in_the_box")
def test_models_play_by_name_in_commands(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["watch", "tiny", "big-money", "--plain", "--max-turns", "3"]) == 0
    pytest.importorskip("scipy", reason="needs the extra `research`")
    assert main(["compare", "tiny", "big-money", "--games", "4", "--workers", "1"]) == 0
    capsys.readouterr()


def test_every_recommended_kingdom_is_called_by_its_name():
    for name, cards in KINGDOMS.items():
        assert KINGDOMS[box.kingdom_name(tuple(cards))] == KINGDOMS[name]
    assert box.kingdom_name(tuple(sorted(KINGDOMS["first-game-2e"]))[:2]) == "Cellar, Market"


def test_the_models_that_come_with_the_package_can_play_and_tell_how_well():
    for name, boxed in box.models_in_the_box().items():
        assert boxed.path.stat().st_size <= 2_000_000, name
        model = read_model(boxed.path)
        assert boxed.cards == tuple(c for c in boxed.cards if c.title in (model.kingdom or ()))
        kingdom = box.kingdom_name(boxed.cards) if boxed.cards else "random"
        values, masks, keys = decisions(3, model.layout.num_players, kingdom, games=3)
        assert is_legal(make_agent(name).act(values, masks, keys), masks)


def test_a_model_is_written_as_the_same_bytes_each_time():
    model = network()
    assert len({model.to_bytes() for _ in range(20)}) == 1
    again = model_of(model.to_bytes(), "m")
    assert again.to_bytes() == model.to_bytes()
