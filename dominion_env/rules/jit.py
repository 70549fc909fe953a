"""Every numba option of the project, once.

Functions inside the rules get neither Python wrappers nor a cache file of their own: they become part of the few entry
points that Python calls, which are cached. Numba looks only at an entry point's own file when it decides whether its
cache is stale; so a hash of all compiled sources is part of each entry point (a closure variable, which numba's cache
key covers), and an edit anywhere in the core leads to recompilation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, partial, wraps
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from dominion_env.rules.notice import NOTICE

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT


def _name_records_by_content() -> None:
    """Give the functions compiled for one record layout other symbols than those compiled for another.

    Numba tells record types apart in symbols by a number that counts from the start of each process, and its cache keeps
    these symbols. Layouts compiled in different processes can so bear the same number; loaded together, one would run
    the code of the other on its records. Named by a hash of their fields, they never meet.
    """
    content = property(lambda record: (type(record).__name__, (hashlib.sha256(record.name.encode()).hexdigest()[:16],)))
    setattr(types.Record, "mangling_args", content)  # noqa: B010  a method to mypy, a property to numba


if COMPILED:
    _name_records_by_content()

_INTERNAL = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}


def _taking_int64(dispatcher: Any) -> Any:
    """Let a function be compiled once for all kinds of whole numbers.

    Numba would compile it anew for each mix of int8, int16, int64 and literal arguments, which multiplies the time to
    compile; here every signed argument arrives as int64.
    """
    if COMPILED:
        original = dispatcher.get_call_template

        def get_call_template(arguments: tuple[Any, ...], keywords: Any) -> Any:
            widened = tuple(
                numba.int64 if isinstance(kind, types.Integer | types.IntegerLiteral) and kind != numba.uint64 else kind
                for kind in arguments
            )
            return original(widened, keywords)

        dispatcher.get_call_template = get_call_template
    return dispatcher


def rule(function: Function) -> Function:
    """A function of the rules: compiled into the entry points that reach it."""
    return _taking_int64(numba.njit(**_INTERNAL)(function))  # type: ignore[no-any-return]


def layer(function: Function) -> Function:
    """A thin layer with one caller (the loop, the dispatch): becomes part of it, so that the rules are compiled once.

    Each function of its own is optimised with all that it calls, again at every level above it.
    """
    return numba.njit(inline="always", **_INTERNAL)(function)  # type: ignore[no-any-return]


def primitive(function: Function) -> Function:
    """A few lines used everywhere (move a card, read a stream): always inlined by the compiler."""
    return _taking_int64(numba.njit(forceinline=True, **_INTERNAL)(function))  # type: ignore[no-any-return]


if COMPILED:

    @intrinsic
    def _trailing_zeros(typing: Any, word: Any) -> Any:
        """The processor's instruction for the place of the lowest bit."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

        return types.int64(types.int64), build

    @primitive
    def lowest_bit(word: Any) -> Any:
        """The place of the lowest bit of a whole number that is not 0."""
        return _trailing_zeros(word)

    @intrinsic
    def _population(typing: Any, word: Any) -> Any:
        """The processor's instruction for the number of bits."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    @primitive
    def count_bits(word: Any) -> Any:
        """How many bits of a whole number are 1."""
        return _population(word)

    @intrinsic
    def _prefetch(typing: Any, array: Any, offset: Any) -> Any:
        """The processor's hint that the cache line so many bytes into an array is needed soon."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            address = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [arguments[1]])
            flag = ir.IntType(32)
            hint = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
            function = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
            builder.call(function, [address, flag(1), flag(3), flag(1)])  # for writing, keep, data
            return context.get_dummy_value()

        return types.void(array, types.int64), build

    @primitive
    def prefetch(array: Any, offset: Any) -> None:
        """Hint that the bytes at this offset into an array are needed soon."""
        _prefetch(array, offset)

    def _pointer(array: Any) -> Any:
        """The type of a bare address of an element; truth values are read as 0 and 1."""
        return types.CPointer(types.uint8 if array.dtype == types.boolean else array.dtype)  # type: ignore[attr-defined]

    @intrinsic
    def _address(typing: Any, array: Any, offset: Any) -> Any:
        """The address of an element of a contiguous array."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            return builder.gep(data, [arguments[1]])

        return _pointer(array)(array, types.int64), build

    @intrinsic
    def _address_of_row(typing: Any, array: Any, row: Any) -> Any:
        """The address of the first element of a row, which lies where the array's own stride says."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            fields = context.make_array(signature.args[0])(context, builder, arguments[0])
            distance = builder.mul(builder.extract_value(fields.strides, 0), arguments[1])
            data = builder.bitcast(fields.data, ir.IntType(8).as_pointer())
            return builder.bitcast(builder.gep(data, [distance]), fields.data.type)

        return _pointer(array)(array, types.int64), build

    LANES = 8  # 32-bit numbers in a vector register of the usual size

    @intrinsic(prefer_literal=True)
    def _scaled(typing: Any, into: Any, at: Any, source: Any, start: Any, factor: Any, length: Any, add: Any) -> Any:
        """`scaled_copy` by vector instructions; the last vector overlaps the one before, so that no number is left."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            target, first, numbers, begin, times, *_ = arguments
            floats = ir.VectorType(ir.FloatType(), LANES)
            whole = ir.VectorType(ir.IntType(32), LANES)
            factors = ir.Constant(floats, ir.Undefined)
            for lane in range(LANES):
                factors = builder.insert_element(factors, times, ir.IntType(32)(lane))
            sums = []
            edges = [*range(0, length.literal_value - LANES, LANES), length.literal_value - LANES]
            for edge in edges:
                place = builder.gep(numbers, [builder.add(begin, begin.type(edge))])
                vector = ir.VectorType(place.type.pointee, LANES)
                values = builder.load(builder.bitcast(place, vector.as_pointer()), align=1)
                if source.dtype != types.float32:
                    values = (builder.sitofp if source.dtype.signed else builder.uitofp)(values, floats)
                values = builder.fmul(values, factors)
                place = builder.gep(target, [builder.add(first, first.type(edge))])
                if into.dtype == types.float32:
                    place = builder.bitcast(place, floats.as_pointer())
                    if add.literal_value:
                        values = builder.fadd(builder.load(place, align=4), values)
                else:
                    place = builder.bitcast(place, whole.as_pointer())
                    values = builder.fptosi(values, whole)
                sums.append((values, place))
            for values, place in sums:  # after all loads, as the last two overlap
                builder.store(values, place, align=4)
            return context.get_dummy_value()

        return types.void(into, types.int64, source, types.int64, types.float32, length, add), build

    @intrinsic(prefer_literal=True)
    def _where_set(typing: Any, row: Any, start: Any, length: Any, width: Any) -> Any:
        """`where_set` by vector instructions; the last vector overlaps the one before, so that no number is left."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            numbers = ir.VectorType(ir.IntType(8 * width.literal_value), LANES)
            first = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), ir.IntType(8).as_pointer())
            bits = ir.IntType(64)(0)
            for edge in [*range(0, length.literal_value - LANES, LANES), length.literal_value - LANES]:
                place = builder.gep(first, [ir.IntType(64)(edge * width.literal_value)])
                values = builder.load(builder.bitcast(place, numbers.as_pointer()), align=1)
                lanes = builder.bitcast(builder.icmp_unsigned("!=", values, numbers(None)), ir.IntType(LANES))
                bits = builder.or_(bits, builder.shl(builder.zext(lanes, ir.IntType(64)), ir.IntType(64)(edge)))
            return bits

        return types.int64(row, types.int64, length, width), build

else:

    def prefetch(array: Any, offset: Any) -> None:
        """Nothing to do without a compiler."""

    def lowest_bit(word: Any) -> Any:
        """The place of the lowest bit of a whole number that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def count_bits(word: Any) -> Any:
        """How many bits of a whole number are 1."""
        return (int(word) & (1 << 64) - 1).bit_count()


if COMPILED and not numba.config.BOUNDSCHECK:
    # Arrays are counted each time they are handed on, an atomic operation dearer than most fields of an observation; a
    # bare address is not. Nor is it checked: where accesses are to be checked it is a part of the array.

    @primitive
    def from_here(array: Any, offset: Any) -> Any:
        """The part of a contiguous array from an element on, to be read and written by index."""
        return _address(array, offset)

    @primitive
    def row_of(array: Any, row: Any) -> Any:
        """A row of a two-dimensional array whose rows are contiguous, to be read and written by index."""
        return _address_of_row(array, row)

    def scaled_copy(length: int, add: bool = False) -> Any:
        """A function that writes `length` numbers of one row, each times a factor, into another (or adds them there).

        Rows are those of `from_here` and `row_of`; one of them holds float32, the other whole numbers or float32 too.
        Numba's own loop takes three times as long, for a length that is no multiple of a vector's.
        """

        @primitive
        def copy(into: Any, at: Any, source: Any, start: Any, factor: Any) -> None:
            _scaled(into, at, source, start, factor, length, add)

        return copy

    def where_set(length: int, width: int) -> Any:
        """A function that says which of `length` numbers of a row are not 0, a bit each, int64.

        `width`: bytes of a number; elements of the row may be smaller, a number is then several of them.
        """

        @primitive
        def which(row: Any, start: Any) -> Any:
            return _where_set(row, start, length, width)

        return which

else:

    @primitive
    def from_here(array: Any, offset: Any) -> Any:
        """The part of a contiguous array from an element on, to be read and written by index."""
        return array[offset:]

    @primitive
    def row_of(array: Any, row: Any) -> Any:
        """A row of a two-dimensional array, to be read and written by index."""
        return array[row]

    def scaled_copy(length: int, add: bool = False) -> Any:
        """A function that writes `length` numbers of one row, each times a factor, into another (or adds them there)."""

        @primitive
        def copy(into: Any, at: Any, source: Any, start: Any, factor: Any) -> None:
            for i in range(length):
                into[at + i] = source[start + i] * factor + (into[at + i] if add else 0)

        return copy

    def where_set(length: int, width: int) -> Any:
        """A function that says which of `length` numbers of a row are not 0, a bit each, int64."""

        @primitive
        def which(row: Any, start: Any) -> Any:
            each, bits = width // row.itemsize, 0
            for i in range(length):
                for part in range(each):
                    if row[start + i * each + part] != 0:
                        bits |= 1 << i
            return bits

        return which


# What is compiled, or read by what is compiled as a constant.
_CORE = (
    "actions.py",
    "cards.py",
    "core/fields.py",
    "core/loop.py",
    "core/observation.py",
    "core/worlds.py",
    "rules/**/*.py",
)


def hash_of_sources(package: Path, patterns: Sequence[str]) -> str:
    """Of the contents of these files of a package: part of the cache key of what is compiled from them."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in package.glob(pattern)):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


SOURCE_HASH = hash_of_sources(Path(__file__).parent.parent, _CORE)


def entry_point(make: Callable[[str], Function], source_hash: str = SOURCE_HASH) -> Function:
    """Compile what `make(source_hash)` returns as a cached function for Python to call.

    `make` must return a function that mentions its argument, so that the hash of all sources becomes part of the cache
    key. Without numba (NUMBA_DISABLE_JIT=1) the function runs as Python, with the wrap-around of unsigned arithmetic
    silenced, as compiled code has it.
    """
    function = make(source_hash)
    if COMPILED:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        NOTICE.functions.add(compiled)
        return compiled  # type: ignore[no-any-return]

    @wraps(function)
    def interpreted(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return interpreted  # type: ignore[return-value]


_SPECIALISED: dict[Any, Any] = {}


def specialised(function: Function, *arguments: Any) -> Function:
    """An entry point for arguments of just these types: calling it, numba does not look at their types again.

    That look takes two microseconds for the ten arrays of `play_games`, as long as playing ten decisions. Whoever calls
    the result answers for the types: arrays of another kind would be misread.
    """
    if not COMPILED:
        return function
    kinds = tuple(
        (a.dtype, a.ndim, a.flags.writeable, a.flags.c_contiguous) if isinstance(a, np.ndarray) else type(a)
        for a in arguments
    )
    found = _SPECIALISED.get((function, kinds))
    if found is None:  # looked up by these, as numba takes milliseconds to name the type of a large record
        found = function.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[attr-defined]
        _SPECIALISED[function, kinds] = found
    return found  # type: ignore[no-any-return]


def records(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array as entry points take it: `game.hand` must also work on a record when nothing is compiled."""
    return array if COMPILED else array.view(_with_attributes(array.dtype))


@cache
def _with_attributes(fields: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields in records that have them as attributes.

    Those of `np.recarray` do so too, by a Python function of a microsecond for each access, which is most of what the
    plain interpreter would do.
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
    """A field's type; if it holds records, these too have their fields as attributes."""
    if field.subdtype is None or field.subdtype[0].names is None:
        return field
    return np.dtype((_with_attributes(field.subdtype[0]), field.subdtype[1]))


def _set_field(name: str, record: Any, value: Any) -> None:
    record[name] = value
