// From the syntax of types to interned types.
#include "checker.hpp"

namespace eciscope::sailgen {

using ast::Kind;

namespace {

// Synonyms with parameters expand: a chain of them is cut off here.
constexpr unsigned deepest_type = 100;
constexpr std::size_t most_type_steps = 20'000;  // of one definition

std::optional<std::int64_t> combine(const std::string& symbol, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    const bool overflows = symbol == "+"   ? __builtin_add_overflow(a, b, &result)
                           : symbol == "-" ? __builtin_sub_overflow(a, b, &result)
                                           : __builtin_mul_overflow(a, b, &result);
    return overflows ? std::nullopt : std::optional(result);
}

std::optional<std::int64_t> parse_integer(const std::string& text) {
    std::int64_t value = 0;
    const bool is_negative = text.starts_with('-');
    for (const char c : text.substr(is_negative ? 1 : 0)) {
        const std::int64_t digit = is_negative ? '0' - c : c - '0';
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) {
            return std::nullopt;
        }
    }
    return value;
}

}  // namespace

std::optional<std::int64_t> Checker::resolve_length(const Node& node) {
    switch (node.kind) {
        case Kind::number: {
            const auto value = parse_integer(node.text);
            if (!value) error(node.where, "`" + node.text + "` does not fit in 64 bits");
            return value;
        }
        case Kind::infix: {
            const auto left = resolve_length(*node.kids[0]);
            const auto right = resolve_length(*node.kids[1]);
            if (!left || !right) return std::nullopt;
            const auto value = combine(node.text, *left, *right);
            if (!value) error(node.where, "this length does not fit in 64 bits");
            return value;
        }
        case Kind::type_variable: {
            const auto argument = type_arguments_.find(node.text);
            if (argument == type_arguments_.end() || argument->second == nullptr) {
                error(node.where, "unknown type variable `" + node.text + "`; types have literal widths in the subset");
                return std::nullopt;
            }
            return resolve_length(*argument->second);
        }
        case Kind::name: {
            const auto found = type_symbols_.find(node.text);
            if (found != type_symbols_.end() && found->second.length) return found->second.length;
            if (found == type_symbols_.end()) {
                unknown_name(node.where, node.text, "length", type_names());
            } else if (found->second.type == nullptr || found->second.type->kind != TypeKind::error) {
                error(node.where, "`" + node.text + "` is a type, but a length is wanted here");
            }
            return std::nullopt;
        }
        default:
            error(node.where, "a length is a number, an Int synonym, or these with + - *");
            return std::nullopt;
    }
}

TypeRef Checker::limited(TypeRef type, SourceRange where) {
    if (types_.weight(type) <= largest_type_weight) return type;
    error(where, "this type is too large: its values have over " + std::to_string(largest_type_weight) + " parts");
    return types_.error();
}

TypeRef Checker::resolve_type(const Node& node) {
    if (++type_depth_ > deepest_type || ++type_steps_ > most_type_steps) {
        if (type_depth_ > deepest_type || type_steps_ == most_type_steps + 1) {
            error(node.where, "the types of this definition are too deep or too many");
        }
        --type_depth_;
        return types_.error();
    }
    TypeRef result = types_.error();
    switch (node.kind) {
        case Kind::name:
            result = resolve_named_type(node);
            break;
        case Kind::apply:
            result = resolve_applied_type(node);
            break;
        case Kind::tuple: {
            std::vector<TypeRef> elements;
            elements.reserve(node.kids.size());
            for (const Node* kid : node.kids) elements.push_back(resolve_type(*kid));
            result = limited(types_.tuple(std::move(elements)), node.where);
            break;
        }
        case Kind::type_variable: {
            const auto argument = type_arguments_.find(node.text);
            if (argument != type_arguments_.end() && argument->second != nullptr) {
                result = resolve_type(*argument->second);
            } else {
                error(node.where, "unknown type variable `" + node.text + "`; polymorphism is not in the subset");
            }
            break;
        }
        case Kind::number:
        case Kind::infix:
            error(node.where, "this is a number, but a type is wanted here");
            break;
        case Kind::error:
            break;
        default:
            error(node.where, "a type is wanted here");
            break;
    }
    --type_depth_;
    return result;
}

TypeRef Checker::resolve_named_type(const Node& node) {
    if (node.text == "bit") return types_.bit();
    if (node.text == "bool") return types_.boolean();
    if (node.text == "unit") return types_.unit();
    if (node.text == "int") return types_.integer();
    if (node.text == "nat") return types_.integer(0);
    if (node.text == "string") return types_.string();
    if (node.text == "real" || node.text == "list") {
        error(node.where,
              "`" + node.text + "` is not in the subset: " + (node.text == "real" ? "real numbers" : "lists"));
        return types_.error();
    }
    if (node.text == "bits" || node.text == "range" || node.text == "option" || node.text == "vector") {
        error(node.where, "`" + node.text + "` needs its arguments in parentheses");
        return types_.error();
    }
    const auto found = type_symbols_.find(node.text);
    if (found == type_symbols_.end()) {
        unknown_name(node.where, node.text, "type", type_names());
        return types_.error();
    }
    if (found->second.parametric != nullptr) {
        error(node.where, "`" + node.text + "` needs its arguments in parentheses");
        return types_.error();
    }
    if (found->second.length) {
        error(node.where, "`" + node.text + "` is a length, but a type is wanted here");
        return types_.error();
    }
    return found->second.type;
}

TypeRef Checker::bits_type(const Node& node) {
    const auto width = resolve_length(*node.kids[0]);
    if (!width) return types_.error();
    if (*width > widest_bits) {
        error(node.where, "bits(" + std::to_string(*width) + ") is not in the subset: at most " +
                              std::to_string(widest_bits) + " bits");
        return types_.error();
    }
    if (*width < 1) {
        error(node.where, "bits(" + std::to_string(*width) + ") is not in the subset: at least one bit");
        return types_.error();
    }
    return types_.bits(static_cast<unsigned>(*width));
}

TypeRef Checker::resolve_applied_type(const Node& node) {
    const auto wants = [&](std::size_t count) {
        if (node.kids.size() == count) return true;
        error(node.where, "`" + node.text + "` takes " + std::to_string(count) +
                              (count == 1 ? " argument" : " arguments") + ", not " + std::to_string(node.kids.size()));
        return false;
    };
    if (node.text == "bits" || node.text == "bitvector") return wants(1) ? bits_type(node) : types_.error();
    if (node.text == "range") {
        if (!wants(2)) return types_.error();
        const auto low = resolve_length(*node.kids[0]);
        const auto high = resolve_length(*node.kids[1]);
        if (!low || !high) return types_.error();
        if (*low > *high) {
            error(node.where, "the range from " + std::to_string(*low) + " to " + std::to_string(*high) + " is empty");
            return types_.error();
        }
        return types_.integer(low, high);
    }
    if (node.text == "option") {
        return wants(1) ? limited(types_.option(resolve_type(*node.kids[0])), node.where) : types_.error();
    }
    if (node.text == "vector") {
        if (!wants(2)) return types_.error();
        const auto length = resolve_length(*node.kids[0]);
        const TypeRef element = resolve_type(*node.kids[1]);
        if (!length || element->kind == TypeKind::error) return types_.error();
        if (*length < 1) {
            error(node.where, "a vector has at least one element");
            return types_.error();
        }
        return limited(types_.vector(static_cast<std::uint64_t>(*length), element), node.where);
    }
    if (node.text == "list") {
        error(node.where, "`list` is not in the subset: lists");
        return types_.error();
    }
    if (node.text == "int" || node.text == "atom" || node.text == "implicit" || node.text == "register") {
        error(node.where, "`" + node.text + "(…)` is not in the subset: dependent types and references");
        return types_.error();
    }
    const auto found = type_symbols_.find(node.text);
    if (found == type_symbols_.end()) {
        unknown_name(node.where, node.text, "type", type_names());
        return types_.error();
    }
    if (found->second.parametric == nullptr) {
        if (found->second.type == nullptr || found->second.type->kind != TypeKind::error) {
            error(node.where, "`" + node.text + "` takes no arguments");
        }
        return types_.error();
    }
    return wants(found->second.parametric->parameters.size()) ? resolve_parametric(node, *found->second.parametric)
                                                              : types_.error();
}

// The arguments are resolved first, as they stand in the caller's scope; the synonym sees them as literal nodes.
TypeRef Checker::resolve_parametric(const Node& node, const ast::Def& def) {
    std::deque<Node> resolved;
    TypeArguments inner;
    for (std::size_t i = 0; i < node.kids.size(); ++i) {
        const Node* argument = node.kids[i];
        while (argument->kind == Kind::type_variable) {
            const auto outer = type_arguments_.find(argument->text);
            if (outer == type_arguments_.end() || outer->second == nullptr) break;
            argument = outer->second;
        }
        inner[def.parameters[i].name] = argument;
        if (argument->kind == Kind::infix) {
            const auto length = resolve_length(*argument);
            if (!length) return types_.error();
            Node& literal = resolved.emplace_back(*argument);
            literal.kind = Kind::number;
            literal.text = std::to_string(*length);
            inner[def.parameters[i].name] = &literal;
        }
    }
    // An argument that still mentions a variable of ours would be looked up in the wrong scope.
    for (const auto& [name, argument] : inner) {
        if (argument->kind == Kind::apply || argument->kind == Kind::tuple || argument->kind == Kind::type_variable) {
            if (!type_arguments_.empty()) {
                error(node.where, "a type argument inside a synonym is a name, a number or a variable in the subset");
                return types_.error();
            }
        }
    }
    std::swap(type_arguments_, inner);
    const TypeRef result = resolve_type(*def.type);
    std::swap(type_arguments_, inner);
    return result;
}

}  // namespace eciscope::sailgen
