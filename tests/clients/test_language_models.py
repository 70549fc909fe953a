"""The recipes of docs/language_models.md: whole games in TextArena's and OpenEnv's loops, and a step of TRL's trainer.

They are skipped where a library is not installed, but not by `make clients`, which sets CLIENTS_REQUIRED. OpenEnv asks for an
older `mcp`, so its loop is run by the Python of an environment of its own, which OPENENV_PYTHON names.
"""

from __future__ import annotations

import os
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "language_models.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^## (\w+)\n(?:(?!^## ).)*?```text\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))


def needs(library: str) -> None:
    """Skip the test where a library is missing, unless it must be there."""
    if find_spec(library) is None:
        assert not os.environ.get("CLIENTS_REQUIRED"), f"{library} is not installed: make clients does that"
        pytest.skip(f"{library} is not installed: needs the extra `clients`")


def test_every_library_has_its_recipe_of_ten_lines():
    assert set(RECIPES) == {"TRL", "TextArena", "OpenEnv"}
    assert all(len([line for line in recipe.splitlines() if line]) <= 10 for recipe in RECIPES.values())


def last_listed(text: str) -> str:
    """Answer with the last answer that is listed, in brackets, as TextArena's players write."""
    return f"[{max(map(int, re.findall(r'[:,] ([0-9]+) ', text.rpartition('Answers')[2])))}]"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # what other libraries warn of is theirs
def test_two_players_meet_in_text_arena():
    needs("textarena")
    import random

    import dominion_env.text.text_arena  # noqa: F401  libraries that it imports draw numbers

    before = random.getstate()
    names: dict[str, Any] = {"players": [last_listed, last_listed]}
    exec(compile(RECIPES["TextArena"], "docs/language_models.md, TextArena", "exec"), names)
    assert sorted(names["rewards"].values()) in ([-1, 1], [0, 0])
    assert not any(info["invalid_move"] for info in names["infos"].values())
    assert random.getstate() == before


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_the_second_wrong_answer_in_a_row_loses_in_text_arena():
    needs("textarena")
    from dominion_env.text.text_arena import DominionArena

    env = DominionArena()
    env.reset(seed=1)
    player, _ = env.get_observation()
    for wrong in ("hello", "pass", "x" * 10**6):
        done, _ = env.step(wrong)
        assert not done
    assert max(len(message) for part in env.state.observations.values() for _, message, _ in part) < 4000
    done, _ = env.step("buy everything")
    rewards, _ = env.close()
    assert done
    assert rewards[1 - player] == -1


# The recipe's app, served and played by the library's own client.
PLAYED = """
import re, socket, threading, time, uvicorn
from openenv.core.generic_client import GenericEnvClient

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
thread = threading.Thread(target=server.run)
thread.start()
while not server.started:
    time.sleep(0.05)
with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as env:
    result = env.reset(seed=3)
    assert "Dominion, a card game" in result.observation["text"]
    assert env.step({"text": "hello"}).observation["text"].startswith("Not taken: ")
    while not result.done:
        result = env.step({"text": "pass"})
    print("reward", result.reward, "steps", env.state()["step_count"])
server.should_exit = True
thread.join()
"""


@pytest.mark.slow
def test_a_game_in_the_loop_of_openenv():
    python = os.environ.get("OPENENV_PYTHON")
    if python is None:
        assert not os.environ.get("CLIENTS_REQUIRED"), "OPENENV_PYTHON is not set: make clients does that"
        pytest.skip("OPENENV_PYTHON is not set: make clients does that")
    done = subprocess.run([python, "-c", RECIPES["OpenEnv"] + PLAYED], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    reward, steps = re.search(r"^reward (\S+) steps (\d+)$", done.stdout, re.MULTILINE).groups()
    assert float(reward) < -0.5
    assert int(steps) > 10


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_trl_calls_the_tool_and_takes_the_reward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A step of GRPO with a tiny network, in whose mouth the calls of the tool are put."""
    needs("trl")
    for name, value in {"TRL_EXPERIMENTAL_SILENCE": "1", "HF_HUB_OFFLINE": "1"}.items():
        monkeypatch.setenv(name, value)
    import trl
    from datasets import Dataset
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    from dominion_env.text.tools import DominionTools

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytes_of = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    bytes_of.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_of.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytes_of, eos_token="<|im_end|>", pad_token="<|endoftext|>",
        chat_template=(Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text(),
    )  # fmt: skip
    tokenizer.add_tokens(["<|im_start|>", "<tool_call>", "</tool_call>"])
    network = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
            num_key_value_heads=1, head_dim=8, max_position_embeddings=16384,
        )
    )  # fmt: skip
    settings = trl.GRPOConfig(
        output_dir=str(tmp_path), max_steps=1, num_generations=2, per_device_train_batch_size=2, report_to=[],
        max_completion_length=6000, max_tool_calling_iterations=3, logging_steps=1, save_strategy="no", use_cpu=True,
    )  # fmt: skip
    rows = [{"prompt": [{"role": "user", "content": "Play.\n\n"}], "seed": seed} for seed in range(2)]
    trainer = trl.GRPOTrainer(
        network, args=settings, processing_class=tokenizer, train_dataset=Dataset.from_list(rows),
        environment_factory=lambda: DominionTools(opponents="random"),
    )  # fmt: skip
    call = '<tool_call>\n{"name": "answer", "arguments": {"text": "pass"}}\n</tool_call><|im_end|>'
    said = tokenizer(call)["input_ids"]
    trainer._generate_single_turn = lambda prompts, *_, **__: ([list(said) for _ in prompts], None)
    trainer.train()
    assert [tool.__name__ for tool in trainer.tools] == ["answer"]
    log = trainer.state.log_history[0]
    assert (log["tools/call_frequency"], log["tools/failure_frequency"]) == (3, 0)
    assert log["rewards/DominionTools/mean"] <= -0.4
    assert [dict(each._game.answers) for each in trainer.environments] == [{"taken": 3}] * 2
