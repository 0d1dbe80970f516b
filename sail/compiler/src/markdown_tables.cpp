// Tables of functions, made by running them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "markdown.hpp"
#include "sailgen/evaluator.hpp"

namespace eciscope::sailgen::markdown {
namespace {

constexpr std::uint64_t most_rows = 32;

// Enums as names, booleans as words that stand out in a column.
std::string cell(const Value& value) {
    if (const bool* truth = std::get_if<bool>(&value.data)) return *truth ? "yes" : "–";
    if (const auto* number = std::get_if<std::int64_t>(&value.data)) return fmt::format("{}", *number);
    return code(to_string(value));
}

// Arguments are names and small numbers: these in decimal.
std::string argument_cell(const Value& value) {
    if (const auto* bits = std::get_if<BitsValue>(&value.data)) {
        return bits->width < 4 ? code(to_string(value)) : fmt::format("{}", bits->value);
    }
    return cell(value);
}

// One table of functions with the same parameters.
class Group {
 public:
    explicit Group(const FunctionDef& first) : parameters_(first.parameters) {
        for (const Local* parameter : parameters_) head_.push_back(parameter->name);
    }

    [[nodiscard]] bool fits(const FunctionDef& function) const {
        return std::ranges::equal(parameters_, function.parameters, [](const Local* a, const Local* b) {
            return a->type == b->type && a->name == b->name;
        });
    }

    void add(Evaluator& evaluator, const FunctionDef& function) {
        head_.push_back(code(function.name));
        std::size_t row = 0;
        const auto visit = [&](const std::vector<Value>& arguments, const Evaluator::Outcome& result) {
            if (row == rows_.size()) {
                rows_.emplace_back();
                for (const Value& argument : arguments) rows_.back().push_back(argument_cell(argument));
            }
            rows_[row++].push_back(result ? cell(*result) : "undefined");
        };
        (void)evaluator.enumerate(function, visit);
    }

    [[nodiscard]] std::string text() const { return table(head_, rows_); }

 private:
    std::vector<const Local*> parameters_;
    Row head_;
    std::vector<Row> rows_;
};

bool is_small(const FunctionDef& function) {
    if (function.parameters.empty() || !function.is_pure) return false;
    std::uint64_t rows = 1;
    for (const Local* parameter : function.parameters) {
        const std::optional<std::uint64_t> count = count_values(parameter->type, most_rows);
        if (!count) return false;
        rows *= *count;
        if (rows > most_rows) return false;
    }
    return true;
}

}  // namespace

std::vector<std::string> tabulate(const Program& program, const std::vector<const FunctionDef*>& functions) {
    Evaluator evaluator(program);
    std::vector<Group> groups;
    for (const FunctionDef* function : functions) {
        if (!is_small(*function)) continue;
        auto group = std::ranges::find_if(groups, [function](const Group& one) { return one.fits(*function); });
        if (group == groups.end()) group = groups.insert(groups.end(), Group(*function));
        group->add(evaluator, *function);
    }
    std::vector<std::string> tables;
    for (const Group& group : groups) tables.push_back(group.text());
    return tables;
}

std::string constant_text(const Program& program, const LetDef& let) {
    Evaluator evaluator(program);
    const Evaluator::Outcome value = evaluator.value_of(let);
    return value ? to_string(*value) : "undefined";
}

}  // namespace eciscope::sailgen::markdown
