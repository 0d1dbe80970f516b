// Between the structures of the library and the messages of ewf_index.proto.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <limits>
#include <string>

#include "ewf_index.pb.h"
#include "index.hpp"

namespace eciscope::ewf {

namespace {

std::vector<std::uint8_t> serialise(const google::protobuf::MessageLite& message) {
    std::vector<std::uint8_t> out(message.ByteSizeLong());
    google::protobuf::io::ArrayOutputStream array(out.data(), static_cast<int>(out.size()));
    google::protobuf::io::CodedOutputStream coded(&array);
    coded.SetSerializationDeterministic(true);
    message.SerializeWithCachedSizes(&coded);
    return out;
}

template <class Message>
bool parse(Bytes payload, Message& message) {
    return payload.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
           message.ParseFromArray(payload.data(), static_cast<int>(payload.size()));
}

void to_proto(const Contents& contents, proto::Contents& out) {
    out.set_base_unix_seconds(contents.base.unix_seconds);
    out.set_messages(contents.messages);
    out.set_words(contents.words);
    out.set_events(contents.events);
    out.set_chunks(contents.chunks);
    for (std::size_t i = 0; i < stream_count; ++i) {
        const StreamSummary& stream = contents.streams[i];
        if (stream == StreamSummary{}) {
            continue;
        }
        proto::StreamSummary& to = *out.add_streams();
        to.set_link(Stream::of_index(i).link);
        to.set_from(Stream::of_index(i).from);
        to.set_messages(stream.messages);
        to.set_words(stream.words);
        to.set_events(stream.events);
    }
    out.set_first_min_ps(contents.first_min);
    out.set_last_max_ps(contents.last_max);
    out.set_from_power_on(contents.from_power_on);
}

bool from_proto(const proto::Contents& in, Contents& out) {
    out.base.unix_seconds = in.base_unix_seconds();
    out.messages = in.messages();
    out.words = in.words();
    out.events = in.events();
    out.chunks = in.chunks();
    for (const proto::StreamSummary& from : in.streams()) {
        if (from.link() >= link_count || from.from() >= node_count) {
            return false;
        }
        const Stream stream{static_cast<std::uint8_t>(from.link()), static_cast<std::uint8_t>(from.from())};
        out.streams[stream.index()] = {from.messages(), from.words(), from.events()};
    }
    out.first_min = in.first_min_ps();
    out.last_max = in.last_max_ps();
    out.from_power_on = in.from_power_on();
    return true;
}

void to_proto(const Metadata& metadata, const Contents& contents, proto::Metadata& out) {
    for (const NodeInfo& node : metadata.nodes) {
        proto::Node& to = *out.add_nodes();
        to.set_id(node.id);
        to.set_name(node.name);
    }
    for (const LinkInfo& link : metadata.links) {
        proto::Link& to = *out.add_links();
        to.set_id(link.id);
        to.set_name(link.name);
    }
    out.set_clock(static_cast<proto::Clock>(metadata.clock));
    to_proto(contents, *out.mutable_contents());
}

bool from_proto(const proto::Metadata& in, MetadataSection& out) {
    out.metadata.nodes.clear();
    out.metadata.links.clear();
    constexpr std::uint32_t id_max = 255;
    for (const proto::Node& node : in.nodes()) {
        if (node.id() > id_max) {
            return false;
        }
        out.metadata.nodes.push_back({static_cast<std::uint8_t>(node.id()), node.name()});
    }
    for (const proto::Link& link : in.links()) {
        if (link.id() > id_max) {
            return false;
        }
        out.metadata.links.push_back({static_cast<std::uint8_t>(link.id()), link.name()});
    }
    if (!proto::Clock_IsValid(in.clock())) {
        return false;
    }
    out.metadata.clock = static_cast<Clock>(in.clock());
    return from_proto(in.contents(), out.contents);
}

template <class Values>
std::size_t used(const Values& values) {
    std::size_t count = values.size();
    while (count > 0 && values[count - 1] == 0) {
        --count;
    }
    return count;
}

void to_proto(const ChunkInfo& info, proto::Chunk& out) {
    out.set_offset(info.offset);
    out.set_bytes(info.bytes);
    out.set_first_message(info.first_message);
    out.set_messages(info.messages);
    out.set_events(info.events);
    out.set_words(info.words);
    out.set_first_min_ps(info.first_min);
    out.set_last_min_ps(info.last_min);
    out.set_last_max_ps(info.last_max);
    for (std::size_t vc = 0; vc < used(info.vc_messages); ++vc) {
        out.add_vc_messages(info.vc_messages[vc]);
    }
    for (std::size_t vc = 0; vc < used(info.opcodes); ++vc) {
        out.add_opcodes(info.opcodes[vc]);
    }
    out.set_region_shift(info.region_shift);
    std::uint64_t previous = 0;
    for (const std::uint64_t region : info.regions) {
        out.add_region_steps(region - previous);
        previous = region;
    }
}

bool from_proto(const proto::Chunk& in, ChunkInfo& out) {
    out.offset = in.offset();
    out.bytes = in.bytes();
    out.first_message = in.first_message();
    out.messages = in.messages();
    out.events = in.events();
    out.words = in.words();
    out.first_min = in.first_min_ps();
    out.last_min = in.last_min_ps();
    out.last_max = in.last_max_ps();
    if (in.vc_messages_size() > static_cast<int>(vc_slots) || in.opcodes_size() > static_cast<int>(vc_slots) ||
        in.region_shift() > 63) {
        return false;
    }
    for (int vc = 0; vc < in.vc_messages_size(); ++vc) {
        out.vc_messages[static_cast<std::size_t>(vc)] = in.vc_messages(vc);
    }
    for (int vc = 0; vc < in.opcodes_size(); ++vc) {
        out.opcodes[static_cast<std::size_t>(vc)] = in.opcodes(vc);
    }
    out.region_shift = static_cast<std::uint8_t>(in.region_shift());
    out.regions.reserve(static_cast<std::size_t>(in.region_steps_size()));
    std::uint64_t region = 0;
    for (const std::uint64_t step : in.region_steps()) {
        if (step > std::numeric_limits<std::uint64_t>::max() - region || (step == 0 && !out.regions.empty())) {
            return false;
        }
        region += step;
        out.regions.push_back(region);
    }
    return true;
}

}  // namespace

std::vector<std::uint8_t> metadata_payload(const Metadata& metadata, const Contents& contents) {
    proto::Metadata out;
    to_proto(metadata, contents, out);
    return serialise(out);
}

std::vector<std::uint8_t> index_payload(const Metadata& metadata, const Contents& contents,
                                        const std::vector<ChunkInfo>& chunks) {
    proto::Index out;
    to_proto(metadata, contents, *out.mutable_metadata());
    out.mutable_chunks()->Reserve(static_cast<int>(chunks.size()));
    for (const ChunkInfo& chunk : chunks) {
        to_proto(chunk, *out.add_chunks());
    }
    return serialise(out);
}

std::vector<std::uint8_t> provenance_payload(const Provenance& provenance) {
    proto::Provenance out;
    out.set_tool(provenance.tool);
    out.set_tool_version(provenance.tool_version);
    for (const Provenance::Source& source : provenance.sources) {
        proto::Source& to = *out.add_sources();
        to.set_name(source.name);
        to.set_bytes(source.bytes);
        to.set_hash(source.hash);
    }
    out.set_interrupted(provenance.interrupted);
    return serialise(out);
}

std::optional<MetadataSection> parse_metadata(Bytes payload) {
    proto::Metadata in;
    MetadataSection out;
    if (!parse(payload, in) || !from_proto(in, out)) {
        return std::nullopt;
    }
    return out;
}

std::optional<IndexSection> parse_index(Bytes payload) {
    proto::Index in;
    IndexSection out;
    if (!parse(payload, in) || !from_proto(in.metadata(), out.metadata)) {
        return std::nullopt;
    }
    out.chunks.resize(static_cast<std::size_t>(in.chunks_size()));
    for (int i = 0; i < in.chunks_size(); ++i) {
        if (!from_proto(in.chunks(i), out.chunks[static_cast<std::size_t>(i)])) {
            return std::nullopt;
        }
    }
    return out;
}

std::optional<Provenance> parse_provenance(Bytes payload) {
    proto::Provenance in;
    if (!parse(payload, in)) {
        return std::nullopt;
    }
    Provenance out{in.tool(), in.tool_version(), {}, in.interrupted()};
    for (const proto::Source& source : in.sources()) {
        out.sources.push_back({source.name(), source.bytes(), source.hash()});
    }
    return out;
}

}  // namespace eciscope::ewf
