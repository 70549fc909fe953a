"""Machine instructions that neither Python nor numba has a word for, each beside its definition in plain Python.

The plain definition says what an instruction does, and is what runs where nothing is compiled. The instructions
themselves, as the compiler (LLVM) is told of them, stand at the end of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from dominion_env.compiled import CACHE_LINE
from dominion_env.compiled.jit import COMPILED, Function, primitive

# An array is counted each time it is handed on, an atomic operation that takes longer than writing most fields of an
# observation. A bare address is not counted. Its bounds are not checked either, so where they are to be checked, the
# functions that work on addresses work on parts of arrays, as in plain Python.
BARE_ADDRESSES = COMPILED and not numba.config.BOUNDSCHECK

LANES = 8  # 32-bit numbers in a vector register of the usual size


def instead_of(plain: Function, where: bool = COMPILED) -> Callable[[Function], Function]:
    """Return a decorator that puts a function in the place of its plain definition where that is possible."""
    return lambda function: primitive(function if where else plain)


# --- bits of a whole number ------------------------------------------------------------------------------------------


def _lowest_bit(word: Any) -> Any:
    return (int(word) & -int(word)).bit_length() - 1


@instead_of(_lowest_bit)
def lowest_bit(word: Any) -> Any:
    """Return the place of the lowest bit of a whole number that is not 0."""
    return _trailing_zeros(word)


def _count_bits(word: Any) -> Any:
    return (int(word) & (1 << 64) - 1).bit_count()


@instead_of(_count_bits)
def count_bits(word: Any) -> Any:
    """Return how many bits of a whole number are 1."""
    return _population(word)


# --- memory ----------------------------------------------------------------------------------------------------------


def _prefetch(array: Any, offset: Any) -> None:
    pass  # a hint: without it the bytes come when they are needed


@instead_of(_prefetch)
def prefetch(array: Any, offset: Any) -> None:
    """Hint that the bytes at this offset into an array are needed soon."""
    _prefetch_line(array, offset)


@primitive
def prefetch_record(records: Any, row: Any, size: Any) -> None:
    """Hint that the first `size` bytes of this record are needed soon; a row after the last is none, and harmless."""
    start = row * records.itemsize
    for line in range(0, size, CACHE_LINE):
        prefetch(records, start + line)


def _from_here(array: Any, offset: Any) -> Any:
    return array[offset:]


@instead_of(_from_here, BARE_ADDRESSES)
def from_here(array: Any, offset: Any) -> Any:
    """Return the part of a contiguous array from an element on, to be read and written by index."""
    return _address(array, offset)


def _row_of(array: Any, row: Any) -> Any:
    return array[row]


@instead_of(_row_of, BARE_ADDRESSES)
def row_of(array: Any, row: Any) -> Any:
    """Return a row of a two-dimensional array whose rows are contiguous, to be read and written by index."""
    return _address_of_row(array, row)


def _uncounted(arrays: Any) -> Any:
    return arrays


@instead_of(_uncounted)
def uncounted(arrays: Any) -> Any:
    """Return a named tuple of arrays that are not counted when they are handed on; the caller must keep them alive."""
    return _without_owners(arrays)


# --- many numbers at once --------------------------------------------------------------------------------------------


def scaled_copy(length: int, add: bool = False) -> Any:
    """Make a function that writes `length` numbers of one row, each times a factor, into another row.

    Rows are those of `from_here` and `row_of`; one of them holds float32, the other whole numbers or float32 too.
    Numba's own loop takes three times as long, for a length that is no multiple of a vector's.

    Args:
        length: number of numbers, at least `LANES`.
        add: whether they are added to the numbers of the other row, instead of overwriting these.
    """

    def plain_copy(into: Any, at: Any, source: Any, start: Any, factor: Any) -> None:
        for i in range(length):
            into[at + i] = source[start + i] * factor + (into[at + i] if add else 0)

    @instead_of(plain_copy, BARE_ADDRESSES)
    def copy(into: Any, at: Any, source: Any, start: Any, factor: Any) -> None:
        _scaled(into, at, source, start, factor, length, add)

    return copy


def where_set(length: int, width: int) -> Any:
    """Make a function that says which of `length` numbers of a row are not 0, by a bit each of an int64.

    Args:
        length: number of numbers, from `LANES` to 64.
        width: bytes of a number; elements of the row may be smaller, a number is then several of them.
    """

    def plain_which(row: Any, start: Any) -> Any:
        each, bits = width // row.itemsize, 0
        for i in range(length):
            for part in range(each):
                if row[start + i * each + part] != 0:
                    bits |= 1 << i
        return bits

    @instead_of(plain_which, BARE_ADDRESSES)
    def which(row: Any, start: Any) -> Any:
        return _where_set(row, start, length, width)

    return which


# --- the instructions, as the compiler is told of them ---------------------------------------------------------------
# Each returns its types, and a function that builds its code.


@intrinsic
def _trailing_zeros(typing: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), build


@intrinsic
def _population(typing: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@intrinsic
def _prefetch_line(typing: Any, array: Any, offset: Any) -> Any:
    """Fetch the cache line in which a byte of an array lies."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [arguments[1]])
        flag = ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        builder.call(function, [address, flag(1), flag(3), flag(1)])  # for writing, keep, data
        return context.get_dummy_value()

    return types.void(array, types.int64), build


def _pointer(array: Any) -> Any:
    """Return the type of a bare address of an element; truth values are read as 0 and 1."""
    return types.CPointer(types.uint8 if array.dtype == types.boolean else array.dtype)  # type: ignore[attr-defined]  # made by numba when it runs


@intrinsic
def _address(typing: Any, array: Any, offset: Any) -> Any:
    """Take the address of an element of a contiguous array."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.gep(data, [arguments[1]])

    return _pointer(array)(array, types.int64), build


@intrinsic
def _address_of_row(typing: Any, array: Any, row: Any) -> Any:
    """Take the address of the first element of a row, which lies where the array's own stride says."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        fields = context.make_array(signature.args[0])(context, builder, arguments[0])
        distance = builder.mul(builder.extract_value(fields.strides, 0), arguments[1])
        data = builder.bitcast(fields.data, ir.IntType(8).as_pointer())
        return builder.bitcast(builder.gep(data, [distance]), fields.data.type)

    return _pointer(array)(array, types.int64), build


@intrinsic
def _without_owners(typing: Any, arrays: Any) -> Any:
    """Leave out the object that counts who uses an array, from each array of a tuple."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = arguments[0]
        for place, kind in enumerate(signature.args[0]):
            if isinstance(kind, types.Array):
                fields = context.make_array(kind)(context, builder, builder.extract_value(found, place))
                fields.meminfo = cgutils.get_null_value(fields.meminfo.type)
                found = builder.insert_value(found, fields._getvalue(), place)
        return found

    return arrays(arrays), build


@intrinsic(prefer_literal=True)
def _scaled(typing: Any, into: Any, at: Any, source: Any, start: Any, factor: Any, length: Any, add: Any) -> Any:
    """Copy by vector instructions; the last vector overlaps the one before, so that no number is left."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, first, numbers, begin, times, *_ = arguments
        floats = ir.VectorType(ir.FloatType(), LANES)
        whole = ir.VectorType(ir.IntType(32), LANES)
        factors = ir.Constant(floats, ir.Undefined)
        for lane in range(LANES):
            factors = builder.insert_element(factors, times, ir.IntType(32)(lane))
        sums = []
        for edge in _edges(length.literal_value):
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
    """Compare by vector instructions; the last vector overlaps the one before, so that no number is left."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = ir.VectorType(ir.IntType(8 * width.literal_value), LANES)
        first = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), ir.IntType(8).as_pointer())
        bits = ir.IntType(64)(0)
        for edge in _edges(length.literal_value):
            place = builder.gep(first, [ir.IntType(64)(edge * width.literal_value)])
            values = builder.load(builder.bitcast(place, numbers.as_pointer()), align=1)
            lanes = builder.bitcast(builder.icmp_unsigned("!=", values, numbers(None)), ir.IntType(LANES))
            bits = builder.or_(bits, builder.shl(builder.zext(lanes, ir.IntType(64)), ir.IntType(64)(edge)))
        return bits

    return types.int64(row, types.int64, length, width), build


def _edges(length: int) -> list[int]:
    """Return where the vectors begin that cover this number of values."""
    return [*range(0, length - LANES, LANES), length - LANES]
