"""Machine instructions that neither Python nor numba has a word for, each beside its definition in plain Python.

The plain definition says what an instruction does, and is what runs where nothing is compiled. The instructions
themselves, as the compiler (LLVM) is told of them, stand at the end of the file.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from dominion_env.compiled.jit import COMPILED, Function, primitive

_FIRST_OF_FAMILY = ("generic", "x86-64")

# An array is counted each time it is handed on, an atomic operation that takes longer than writing most fields of an
# observation. A bare address is not counted. Its bounds are not checked either, so where they are to be checked, the
# functions that work on addresses work on parts of arrays, as in plain Python.
BARE_ADDRESSES = COMPILED and not numba.config.BOUNDSCHECK

# A processor of this family picks bytes of a register by number, but for the very first ones.
PICKS_BYTES = (
    BARE_ADDRESSES and platform.machine() in ("x86_64", "AMD64") and numba.config.CPU_NAME not in _FIRST_OF_FAMILY
)

LANES = 8  # 32-bit numbers in a vector register of the usual size
BYTES = 16  # of the smallest vector register
NOT_HERE = -128  # for which the processor picks 0


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


def _from_here(array: Any, offset: Any) -> Any:
    return array[offset:]


@instead_of(_from_here, BARE_ADDRESSES)
def from_here(array: Any, offset: Any) -> Any:
    """Return the part of a contiguous array from an element on, to be read and written by index."""
    return _address(array, offset)


def _as_it_is(array: Any) -> Any:
    return array


@instead_of(_as_it_is, BARE_ADDRESSES)
def all_from(array: Any) -> Any:
    """Return a contiguous array, to be read and written by index; None remains None."""
    return _address_or_none(array)


def _only_record(array: Any) -> Any:
    return None if array is None else array[0]


@instead_of(_only_record)
def only_record(array: Any) -> Any:
    """Return the record of an array that holds one; None remains None, which compiled code knows."""
    return _record_or_none(array)


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


# --- numbers as a row holds them -------------------------------------------------------------------------------------


def _is_whole(row: Any) -> bool:
    return row.dtype.kind in "iu"


def _element(row: Any, number: Any, factor: Any) -> Any:
    return np.int64(number).astype(row.dtype) if _is_whole(row) else np.float32(number) * factor


@instead_of(_element)
def element(row: Any, number: Any, factor: Any) -> Any:
    """Return a whole number as a row of float32 holds it, times a factor, or as a row of whole numbers, as it is."""
    return _as_element(row, number, factor)


def _largest(row: Any) -> Any:
    return int(np.iinfo(row.dtype).max) if _is_whole(row) else 1 << 31


@instead_of(_largest)
def largest(row: Any) -> Any:
    """Return the largest whole number that a row of this type holds, which compiled code knows as a constant."""
    return _largest_element(row)


# --- many numbers at once --------------------------------------------------------------------------------------------


def scaled_copy(length: int) -> Any:
    """Make a function that writes `length` numbers of one row, each times a factor, into another row.

    Rows are those of `from_here` and `row_of`; one of them holds float32, the other whole numbers or float32 too.
    Numba's own loop takes three times as long, for a length that is no multiple of a vector's.

    Args:
        length: number of numbers, at least `LANES`.
    """

    def plain_copy(into: Any, at: Any, source: Any, start: Any, factor: Any) -> None:
        for i in range(length):
            into[at + i] = source[start + i] * factor

    @instead_of(plain_copy, BARE_ADDRESSES)
    def copy(into: Any, at: Any, source: Any, start: Any, factor: Any) -> None:
        _scaled(into, at, (source,), start, factor, length)

    return copy


def counts_copy(length: int) -> Any:
    """Make a function that writes `length` counts into a row, as `element` has them.

    Args:
        length: number of counts, at least `BYTES`.
    """

    def plain_copy(into: Any, at: Any, counts: Any, factor: Any) -> None:
        for i in range(length):
            into[at + i] = element(into, int(counts[i]), factor)

    @instead_of(plain_copy, BARE_ADDRESSES)
    def copy(into: Any, at: Any, counts: Any, factor: Any) -> None:
        _scaled(into, at, (counts,), 0, factor, length)

    return copy


def counts_rest(length: int) -> Any:
    """Make a function that writes counts less those of two other rows, as `counts_copy` writes counts.

    Written first and lessened then, the numbers would have to come back from memory.
    """

    def plain_rest(into: Any, at: Any, counts: Any, less: Any, lesser: Any, factor: Any) -> None:
        for i in range(length):
            into[at + i] = element(into, int(counts[i]) - int(less[i]) - int(lesser[i]), factor)

    @instead_of(plain_rest, BARE_ADDRESSES)
    def rest(into: Any, at: Any, counts: Any, less: Any, lesser: Any, factor: Any) -> None:
        _scaled(into, at, (counts, less, lesser), 0, factor, length)

    return rest


class Picking(NamedTuple):
    """How some numbers of a row are copied one after the other: an array of bytes that says which, and what uses it.

    Attributes:
        size: bytes of the array.
        choose: writes into such an array, from an element on, which numbers are picked, given as an array.
        copy: writes the counts that are picked in a row, as `counts_copy` does.
        rest: the same for a row less two others, as `counts_rest` does.
    """

    size: int
    choose: Any
    copy: Any
    rest: Any


def picking(length: int, number: int) -> Picking:
    """Make what copies `number` of the first `length` bytes of a row, at least `BYTES` and one more.

    The array holds their numbers, and behind these for each vector of the row what the processor needs to pick from it: at
    the place of each number but the first, where it stands in the vector, or `NOT_HERE`.
    """
    edges = tuple(_edges(length, BYTES))

    @primitive
    def choose(chosen: Any, begin: Any, numbers: Any) -> None:
        for i in range(number):
            chosen[begin + i] = numbers[i]
        masks, past = begin + number, 0
        for vector in range(len(edges)):
            for i in range(1, number):
                here = past <= numbers[i] < edges[vector] + BYTES
                chosen[masks + vector * BYTES + i - 1] = numbers[i] - edges[vector] if here else NOT_HERE
            past = edges[vector] + BYTES

    def plain_copy(into: Any, at: Any, source: Any, chosen: Any, begin: Any, factor: Any) -> None:
        for i in range(number):
            into[at + i] = element(into, int(source[chosen[begin + i]]), factor)

    def plain_rest(
        into: Any, at: Any, source: Any, less: Any, lesser: Any, chosen: Any, begin: Any, factor: Any
    ) -> None:
        for i in range(number):
            n = chosen[begin + i]
            into[at + i] = element(into, int(source[n]) - int(less[n]) - int(lesser[n]), factor)

    @instead_of(plain_copy, PICKS_BYTES)
    def copy(into: Any, at: Any, source: Any, chosen: Any, begin: Any, factor: Any) -> None:
        into[at] = element(into, int(source[chosen[begin]]), factor)
        _picked(into, at + 1, (source,), chosen, begin + number, factor, length)

    @instead_of(plain_rest, PICKS_BYTES)
    def rest(into: Any, at: Any, source: Any, less: Any, lesser: Any, chosen: Any, begin: Any, factor: Any) -> None:
        n = chosen[begin]
        into[at] = element(into, int(source[n]) - int(less[n]) - int(lesser[n]), factor)
        _picked(into, at + 1, (source, less, lesser), chosen, begin + number, factor, length)

    return Picking(number + len(edges) * BYTES, choose, copy, rest)


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
def _address_or_none(typing: Any, array: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if array == types.none:
            return context.get_dummy_value()
        return context.make_array(array)(context, builder, arguments[0]).data

    return (array if array == types.none else _pointer(array))(array), build


@intrinsic
def _record_or_none(typing: Any, array: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if array == types.none:
            return context.get_dummy_value()
        return context.make_array(array)(context, builder, arguments[0]).data

    return (array if array == types.none else array.dtype)(array), build


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


def _whole_number_of(row: Any) -> Any:
    """Return the type of the whole numbers in a row, None if it holds others."""
    return row.dtype if isinstance(row.dtype, types.Integer) else None


@intrinsic
def _as_element(typing: Any, row: Any, number: Any, factor: Any) -> Any:
    whole = _whole_number_of(row)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if whole:
            return builder.trunc(arguments[1], ir.IntType(whole.bitwidth))
        return builder.fmul(builder.sitofp(arguments[1], ir.FloatType()), arguments[2])

    return (whole or types.float32)(row, types.int64, types.float32), build


@intrinsic
def _largest_element(typing: Any, row: Any) -> Any:
    whole = _whole_number_of(row)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.IntType(64)(whole.maxval if whole else 1 << 31)

    return types.int64(row), build


@intrinsic(prefer_literal=True)
def _scaled(typing: Any, into: Any, at: Any, sources: Any, start: Any, factor: Any, length: Any) -> Any:
    """Copy by vector instructions, the first source less the others; the last vector overlaps the one before, so that no
    number is left."""
    source = sources[0]
    short = _whole_number_of(into) and _whole_number_of(source) and into.dtype.bitwidth < 32
    lanes = BYTES if short else LANES

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, first, rows, begin, times, _ = arguments
        written = ir.VectorType(context.get_value_type(into.dtype), lanes)

        def numbers(row: Any, edge: int) -> Any:
            place = builder.gep(row, [builder.add(begin, begin.type(edge))])
            vector = ir.VectorType(place.type.pointee, lanes)
            values = builder.load(builder.bitcast(place, vector.as_pointer()), align=1)
            if not short and source.dtype != types.float32:
                return (builder.sitofp if source.dtype.signed else builder.uitofp)(values, floats)
            if short and source.dtype.bitwidth < into.dtype.bitwidth:
                return (builder.sext if source.dtype.signed else builder.zext)(values, written)
            return values

        floats = ir.VectorType(ir.FloatType(), lanes)
        factors = ir.Constant(floats, ir.Undefined)
        for lane in range(lanes):
            factors = builder.insert_element(factors, times, ir.IntType(32)(lane))
        found = []
        for edge in _edges(length.literal_value, lanes):
            values = numbers(builder.extract_value(rows, 0), edge)
            for other in range(1, len(sources)):
                less = numbers(builder.extract_value(rows, other), edge)
                values = (builder.sub if short else builder.fsub)(values, less)
            if not short:
                values = builder.fmul(values, factors)
                if into.dtype != types.float32:
                    values = builder.fptosi(values, written)
            place = builder.gep(target, [builder.add(first, first.type(edge))])
            found.append((values, builder.bitcast(place, written.as_pointer())))
        for values, place in found:  # after all loads, as the last two overlap
            builder.store(values, place, align=1)
        return context.get_dummy_value()

    return types.void(into, types.int64, sources, types.int64, types.float32, length), build


@intrinsic(prefer_literal=True)
def _picked(typing: Any, into: Any, at: Any, sources: Any, chosen: Any, masks: Any, factor: Any, length: Any) -> Any:
    """Pick a vector of bytes by vector instructions, the first source less the others."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, first, rows, numbers, begin, times, _ = arguments
        vector = ir.VectorType(ir.IntType(8), BYTES)
        pick = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(vector, [vector, vector]), "llvm.x86.ssse3.pshuf.b.128"
        )

        def load(row: Any, place: Any) -> Any:
            return builder.load(builder.bitcast(builder.gep(row, [place]), vector.as_pointer()), align=1)

        values: Any = None
        for source in range(len(sources)):
            row, found = builder.extract_value(rows, source), vector(None)
            for number, edge in enumerate(_edges(length.literal_value, BYTES)):
                mask = load(numbers, builder.add(begin, begin.type(number * BYTES)))
                found = builder.or_(found, builder.call(pick, [load(row, begin.type(edge)), mask]))
            values = found if values is None else builder.sub(values, found)
        written = ir.VectorType(context.get_value_type(into.dtype), BYTES)
        if into.dtype == types.float32:
            factors = ir.Constant(written, ir.Undefined)
            for lane in range(BYTES):
                factors = builder.insert_element(factors, times, ir.IntType(32)(lane))
            values = builder.fmul(builder.sitofp(values, written), factors)
        elif into.dtype.bitwidth > 8:
            values = builder.sext(values, written)
        place = builder.bitcast(builder.gep(target, [first]), written.as_pointer())
        builder.store(values, place, align=1)
        return context.get_dummy_value()

    return types.void(into, types.int64, sources, chosen, types.int64, types.float32, length), build


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


def _edges(length: int, lanes: int = LANES) -> list[int]:
    """Return where the vectors begin that cover this number of values."""
    return [*range(0, length - lanes, lanes), length - lanes]
