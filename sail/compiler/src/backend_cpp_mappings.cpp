// Mappings: two functions and two questions each. Where a few bits of a word decide the clause, decoding is a switch on
// them.
#include <algorithm>

#include "backend_cpp.hpp"
#include "walk.hpp"

namespace eciscope::sailgen::cpp {

namespace {

// What a part of a clause's right side asks of its bits: some set of values.
struct Constraint {
    unsigned high = 0;
    unsigned low = 0;
    std::vector<bool> allowed;  // by value
};

bool takes_anything(PatternRef pattern) {
    return std::visit(
        Overloaded{[](const BindPattern&) { return true; }, [](const WildcardPattern&) { return true; },
                   [](const SlicePattern&) { return true; },
                   [](const AsPattern& n) { return takes_anything(n.pattern); }, [](const auto&) { return false; }},
        pattern->node);
}

const BitsValue* literal_bits(PatternRef pattern) {
    const auto* literal = pattern == nullptr ? nullptr : std::get_if<LiteralPattern>(&pattern->node);
    return literal == nullptr ? nullptr : std::get_if<BitsValue>(&literal->value);
}

// The words that a mapping from single values to literals takes; none if it is of another shape.
std::optional<std::vector<bool>> image_of(const MappingDef& mapping) {
    if (mapping.right->kind != TypeKind::bits || mapping.right->width > widest_selector) return std::nullopt;
    std::vector<bool> image(std::size_t{1} << mapping.right->width);
    for (const MappingClause& clause : mapping.clauses) {
        if (!clause.backwards) continue;
        const BitsValue* word = literal_bits(clause.backwards->pattern);
        if (word == nullptr || clause.backwards->guard != nullptr) return std::nullopt;
        image[word->value] = true;
    }
    return image;
}

// None if the part asks for something that a set of values does not say.
std::optional<std::vector<bool>> allowed_by(PatternRef pattern) {
    const unsigned width = pattern->type->width;
    if (width > widest_selector) return std::nullopt;
    if (const BitsValue* word = literal_bits(pattern)) {
        std::vector<bool> allowed(std::size_t{1} << width);
        allowed[word->value] = true;
        return allowed;
    }
    const auto* inner = std::get_if<MappingPattern>(&pattern->node);
    if (inner == nullptr || inner->direction != Direction::backwards || !takes_anything(inner->inner)) {
        return std::nullopt;
    }
    return image_of(*inner->mapping);
}

std::optional<std::vector<Constraint>> constraints_of(const MappingArm& arm) {
    if (arm.guard != nullptr) return std::nullopt;
    std::vector<Constraint> constraints;
    for (const Part& part : parts_of(arm.pattern)) {
        if (takes_anything(part.pattern)) continue;
        auto allowed = allowed_by(part.pattern);
        if (!allowed) return std::nullopt;
        constraints.push_back({part.high, part.low, std::move(*allowed)});
    }
    return constraints;
}

bool fits(const std::vector<Constraint>& constraints, std::uint64_t value, unsigned low) {
    return std::ranges::all_of(constraints, [&](const Constraint& each) {
        const std::uint64_t mask = each.allowed.size() - 1;
        return each.allowed[(value >> (each.low - low)) & mask];
    });
}

}  // namespace

std::optional<Selector> selector_of(const MappingDef& mapping) {
    if (mapping.right->kind != TypeKind::bits) return std::nullopt;
    std::vector<std::optional<std::vector<Constraint>>> clauses;
    Selector selector{.high = 0, .low = 63, .clause_of_value = {}};
    for (const MappingClause& clause : mapping.clauses) {
        auto& constraints = clauses.emplace_back();
        if (!clause.backwards) continue;
        constraints = constraints_of(*clause.backwards);
        if (!constraints) return std::nullopt;
        for (const Constraint& each : *constraints) {
            selector.high = std::max(selector.high, each.high);
            selector.low = std::min(selector.low, each.low);
        }
    }
    if (selector.low > selector.high || selector.high - selector.low >= widest_selector) return std::nullopt;
    selector.clause_of_value.resize(std::size_t{1} << (selector.high - selector.low + 1));
    for (std::uint64_t value = 0; value < selector.clause_of_value.size(); ++value) {
        for (std::size_t i = 0; i < clauses.size() && !selector.clause_of_value[value]; ++i) {
            if (clauses[i] && fits(*clauses[i], value, selector.low)) selector.clause_of_value[value] = i;
        }
    }
    return selector;
}

namespace {

class MappingWriter {
 public:
    MappingWriter(Writer& out, Unit& unit, const MappingDef& mapping) : out_(out), unit_(unit), mapping_(mapping) {}

    void write() {
        direction(Direction::forwards);
        direction(Direction::backwards);
    }

 private:
    [[nodiscard]] TypeRef from(Direction direction) const {
        return direction == Direction::forwards ? mapping_.left : mapping_.right;
    }
    [[nodiscard]] TypeRef to(Direction direction) const {
        return direction == Direction::forwards ? mapping_.right : mapping_.left;
    }

    // The function with the statements that `write` writes about its parameter.
    void function(Direction direction, bool only_matches, const std::function<void(Body&, const Code&)>& write) {
        const TypeRef type = from(direction);
        const bool by_reference = type->kind == TypeKind::structure || type->kind == TypeKind::union_type;
        Writer lines;
        Body body(lines, unit_.globals, unit_.problems);
        body.count_uses(mapping_, direction);
        const std::string name = body.fresh(type->kind == TypeKind::bits ? "word" : "value");
        lines_ = &lines;
        lines.indent();
        write(body, {.text = name});
        const std::string parameter = (by_reference ? "const " + type_name(type) + "&" : type_name(type)) +
                                      (mentions(lines.text(), name) ? " " + name : "");
        const std::string result = only_matches ? "bool" : type_name(to(direction));
        out_.line("[[nodiscard]] constexpr " + result + " " + mapping_function(mapping_, direction, only_matches) +
                  "(" + parameter + ") noexcept {");
        out_.line(lines.text());
        out_.line("}");
        out_.line();
    }

    void direction(Direction direction) {
        std::optional<Selector> selector;
        if (direction == Direction::backwards) selector = selector_of(mapping_);
        convert(direction, selector);
        matches(direction, selector);
    }

    void convert(Direction direction, const std::optional<Selector>& selector) {
        const bool total = direction == Direction::forwards ? mapping_.left_total : mapping_.right_total;
        if (direction == Direction::forwards) out_.doc(mapping_.doc);
        if (!total) {
            out_.doc("Only for values of which " + mapping_function(mapping_, direction, true) + " is true.");
        }
        function(direction, false, [&](Body& body, const Code& word) {
            if (selector) {
                select(body, word, *selector, total);
            } else if (body.rows(rows(body, direction, word), to(direction), total)) {
                lines_->line("return {};");
            }
        });
    }

    Rows rows(Body& body, Direction direction, const Code& value) {
        Rows result;
        for (const MappingClause& clause : mapping_.clauses) {
            const auto& arm = direction == Direction::forwards ? clause.forwards : clause.backwards;
            if (arm) result.push_back(body.row(arm->pattern, value, arm->guard, arm->body));
        }
        return result;
    }

    // Clauses that make messages are tried in their order, a test of one bit each: that predicts better than a jump
    // table. What is left falls to the last one, which takes it if the mapping is total.
    void select_in_turn(Body& body, const Code& word, const Selector& selector, bool total) {
        const unsigned width = selector.high - selector.low + 1;
        const std::string bits = body.fresh("selector");
        lines_->line("const " + type_name_of(width) + " " + bits + " = " + bits_of(word, selector) + ";");
        const std::map<std::size_t, std::vector<std::size_t>> values = values_of(selector);
        for (const auto& [clause, taken] : values) {
            const bool last = total && clause == values.rbegin()->first;
            const std::string text = clause_body(body, word, clause);
            if (last) {
                lines_->line(text);
                return;
            }
            lines_->open("if (" + one_of(bits, width, taken, lines_->column()) + ")");
            lines_->line(text);
            lines_->close();
        }
        lines_->line("return {};");
    }

    static std::string type_name_of(unsigned width) {
        Type bits;
        bits.kind = TypeKind::bits;
        bits.width = width;
        return type_name(&bits);
    }

    static std::map<std::size_t, std::vector<std::size_t>> values_of(const Selector& selector) {
        std::map<std::size_t, std::vector<std::size_t>> values;
        for (std::size_t value = 0; value < selector.clause_of_value.size(); ++value) {
            if (selector.clause_of_value[value]) values[*selector.clause_of_value[value]].push_back(value);
        }
        return values;
    }

    // The clause with the most values becomes the default.
    void select(Body& body, const Code& word, const Selector& selector, bool total) {
        const bool in_turn = mapping_.left->kind == TypeKind::union_type && selector.clause_of_value.size() <= 64;
        if (in_turn) return select_in_turn(body, word, selector, total);
        const std::map<std::size_t, std::vector<std::size_t>> values = values_of(selector);
        const auto most = std::ranges::max_element(values, {}, [](const auto& each) { return each.second.size(); });
        lines_->open("switch (" + bits_of(word, selector) + ")");
        for (const auto& [clause, taken] : values) {
            if (total && clause == most->first) continue;
            labelled(labels(taken, selector), clause_body(body, word, clause));
        }
        labelled("default:", total && !values.empty() ? clause_body(body, word, most->first) : "return {};");
        lines_->close();
    }

    void labelled(const std::string& label, const std::string& text) {
        if ((label + text).find('\n') == std::string::npos && label.find(": ") == std::string::npos) {
            lines_->line(label + " " + text);
            return;
        }
        const bool braces = !text.starts_with("return ");
        lines_->line(label + (braces ? " {" : ""));
        lines_->line("    " + indented(text));
        if (braces) lines_->line("}");
    }

    [[nodiscard]] std::string bits_of(const Code& word, const Selector& selector) const {
        if (selector.low == 0 && selector.high + 1 == mapping_.right->width) return word.text;
        return "field<" + std::to_string(selector.high) + ", " + std::to_string(selector.low) + ">(" + word.text + ")";
    }

    [[nodiscard]] std::string labels(const std::vector<std::size_t>& values, const Selector& selector) const {
        std::string text;
        std::size_t start = 0;  // of the line
        for (const std::size_t value : values) {
            const std::string next = "case " + constant(BitsValue{selector.high - selector.low + 1, value}).text + ":";
            if (!text.empty() && lines_->column() + text.size() - start + 1 + next.size() > line_width) {
                text += '\n';
                start = text.size();
            } else if (!text.empty()) {
                text += ' ';
            }
            text += next;
        }
        return text;
    }

    std::string clause_body(Body& body, const Code& word, std::size_t clause) {
        const MappingArm& arm = *mapping_.clauses[clause].backwards;
        Row row = body.row(arm.pattern, word, nullptr, arm.body);
        row.tests.clear();
        return body.written([&] { body.rows({row}, to(Direction::backwards), true); });
    }

    void matches(Direction direction, const std::optional<Selector>& selector) {
        const bool total = direction == Direction::forwards ? mapping_.left_total : mapping_.right_total;
        Type boolean;
        boolean.kind = TypeKind::boolean;
        const Expr yes{.type = &boolean, .where = {}, .node = Literal{true}};
        function(direction, true, [&](Body& body, const Code& word) {
            if (total) {
                lines_->line("return true;");
            } else if (selector) {
                select_matches(word, *selector);
            } else {
                Rows all = rows(body, direction, word);
                for (Row& row : all) row.body = &yes;
                if (body.rows(std::move(all), &boolean, false)) lines_->line("return false;");
            }
        });
    }

    void select_matches(const Code& word, const Selector& selector) {
        std::vector<std::size_t> taken;
        for (std::size_t value = 0; value < selector.clause_of_value.size(); ++value) {
            if (selector.clause_of_value[value]) taken.push_back(value);
        }
        lines_->open("switch (" + bits_of(word, selector) + ")");
        if (!taken.empty()) labelled(labels(taken, selector), "return true;");
        lines_->line("default: return false;");
        lines_->close();
    }

    Writer& out_;
    Unit& unit_;
    const MappingDef& mapping_;
    Writer* lines_ = nullptr;  // of the function being written
};

}  // namespace

void write_mapping(Writer& out, Unit& unit, const MappingDef& mapping) {
    MappingWriter(out, unit, mapping).write();
}

}  // namespace eciscope::sailgen::cpp
