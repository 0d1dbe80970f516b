// Traces in files of their own, for tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "eciscope/ewf/writer.hpp"
#include "eciscope/view/document.hpp"

namespace eciscope::view {

class TraceFile : public testing::Test {
 protected:
    void SetUp() override {
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() / (std::string(test->name()) + "." + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
        path_ = (folder_ / "trace.ewf").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::vector<TraceBatch>& batches) const {
        ewf::MemorySink sink;
        ewf::Writer writer(sink);
        for (const TraceBatch& batch : batches) {
            ASSERT_TRUE(writer.batch(batch));
        }
        ASSERT_TRUE(writer.finish({}));
        std::FILE* const file = std::fopen(path_.c_str(), "wb");
        ASSERT_NE(file, nullptr);
        std::fwrite(sink.bytes().data(), 1, sink.bytes().size(), file);
        std::fclose(file);
    }

    static std::unique_ptr<Document> opened(const std::string& path, OpenOptions options = {}) {
        auto document = Document::open(path, std::move(options));
        EXPECT_TRUE(document) << (document ? "" : document.error().message);
        if (document) {
            (*document)->wait();
            EXPECT_EQ((*document)->status().phase, Phase::ready);
            for (const std::string& trouble : (*document)->status().troubles) {
                ADD_FAILURE() << trouble;
            }
        }
        return document ? std::move(*document) : nullptr;
    }

    std::filesystem::path folder_;
    std::string path_;
};

/// The track of a kind, with what else tells it from others.
inline TrackId track(TrackKind kind, Stream stream = {}, std::uint8_t vc = 0) {
    TrackId id;
    id.kind = kind;
    id.stream = stream;
    id.vc = vc;
    return id;
}

}  // namespace eciscope::view
