"""How the project is compiled: every option of numba, once.

A function is one of five things. Python calls an `entry_point`; there are few. Its code is made of a `layer` or two, of
`rule`s and of `primitive`s, which Python can't call: they get neither Python wrappers nor a cache file of their own,
as they become part of the entry points that reach them. A `shared` function is large, and has machine code of its own.

Entry points are cached on disk. Numba looks only at an entry point's own file when it decides whether its cache is
stale; so a hash of all compiled sources is a part of each cache key, and an edit anywhere in the core leads to
recompilation.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial, wraps
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import types

from dominion_env.compiled import shipped
from dominion_env.compiled.inner import ENTRY, INNER, linked
from dominion_env.compiled.notice import NOTICE

# Numba is `Any` to mypy, so what it returns is declared here as the function that it was made from.
Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT


def _name_records_by_content() -> None:
    """Give the functions compiled for one record layout other symbols than those compiled for another, and name it at once.

    Numba tells record types apart in symbols by a number that counts from the start of each process, and its cache keeps
    these symbols. So layouts that were compiled in different processes can bear the same number; loaded together, one
    would run the code of the other on its records. Named by a hash of their fields, they can't be confused.

    Each pass of the compiler also describes its arguments, for which numba writes out all fields of a record. The name has
    them too, and is kept.
    """
    content = property(lambda record: (type(record).__name__, (hashlib.sha256(record.name.encode()).hexdigest()[:16],)))
    setattr(types.Record, "mangling_args", content)  # noqa: B010  a method to mypy, a property to numba
    setattr(types.Record, "__repr__", lambda record: record.name)  # noqa: B010
    # The name of a named tuple would write out all fields of the records in it.
    content = property(lambda kind: (kind.instance_class.__name__, tuple(kind)))
    for kind in (types.NamedTuple, types.NamedUniTuple):  # type: ignore[attr-defined]  # made by numba when it runs
        setattr(kind, "mangling_args", content)  # noqa: B010


if COMPILED:
    _name_records_by_content()

_INTERNAL = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy", **INNER}


def _taking_int64(dispatcher: Any) -> Any:
    """Let a function be compiled once for all kinds of whole numbers.

    Numba would compile it again for each mix of int8, int16, int64 and literal arguments, which multiplies the time to
    compile; here every argument that is a whole number arrives as int64, but for uint64, which stays as it is.
    """
    if COMPILED:
        original = dispatcher.get_call_template

        def get_call_template(arguments: tuple[Any, ...], keywords: Any) -> Any:
            named = {name: _widened(kind) for name, kind in dict(keywords).items()}
            return original(tuple(map(_widened, arguments)), named)

        dispatcher.get_call_template = get_call_template
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return the type as which an argument of this type arrives."""
    is_whole = isinstance(kind, types.Integer | types.IntegerLiteral)
    return numba.int64 if is_whole and kind != numba.uint64 else kind


def rule(function: Function) -> Function:
    """Make this a function of the rules, which is compiled into the entry points that reach it."""
    return cast(Function, _taking_int64(numba.njit(**_INTERNAL)(function)))


def layer(function: Function) -> Function:
    """Make this a thin layer with one caller (the loop, the dispatch), of which it becomes a part.

    The compiler optimises each function together with all that it calls, and does so again at every level above it. A
    layer is no level of its own, so that the rules below it are optimised once.
    """
    return cast(Function, numba.njit(inline="always", **_INTERNAL)(function))


def primitive(function: Function) -> Function:
    """Make this a few lines that are used everywhere (move a card, read a stream); the compiler always inlines them."""
    return cast(Function, _taking_int64(numba.njit(forceinline=True, **_INTERNAL)(function)))


def hash_of_sources(package: Path, patterns: Sequence[str]) -> str:
    """Return a hash of the contents of these files of a package: part of the cache key of what is compiled from them."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in package.glob(pattern)):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def entry_point(source_hash: str) -> Callable[[Function], Function]:
    """Make a function one that Python calls, compiled and cached; the cache is stale when `source_hash` is another one.

    Where no folder for a cache can be written to, the function is compiled in every process. Without numba
    (NUMBA_DISABLE_JIT=1) it runs as Python, with the wrap-around of unsigned arithmetic silenced, as compiled code has it.
    """

    def decorate(function: Function) -> Function:
        if COMPILED:
            compiled: Any = numba.njit(nogil=True, error_model="numpy", **ENTRY)(function)
            _keep(compiled, source_hash)
            NOTICE.functions.add(compiled)
            return cast(Function, compiled)

        @wraps(function)
        def interpreted(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):
                return function(*arguments)

        return cast(Function, interpreted)

    return decorate


def shared(source_hash: str) -> Callable[[Function], Function]:
    """Compile a function of two arguments once for all entry points that call it.

    It has machine code and a cache of its own, where a `rule` becomes a part of each entry point that reaches it. For large
    functions that several entry points need; the call itself takes a few nanoseconds more.
    """

    def decorate(function: Function) -> Function:
        if not INNER:
            return rule(function)
        compiled: Any = numba.njit(**{**_INTERNAL, **ENTRY})(function)
        _keep(compiled, source_hash)
        return cast(Function, linked(compiled, _widened))

    return decorate


CACHED: dict[Any, str] = {}  # the functions that are compiled into a cache of their own, with the hash of their sources


def _keep(compiled: Any, source_hash: str) -> None:
    """Keep on disk what a function is compiled to from these sources, where there is a place for it."""
    CACHED[compiled] = source_hash
    # A read-only installation without a writable home has none, which numba says with this error. The function then works
    # without a cache, and `NOTICE` says which setting names a place.
    with suppress(RuntimeError):
        compiled.enable_caching()
        key = compiled._cache._index_key
        compiled._cache._index_key = lambda *about: (*key(*about), source_hash)
        _play_on_without_cache(compiled, source_hash)


def _play_on_without_cache(compiled: Any, source_hash: str) -> None:
    """Let a compiled function be used where its cache can't be read or written: the disk is full, or a file is damaged.

    What comes with the package is used first.
    """
    cache = compiled._cache
    load, save = cache.load_overload, cache.save_overload

    def load_overload(kinds: Any, target: Any) -> Any:
        target.refresh()
        found = shipped.load(compiled, source_hash, kinds, target)
        if found is not None:
            return found
        try:
            return load(kinds, target)
        except Exception:  # a file that was cut or overwritten raises anything when it is unpickled
            with suppress(OSError):
                cache.flush()  # else it could not be written again either
            return None

    def save_overload(*result: Any) -> None:
        try:
            save(*result)
        except OSError as error:
            NOTICE.not_kept(cache.cache_path, error)

    cache.load_overload, cache.save_overload = load_overload, save_overload


_SPECIALISED: dict[Any, Any] = {}


def specialised(function: Function, *arguments: Any) -> Function:
    """Return an entry point for arguments of just these types, at whose calls numba does not look at the types again.

    That look takes two microseconds for the ten arrays of `play_games`, as long as playing ten decisions. The caller of
    the result must keep to these types, as arrays of another type would be misread.
    """
    if not COMPILED:
        return function
    kinds = _kinds(arguments)
    found = _SPECIALISED.get((function, kinds))
    if found is None:  # looked up by these, as numba takes milliseconds to name the type of a large record
        compiled: Any = function
        found = compiled.compile(tuple(numba.typeof(argument) for argument in arguments))
        _SPECIALISED[function, kinds] = found
    return cast(Function, found)


def _kinds(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what tells the types of arguments apart, also of those in tuples."""
    return tuple(
        (a.dtype, a.ndim, a.flags.writeable, a.flags.c_contiguous)
        if isinstance(a, np.ndarray)
        else (_kinds(a) if isinstance(a, tuple) else type(a))
        for a in arguments
    )


def records(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the array as entry points take it: `game.hand` must also work on a record when nothing is compiled."""
    return array if COMPILED else array.view(_with_attributes(array.dtype))


@cache
def _with_attributes(fields: np.dtype[Any]) -> np.dtype[Any]:
    """Return a dtype of the same fields, whose records have them as attributes.

    The records of `np.recarray` have them too, through a Python function that takes a microsecond at each access; the
    plain interpreter would spend most of its time there.
    """
    assert fields.names is not None
    assert fields.fields is not None
    inner, offsets = zip(*(fields.fields[name][:2] for name in fields.names), strict=True)
    whole = np.dtype(
        {
            "names": fields.names,
            "formats": [_inner_with_attributes(each) for each in inner],
            "offsets": offsets,
            "itemsize": fields.itemsize,
        }
    )
    names = {name: property(itemgetter(name), partial(_set_field, name)) for name in fields.names}
    return np.dtype((type("Record", (np.void,), {"__slots__": (), **names}), whole))


def _inner_with_attributes(field: np.dtype[Any]) -> np.dtype[Any]:
    """Return a field's type; if it holds records, these too have their fields as attributes."""
    if field.subdtype is None or field.subdtype[0].names is None:
        return field
    return np.dtype((_with_attributes(field.subdtype[0]), field.subdtype[1]))


def _set_field(name: str, record: Any, value: Any) -> None:
    record[name] = value
