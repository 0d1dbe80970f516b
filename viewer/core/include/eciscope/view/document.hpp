// A trace that is looked at: what the file holds, its index, and every question that the windows ask. Knows no Qt.
//
// A document works in the background: it decodes a capture to EWF beside it, indexes, and checks. Everything can be
// asked meanwhile, and answers with what is known so far. Members may be called from one thread; `changed` comes from
// another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/metadata.hpp"
#include "eciscope/ewf/reader.hpp"
#include "eciscope/view/filter.hpp"
#include "eciscope/view/picture.hpp"
#include "eciscope/view/track.hpp"

namespace eciscope::view {

using MessageNumber = std::uint64_t;

enum class Phase : std::uint8_t {
    decoding,  ///< a capture to EWF
    indexing,
    checking,  ///< against the protocol
    ready,
    cancelled,
    failed,
};

struct Status {
    Phase phase{};
    std::uint64_t done = 0;  ///< messages, or bytes while decoding
    std::uint64_t total = 0;
    std::vector<std::string> troubles;  ///< damage, files changed underneath: sentences for the window
    bool index_from_file = false;       ///< nothing had to be built
};

struct OpenOptions {
    bool index = true;       ///< build or load the index
    bool check = true;       ///< look for violations
    bool keep_index = true;  ///< write it beside the file; a folder that cannot be written falls back to the cache
    std::string profile = "ThunderX";
    std::function<void()> changed{};  ///< status or content changed; from the worker's thread, at most 20 a second
};

struct Facts {
    std::string path;
    std::string source;  ///< "capture", "EWF"
    TimeBase base;
    Limits limits;
    std::uint64_t messages = 0;
    ewf::Metadata metadata;
    ewf::Clock clock{};
};

/// A message as the table and the details panel show it.
struct MessageRow {
    MessageNumber number = 0;
    MessageHead head;
    std::uint64_t header = 0;
    std::string op;
    std::string message_class;
    std::optional<ewf::Line> line;
    std::optional<std::uint64_t> address;
};

struct FieldText {
    std::string name;  ///< as in the specification
    std::string value;
    std::string meaning;  ///< the specification's sentence
};

struct MessageDetails {
    MessageRow row;
    std::vector<FieldText> fields;
    std::vector<std::uint64_t> words;
    std::optional<MessageNumber> request;  ///< that this answers
    std::optional<MessageNumber> answer;
    Picoseconds latency = 0;  ///< where either is known
    std::string fragments;    ///< blocks and records it came from
};

struct Finding {
    Picoseconds time = 0;
    Worst worst{};
    std::string id;       ///< rule or event: "coherence.grant-without-request", "lost"
    std::string text;     ///< a sentence
    std::string details;  ///< of a violation: expected, hypotheses, history
    std::optional<MessageNumber> message;
    std::optional<ewf::Line> line;
    Stream stream;
};

/// Of a selected range of time.
struct Statistics {
    Picoseconds from = 0;
    Picoseconds to = 0;
    std::uint64_t messages = 0;
    std::uint64_t words = 0;
    struct Count {
        std::string name;  ///< "VC 6 RLDX"
        std::uint64_t messages = 0;
    };
    std::vector<Count> counts;  ///< most frequent first
    struct Latency {
        std::string request;
        std::uint64_t count = 0;
        Picoseconds least = 0;
        Picoseconds median = 0;
        Picoseconds most = 0;
        std::vector<std::uint64_t> histogram;  ///< by doubling from 1 ns
    };
    std::vector<Latency> latencies;
    bool exact = true;  ///< false: from the index alone, the range being too long to be read while a person waits
};

class Document {
 public:
    /// Returns at once; the rest happens in the background.
    static ewf::Expected<std::unique_ptr<Document>> open(const std::string& path, OpenOptions options);
    ~Document();

    [[nodiscard]] Facts facts() const;
    [[nodiscard]] Status status() const;
    void cancel();
    /// Blocks until ready, cancelled or failed.
    void wait();

    [[nodiscard]] std::vector<TrackInfo> tracks() const;
    [[nodiscard]] std::vector<std::string> request_kinds() const;
    /// What to draw. Takes a few milliseconds at any zoom; nothing is read that cannot be drawn.
    [[nodiscard]] Picture picture(const Viewport& viewport, std::span<const TrackId> tracks, const Filter& filter);

    /// Messages in order of completion; fewer than `count` at the end or where a chunk is damaged.
    [[nodiscard]] std::vector<MessageRow> rows(MessageNumber first, std::size_t count);
    [[nodiscard]] std::optional<MessageDetails> details(MessageNumber message);
    /// Number of the first message completed at `time` or later.
    [[nodiscard]] MessageNumber message_at(Picoseconds time);
    /// All messages of a line, up to `most`.
    [[nodiscard]] std::vector<MessageRow> line_history(ewf::Line line, std::size_t most);
    [[nodiscard]] std::vector<Finding> findings() const;
    /// The same in parts, for traces with very many of them; numbers are those of Mark::finding, in order of time.
    [[nodiscard]] std::size_t finding_count() const;
    [[nodiscard]] std::vector<Finding> findings(std::size_t first, std::size_t count) const;
    /// Number of the first finding at `time` or later.
    [[nodiscard]] std::size_t finding_at(Picoseconds time) const;
    /// The next message after (or before) `from` that the filter takes. Asks `go_on` now and then.
    [[nodiscard]] std::optional<MessageNumber> find(const Filter& filter, MessageNumber from, bool forward,
                                                    const std::function<bool()>& go_on);
    [[nodiscard]] Statistics statistics(Picoseconds from, Picoseconds to);
    enum class Format : std::uint8_t { csv, ndjson };
    ewf::Expected<std::uint64_t> export_messages(const std::string& path, Format format, Picoseconds from,
                                                 Picoseconds to, const Filter& filter);

 private:
    class Impl;
    explicit Document(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::view
