#!/usr/bin/env python3
"""Reads an EWF file as docs/ewf.md says and prints it as text. A second reader, independent of the library.

Checks everything that the page says readers verify; any deviation ends it with an error. zstd and xxhash are taken from
their shared libraries, everything else is spelled out here.
"""

import ctypes
import struct
import sys

ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
XXHASH = ctypes.CDLL("libxxhash.so.0")
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


class Xxh128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


XXHASH.XXH3_128bits.restype = Xxh128
XXHASH.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]

M64 = (1 << 64) - 1
SYNC = bytes.fromhex("f39e455746c57ad1")
CHUNK, METADATA, INDEX, PROVENANCE = 1, 2, 3, 4


def need(condition, what):
    if not condition:
        raise ValueError(what)


def hash64(data):
    return XXHASH.XXH3_64bits(data, len(data))


def unzigzag(z):
    return (z >> 1) ^ (-(z & 1) & M64)


def zigzag(d):
    return ((d << 1) ^ -(d >> 63)) & M64


def signed(v):
    return v - (1 << 64) if v >> 63 else v


class Integers:
    """A pair of columns, symbols and bits."""

    def __init__(self, columns, number):
        self.symbols = columns.pop(number, b"")
        bits = columns.pop(number + 1, b"")
        self.bits = int.from_bytes(bits, "little")
        self.room = 8 * len(bits)
        self.taken = 0
        self.at = 0

    def symbol(self):
        need(self.at < len(self.symbols), "an integer column is too short")
        self.at += 1
        return self.symbols[self.at - 1]

    def value(self, symbol):
        if symbol < 8:
            return symbol
        need(symbol <= 251, "no such symbol")
        width = (symbol - 8) // 4 + 4
        count = width - 3
        need(self.taken + count <= self.room, "a bit column is too short")
        low = (self.bits >> self.taken) & ((1 << count) - 1)
        self.taken += count
        return (4 | (symbol - 8) % 4) << count | low

    def unsigned(self):
        return self.value(self.symbol())

    def difference(self):
        return unzigzag(self.unsigned())

    def finish(self):
        need(self.at == len(self.symbols) and (self.taken + 7) // 8 * 8 == self.room, "an integer column is too long")


class ByteColumn:
    def __init__(self, columns, number):
        self.values = columns.pop(number, b"")
        self.at = 0

    def next(self):
        need(self.at < len(self.values), "a column is too short")
        self.at += 1
        return self.values[self.at - 1]

    def finish(self):
        need(self.at == len(self.values), "a column is too long")


class Header:
    FIELDS = ("kind", "zero", "head", "data", "head_hash", "data_hash", "base", "first_message", "messages", "events",
              "words", "columns", "first_min", "last_min", "last_max", "hash")

    def __init__(self, data):
        need(len(data) == 112 and data[:8] == SYNC, "no sync mark")
        values = struct.unpack("<IIQQQQqQIIIIqqqQ", data[8:])
        for name, value in zip(self.FIELDS, values):
            setattr(self, name, value)
        need(self.hash == hash64(data[:104]), "hash of a section header")


def read_section(data, offset):
    header = Header(data[offset:offset + 112])
    start = offset + 112
    middle = start + header.head
    end = middle + header.data
    need(end <= len(data), "a section is cut")
    head, tail = data[start:middle], data[middle:end]
    need(hash64(head) == header.head_hash and hash64(tail) == header.data_hash, "hash of a payload")
    return header, head, tail, end


def read_columns(header, head, tail):
    columns = {}
    at = {False: 16 * header.columns, True: 0}
    previous = 0
    for i in range(header.columns):
        number, coding, zero, raw, stored, zero2 = struct.unpack("<BBHIII", head[16 * i:16 * i + 16])
        need(number > previous and zero == 0 and zero2 == 0 and raw > 0 and coding < 2, "directory of columns")
        previous = number
        part = tail if number >= 64 else head
        start = at[number >= 64]
        data = part[start:start + stored]
        need(len(data) == stored, "a column is cut")
        at[number >= 64] = start + stored
        if coding == 1:
            buffer = ctypes.create_string_buffer(raw)
            need(ZSTD.ZSTD_decompress(buffer, raw, data, stored) == raw, "a zstd frame")
            data = buffer.raw
        need(len(data) == raw, "length of a column")
        columns[number] = data
    need(at[False] == len(head) and at[True] == len(tail), "bytes are left behind the columns")
    return columns


class Predictor:
    def __init__(self, first_min):
        self.time = [first_min & M64] * 4
        self.block = [0] * 4
        self.slot = [0] * 4
        self.line = {}
        self.id = {}
        self.low = {}
        self.low_time = {}


class MessageColumns:
    def __init__(self, columns, count):
        table = columns.pop(1, b"")
        self.shapes = struct.unpack("<%dQ" % (len(table) // 8), table)
        low = columns.pop(2, b"")
        high = columns.pop(3, bytes(count) if len(self.shapes) <= 256 else b"")
        need(len(low) == count and len(high) == count, "shapes of messages")
        self.index = [a | b << 8 for a, b in zip(low, high)]
        self.ids = {True: ByteColumn(columns, 4), False: ByteColumn(columns, 5)}
        self.line = Integers(columns, 6)
        self.offset = ByteColumn(columns, 8)
        self.time = {True: Integers(columns, 9), False: Integers(columns, 11)}
        self.tick = {True: Integers(columns, 13), False: Integers(columns, 15)}
        self.free = {True: Integers(columns, 17), False: Integers(columns, 19)}
        self.duration = Integers(columns, 21)
        self.block = Integers(columns, 23)
        self.span = Integers(columns, 25)
        self.slot = ByteColumn(columns, 27)

    def finish(self):
        for column in (*self.ids.values(), self.line, self.offset, *self.time.values(), *self.tick.values(),
                       *self.free.values(), self.duration, self.block, self.span, self.slot):
            column.finish()


def read_header_word(shape, c, p):
    """The header word and the time that ticks count from, which is None for unmatched messages."""
    matched = bool(shape >> 30 & 1)
    sender = shape >> 28 & 1
    high = (shape & 0xffffff) << 40
    context = (sender, high >> 59)
    ident = (p.id.get(context, 0) + c.ids[matched].next()) % 64
    p.id[context] = ident
    if matched:
        low = p.low[1 - sender, ident]
        return high | ident << 50 | low, p.low_time[1 - sender, ident]
    line = (p.line.get(context, 0) + c.line.difference()) % (1 << 33)
    p.line[context] = line
    return high | ident << 50 | line << 7 | c.offset.next(), None


def read_time(c, p, stream, matched, blocks, reference):
    symbol = c.time[matched].symbol()
    if symbol == 252:
        return reference + 1000 * c.tick[matched].difference()
    if symbol == 253:
        return reference + c.free[matched].difference()
    return p.time[stream] + 4340 * (unzigzag(c.time[matched].value(symbol)) + blocks)


def read_messages(header, columns):
    c = MessageColumns(columns, header.messages)
    p = Predictor(header.first_min)
    messages = []
    for index in c.index:
        shape = c.shapes[index]
        matched, zeros, words = bool(shape >> 30 & 1), bool(shape >> 31 & 1), shape >> 32
        stream = shape >> 28 & 3
        need(words < 256 and shape & 63 << 10 == 0 and (words or not shape & 0x40ffffff) and (words > 1 or not zeros),
             "a shape")
        word, reference = read_header_word(shape, c, p) if words else (0, None)
        vc = (shape >> 24 & 15) ^ (word >> 7 & 1)
        blocks = c.block.difference()
        first_block = (p.block[stream] + blocks) & M64
        start = p.slot[stream] + 1 if first_block == p.block[stream] else 0
        end = start + (words - 1 if words else 0)
        span = end // 7 + c.span.difference()
        last_block = (first_block + span) & M64
        slot = (end % 7 + c.slot.next()) % 256
        first = read_time(c, p, stream, matched, blocks, p.time[stream] if reference is None else reference) & M64
        last = (first + c.duration.difference() + 4340 * span) & M64
        p.time[stream], p.block[stream], p.slot[stream] = last, last_block, slot
        if words and not matched:
            key = (stream & 1, word >> 50 & 63)
            p.low[key], p.low_time[key] = word & ((1 << 40) - 1), last
        messages.append([signed(first), signed(last), first_block, last_block, stream, vc, slot, words, zeros, word])
    c.finish()
    return messages


def read_data(columns):
    plain, planes = columns.pop(65, b""), columns.pop(66, b"")
    need(not (plain and planes), "two columns of data words")
    if plain:
        return list(struct.unpack("<%dQ" % (len(plain) // 8), plain))
    count = len(planes) // 8
    words, word = [], 0
    for i in range(count):
        difference = sum(planes[p * count + i] << 8 * p for p in range(8))
        word = (word + difference) & M64
        words.append(word)
    return words


def add_words(messages, columns):
    data = iter(read_data(columns))
    zero_map = columns.pop(64, b"")
    bit = 0
    for message in messages:
        words, zeros, word = message[7:]
        out = [word] if words else []
        for _ in range(words - 1):
            if zeros:
                out.append(0)
                continue
            out.append(next(data) if zero_map[bit // 8] >> bit % 8 & 1 else 0)
            bit += 1
        message[7:] = [out]
    need(next(data, None) is None and (bit + 7) // 8 == len(zero_map), "data words are left")


def read_events(header, columns):
    kind, stream, vc = (ByteColumn(columns, n) for n in (32, 33, 34))
    before, time, block, count, detail = (Integers(columns, n) for n in (35, 37, 39, 41, 43))
    at, now, blocks, details = 0, header.first_min & M64, [0] * 4, [0] * 4
    events = []
    for _ in range(header.events):
        k, s, v = kind.next(), stream.next(), vc.next()
        need(k < 10 and s < 4 and (v < 16 or v == 255), "an event")
        at += before.unsigned()
        now = (now + time.difference()) & M64
        blocks[s] = (blocks[s] + block.difference()) & M64
        details[s] = (details[s] + detail.difference()) & M64
        events.append((at, signed(now), k, s, v, blocks[s], count.difference(), details[s]))
    need(at <= header.messages, "an event behind the chunk")
    for column in (kind, stream, vc, before, time, block, count, detail):
        column.finish()
    return events


def read_chunk(header, head, tail):
    columns = read_columns(header, head, tail)
    messages = read_messages(header, columns)
    add_words(messages, columns)
    events = read_events(header, columns)
    need(not columns, "unknown columns")
    need(sum(len(m[7]) for m in messages) == header.words, "number of words")
    return messages, events


def protobuf(data):
    """Field number -> values, of one message."""
    fields, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            value = varint()
        else:
            need(tag & 7 == 2, "a wire type")
            length = varint()
            value = data[at:at + length]
            at += length
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def packed(data):
    return protobuf(b"".join(b"\x08" + part for part in split_varints(data))).get(1, [])


def split_varints(data):
    start = 0
    for i, byte in enumerate(data):
        if byte < 128:
            yield data[start:i + 1]
            start = i + 1


def check_index(payload, metadata, chunks):
    index = protobuf(payload)
    need(index[1][0] == metadata, "the index's copy of the metadata")
    entries = [protobuf(entry) for entry in index.get(2, [])]
    need(len(entries) == len(chunks), "chunks in the index")
    for entry, (offset, end, header, messages) in zip(entries, chunks):
        found = [entry.get(n, [0])[0] for n in range(1, 7)]
        need(found == [offset, end - offset, header.first_message, header.messages, header.events, header.words],
             "a chunk in the index")
        times = [signed(unzigzag(entry.get(n, [0])[0])) for n in (7, 8, 9)]
        need(times == [header.first_min, header.last_min, header.last_max], "times in the index")
        counts = [0] * 16
        for message in messages:
            counts[message[5]] += 1
        while counts and counts[-1] == 0:
            counts.pop()
        need(packed(entry.get(10, [b""])[0]) == counts, "circuits in the index")


def show(messages, events):
    at = 0
    for i in range(len(messages) + 1):
        while at < len(events) and events[at][0] == i:
            print("event", *events[at][1:])
            at += 1
        if i < len(messages):
            print("message", *messages[i][:7], *("%016x" % word for word in messages[i][7]))


def read_file(data):
    need(data[:8] == bytes.fromhex("894557460d0a1a0a") and struct.unpack("<HHI", data[8:16]) == (1, 0, 0), "header")
    need(struct.unpack("<Q", data[56:64])[0] == hash64(data[:56]), "hash of the header")
    base = struct.unpack("<q", data[16:24])[0]
    end = data[-64:]
    index_at, index_bytes, metadata_at, canonical = struct.unpack("<QQQQ", end[:32])
    need(end[56:] == b"EWFend\r\n" and struct.unpack("<Q", end[48:56])[0] == hash64(end[:48]), "trailer")
    digest = XXHASH.XXH3_128bits(data[:canonical], canonical)
    need(struct.pack(">QQ", digest.high, digest.low) == end[32:48], "digest")
    print("base", base)
    at, number, chunks = 64, 0, []
    while at < metadata_at:
        header, head, tail, after = read_section(data, at)
        need(header.kind == CHUNK and header.base == base and header.first_message == number, "a chunk's header")
        messages, events = read_chunk(header, head, tail)
        show(messages, events)
        chunks.append((at, after, header, messages))
        number += header.messages
        at = after
    header, metadata, _, at = read_section(data, at)
    need(header.kind == METADATA and at == index_at, "metadata")
    header, payload, _, at = read_section(data, at)
    need(header.kind == INDEX and at == canonical == index_at + index_bytes, "index")
    check_index(payload, metadata, chunks)
    if at < len(data) - 64:
        header, _, _, at = read_section(data, at)
        need(header.kind == PROVENANCE, "provenance")
    need(at == len(data) - 64, "bytes before the trailer")


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        read_file(file.read())
