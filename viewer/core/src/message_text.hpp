// What the table and the details panel say of a message.
#pragma once

#include <string>
#include <vector>

#include "chunk_cache.hpp"
#include "eciscope/view/document.hpp"
#include "message_kinds.hpp"

namespace eciscope::view {

[[nodiscard]] std::optional<ewf::Line> line_of(const NearMessage& message);
[[nodiscard]] MessageRow row_of(const NearMessage& message, MessageKinds& kinds);
/// The header's fields, highest first, with the specification's sentences.
[[nodiscard]] std::vector<FieldText> fields_of(const NearMessage& message);
/// "blocks 17 to 19 of link 0, CPU to FPGA; …"
[[nodiscard]] std::string fragments_of(const NearMessage& message, const ewf::Metadata& metadata);

/// Calls `visit` for messages from number `from` on (or back, that one first); stops when it returns false, after
/// `most` messages, or where something is missing from the trace and `over_gaps` is false.
void walk(const ewf::Reader& reader, ChunkCache& chunks, MessageNumber from, bool forward, std::size_t most,
          bool over_gaps, const std::function<bool(const NearMessage&)>& visit);

struct Link {
    MessageNumber other = 0;
    Picoseconds latency = 0;
};
struct Links {
    std::optional<Link> request;
    std::optional<Link> answer;
};
/// What a message answers and what answers it, looked for among the messages around it.
[[nodiscard]] Links links_of(const NearMessage& message, const ewf::Reader& reader, ChunkCache& chunks);

}  // namespace eciscope::view
