// Matching values with patterns.
#include <utility>

#include "bit_operations.hpp"
#include "execution.hpp"

namespace eciscope::sailgen {

bool Execution::match(PatternRef pattern, const Value& value) {
    if (stopped() || !step(pattern->where)) return false;
    return std::visit([&](const auto& node) { return take(node, value, *pattern); }, pattern->node);
}

bool Execution::take(const WildcardPattern&, const Value&, const Pattern&) {
    return true;
}

bool Execution::take(const BindPattern& node, const Value& value, const Pattern&) {
    local(*node.local) = value;
    return true;
}

bool Execution::take(const LiteralPattern& node, const Value& value, const Pattern&) {
    return std::visit([&](const auto& constant) { return Value{constant} == value; }, node.value);
}

bool Execution::take(const EnumPattern& node, const Value& value, const Pattern&) {
    return std::get<EnumValue>(value.data).member == node.member;
}

bool Execution::take(const ConstructorPattern& node, const Value& value, const Pattern&) {
    const UnionValue& item = std::get<UnionValue>(value.data);
    return item.constructor == node.constructor && match(node.payload, item.payload.front());
}

bool Execution::take(const SomePattern& node, const Value& value, const Pattern&) {
    const OptionValue& option = std::get<OptionValue>(value.data);
    return !option.payload.empty() && match(node.payload, option.payload.front());
}

bool Execution::take(const NonePattern&, const Value& value, const Pattern&) {
    return std::get<OptionValue>(value.data).payload.empty();
}

bool Execution::take(const TuplePattern& node, const Value& value, const Pattern&) {
    const TupleValue& tuple = std::get<TupleValue>(value.data);
    for (std::size_t i = 0; i < node.elements.size(); ++i) {
        if (!match(node.elements[i], tuple.elements[i])) return false;
    }
    return true;
}

bool Execution::take(const StructPattern& node, const Value& value, const Pattern&) {
    const StructValue& fields = std::get<StructValue>(value.data);
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
        if (!match(node.fields[i], fields.fields[i])) return false;
    }
    return true;
}

bool Execution::take(const BitfieldPattern& node, const Value& value, const Pattern&) {
    return match(node.bits, value);
}

bool Execution::take(const AsPattern& node, const Value& value, const Pattern&) {
    if (!match(node.pattern, value)) return false;
    local(*node.local) = value;
    return true;
}

bool Execution::take(const VectorPattern& node, const Value& value, const Pattern&) {
    const std::size_t count = node.elements.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t index = count - 1 - i;
        if (const BitsValue* bits = std::get_if<BitsValue>(&value.data)) {
            if (!match(node.elements[i], {BitValue{((bits->value >> index) & 1U) != 0}})) return false;
        } else if (!match(node.elements[i], std::get<VectorValue>(value.data).elements[index])) {
            return false;
        }
    }
    return true;
}

bool Execution::take(const ConcatPattern& node, const Value& value, const Pattern& pattern) {
    const BitsValue bits = std::get<BitsValue>(value.data);
    unsigned above = pattern.type->width;
    for (const PatternRef part : node.parts) {
        const unsigned width = part->type->width;
        if (!match(part, {slice_of(bits, above - 1, above - width)})) return false;
        above -= width;
    }
    return true;
}

bool Execution::take(const MappingPattern& node, const Value& value, const Pattern&) {
    const std::optional<Value> result = convert(*node.mapping, node.direction, value, false);
    return result && match(node.inner, *result);
}

bool Execution::take(const SlicePattern& node, const Value& value, const Pattern&) {
    set_slice(std::get<BitsValue>(local(*node.local).data), node.high, node.low, std::get<BitsValue>(value.data).value);
    return true;
}

}  // namespace eciscope::sailgen
