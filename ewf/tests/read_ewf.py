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


def plain_line(a):
    return (a >> 13 << 13 | (a >> 8 ^ a >> 13) % 32 << 8 | (a >> 5 ^ a >> 18) % 8 << 5
            | (a >> 3 ^ a >> 18 ^ a >> 16 ^ a >> 5) % 4 << 3 | (a ^ a >> 18 ^ a >> 13 ^ a >> 5) % 8)


def aliased_line(c):
    a = (c >> 13 << 13 | (c >> 8 ^ c >> 13) % 32 << 8 | (c >> 5 ^ c >> 18) % 8 << 5
         | (c >> 3 ^ c >> 16 ^ c >> 5) % 4 << 3 | (c ^ c >> 13 ^ c >> 5) % 8)
    need(plain_line(a) == c, "the two hashes of a line")
    return a


class Entry:
    def __init__(self, low, origin):
        self.low, self.origin = low, origin
        self.waits, self.answered, self.answer = True, False, None


class Predictor:
    def __init__(self, first_min):
        first_min &= M64
        self.completion = first_min
        self.time = [first_min] * 4
        self.block = [0] * 4
        self.slot = [0] * 4
        self.back = [0] * 4
        self.sent = [first_min] * 2
        self.again_id = [0] * 2
        self.line = {}
        self.id = {}
        self.entry = {}
        self.waiting = ([], [])


class MessageColumns:
    def __init__(self, columns, count):
        table = columns.pop(1, b"")
        self.shapes = struct.unpack("<%dQ" % (len(table) // 8), table)
        low = columns.pop(2, b"")
        high = columns.pop(3, bytes(count) if len(self.shapes) <= 256 else b"")
        need(len(low) == count and len(high) == count, "shapes of messages")
        self.index = [a | b << 8 for a, b in zip(low, high)]
        self.rank, self.id_other, self.offset, self.slot, self.id_again = (
            ByteColumn(columns, n) for n in (4, 5, 8, 27, 28))
        self.line, self.duration, self.span = (Integers(columns, n) for n in (6, 21, 25))
        self.block = [Integers(columns, n) for n in (23, 45, 47)]
        self.time = {kind: Integers(columns, n) for kind, n in (("matched", 9), ("other", 11), ("again", 29))}
        self.tick = {kind: Integers(columns, n) for kind, n in (("matched", 13), ("other", 15), ("again", 49))}
        self.free = {kind: Integers(columns, n) for kind, n in (("matched", 17), ("other", 19))}

    def finish(self):
        for column in (self.rank, self.id_other, self.offset, self.slot, self.id_again, self.line, self.duration,
                       self.span, *self.block, *self.time.values(), *self.tick.values(), *self.free.values()):
            column.finish()


def read_header_word(shape, kind, c, p):
    """The header word, R, and the entry that the message answers."""
    sender = shape >> 28 & 1
    high = (shape & 0xffffff) << 40
    if kind == "matched":
        rank = c.rank.next()
        need(rank < len(p.waiting[1 - sender]), "a rank")
        ident = p.waiting[1 - sender].pop(rank)
        entry = p.entry[1 - sender, ident]
        entry.waits, entry.answered = False, True
        return high | ident << 50 | entry.low, entry.origin, entry
    if kind == "again":
        ident = (p.again_id[sender] + c.id_again.next()) % 64
        p.again_id[sender] = ident
        entry = p.entry.get((sender, (ident - 1) % 64))
        need(entry and entry.answered, "an answer before a message that follows one")
        return high | ident << 50 | entry.low, entry.answer, None
    pair = (sender, (shape >> 24 & 15) // 2)
    ident = (p.id.get(pair, 0) + c.id_other.next()) % 64
    p.id[pair] = ident
    context = (sender, high >> 59)
    line = (p.line.get(context, 0) + c.line.difference()) % (1 << 33)
    p.line[context] = line
    return high | ident << 50 | aliased_line(line) << 7 | c.offset.next(), p.sent[sender], None


def read_time(c, p, stream, kind, reference, earliest):
    def grid(time, period):
        return earliest + signed((time - earliest) & M64) % period

    symbol = c.time[kind].symbol()
    if symbol == 252:
        if kind == "again":
            return reference + 1000 * c.tick[kind].difference()
        return grid(reference, 1000) + 1000 * c.tick[kind].unsigned()
    if symbol == 253:
        return earliest + c.free["matched" if kind == "matched" else "other"].unsigned()
    return grid(p.time[stream], 4340) + 4340 * c.time[kind].value(symbol)


def remember_opening(p, sender, kind, word, reference, first):
    ident = word >> 50 & 63
    before = p.entry.get((sender, ident))
    if before and before.waits:
        p.waiting[sender].remove(ident)
    p.entry[sender, ident] = Entry(word & ((1 << 40) - 1), reference if kind == "again" else first)
    p.waiting[sender].append(ident)
    if kind == "other":
        p.sent[sender] = first


def read_messages(header, columns):
    c = MessageColumns(columns, header.messages)
    p = Predictor(header.first_min)
    messages = []
    for index in c.index:
        shape = c.shapes[index]
        matched, zeros, words, again = shape >> 30 & 1, bool(shape >> 31 & 1), shape >> 32 & 255, shape >> 40
        stream = shape >> 28 & 3
        need(again < 2 and not (matched and again) and shape & 63 << 10 == 0
             and (words or not (shape & 0x40ffffff or again)) and (words > 1 or not zeros), "a shape")
        kind = "matched" if matched else "again" if again else "other"
        word, reference, answers = read_header_word(shape, kind, c, p) if words else (0, p.sent[stream & 1], None)
        vc = (shape >> 24 & 15) ^ (word >> 7 & 1)
        back = p.back[stream]
        first_block = (p.block[stream] + c.block[0 if back == 0 else 1 if back < 17 else 2].difference()) & M64
        start = p.slot[stream] + 1 if first_block == p.block[stream] else 0
        end = start + (words - 1 if words else 0)
        span = end // 7 + c.span.difference()
        last_block = (first_block + span) & M64
        slot = (end % 7 + c.slot.next()) % 256
        length = c.duration.difference() + 4340 * span
        first = read_time(c, p, stream, kind, reference, (p.completion - length) & M64) & M64
        last = (first + length) & M64
        if answers:
            answers.answer = first
        elif words and vc not in (1, 4, 5, 10, 11):
            remember_opening(p, stream & 1, kind, word, reference, first)
        p.time[stream], p.block[stream], p.slot[stream], p.back[stream] = last, last_block, slot, 0
        p.back[stream ^ 1] += words
        p.completion = last
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
        word ^= sum(planes[p * count + i] << 8 * p for p in range(8))
        words.append(word)
    return words


def add_words(messages, columns):
    data = iter(read_data(columns))
    explicit = columns.pop(64, b"")
    bit = step = 0
    for message in messages:
        words, zeros, word = message[7:]
        out = [word] if words else []
        before = 0
        for _ in range(words - 1):
            if zeros:
                out.append(0)
                continue
            word = expected = (before + step) & M64 if before else 0
            if explicit[bit // 8] >> bit % 8 & 1:
                word = next(data)
                need(word != expected, "a word that is as expected is stored")
            if word and before:
                step = (word - before) & M64
            before = word
            out.append(word)
            bit += 1
        message[7:] = [out]
    need(next(data, None) is None and (bit + 7) // 8 == len(explicit), "data words are left")


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
