"""The examples with learners of other libraries run and learn: some seconds of each, where its library is installed.

RLlib asks for an older Gymnasium than the rest, so its example is run by the Python of an environment of its own, which
RLLIB_PYTHON names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PAGE = (Path(__file__).parents[2] / "docs" / "clients.md").read_text(encoding="utf-8")


def scores(python: str, example: str, *given: str) -> dict[str, tuple[float, float]]:
    """Run an example, and return the intervals of the scores that it prints, in percent."""
    said = subprocess.run([python, str(EXAMPLES / example), *given], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr[-3000:]
    found = re.findall(r"^trained against (.*?): .*? \[(.*?)%, (.*?)%\]", said.stdout, re.MULTILINE)
    return {name: (float(low), float(high)) for name, low, high in found}


def test_every_example_is_on_the_page():
    for file in EXAMPLES.glob("*.py"):
        assert f"docs/examples/{file.name}" in PAGE


@pytest.mark.slow
def test_torchrl_improves():
    if find_spec("torchrl") is None:
        assert not os.environ.get("CLIENTS_REQUIRED"), "torchrl is not installed: make clients does that"
        pytest.skip("torchrl is not installed: needs the extra `clients`")
    found = scores(sys.executable, "torchrl_ppo.py", "--frames", "40960", "--games", "400")
    assert found["untrained"][0] > 50


@pytest.mark.slow
def test_rllib_improves():
    python = os.environ.get("RLLIB_PYTHON")
    if python is None:
        assert not os.environ.get("CLIENTS_REQUIRED"), "RLLIB_PYTHON is not set: make clients does that"
        pytest.skip("RLLIB_PYTHON is not set: the Python of an environment with ray[rllib]")
    found = scores(python, "rllib_self_play.py", "--iterations", "3", "--batch", "2048", "--games", "200")
    assert found["untrained"][0] > 50
