"""Our names in the registries of Gymnasium and PettingZoo: `gymnasium.make("Dominion-v0")` after `import dominion_env`.

Either library takes a tenth of a second to import, and games alone don't need it. So a library that has not been imported
yet gets our names when it is.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

# The names in Gymnasium's registry, each with its options.
GYMNASIUM_IDS: dict[str, dict[str, Any]] = {
    "Dominion-v0": {},
    "Dominion/FirstGame-v0": {"kingdom": "first-game-2e"},
    "Dominion/BigMoney-v0": {"kingdom": "big-money-1e"},
    "Dominion/Random2E-v0": {"kingdom": "random-2e"},
}
PETTINGZOO_ID = "dominion/base-v0"


def _register_in_gymnasium() -> None:
    from gymnasium.envs.registration import register

    for name, options in GYMNASIUM_IDS.items():
        register(
            name,
            entry_point="dominion_env.views.gymnasium_env:DominionEnv",
            vector_entry_point="dominion_env.views.vector_env:DominionVectorEnv",
            kwargs=options,
        )


def _register_in_pettingzoo() -> None:
    try:
        from pettingzoo import register
    except ImportError:  # PettingZoo before 1.26 has no registry
        return
    register("aec", PETTINGZOO_ID, "dominion_env.views.dominion_v0:env")
    register("parallel", PETTINGZOO_ID, "dominion_env.views.dominion_v0:parallel_env")


class AfterImport(MetaPathFinder, Loader):
    """Finds one module as it would be found anyway, and calls a function after the module has been executed."""

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self._name, self._then = name, then
        self._searching = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's spec, with this object as its loader."""
        if fullname != self._name or self._searching:
            return None
        self._searching = True
        try:
            spec = find_spec(fullname)
        finally:
            self._searching = False
        if spec is not None and spec.loader is not None:
            self._loader, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Create the module as its own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module as its own loader does, then call the function."""
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._loader
        sys.meta_path.remove(self)
        self._loader.exec_module(module)
        self._then()


def register_views() -> None:
    """Enter our names in the registries: at once where a library has been imported, otherwise when it is."""
    for library, register in (("gymnasium", _register_in_gymnasium), ("pettingzoo", _register_in_pettingzoo)):
        if library in sys.modules:
            register()
        else:
            sys.meta_path.insert(0, AfterImport(library, register))
