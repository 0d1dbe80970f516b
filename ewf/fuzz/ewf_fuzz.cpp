// Everything that reads EWF, on arbitrary bytes. The first byte says whether checksums are made right first, so that
// the fuzzer gets behind them.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "chunk_decoder.hpp"
#include "chunk_encoder.hpp"
#include "eciscope/ewf/reader.hpp"
#include "eciscope/ewf/recover.hpp"
#include "layout.hpp"

namespace {

using namespace eciscope;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

/// Hashes of one section right, if its sizes allow.
void fix_section(std::span<std::uint8_t> bytes) {
    if (bytes.size() < ewf::section_header_bytes) {
        return;
    }
    const std::uint64_t room = bytes.size() - ewf::section_header_bytes;
    const auto head = ewf::load_le<std::uint64_t>(bytes.data() + 16);
    const auto data = ewf::load_le<std::uint64_t>(bytes.data() + 24);
    if (head <= room && data <= room - head) {
        const ewf::Bytes payload = bytes.subspan(ewf::section_header_bytes);
        ewf::store_le(bytes.data() + 32, ewf::hash64(payload.first(head)));
        ewf::store_le(bytes.data() + 40, ewf::hash64(payload.subspan(head, data)));
    }
    ewf::store_le(bytes.data() + 104, ewf::hash64(bytes.first(104)));
}

void fix_checksums(std::span<std::uint8_t> bytes) {
    if (bytes.size() >= ewf::file_header_bytes) {
        std::ranges::copy(ewf::file_magic, bytes.begin());
        ewf::store_le(bytes.data() + 56, ewf::hash64(bytes.first(56)));
    }
    for (std::size_t at = 0; at + ewf::sync_mark.size() <= bytes.size(); ++at) {
        if (std::equal(ewf::sync_mark.begin(), ewf::sync_mark.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at))) {
            fix_section(bytes.subspan(at));
        }
    }
    if (bytes.size() >= ewf::trailer_bytes) {
        const auto trailer = bytes.last(ewf::trailer_bytes);
        ewf::store_le(trailer.data() + 48, ewf::hash64(trailer.first(48)));
        std::ranges::copy(ewf::trailer_magic, trailer.begin() + 56);
    }
}

class Counter final : public TraceSink {
 public:
    bool batch(const TraceBatch& batch) override {
        messages += batch.messages.size();
        events += batch.events.size();
        for (const MessageHead& message : batch.messages) {
            for (const std::uint64_t word : batch.words_of(message)) {
                sum += word;
            }
        }
        return true;
    }
    std::uint64_t messages = 0;
    std::uint64_t events = 0;
    std::uint64_t sum = 0;
};

/// What was decoded is a trace that can be encoded, and comes back the same.
void round_trip(const ewf::SectionHeader& header, const TraceBatch& trace) {
    static ewf::ChunkEncoder encoder;
    static ewf::ChunkDecoder decoder;
    static std::vector<std::uint8_t> bytes;
    static TraceBatch again;
    encoder.encode(trace, header.base_seconds, header.first_message, bytes);
    const auto parsed = ewf::parse_section_header(bytes);
    require(parsed.has_value());
    require(decoder.decode(*parsed, ewf::Bytes(bytes).subspan(ewf::section_header_bytes), ewf::Parts::whole, again)
                .has_value());
    require(again.words == trace.words && again.messages.size() == trace.messages.size());
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const MessageHead& a = trace.messages[i];
        const MessageHead& b = again.messages[i];
        require(a.first == b.first && a.last == b.last && a.first_block == b.first_block &&
                a.last_block == b.last_block && a.vc == b.vc && a.stream == b.stream && a.slot == b.slot &&
                a.word_count == b.word_count);
    }
}

void decode_first_chunk(ewf::Bytes bytes) {
    const auto header = bytes.size() > ewf::file_header_bytes
                            ? ewf::parse_section_header(bytes.subspan(ewf::file_header_bytes))
                            : std::nullopt;
    if (!header || bytes.size() - ewf::file_header_bytes < header->total_bytes()) {
        return;
    }
    static ewf::ChunkDecoder decoder;
    static TraceBatch trace;
    const auto payload = bytes.subspan(ewf::file_header_bytes + ewf::section_header_bytes);
    if (decoder.decode(*header, payload, ewf::Parts::whole, trace)) {
        round_trip(*header, trace);
    }
}

void read_all(ewf::Bytes bytes) {
    Diagnostics diagnostics;
    const auto reader = ewf::Reader::open(ewf::memory_source(bytes), diagnostics);
    if (!reader) {
        return;
    }
    Counter counter;
    (void)reader->play(counter, diagnostics);
    TraceBatch batch;
    for (std::size_t i = 0; i < std::min<std::size_t>(reader->chunk_count(), 4); ++i) {
        (void)reader->read_chunk(i, batch, ewf::Parts::heads);
    }
    (void)reader->find_message(1);
    (void)reader->find_time(1);
    (void)reader->chunks_with_line({.home = 1, .aliased_cli = 7});
    (void)reader->verify_digest();
}

void recover_all(ewf::Bytes bytes) {
    Diagnostics diagnostics;
    ewf::MemorySink sink;
    const auto report = ewf::recover(*ewf::memory_source(bytes), sink, diagnostics);
    if (!report) {
        return;
    }
    // What recovery writes is whole.
    Diagnostics again;
    const auto reader = ewf::Reader::open(ewf::memory_source(sink.bytes()), again);
    require(reader.has_value() && !reader->index_rebuilt());
    Counter counter;
    require(reader->play(counter, again).has_value());
    require(again.count_of(Severity::damage) == 0);
    require(counter.messages == report->contents.messages && counter.events == report->contents.events);
}

class Stream final : public ewf::ByteStream {
 public:
    explicit Stream(ewf::Bytes bytes) : bytes_(bytes) {}
    ewf::Expected<std::size_t> read(std::span<std::uint8_t> into) override {
        const std::size_t count = std::min<std::size_t>({into.size(), bytes_.size(), 100});
        std::copy_n(bytes_.begin(), count, into.begin());
        bytes_ = bytes_.subspan(count);
        return count;
    }

 private:
    ewf::Bytes bytes_;
};

void stream_all(ewf::Bytes bytes) {
    Diagnostics diagnostics;
    Stream stream(bytes);
    ewf::StreamReader reader(stream, diagnostics);
    TraceBatch batch;
    while (reader.next(batch, ewf::Parts::heads).value_or(false)) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    std::vector<std::uint8_t> bytes(data + 1, data + size);
    if (data[0] % 4 != 0) {
        fix_checksums(bytes);
    }
    decode_first_chunk(bytes);
    read_all(bytes);
    recover_all(bytes);
    stream_all(bytes);
    return 0;
}
