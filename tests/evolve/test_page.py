"""The example of the page on evolving runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "evolving.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.usefixtures("small")
def test_the_example_runs(capsys):
    [example] = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile(example.replace("400_000", "2_000"), "docs/evolving.md", "exec"), {})
    assert "n = 200" in capsys.readouterr().out
