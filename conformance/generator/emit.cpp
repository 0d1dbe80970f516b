#include "emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace eciscope::conformance::generator {

namespace {

using model::Act;
using model::HomeReception;
using model::Machines;
using model::Move;
using model::StepSet;

constexpr std::size_t opcode_count = 32;
constexpr std::size_t vc_count = 16;
constexpr std::size_t no_symbol = 0xff;

template <class Range, class Write>
std::string list(const Range& range, Write&& write) {
    std::string text;
    for (const auto& element : range) {
        text += (text.empty() ? "" : ", ") + write(element);
    }
    return text;
}

template <class Range>
std::string numbers(const Range& range) {
    return list(range, [](auto n) { return std::to_string(+n); });
}

std::string truths(const std::vector<bool>& range) {
    return list(range, [](bool b) { return std::string(b ? "true" : "false"); });
}

std::string quoted(const std::string& text) {
    return fmt::format("\"{}\"", text);
}

std::string move(const Move& m) {
    return fmt::format("Move{{{}, {}, {}}}", m.next, m.sends, m.writes);
}

std::string acts(const std::vector<Act>& of_a_state) {
    return "std::vector<Act>{" +
           list(of_a_state, [](const Act& a) { return fmt::format("Act{{{}, {}}}", move(a.move), quoted(a.wish)); }) +
           "}";
}

std::string reception(const HomeReception& r) {
    constexpr const char* kinds[] = {"takes", "holds", "unspecified"};
    return fmt::format("HomeReception{{Reception::{}, {}}}", kinds[static_cast<std::size_t>(r.kind)], move(r.move));
}

class Writer {
 public:
    std::string run(const std::vector<ProfileTables>& profiles, const std::vector<model::Shape>& shapes,
                    const model::HeaderBits& bits) {
        line("// Generated from the specification by observergen.");
        line("#include <algorithm>");
        line("#include \"eciscope/conformance/tables.hpp\"");
        line("#include \"line_table.hpp\"");
        line("#include \"machines.hpp\"");
        line("namespace eciscope::conformance {{");
        line("namespace {{");
        line("using namespace model;");
        for (std::size_t i = 0; i < profiles.size(); ++i) {
            tables(i, profiles[i]);
        }
        line("const Profile all_profiles[] = {{");
        for (std::size_t i = 0; i < profiles.size(); ++i) {
            profile(i, profiles[i]);
        }
        line("}};");
        line("}}  // namespace");
        line("std::span<const Profile> profiles() {{ return all_profiles; }}");
        header(shapes, bits);
        line("}}  // namespace eciscope::conformance");
        return std::move(text_);
    }

 private:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_.push_back('\n');
    }

    void tables(std::size_t number, const ProfileTables& p) {
        machines(number, p.machines);
        line("constexpr Symbol symbols_{}[] = {{{}}};", number, list(p.symbols, [&](StepSet s) {
                 return fmt::format("{{{}u, {}}}", s, quoted(symbol_name(p.machines, s)));
             }));
        meanings(number, p);
        for (std::size_t tap = 0; tap < p.observers.size(); ++tap) {
            observer(number, tap, p);
        }
    }

    static std::string symbol_name(const Machines& m, StepSet steps) {
        std::string name;
        for (std::size_t s = 0; s < m.steps.size(); ++s) {
            if ((steps >> s & 1U) != 0) {
                name += (name.empty() ? "" : "|") + m.steps[s];
            }
        }
        return name;
    }

    void machines(std::size_t number, const Machines& m) {
        line("const Machines& machines_{}() {{", number);
        line("static const Machines tables{{{},", quoted(m.subset));
        line("{{{}}},", list(m.steps, quoted));
        line("{{{}}},", list(m.remote_states, quoted));
        line("{{{}}},", list(m.home_states, [](const std::string& s) { return quoted(s); }));
        line("{}, {},", m.remote_rest, m.home_rest);
        line("{{{}}},", list(m.kinds, [](auto k) { return fmt::format("StepKind({})", static_cast<int>(k)); }));
        line("{{{}}}, {{{}}}, {{{}}},", truths(m.from_home), truths(m.brings_data), truths(m.is_request));
        line("{{{}}},", list(m.remote_acts, acts));
        line("{{{}}},", list(m.remote_receives, [](const auto& by_step) {
                 return "std::vector<std::vector<Move>>{" +
                        list(by_step,
                             [](const auto& moves) { return "std::vector<Move>{" + list(moves, move) + "}"; }) +
                        "}";
             }));
        line("{{{}}},", list(m.home_acts, acts));
        line("{{{}}},", list(m.home_receives, [](const auto& by_step) {
                 return "std::vector<HomeReception>{" + list(by_step, reception) + "}";
             }));
        line("{{{}}}, {{{}}}, {{{}}},", truths(m.may_write), truths(m.may_read), truths(m.awaits_grant));
        line("{{{}}}, {{{}}}, {{{}}}, {{{}}}}};", numbers(m.seen_by_home), numbers(m.directory), truths(m.settled),
             truths(m.may_write_at_home));
        line("return tables;\n}}");
    }

    void meanings(std::size_t number, const ProfileTables& p) {
        std::vector<std::pair<std::size_t, std::size_t>> pairs(vc_count * opcode_count, {no_symbol, no_symbol});
        for (const model::Meanings::Row& row : p.meanings.rows) {
            const auto place = std::find(p.symbols.begin(), p.symbols.end(), row.steps);
            const auto symbol = static_cast<std::size_t>(place - p.symbols.begin());
            auto& pair = pairs[row.vc * opcode_count + row.opcode];
            (row.has_dmask ? pair.second : pair.first) = symbol;
        }
        line(
            "constexpr std::array<SymbolPair, vc_count * opcode_count> meanings_{}{{{{{}}}}};", number,
            list(pairs, [](const auto& pair) { return fmt::format("SymbolPair{{{}, {}}}", pair.first, pair.second); }));
    }

    void observer(std::size_t number, std::size_t tap, const ProfileTables& p) {
        const model::Observer& o = p.observers[tap];
        const std::string suffix = fmt::format("{}_{}", number, tap);
        line("constexpr StateNumber next_{}[] = {{{}}};", suffix,
             list(o.next, [](const auto& row) { return numbers(row); }));
        line("constexpr std::uint8_t owed_{}[] = {{{}}};", suffix, numbers(p.owed[tap]));
        std::vector<int> never(o.symbols.size(), 1);
        for (const auto& row : o.next) {
            for (std::size_t symbol = 0; symbol < row.size(); ++symbol) {
                never[symbol] = row[symbol] == model::Observer::impossible ? never[symbol] : 0;
            }
        }
        line("constexpr std::uint8_t never_{}[] = {{{}}};", suffix, numbers(never));
    }

    void profile(std::size_t number, const ProfileTables& p) {
        line("{{{}, {}, symbols_{}, meanings_{},", quoted(p.machines.subset), quoted(p.sentence), number, number);
        std::string observers;
        for (std::size_t tap = 0; tap < p.observers.size(); ++tap) {
            const model::Observer& o = p.observers[tap];
            observers += fmt::format("ObserverTable{{{0}, {1}, {2}, next_{3}_{4}, owed_{3}_{4}, never_{3}_{4}}}, ",
                                     o.next.size(), o.at_rest, o.anything, number, tap);
        }
        line("{{{{{}}}}}, machines_{}}},", observers, number);
    }

    void header(const std::vector<model::Shape>& shapes, const model::HeaderBits& bits) {
        std::vector<std::string> rows(vc_count * opcode_count, "HeaderShape{}");
        for (const model::Shape& s : shapes) {
            rows[s.vc * opcode_count + s.opcode] =
                fmt::format("HeaderShape{{{}, {}, {}, true, {}, {}, {}}}", s.line.shift, s.id.shift,
                            (1U << s.id.bits) - 1, s.sent_by_home, s.opens, s.closes);
        }
        line("const std::array<HeaderShape, vc_count * opcode_count> header_shapes{{{{{}}}}};",
             list(rows, [](const std::string& row) { return row; }));
        line("const HeaderField opcode_field{{{}, {}}};", bits.opcode.shift, bits.opcode.bits);
        line("const HeaderField dmask_field{{{}, {}}};", bits.dmask.shift, bits.dmask.bits);
        const unsigned line_bits = shapes.empty() ? 0 : shapes.front().line.bits;
        line("const unsigned line_bits = {};", line_bits);
        line("static_assert({} + 1 == line_key_bits, \"a line's key has room for its index and its home\");",
             line_bits);
    }

    std::string text_;
};

}  // namespace

std::string emit(const std::vector<ProfileTables>& profiles, const std::vector<model::Shape>& shapes,
                 const model::HeaderBits& bits) {
    return Writer().run(profiles, shapes, bits);
}

}  // namespace eciscope::conformance::generator
