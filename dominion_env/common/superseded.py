"""What earlier versions had: names that answer for one more version, and options that are refused in words."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from importlib import import_module
from types import MappingProxyType
from typing import Any, ParamSpec

from dominion_env.common.errors import UnknownOption

# Options of `GameBatch`, and so of the views, each with what to do instead.
OPTIONS = {"num_threads": "step several batches in processes of your own"}

_P = ParamSpec("_P")


def warn_of(old: str, new: str) -> None:
    """Warn the caller's caller that `old` goes in the next version and `new` has taken its place."""
    warnings.warn(f"{old} goes in version 0.5: use {new}", DeprecationWarning, stacklevel=3)


def later(
    package: str, names: Mapping[str, str], went: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, which imports a name when it is first used.

    Args:
        package: name of the package.
        names: modules of its public names.
        went: names that were public, each with the place "module.name" that it now has; using one warns.
    """

    def getattr_of_package(name: str) -> Any:
        if name in names:
            return getattr(import_module(names[name]), name)
        if name in went:
            warn_of(f"{package}.{name}", went[name])
            module, _, attribute = went[name].rpartition(".")
            return getattr(import_module(module), attribute)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return getattr_of_package


class CallableList(list[int]):
    """The value of a property that was a method: a list that may still be called, with a warning."""

    def __init__(self, values: Iterable[int], name: str) -> None:
        super().__init__(values)
        self._name = name

    def __call__(self) -> list[int]:
        """Return the same list."""
        warn_of(f"{self._name}()", f"the property {self._name}")
        return list(self)


def advice_on(option: str) -> str:
    """Return what to do instead of giving an option that went; "" for any other name."""
    return f"it was removed in version 0.4: {OPTIONS[option]}; " if option in OPTIONS else ""


def refusing_options_that_went(init: Callable[_P, None]) -> Callable[_P, None]:
    """Return the same constructor, which raises `UnknownOption` with advice if it is given an option that went."""

    @wraps(init)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> None:
        for name in OPTIONS.keys() & kwargs.keys():
            raise UnknownOption(f"got an unexpected keyword argument {name!r}: {advice_on(name).removesuffix('; ')}")
        init(*args, **kwargs)

    return checked
