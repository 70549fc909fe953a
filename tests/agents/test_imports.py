"""The agents' modules import one way: a circle among them would make one of them impossible to read alone."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import dominion_agents

PACKAGE = Path(dominion_agents.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if path.name != "__init__.py"
}


def imported(module):
    """Return the modules of the package that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse((PACKAGE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "dominion_agents":
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("dominion_agents."):
            found.add(str(node.module).removeprefix("dominion_agents."))
    return found


def test_no_circle():
    graph = {module: imported(module) for module in MODULES}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle
    assert set(order) == MODULES, "a module imports the package itself, or one that is not there"
    assert order.index("buy_list") < order.index("notation") < order.index("strategy")
