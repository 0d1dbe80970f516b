#include "sailgen/value.hpp"

#include <algorithm>

#include "bit_operations.hpp"

namespace eciscope::sailgen {
namespace {

std::string list_text(const std::vector<Value>& values) {
    std::string result;
    for (const Value& value : values) result += (result.empty() ? "" : ", ") + to_string(value);
    return result;
}

struct ToText {
    std::string operator()(UnitValue) const { return "()"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(BitValue value) const { return value.set ? "bitone" : "bitzero"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(BitsValue value) const { return to_literal(value); }
    std::string operator()(const std::string& value) const { return "\"" + value + "\""; }
    std::string operator()(EnumValue value) const { return value.member->name; }
    std::string operator()(const TupleValue& value) const { return "(" + list_text(value.elements) + ")"; }
    std::string operator()(const VectorValue& value) const {
        std::vector<Value> highest_first(value.elements.rbegin(), value.elements.rend());
        return "[" + list_text(highest_first) + "]";
    }
    std::string operator()(const StructValue& value) const {
        std::string result;
        for (std::size_t i = 0; i < value.fields.size(); ++i) {
            result += (i == 0 ? "" : ", ") + value.def->fields[i]->name + " = " + to_string(value.fields[i]);
        }
        return "struct { " + result + " }";
    }
    std::string operator()(const UnionValue& value) const {
        const Value& payload = value.payload.front();
        const std::string& name = value.constructor->name;
        if (std::holds_alternative<UnitValue>(payload.data)) return name + "()";
        if (std::holds_alternative<TupleValue>(payload.data)) return name + to_string(payload);
        return name + "(" + to_string(payload) + ")";
    }
    std::string operator()(const OptionValue& value) const {
        return value.payload.empty() ? "None()" : "Some(" + to_string(value.payload.front()) + ")";
    }
};

struct Same {
    bool operator()(UnitValue, UnitValue) const { return true; }
    bool operator()(bool a, bool b) const { return a == b; }
    bool operator()(BitValue a, BitValue b) const { return a.set == b.set; }
    bool operator()(std::int64_t a, std::int64_t b) const { return a == b; }
    bool operator()(BitsValue a, BitsValue b) const { return a.width == b.width && a.value == b.value; }
    bool operator()(const std::string& a, const std::string& b) const { return a == b; }
    bool operator()(EnumValue a, EnumValue b) const { return a.member == b.member; }
    bool operator()(const TupleValue& a, const TupleValue& b) const { return a.elements == b.elements; }
    bool operator()(const VectorValue& a, const VectorValue& b) const { return a.elements == b.elements; }
    bool operator()(const StructValue& a, const StructValue& b) const { return a.def == b.def && a.fields == b.fields; }
    bool operator()(const UnionValue& a, const UnionValue& b) const {
        return a.constructor == b.constructor && a.payload == b.payload;
    }
    bool operator()(const OptionValue& a, const OptionValue& b) const { return a.payload == b.payload; }
    template <typename A, typename B>
    bool operator()(const A&, const B&) const {
        return false;
    }
};

std::vector<TypeRef> field_types(const StructDef& def) {
    std::vector<TypeRef> types;
    types.reserve(def.fields.size());
    for (const StructField* field : def.fields) types.push_back(field->type);
    return types;
}

std::optional<std::uint64_t> count_product(const std::vector<TypeRef>& types, std::uint64_t limit) {
    std::uint64_t total = 1;
    for (const TypeRef type : types) {
        const auto count = count_values(type, limit);
        if (!count || (*count != 0 && total > limit / *count)) return std::nullopt;
        total *= *count;
    }
    return total;
}

std::vector<Value> values_at(const std::vector<TypeRef>& types, std::uint64_t index) {
    std::vector<Value> values(types.size());
    for (std::size_t i = types.size(); i-- > 0;) {
        const std::uint64_t count = count_values(types[i], UINT64_MAX).value_or(1);
        values[i] = value_at(types[i], index % count);
        index /= count;
    }
    return values;
}

bool all_have_types(const std::vector<Value>& values, const std::vector<TypeRef>& types) {
    return std::equal(values.begin(), values.end(), types.begin(), types.end(), has_type);
}

std::uint64_t width_of(TypeRef type) {
    return type->kind == TypeKind::bitfield ? type->bitfield_def->width : type->width;
}

}  // namespace

bool operator==(const Value& a, const Value& b) {
    return std::visit(Same{}, a.data, b.data);
}

std::string to_string(const Value& value) {
    return std::visit(ToText{}, value.data);
}

Value default_value(TypeRef type) {
    switch (type->kind) {
        case TypeKind::error:
        case TypeKind::unit:
            return {UnitValue{}};
        case TypeKind::boolean:
            return {false};
        case TypeKind::bit:
            return {BitValue{}};
        case TypeKind::integer: {
            std::int64_t value = 0;
            if (type->low) value = std::max(value, *type->low);
            if (type->high) value = std::min(value, *type->high);
            return {value};
        }
        case TypeKind::bits:
        case TypeKind::bitfield:
            return {BitsValue{static_cast<unsigned>(width_of(type)), 0}};
        case TypeKind::string:
            return {std::string()};
        case TypeKind::tuple: {
            TupleValue result;
            for (const TypeRef element : type->elements) result.elements.push_back(default_value(element));
            return {std::move(result)};
        }
        case TypeKind::vector:
            return {VectorValue{std::vector<Value>(type->length, default_value(type->elements[0]))}};
        case TypeKind::option:
            return {OptionValue{}};
        case TypeKind::enumeration:
            return {EnumValue{type->enum_def->members.front()}};
        case TypeKind::structure: {
            StructValue result{type->struct_def, {}};
            for (const TypeRef field : field_types(*type->struct_def)) result.fields.push_back(default_value(field));
            return {std::move(result)};
        }
        case TypeKind::union_type: {
            const UnionConstructor* first = type->union_def->constructors.front();
            return {UnionValue{first, {default_value(first->payload)}}};
        }
    }
    return {UnitValue{}};
}

std::optional<std::uint64_t> count_values(TypeRef type, std::uint64_t limit) {
    const auto limited = [limit](std::uint64_t count) { return count <= limit ? std::optional(count) : std::nullopt; };
    switch (type->kind) {
        case TypeKind::error:
        case TypeKind::string:
            return std::nullopt;
        case TypeKind::unit:
            return limited(1);
        case TypeKind::boolean:
        case TypeKind::bit:
            return limited(2);
        case TypeKind::integer: {
            if (!type->low || !type->high) return std::nullopt;
            const std::uint64_t last = static_cast<std::uint64_t>(*type->high) - static_cast<std::uint64_t>(*type->low);
            return last == UINT64_MAX ? std::nullopt : limited(last + 1);
        }
        case TypeKind::bits:
        case TypeKind::bitfield:
            return width_of(type) >= 64 ? std::nullopt : limited(std::uint64_t{1} << width_of(type));
        case TypeKind::tuple:
            return count_product(type->elements, limit);
        case TypeKind::vector:
            return count_product(std::vector<TypeRef>(type->length, type->elements[0]), limit);
        case TypeKind::option: {
            const auto inner = count_values(type->elements[0], limit);
            return inner && *inner < limit ? std::optional(*inner + 1) : std::nullopt;
        }
        case TypeKind::enumeration:
            return limited(type->enum_def->members.size());
        case TypeKind::structure:
            return count_product(field_types(*type->struct_def), limit);
        case TypeKind::union_type: {
            std::uint64_t total = 0;
            for (const UnionConstructor* constructor : type->union_def->constructors) {
                const auto count = count_values(constructor->payload, limit);
                if (!count || *count > limit - total) return std::nullopt;
                total += *count;
            }
            return total;
        }
    }
    return std::nullopt;
}

Value value_at(TypeRef type, std::uint64_t index) {
    switch (type->kind) {
        case TypeKind::boolean:
            return {index != 0};
        case TypeKind::bit:
            return {BitValue{index != 0}};
        case TypeKind::integer:
            return {static_cast<std::int64_t>(static_cast<std::uint64_t>(*type->low) + index)};
        case TypeKind::bits:
        case TypeKind::bitfield:
            return {BitsValue{static_cast<unsigned>(width_of(type)), index}};
        case TypeKind::tuple:
            return {TupleValue{values_at(type->elements, index)}};
        case TypeKind::vector:
            return {VectorValue{values_at(std::vector<TypeRef>(type->length, type->elements[0]), index)}};
        case TypeKind::option:
            return index == 0 ? Value{OptionValue{}} : Value{OptionValue{{value_at(type->elements[0], index - 1)}}};
        case TypeKind::enumeration:
            return {EnumValue{type->enum_def->members[index]}};
        case TypeKind::structure:
            return {StructValue{type->struct_def, values_at(field_types(*type->struct_def), index)}};
        case TypeKind::union_type:
            for (const UnionConstructor* constructor : type->union_def->constructors) {
                const std::uint64_t count = count_values(constructor->payload, UINT64_MAX).value_or(0);
                if (index < count) return {UnionValue{constructor, {value_at(constructor->payload, index)}}};
                index -= count;
            }
            return {UnitValue{}};
        default:
            return {UnitValue{}};
    }
}

bool has_type(const Value& value, TypeRef type) {
    switch (type->kind) {
        case TypeKind::error:
            return false;
        case TypeKind::unit:
            return std::holds_alternative<UnitValue>(value.data);
        case TypeKind::boolean:
            return std::holds_alternative<bool>(value.data);
        case TypeKind::bit:
            return std::holds_alternative<BitValue>(value.data);
        case TypeKind::string:
            return std::holds_alternative<std::string>(value.data);
        case TypeKind::integer: {
            const std::int64_t* number = std::get_if<std::int64_t>(&value.data);
            return number != nullptr && (!type->low || *number >= *type->low) &&
                   (!type->high || *number <= *type->high);
        }
        case TypeKind::bits:
        case TypeKind::bitfield: {
            const BitsValue* bits = std::get_if<BitsValue>(&value.data);
            return bits != nullptr && bits->width == width_of(type) &&
                   (bits->width >= 64 || bits->value >> bits->width == 0);
        }
        case TypeKind::tuple: {
            const TupleValue* tuple = std::get_if<TupleValue>(&value.data);
            return tuple != nullptr && all_have_types(tuple->elements, type->elements);
        }
        case TypeKind::vector: {
            const VectorValue* vector = std::get_if<VectorValue>(&value.data);
            return vector != nullptr && vector->elements.size() == type->length &&
                   std::all_of(vector->elements.begin(), vector->elements.end(),
                               [&](const Value& element) { return has_type(element, type->elements[0]); });
        }
        case TypeKind::option: {
            const OptionValue* option = std::get_if<OptionValue>(&value.data);
            return option != nullptr && (option->payload.empty() || has_type(option->payload[0], type->elements[0]));
        }
        case TypeKind::enumeration: {
            const EnumValue* member = std::get_if<EnumValue>(&value.data);
            return member != nullptr && member->member->owner == type->enum_def;
        }
        case TypeKind::structure: {
            const StructValue* fields = std::get_if<StructValue>(&value.data);
            return fields != nullptr && fields->def == type->struct_def &&
                   all_have_types(fields->fields, field_types(*type->struct_def));
        }
        case TypeKind::union_type: {
            const UnionValue* item = std::get_if<UnionValue>(&value.data);
            return item != nullptr && item->constructor->owner == type->union_def &&
                   has_type(item->payload.front(), item->constructor->payload);
        }
    }
    return false;
}

}  // namespace eciscope::sailgen
