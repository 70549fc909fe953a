"""The examples of docs/strategies.md and of agents/README.md run in order."""

import re

import pytest

from docs.site.strategies import PAGE

README = PAGE.parents[1] / "agents" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.compiled
def test_the_examples_run(capsys):
    names: dict[str, object] = {}
    for number, example in enumerate(EXAMPLES, 1):
        exec(compile(example, f"docs/strategies.md, example {number}", "exec"), names)
    printed = capsys.readouterr().out
    shown = re.search(r"```\n(line 1.*?)```", TEXT, flags=re.DOTALL)
    assert shown[1] in printed


@pytest.mark.compiled
def test_the_example_of_the_agents_readme_runs():
    [example] = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    exec(compile(example, "agents/README.md", "exec"), {})
