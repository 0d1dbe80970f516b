// Properties of the generated code itself: lossless, constant expressions, no allocation, consistent field tables.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <random>
#include <set>

#include "readers.hpp"

namespace {
std::atomic<std::uint64_t> allocations = 0;
}  // namespace

// NOLINTBEGIN(misc-definitions-in-headers,readability-identifier-naming)
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
// NOLINTEND(misc-definitions-in-headers,readability-identifier-naming)

namespace eciscope::spec_test {
namespace {

static_assert(std::is_trivially_copyable_v<eci::message>);
static_assert(std::is_trivially_copyable_v<eci::control>);
static_assert(std::is_aggregate_v<eci::mreq_line>);
static_assert(std::is_same_v<decltype(eci::mreq_line::rreq_id), std::uint8_t>);
static_assert(std::is_same_v<decltype(eci::irsp_data::unused_44), std::uint64_t>);

// The decoder runs at compile time.
constexpr eci::message shared_load = eci::decode(6, 0x0003e00000000080);
static_assert(shared_load.which == eci::message::kind::Mreq);
static_assert(shared_load.Mreq.which == eci::mreq::kind::Mreq_line);
static_assert(shared_load.Mreq.Mreq_line.op == eci::mreq_line_op::RLDD);
static_assert(shared_load.Mreq.Mreq_line.aliased_cli == 1);
static_assert(eci::encode(shared_load) == 0x0003e00000000080);
static_assert(eci::name(eci::mreq_line_op::RC2D_S) == "RC2D_S");
static_assert(eci::of_name<eci::block_type>("SYNC") == eci::block_type::SYNC);
static_assert(!eci::of_name<eci::block_type>("sync"));
static_assert(eci::doc(eci::message_class::MXC) == "interrupts and co-processor messages, VC 12");
static_assert(eci::all_of<eci::mrsp_victim_op>.size() == 3);
static_assert(shared_load == eci::message::make_Mreq(eci::mreq::make_Mreq_line(
                                 {.op = eci::mreq_line_op::RLDD, .dmask = 0xf, .ns = 1, .aliased_cli = 1})));

TEST(Generated, EveryWordOnEveryChannelComesBack) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t word = random();
        for (std::uint8_t vc = 0; vc < 16; ++vc) {
            const eci::message message = eci::decode(vc, word);
            ASSERT_EQ(eci::encode(message), word);
            ASSERT_TRUE(message == eci::decode(vc, word));
        }
        ASSERT_EQ(eci::control_word_forwards(eci::control_word_backwards(word)), word);
    }
}

TEST(Generated, NothingIsAllocated) {
    std::mt19937_64 random(3);
    std::uint64_t sum = 0;
    const std::uint64_t before = allocations;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t word = random();
        const auto vc = static_cast<std::uint8_t>(i % 16);
        const eci::message message = eci::decode(vc, word);
        sum += eci::encode(message) + eci::message_words(vc, word) + (eci::plausible_header(vc, word) ? 1U : 0U);
        sum += eci::layout_of(message).fields.size() + static_cast<unsigned>(eci::reply_to(message));
        eci::for_each_field(message, [&](const eci::field_info& field, auto value) {
            sum += field.name.size() + static_cast<std::uint64_t>(value);
        });
    }
    EXPECT_EQ(allocations, before);
    EXPECT_NE(sum, 0U);
}

// The fields of a message, put where the table says, are its word: no bit is left out, and none is shared.
TEST(Generated, FieldTablesSayWhereTheBitsAre) {
    std::mt19937_64 random(4);
    std::set<std::string_view> structures;
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t word = random();
        const auto vc = static_cast<std::uint8_t>(i % 16);
        std::uint64_t covered = 0;
        const eci::message message = eci::decode(vc, word);
        structures.insert(eci::layout_of(message).structure);
        eci::for_each_field(message, [&]<class T>(const eci::field_info& field, T value) {
            const std::uint64_t mask = ~std::uint64_t{0} >> (63 - (field.high - field.low)) << field.low;
            ASSERT_EQ(covered & mask, 0U) << field.name;
            covered |= mask;
            if constexpr (!eci::documented_enum<T>) {
                ASSERT_EQ(static_cast<std::uint64_t>(value), (word & mask) >> field.low) << field.name;
            }
        });
        ASSERT_EQ(covered, ~std::uint64_t{0});
    }
    EXPECT_EQ(structures.size(), 21U);
}

TEST(Generated, EveryLayoutIsListedOnceWithDocumentation) {
    std::set<std::string_view> constructors;
    for (const eci::layout_info& layout : eci::layouts) {
        EXPECT_TRUE(constructors.insert(layout.constructor).second) << layout.constructor;
        EXPECT_FALSE(layout.doc.empty()) << layout.constructor;
        for (const eci::field_info& field : layout.fields) {
            EXPECT_FALSE(field.doc.empty()) << layout.structure << "." << field.name;
            EXPECT_EQ(field.type == eci::field_type::enumeration, field.type_name.ends_with("_op"));
        }
    }
    EXPECT_TRUE(constructors.contains("Mreq_line"));
    EXPECT_TRUE(constructors.contains("Control_sync"));
    EXPECT_TRUE(constructors.contains("Unassigned"));
}

}  // namespace
}  // namespace eciscope::spec_test
