// Where an index is kept: beside its trace, else in the cache, else only in memory.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "eciscope/ewf/reader.hpp"
#include "file_handle.hpp"
#include "index.hpp"

namespace eciscope::view {

/// A folder of the user's cache for a file, with a name that no other file has there; empty where there is none.
[[nodiscard]] std::string cache_path(const std::string& path, const std::string& extension);

[[nodiscard]] IndexSource index_source(const std::string& path, const ewf::Reader& reader);

/// An index file while it is written; it takes its place only when it is whole.
struct PlannedFile {
    FileHandle file;
    std::string temporary;  ///< empty: the file has no name
    std::string place;
    /// Moves it to its place; without a name there is nothing to do.
    [[nodiscard]] bool settle();
    PlannedFile() = default;
    PlannedFile(PlannedFile&& other) noexcept;
    PlannedFile& operator=(PlannedFile&& other) noexcept;
    ~PlannedFile();
};

/// None where the folder cannot be written.
[[nodiscard]] std::optional<PlannedFile> plan_file(const std::string& place);

class IndexStore {
 public:
    IndexStore(std::string trace_path, bool keep) : trace_path_(std::move(trace_path)), keep_(keep) {}

    struct Found {
        FileHandle file;
        std::shared_ptr<const Index> index;
    };
    /// An index that was made of this source.
    [[nodiscard]] std::optional<Found> find(const IndexSource& source) const;
    [[nodiscard]] ewf::Expected<PlannedFile> plan() const;

 private:
    std::string trace_path_;
    bool keep_;
};

}  // namespace eciscope::view
