// Parts of the Markdown back end: texts, layouts of messages, tables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sailgen/ir.hpp"

namespace eciscope::sailgen::markdown {

using Row = std::vector<std::string>;

// A GitHub table, columns aligned also in the source.
[[nodiscard]] std::string table(const Row& head, const std::vector<Row>& rows);
[[nodiscard]] std::string code(std::string_view text);
// A documentation text as one line of prose, ended by a full stop and begun with a capital if `is_sentence`.
[[nodiscard]] std::string prose(std::string_view doc, bool is_sentence = false);
[[nodiscard]] std::string hex(unsigned width, std::uint64_t value);

// A run of bits of a word, as one clause of a mapping lays it out.
struct LayoutField {
    unsigned high = 0;
    unsigned low = 0;
    const StructField* field = nullptr;                  // null: no field of a struct
    std::string name;                                    // of the field or variable; empty for fixed bits
    const MappingDef* mapping = nullptr;                 // the code of an enum
    std::optional<std::uint64_t> fixed;                  // bits that are always so
    std::optional<std::pair<unsigned, unsigned>> slice;  // these bits of the field only
    TypeRef type = nullptr;
};

struct Layout {
    const MappingClause* clause = nullptr;
    const UnionConstructor* constructor = nullptr;  // null if the mapping is of a struct
    const StructDef* def = nullptr;                 // null if the payload is no struct
    std::vector<LayoutField> fields;                // from the highest bit down
};

// The layouts that a mapping between a union or struct and bits gives, in the order of its clauses. Empty for other
// mappings.
[[nodiscard]] std::vector<Layout> layouts_of(const MappingDef& mapping);

// Codes of an enum in a mapping to bits, by member.
[[nodiscard]] std::map<const EnumMember*, BitsValue> codes_of(const MappingDef& mapping);

// Tables of functions over few values, those with the same parameters together.
[[nodiscard]] std::vector<std::string> tabulate(const Program& program,
                                                const std::vector<const FunctionDef*>& functions);

// A constant's value, as Sail writes it.
[[nodiscard]] std::string constant_text(const Program& program, const LetDef& let);

}  // namespace eciscope::sailgen::markdown
