// support.hpp: what generated code is written with. The same for every specification but for the namespace.
#include "backend_cpp.hpp"

namespace eciscope::sailgen::cpp {

namespace {

constexpr std::string_view words_text = R"text(/// An unsigned integer of at least so many bits.
template <unsigned width>
using smallest = std::conditional_t<
    width <= 8, std::uint8_t,
    std::conditional_t<width <= 16, std::uint16_t, std::conditional_t<width <= 32, std::uint32_t, std::uint64_t>>>;

template <class T>
concept integer = std::is_integral_v<T>;

/// Bits high .. low of a word.
template <unsigned high, unsigned low>
[[nodiscard]] constexpr smallest<high - low + 1> field(std::uint64_t word) noexcept {
    static_assert(low <= high && high < 64);
    constexpr std::uint64_t mask = ~std::uint64_t{0} >> (63 - (high - low));
    return static_cast<smallest<high - low + 1>>((word >> low) & mask);
}

/// A value whose lowest bit is to be bit `low` of a word.
template <unsigned low>
[[nodiscard]] constexpr std::uint64_t place(integer auto value) noexcept {
    return static_cast<std::uint64_t>(value) << low;
}

/// The word with bits high .. low replaced.
template <unsigned high, unsigned low, integer T>
[[nodiscard]] constexpr T with_field(T word, std::uint64_t value) noexcept {
    constexpr std::uint64_t mask = (~std::uint64_t{0} >> (63 - (high - low))) << low;
    return static_cast<T>((word & ~mask) | ((value << low) & mask));
}

/// Whether a number below 64 is one of those listed: a single test of a bit, and no jump table.
template <unsigned... numbers>
[[nodiscard]] constexpr bool one_of(integer auto number) noexcept {
    static_assert(((numbers < 64) && ...));
    constexpr std::uint64_t set = ((std::uint64_t{1} << numbers) | ...);
    return ((set >> (static_cast<unsigned>(number) % 64)) & 1) != 0;
}

[[nodiscard]] constexpr bool bit_at(std::uint64_t word, integer auto index) noexcept {
    return ((word >> index) & 1) != 0;
}

template <integer T>
[[nodiscard]] constexpr T with_bit(T word, integer auto index, bool value) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << index;
    return static_cast<T>(value ? word | bit : word & ~bit);
}

/// Shifts of a number of `width` bits; what leaves it is lost, and any distance is allowed.
template <unsigned width>
[[nodiscard]] constexpr std::uint64_t shift_left(std::uint64_t value, std::int64_t by) noexcept {
    return by >= std::int64_t{width} ? 0 : (value << by) & (~std::uint64_t{0} >> (64 - width));
}

template <unsigned width>
[[nodiscard]] constexpr std::uint64_t shift_right(std::uint64_t value, std::int64_t by) noexcept {
    return by >= std::int64_t{width} ? 0 : value >> by;
}

/// A number of `from` bits in two's complement as one of `to` bits.
template <unsigned from, unsigned to>
[[nodiscard]] constexpr std::uint64_t sign_extend(std::uint64_t value) noexcept {
    const auto wide = static_cast<std::int64_t>(value << (64 - from)) >> (64 - from);
    return static_cast<std::uint64_t>(wide) & (~std::uint64_t{0} >> (64 - to));
}

template <unsigned width>
[[nodiscard]] constexpr std::uint64_t arith_shift_right(std::uint64_t value, std::int64_t by) noexcept {
    const auto wide = static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
    return static_cast<std::uint64_t>(wide >> (by < 63 ? by : 63)) & (~std::uint64_t{0} >> (64 - width));
}

/// A number of `width` bits written `times` times, one after the other.
template <unsigned width, unsigned times>
[[nodiscard]] constexpr std::uint64_t replicate(std::uint64_t value) noexcept {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < times; ++i) result |= value << (i * width);
    return result;
}

[[nodiscard]] constexpr std::int64_t absolute(std::int64_t value) noexcept {
    return value < 0 ? -value : value;
}

[[nodiscard]] constexpr std::int64_t power(std::int64_t base, std::int64_t exponent) noexcept {
    std::int64_t result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
}
)text";

constexpr std::string_view names_text = R"text(
/// A member of an enum, or a constructor of a union.
struct member_info {
    std::string_view name;
    std::string_view doc;
};

/// The members of an enum E, or for E = U::kind the constructors of a union U, by their number.
template <class E>
inline constexpr std::array<member_info, 0> members_of{};

template <class E>
concept documented_enum = std::is_enum_v<E> && (members_of<E>.size() > 0);

/// The name as the specification has it; empty if the value is none of the enum's.
template <documented_enum E>
[[nodiscard]] constexpr std::string_view name(E value) noexcept {
    const auto index = static_cast<std::size_t>(value);
    return index < members_of<E>.size() ? members_of<E>[index].name : std::string_view{};
}

template <documented_enum E>
[[nodiscard]] constexpr std::string_view doc(E value) noexcept {
    const auto index = static_cast<std::size_t>(value);
    return index < members_of<E>.size() ? members_of<E>[index].doc : std::string_view{};
}

/// All members of an enum, in order.
template <documented_enum E>
inline constexpr auto all_of = [] {
    std::array<E, members_of<E>.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<E>(i);
    return all;
}();

/// The member of that name.
template <documented_enum E>
[[nodiscard]] constexpr std::optional<E> of_name(std::string_view wanted) noexcept {
    for (const E value : all_of<E>) {
        if (name(value) == wanted) return value;
    }
    return std::nullopt;
}

/// A union of Sail: `which` says which of its members is the value.
template <class U>
concept tagged_union = documented_enum<typename U::kind> && requires(const U& u) {
    { u.which } -> std::convertible_to<typename U::kind>;
};
)text";

constexpr unsigned longest_tuple = 8;

// Aggregates, unlike std::tuple, so that unions which hold one stay trivially copyable.
void write_tuple(Writer& out, unsigned size) {
    std::string parameters;
    for (unsigned i = 0; i < size; ++i) parameters += (i == 0 ? "class T" : ", class T") + std::to_string(i);
    const std::string name = "tuple" + std::to_string(size);
    out.line();
    if (size == 2) out.doc("Tuples of Sail.");
    out.line("template <" + parameters + ">");
    out.open("struct " + name);
    for (unsigned i = 0; i < size; ++i) out.line("T" + std::to_string(i) + " item" + std::to_string(i) + "{};");
    out.line("friend constexpr bool operator==(const " + name + "&, const " + name + "&) = default;");
    out.close(";");
}

}  // namespace

std::string support_text() {
    Writer tuples;
    for (unsigned size = 2; size <= longest_tuple; ++size) write_tuple(tuples, size);
    return std::string(words_text) + tuples.take() + std::string(names_text);
}

}  // namespace eciscope::sailgen::cpp
