// What the clauses of a mapping take together: nothing twice, nothing left out.
#include <algorithm>

#include "bit_operations.hpp"
#include "checker.hpp"
#include "exhaustiveness.hpp"

namespace eciscope::sailgen {
namespace {

const MappingArm* arm_of(const MappingClause& clause, bool on_left) {
    const std::optional<MappingArm>& arm = on_left ? clause.forwards : clause.backwards;
    return arm ? &*arm : nullptr;
}

// The guard may refuse; `if true` does not.
bool has_real_guard(const MappingArm& arm) {
    if (arm.guard == nullptr) return false;
    const Literal* literal = std::get_if<Literal>(&arm.guard->node);
    const bool* value = literal == nullptr ? nullptr : std::get_if<bool>(&literal->value);
    return value == nullptr || !*value;
}

// Variables only: takes every word.
bool is_free(PatternRef pattern) {
    if (const ConcatPattern* concat = std::get_if<ConcatPattern>(&pattern->node)) {
        return std::all_of(concat->parts.begin(), concat->parts.end(), is_free);
    }
    return std::holds_alternative<BindPattern>(pattern->node) || std::holds_alternative<SlicePattern>(pattern->node) ||
           std::holds_alternative<WildcardPattern>(pattern->node);
}

bool is_fixed(PatternRef pattern) {
    return std::holds_alternative<EnumPattern>(pattern->node) || std::holds_alternative<LiteralPattern>(pattern->node);
}

}  // namespace

CubeSet Checker::cubes_of(PatternRef pattern) const {
    if (const auto* node = std::get_if<LiteralPattern>(&pattern->node)) {
        if (const BitsValue* bits = std::get_if<BitsValue>(&node->value)) {
            const std::uint64_t mask = bits->width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits->width) - 1;
            return {{{mask, bits->value}}, true, false};
        }
        if (const BitValue* bit = std::get_if<BitValue>(&node->value)) return {{{1, bit->set ? 1U : 0U}}, true, false};
    }
    if (const auto* node = std::get_if<AsPattern>(&pattern->node)) return cubes_of(node->pattern);
    if (const auto* node = std::get_if<BitfieldPattern>(&pattern->node)) return cubes_of(node->bits);
    if (const auto* node = std::get_if<MappingPattern>(&pattern->node)) return cubes_of_mapping(*node);
    CubeSet result{{{0, 0}}, true, false};
    if (const auto* node = std::get_if<ConcatPattern>(&pattern->node)) {
        for (const PatternRef part : node->parts) result = concatenated(result, cubes_of(part), part->type->width);
    }
    if (const auto* node = std::get_if<VectorPattern>(&pattern->node)) {
        for (const PatternRef part : node->elements) result = concatenated(result, cubes_of(part), 1);
    }
    return result;
}

// The words the clauses of the inner mapping take whose other side can be what the pattern wants.
CubeSet Checker::cubes_of_mapping(const MappingPattern& pattern) const {
    const bool on_left = pattern.direction == Direction::forwards;
    CubeSet result;
    const auto image = images_.find(pattern.mapping);
    if (image == images_.end()) {
        result.cubes.push_back({0, 0});
        result.is_exact = false;
        return result;
    }
    const std::vector<CubeSet>& sets = image->second[on_left ? 0 : 1];
    for (std::size_t i = 0; i < sets.size() && i < pattern.mapping->clauses.size(); ++i) {
        const MappingClause& clause = pattern.mapping->clauses[i];
        const PatternRef other = on_left ? clause.right : clause.left;
        if (other != nullptr && !patterns_overlap(other, pattern.inner)) continue;
        const bool is_decided =
            is_free(pattern.inner) || (other != nullptr && is_fixed(other) && is_fixed(pattern.inner));
        result.is_exact = result.is_exact && sets[i].is_exact && is_decided;
        result.is_too_large = result.is_too_large || sets[i].is_too_large;
        result.cubes.insert(result.cubes.end(), sets[i].cubes.begin(), sets[i].cubes.end());
    }
    result.is_too_large = result.is_too_large || result.cubes.size() > most_cubes;
    return result;
}

void Checker::check_overlaps(const MappingDef& def, bool on_left) {
    const TypeRef type = on_left ? def.left : def.right;
    const bool is_bits = type->kind == TypeKind::bits || type->kind == TypeKind::bitfield;
    std::vector<CubeSet>& sets = images_[&def][on_left ? 0 : 1];
    for (const MappingClause& clause : def.clauses) {
        const MappingArm* arm = arm_of(clause, on_left);
        CubeSet& set = sets.emplace_back();
        if (arm == nullptr || !is_bits) continue;
        set = cubes_of(arm->pattern);
        if (has_real_guard(*arm)) set.is_exact = false;
        if (set.is_too_large) {
            error(arm->pattern->where, "this side takes too many sets of words to be checked for overlaps");
            set.cubes.clear();
        }
    }
    constexpr std::size_t most_pairs = 4'000'000;
    std::size_t pairs = 0;
    for (std::size_t second = 1; second < def.clauses.size(); ++second) {
        const MappingArm* arm = arm_of(def.clauses[second], on_left);
        if (arm == nullptr || arm->pattern->type->kind == TypeKind::error || has_real_guard(*arm)) continue;
        if (second + 1 == def.clauses.size() && is_free(arm->pattern)) continue;
        for (std::size_t first = 0; first < second; ++first) {
            const MappingArm* above = arm_of(def.clauses[first], on_left);
            if (above == nullptr || above->pattern->type->kind == TypeKind::error || has_real_guard(*above)) continue;
            pairs += is_bits ? sets[first].cubes.size() * sets[second].cubes.size() + 1 : 1;
            if (pairs > most_pairs) {
                error(def.where, "the clauses of " + quoted(def.name) + " are too many to be checked for overlaps");
                return;
            }
            std::string shared;
            if (is_bits) {
                const std::optional<std::uint64_t> word = common_word(sets[first], sets[second]);
                if (!word) continue;
                const unsigned width = type->kind == TypeKind::bits ? type->width : type->bitfield_def->width;
                shared = ": both take " + to_literal({width, *word});
            } else if (!patterns_overlap(above->pattern, arm->pattern)) {
                continue;
            }
            error(arm->pattern->where, "this clause of " + quoted(def.name) + " overlaps one above" + shared,
                  {{above->pattern->where, "the one above is here"}});
            break;  // one report for a clause
        }
    }
}

void Checker::check_coverage(MappingDef& def, bool on_left) {
    const TypeRef type = on_left ? def.left : def.right;
    const TypeRef other = on_left ? def.right : def.left;
    if (def.clauses.empty() || type->kind == TypeKind::error) return;
    const bool is_bits = type->kind == TypeKind::bits || type->kind == TypeKind::bitfield;
    const unsigned width = type->kind == TypeKind::bitfield ? type->bitfield_def->width : type->width;
    std::vector<MatchRow> rows;
    std::vector<Cube> cubes;
    bool has_direction = false;
    const std::vector<CubeSet>& sets = images_[&def][on_left ? 0 : 1];
    for (std::size_t i = 0; i < def.clauses.size(); ++i) {
        const MappingArm* arm = arm_of(def.clauses[i], on_left);
        if (arm == nullptr) continue;
        has_direction = true;
        if (arm->pattern->type->kind == TypeKind::error) return;  // reported already
        rows.push_back({arm->pattern, has_real_guard(*arm), arm->pattern->where});
        if (sets[i].is_exact) cubes.insert(cubes.end(), sets[i].cubes.begin(), sets[i].cubes.end());
        const bool is_last = i + 1 == def.clauses.size();
        if (is_bits && is_last && is_free(arm->pattern) && !has_real_guard(*arm)) def.clauses[i].is_catch_all = true;
    }
    bool is_too_large = false;
    std::optional<std::string> missing;
    if (is_bits) {
        if (const auto word = missing_word(cubes, width, is_too_large)) missing = to_literal({width, *word});
    } else {
        missing = find_missing(rows, type, is_too_large);
    }
    (on_left ? def.left_total : def.right_total) = has_direction && !missing && !is_too_large;
    if (is_too_large) {
        error(def.where, "the mapping " + quoted(def.name) + " is too large to be checked for completeness");
        return;
    }
    const bool must_cover = has_direction && !def.is_partial && (!is_bits || other->kind == TypeKind::union_type);
    if (!missing || !must_cover) return;
    error(def.where,
          "the mapping " + quoted(def.name) + " does not take every value of " + to_string(type) + ": " + *missing +
              " is left out; " +
              (is_bits ? "add a last clause of variables only" : "add a clause (one with a guard does not count)") +
              ", or write `$[partial]` before its `val`");
}

}  // namespace eciscope::sailgen
