#include "exhaustiveness.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace eciscope::sailgen {
namespace {

// The usual matrix of constructor patterns. A bit vector is a tuple of its bits (a column of type null), so literals
// and concatenations need no special treatment. A number or string is a constructor without parts, of which only a
// small range has all.
constexpr std::size_t most_cells = 20'000'000;
constexpr unsigned deepest_recursion = 2000;
constexpr std::int64_t largest_full_range = 1024;

struct Shape {
    std::optional<std::size_t> constructor;  // none is a wildcard
    std::vector<Shape> parts;
};

using ShapeRow = std::vector<const Shape*>;
const Shape wildcard{};

bool is_full_range(TypeRef type) {
    return type->low && type->high &&
           static_cast<std::uint64_t>(*type->high) - static_cast<std::uint64_t>(*type->low) < largest_full_range;
}

// How many constructors a type has; 0 is without end.
std::size_t constructor_count(TypeRef type) {
    if (type == nullptr) return 2;
    switch (type->kind) {
        case TypeKind::boolean:
        case TypeKind::bit:
        case TypeKind::option:
            return 2;
        case TypeKind::enumeration:
            return type->enum_def->members.size();
        case TypeKind::union_type:
            return type->union_def->constructors.size();
        case TypeKind::integer:
            return is_full_range(type) ? static_cast<std::size_t>(*type->high - *type->low) + 1 : 0;
        case TypeKind::string:
            return 0;
        default:
            return 1;
    }
}

std::vector<TypeRef> part_types(TypeRef type, std::size_t constructor) {
    if (type == nullptr) return {};
    switch (type->kind) {
        case TypeKind::bits:
            return std::vector<TypeRef>(type->width, nullptr);
        case TypeKind::bitfield:
            return std::vector<TypeRef>(type->bitfield_def->width, nullptr);
        case TypeKind::tuple:
            return type->elements;
        case TypeKind::vector:
            return std::vector<TypeRef>(type->length, type->elements[0]);
        case TypeKind::option:
            return constructor == 1 ? type->elements : std::vector<TypeRef>();
        case TypeKind::union_type:
            return {type->union_def->constructors[constructor]->payload};
        case TypeKind::structure: {
            std::vector<TypeRef> types;
            types.reserve(type->struct_def->fields.size());
            for (const StructField* field : type->struct_def->fields) types.push_back(field->type);
            return types;
        }
        default:
            return {};
    }
}

// Whether a pattern takes every value of its type, mappings included.
class Converter {
 public:
    [[nodiscard]] bool is_opaque() const { return is_opaque_; }
    [[nodiscard]] bool is_broken() const { return is_broken_; }

    Shape convert(PatternRef pattern) {
        if (pattern->type->kind == TypeKind::error) {
            is_broken_ = true;
            return {};
        }
        return std::visit([&](const auto& node) { return shape(node, pattern->type); }, pattern->node);
    }

 private:
    Shape shape(const WildcardPattern&, TypeRef) { return {}; }
    Shape shape(const BindPattern&, TypeRef) { return {}; }
    Shape shape(const SlicePattern&, TypeRef) { return {}; }
    Shape shape(const LiteralPattern& node, TypeRef type) {
        return std::visit([&](const auto& value) { return literal(value, type); }, node.value);
    }
    Shape shape(const EnumPattern& node, TypeRef) { return {node.member->index, {}}; }
    Shape shape(const ConstructorPattern& node, TypeRef) { return {node.constructor->index, {convert(node.payload)}}; }
    Shape shape(const SomePattern& node, TypeRef) { return {1, {convert(node.payload)}}; }
    Shape shape(const NonePattern&, TypeRef) { return {0, {}}; }
    Shape shape(const TuplePattern& node, TypeRef) { return {0, convert_all(node.elements)}; }
    Shape shape(const StructPattern& node, TypeRef) { return {0, convert_all(node.fields)}; }
    Shape shape(const BitfieldPattern& node, TypeRef) { return convert(node.bits); }
    Shape shape(const AsPattern& node, TypeRef) { return convert(node.pattern); }
    Shape shape(const VectorPattern& node, TypeRef) { return {0, convert_all(node.elements)}; }
    Shape shape(const ConcatPattern& node, TypeRef type) {
        Shape result{0, {}};
        for (const PatternRef part : node.parts) {
            Shape bits = convert(part);
            if (!bits.constructor) bits.parts.resize(part->type->width);
            std::move(bits.parts.begin(), bits.parts.end(), std::back_inserter(result.parts));
        }
        result.parts.resize(type->width);
        return result;
    }
    Shape shape(const MappingPattern& node, TypeRef) {
        const Shape inner = convert(node.inner);
        const bool total = node.direction == Direction::forwards ? node.mapping->left_total : node.mapping->right_total;
        if (!total || !takes_all(inner, node.inner->type)) is_opaque_ = true;
        return {};
    }

    Shape literal(UnitValue, TypeRef) { return {0, {}}; }
    Shape literal(bool value, TypeRef) { return {value ? 1U : 0U, {}}; }
    Shape literal(BitValue value, TypeRef) { return {value.set ? 1U : 0U, {}}; }
    Shape literal(BitsValue value, TypeRef) {
        Shape result{0, {}};
        for (unsigned bit = value.width; bit-- > 0;) result.parts.push_back({(value.value >> bit) & 1U, {}});
        return result;
    }
    Shape literal(std::int64_t value, TypeRef type) {
        if (is_full_range(type)) return {static_cast<std::size_t>(value - *type->low), {}};
        // Without a range the value itself tells the constructors apart.
        return {static_cast<std::size_t>(value), {}};
    }
    Shape literal(const std::string& value, TypeRef) {
        return {strings_.try_emplace(value, strings_.size()).first->second, {}};
    }

    std::vector<Shape> convert_all(const std::vector<PatternRef>& patterns) {
        std::vector<Shape> shapes;
        shapes.reserve(patterns.size());
        for (const PatternRef pattern : patterns) shapes.push_back(convert(pattern));
        return shapes;
    }

    static bool takes_all(const Shape& shape, TypeRef type) {
        if (!shape.constructor) return true;
        if (constructor_count(type) != 1) return false;
        const std::vector<TypeRef> types = part_types(type, *shape.constructor);
        for (std::size_t i = 0; i < shape.parts.size() && i < types.size(); ++i) {
            if (!takes_all(shape.parts[i], types[i])) return false;
        }
        return true;
    }

    std::map<std::string, std::size_t> strings_;
    bool is_opaque_ = false;
    bool is_broken_ = false;

 public:
    // For the next row; the numbers of strings stay.
    void reset() { is_opaque_ = false; }
};

class Matrix {
 public:
    // A value that `query` takes and no row does.
    std::optional<std::vector<Shape>> find(std::vector<ShapeRow> rows, const ShapeRow& query,
                                           const std::vector<TypeRef>& types) {
        cells_ += (rows.size() + 1) * (types.size() + 1);
        if (cells_ > most_cells || depth_ >= deepest_recursion) {
            is_too_large_ = true;
            return std::nullopt;
        }
        if (rows.empty()) return std::vector<Shape>(types.size());
        const std::optional<std::size_t> column = choose(rows, query, types.size());
        if (!column) return std::nullopt;
        ++depth_;
        auto result = split(rows, query, types, *column);
        --depth_;
        return result;
    }

    [[nodiscard]] bool is_too_large() const { return is_too_large_; }

 private:
    // A column to look at; none if the first row takes everything.
    static std::optional<std::size_t> choose(const std::vector<ShapeRow>& rows, const ShapeRow& query,
                                             std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            if (rows.front()[i]->constructor && query[i]->constructor) return i;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (rows.front()[i]->constructor) return i;
        }
        return std::nullopt;
    }

    static ShapeRow replaced(const ShapeRow& row, std::size_t column, std::size_t count) {
        const Shape& head = *row[column];
        ShapeRow result(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(column));
        for (std::size_t i = 0; i < count; ++i) {
            result.push_back(head.constructor && i < head.parts.size() ? &head.parts[i] : &wildcard);
        }
        result.insert(result.end(), row.begin() + static_cast<std::ptrdiff_t>(column) + 1, row.end());
        return result;
    }

    std::optional<std::vector<Shape>> split(const std::vector<ShapeRow>& rows, const ShapeRow& query,
                                            const std::vector<TypeRef>& types, std::size_t column) {
        if (query[column]->constructor) return with(rows, query, types, column, *query[column]->constructor);
        std::vector<std::size_t> used;
        for (const ShapeRow& row : rows) {
            if (row[column]->constructor) used.push_back(*row[column]->constructor);
        }
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        if (used.size() != constructor_count(types[column])) return without(rows, query, types, column, used);
        for (const std::size_t constructor : used) {
            if (auto found = with(rows, query, types, column, constructor)) return found;
        }
        return std::nullopt;
    }

    // Values with this constructor in the column.
    std::optional<std::vector<Shape>> with(const std::vector<ShapeRow>& rows, const ShapeRow& query,
                                           const std::vector<TypeRef>& types, std::size_t column,
                                           std::size_t constructor) {
        const std::vector<TypeRef> parts = part_types(types[column], constructor);
        std::vector<TypeRef> inner_types(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(column));
        inner_types.insert(inner_types.end(), parts.begin(), parts.end());
        inner_types.insert(inner_types.end(), types.begin() + static_cast<std::ptrdiff_t>(column) + 1, types.end());
        std::vector<ShapeRow> inner;
        for (const ShapeRow& row : rows) {
            if (!row[column]->constructor || *row[column]->constructor == constructor) {
                inner.push_back(replaced(row, column, parts.size()));
            }
        }
        auto found = find(std::move(inner), replaced(query, column, parts.size()), inner_types);
        if (!found) return std::nullopt;
        const auto begin = found->begin() + static_cast<std::ptrdiff_t>(column);
        const auto end = begin + static_cast<std::ptrdiff_t>(parts.size());
        Shape whole{constructor, std::vector<Shape>(std::make_move_iterator(begin), std::make_move_iterator(end))};
        const auto at = found->erase(begin, end);
        found->insert(at, std::move(whole));
        return found;
    }

    // Values whose constructor in the column no row names.
    std::optional<std::vector<Shape>> without(const std::vector<ShapeRow>& rows, const ShapeRow& query,
                                              const std::vector<TypeRef>& types, std::size_t column,
                                              const std::vector<std::size_t>& used) {
        std::vector<TypeRef> inner_types = types;
        inner_types.erase(inner_types.begin() + static_cast<std::ptrdiff_t>(column));
        std::vector<ShapeRow> inner;
        for (const ShapeRow& row : rows) {
            if (!row[column]->constructor) inner.push_back(replaced(row, column, 0));
        }
        auto found = find(std::move(inner), replaced(query, column, 0), inner_types);
        if (!found) return std::nullopt;
        Shape head;
        if (constructor_count(types[column]) != 0) {
            std::size_t missing = 0;
            while (std::binary_search(used.begin(), used.end(), missing)) ++missing;
            head.constructor = missing;
            head.parts.resize(part_types(types[column], missing).size());
        }
        found->insert(found->begin() + static_cast<std::ptrdiff_t>(column), std::move(head));
        return found;
    }

    std::size_t cells_ = 0;
    unsigned depth_ = 0;
    bool is_too_large_ = false;
};

std::string show(const Shape& shape, TypeRef type);

std::string show_list(const Shape& shape, TypeRef type) {
    const std::vector<TypeRef> types = part_types(type, *shape.constructor);
    std::string result;
    for (std::size_t i = 0; i < shape.parts.size() && i < types.size(); ++i) {
        result += (i == 0 ? "" : ", ") + show(shape.parts[i], types[i]);
    }
    return result;
}

std::string show_struct(const Shape& shape, const StructDef& def) {
    std::string result;
    for (std::size_t i = 0; i < shape.parts.size() && i < def.fields.size(); ++i) {
        if (!shape.parts[i].constructor) continue;
        result += def.fields[i]->name + " = " + show(shape.parts[i], def.fields[i]->type) + ", ";
    }
    return "struct { " + result + "_ }";
}

std::string show_bits(const Shape& shape) {
    std::string digits;
    for (const Shape& bit : shape.parts) digits += bit.constructor.value_or(0) == 1 ? '1' : '0';
    return "0b" + digits;
}

// A value as a pattern; bits nothing depends on are shown as zero.
std::string show(const Shape& shape, TypeRef type) {
    if (!shape.constructor) return "_";
    switch (type->kind) {
        case TypeKind::unit:
            return "()";
        case TypeKind::boolean:
            return *shape.constructor == 1 ? "true" : "false";
        case TypeKind::bit:
            return *shape.constructor == 1 ? "bitone" : "bitzero";
        case TypeKind::integer:
            return std::to_string(static_cast<std::int64_t>(*shape.constructor) + *type->low);
        case TypeKind::bits:
        case TypeKind::bitfield:
            return show_bits(shape);
        case TypeKind::tuple:
            return "(" + show_list(shape, type) + ")";
        case TypeKind::vector:
            return "[" + show_list(shape, type) + "]";
        case TypeKind::option:
            return *shape.constructor == 1 ? "Some(" + show_list(shape, type) + ")" : "None()";
        case TypeKind::enumeration:
            return type->enum_def->members[*shape.constructor]->name;
        case TypeKind::structure:
            return show_struct(shape, *type->struct_def);
        case TypeKind::union_type: {
            const UnionConstructor& constructor = *type->union_def->constructors[*shape.constructor];
            const bool is_unit = constructor.payload->kind == TypeKind::unit;
            return constructor.name + "(" + (is_unit ? "" : show_list(shape, type)) + ")";
        }
        default:
            return "_";
    }
}

// A value nothing is known about is shown by its first constructor, which says more than `_`.
std::string show_missing(Shape shape, TypeRef type) {
    if (!shape.constructor && constructor_count(type) > 0) {
        shape.constructor = 0;
        shape.parts.resize(part_types(type, 0).size());
    }
    return show(shape, type);
}

bool shapes_overlap(const Shape& a, const Shape& b) {
    if (!a.constructor || !b.constructor) return true;
    if (a.constructor != b.constructor) return false;
    for (std::size_t i = 0; i < a.parts.size() && i < b.parts.size(); ++i) {
        if (!shapes_overlap(a.parts[i], b.parts[i])) return false;
    }
    return true;
}

}  // namespace

void check_match(const std::vector<MatchRow>& rows, TypeRef type, SourceRange where, const std::string& what,
                 std::vector<Diagnostic>& diagnostics) {
    Converter converter;
    std::vector<Shape> shapes;
    std::vector<bool> counts;
    for (const MatchRow& row : rows) {
        converter.reset();
        shapes.push_back(converter.convert(row.pattern));
        counts.push_back(!row.has_guard && !converter.is_opaque());
    }
    if (converter.is_broken() || type->kind == TypeKind::error) return;
    Matrix matrix;
    std::vector<ShapeRow> above;
    std::vector<Diagnostic> unreachable;
    for (std::size_t i = 0; i < rows.size() && !matrix.is_too_large(); ++i) {
        if (!matrix.find(above, {&shapes[i]}, {type}) && !matrix.is_too_large()) {
            unreachable.push_back(
                {rows[i].where, "this can never be reached: what stands above takes every value it would take", {}});
        }
        if (counts[i]) above.push_back({&shapes[i]});
    }
    std::optional<std::vector<Shape>> missing;
    if (!matrix.is_too_large()) missing = matrix.find(above, {&wildcard}, {type});
    if (matrix.is_too_large()) {
        diagnostics.push_back({where, what + " cannot be checked for completeness: it is too large", {}});
        return;
    }
    diagnostics.insert(diagnostics.end(), unreachable.begin(), unreachable.end());
    if (!missing) return;
    const bool all_count = std::find(counts.begin(), counts.end(), false) == counts.end();
    const bool is_plural = what.starts_with("the clauses");
    diagnostics.push_back({where,
                           what + (is_plural ? " do" : " does") +
                               " not take every value: " + show_missing(missing->front(), type) + " is left out" +
                               (all_count ? "" : "; an arm with a guard or a partial mapping does not count"),
                           {}});
}

std::optional<std::string> find_missing(const std::vector<MatchRow>& rows, TypeRef type, bool& is_too_large) {
    Converter converter;
    std::vector<Shape> shapes;
    shapes.reserve(rows.size());
    std::vector<ShapeRow> matrix_rows;
    for (const MatchRow& row : rows) {
        converter.reset();
        shapes.push_back(converter.convert(row.pattern));
        if (!row.has_guard && !converter.is_opaque()) matrix_rows.push_back({&shapes.back()});
    }
    if (converter.is_broken() || type->kind == TypeKind::error) return std::nullopt;
    Matrix matrix;
    const auto missing = matrix.find(std::move(matrix_rows), {&wildcard}, {type});
    is_too_large = matrix.is_too_large();
    if (!missing || is_too_large) return std::nullopt;
    return show_missing(missing->front(), type);
}

bool patterns_overlap(PatternRef a, PatternRef b) {
    Converter converter;
    const Shape left = converter.convert(a);
    const Shape right = converter.convert(b);
    return !converter.is_broken() && shapes_overlap(left, right);
}

}  // namespace eciscope::sailgen
