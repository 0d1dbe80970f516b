#include "export/message_layout.hpp"

#include <eciscope/spec/eci.hpp>
#include <type_traits>

namespace eciscope::ewf::detail {

namespace {

constexpr std::size_t circuits = 16;
constexpr std::size_t opcodes = 32;

/// Calls `f` with the structure at the end of the unions.
template <class T, class F>
void with_structure(const T& message, F&& f) {
    if constexpr (requires { message.which; }) {
        visit(message, [&](const auto& inner) { with_structure(inner, f); });
    } else {
        f(message);
    }
}

bool is_quiet(std::string_view name) {
    return name.starts_with("unused_") || name.starts_with("unknown_");
}

/// Where the operation stands in the header, and its code: by these a layout is recognised.
struct OperationCode {
    LayoutField field;
    std::uint64_t code = 0;
};

MessageLayout make_layout(std::uint8_t vc, std::uint64_t header, std::optional<OperationCode>& operation) {
    const eci::message message = eci::decode(vc, header);
    const bool about_line = eci::line_of(message).has_value();
    MessageLayout layout;
    layout.class_name = name(eci::class_of_vc(vc));
    layout.op = layout.class_name == name(eci::message_class::UNASSIGNED) ? "UNASSIGNED" : "UNDOCUMENTED";
    layout.documented = eci::is_documented(message);
    layout.home = {eci::home_of(0, message), eci::home_of(1, message)};
    with_structure(message, [&](const auto& structure) {
        for_each_field(structure, [&](const auto& info, const auto& value) {
            const LayoutField field{info.name, static_cast<std::uint8_t>(info.low),
                                    static_cast<std::uint8_t>(info.high - info.low + 1), is_quiet(info.name)};
            if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
                layout.op = name(value);
                operation = OperationCode{field, field.of(header)};
            } else if (about_line && info.name == "aliased_cli") {
                layout.line = field;
            } else {
                layout.op = info.name == "opcode" ? "RESERVED" : layout.op;
                layout.fields.push_back(field);
            }
        });
    });
    return layout;
}

/// Layouts of every header. On circuits whose operation stands where the specification says that opcodes stand, a table
/// leads to them; on others the few operations are compared one by one.
class LayoutTable {
 public:
    LayoutTable() {
        for (std::size_t vc = 0; vc < circuits; ++vc) {
            const auto circuit = static_cast<std::uint8_t>(vc);
            const eci::message_class kind = eci::class_of_vc(circuit);
            by_opcode_[vc] = kind != eci::message_class::MXC && kind != eci::message_class::UNASSIGNED;
            if (by_opcode_[vc]) {
                fill_by_opcode(circuit);
            } else {
                fill_by_comparing(circuit);
            }
            MessageLayout empty;
            empty.class_name = name(kind);
            empty.op = "UNDOCUMENTED";
            empty_[vc] = add(std::move(empty));
        }
    }

    [[nodiscard]] const MessageLayout& find(std::uint8_t vc, std::uint64_t header) const {
        const std::size_t circuit = vc % circuits;
        if (by_opcode_[circuit]) {
            return all_[table_[circuit][eci::opcode_of(header) % opcodes]];
        }
        for (const Compared& each : compared_[circuit]) {
            if (each.operation.field.of(header) == each.operation.code) {
                return all_[each.id];
            }
        }
        return all_[table_[circuit][0]];
    }

    [[nodiscard]] const MessageLayout& without_words(std::uint8_t vc) const { return all_[empty_[vc % circuits]]; }

    [[nodiscard]] const std::vector<MessageLayout>& all() const { return all_; }

 private:
    struct Compared {
        OperationCode operation;
        std::size_t id = 0;
    };

    std::size_t add(MessageLayout layout) {
        layout.id = all_.size();
        all_.push_back(std::move(layout));
        return all_.back().id;
    }

    void fill_by_opcode(std::uint8_t vc) {
        std::array<bool, opcodes> done{};
        for (unsigned shift = 0; shift < 60; ++shift) {  // until every opcode was met, wherever it stands
            for (std::uint64_t code = 0; code < opcodes; ++code) {
                const std::uint64_t header = code << shift;
                const std::size_t opcode = eci::opcode_of(header) % opcodes;
                if (!done[opcode]) {
                    done[opcode] = true;
                    std::optional<OperationCode> unused;
                    table_[vc][opcode] = add(make_layout(vc, header, unused));
                }
            }
        }
    }

    /// Operations of these circuits are known by at most eight bits, tried at every place; what has none comes last.
    void fill_by_comparing(std::uint8_t vc) {
        std::optional<OperationCode> operation;
        for (unsigned shift = 0; shift <= 56; ++shift) {
            for (std::uint64_t code = 0; code < 256; ++code) {
                operation.reset();
                MessageLayout layout = make_layout(vc, code << shift, operation);
                if (operation && !is_known(vc, *operation)) {
                    compared_[vc].push_back({*operation, add(std::move(layout))});
                } else if (!operation && table_[vc][0] == 0) {
                    table_[vc][0] = add(std::move(layout));
                }
            }
        }
    }

    [[nodiscard]] bool is_known(std::uint8_t vc, const OperationCode& operation) const {
        for (const Compared& each : compared_[vc]) {
            if (each.operation.code == operation.code) {
                return true;
            }
        }
        return false;
    }

    std::vector<MessageLayout> all_;
    std::array<std::array<std::size_t, opcodes>, circuits> table_{};
    std::array<std::vector<Compared>, circuits> compared_;
    std::array<std::size_t, circuits> empty_{};
    std::array<bool, circuits> by_opcode_{};
};

const LayoutTable& table() {
    static const LayoutTable built;
    return built;
}

}  // namespace

const std::vector<MessageLayout>& layouts() {
    return table().all();
}

const MessageLayout& layout_of(std::uint8_t vc, std::uint64_t header) {
    return table().find(vc, header);
}

Described describe(std::uint8_t vc, std::span<const std::uint64_t> words) {
    return words.empty() ? Described{table().without_words(vc), 0} : Described{layout_of(vc, words[0]), words[0]};
}

LineFacts line_facts(const MessageLayout& layout, std::uint8_t from, std::uint64_t header) {
    const std::uint64_t index = layout.line->of(header);
    return {layout.home[from & 1], eci::line_address(index), index};
}

std::size_t words_of_header(std::uint8_t vc, std::uint64_t header) {
    return static_cast<std::size_t>(eci::message_words(vc, header));
}

}  // namespace eciscope::ewf::detail
