// Which proofs there are, and their scripts.
#include "sailgen/proofs.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "backend_smt.hpp"
#include "walk.hpp"

namespace eciscope::sailgen {
namespace {

using smt::Translator;

// One mapping read as a code: values on one side, words on the other.
struct Code {
    const MappingDef* mapping = nullptr;
    TypeRef value = nullptr;
    TypeRef word = nullptr;
    Direction encode = Direction::forwards;
    Direction decode = Direction::backwards;

    [[nodiscard]] bool has(Direction direction) const {
        return std::ranges::any_of(mapping->clauses, [direction](const MappingClause& clause) {
            return direction == Direction::forwards ? clause.forwards.has_value() : clause.backwards.has_value();
        });
    }
    // Meant to read every word, other than a list of codes.
    [[nodiscard]] bool reads_messages() const { return value->kind == TypeKind::union_type; }
    // The word or value is taken by `clause` and by none before it.
    std::string first_taken(Translator& in, std::size_t clause, Direction direction, const std::string& term) const {
        std::vector<std::string> conditions = {in.clause_takes(mapping->clauses[clause], direction, term)};
        for (std::size_t i = 0; i < clause; ++i) {
            conditions.push_back(smt::negation(in.clause_takes(mapping->clauses[i], direction, term)));
        }
        return smt::conjunction(conditions);
    }
};

bool is_bits(TypeRef type) {
    return type->kind == TypeKind::bits || type->kind == TypeKind::bitfield;
}

Code code_of(const MappingDef& mapping) {
    if (is_bits(mapping.right) || !is_bits(mapping.left)) return {&mapping, mapping.left, mapping.right};
    return {&mapping, mapping.right, mapping.left, Direction::backwards, Direction::forwards};
}

class Maker {
 public:
    Maker(const Program& program, Proofs& proofs) : program_(program), proofs_(proofs) {}

    void mapping(const MappingDef& definition) {
        if (!definition.is_pure) return;
        const Code code = code_of(definition);
        const bool both = code.has(code.encode) && code.has(code.decode);
        if (both) {
            word_round_trip(code);
            value_round_trip(code);
        }
        if (code.has(code.decode)) {
            one_reading(code);
            if (code.reads_messages() && !definition.is_partial) every_word(code);
        }
        if (both && definition.clauses.back().is_catch_all && definition.clauses.size() > 1) catch_all(code);
        if (code.has(code.encode)) {
            if (!definition.is_partial) every_value(code);
            if (!code.reads_messages()) injective(code);
        }
    }

    void property(const FunctionDef& function) {
        const ProofKind kind = function.is_counterexample ? ProofKind::counterexample : ProofKind::property;
        Proof proof = start(function, kind, function.doc);
        if (proof.statement.empty()) {
            proof.statement = fmt::format("{} is {} arguments", function.name,
                                          function.is_property ? "true for all" : "false for some");
        }
        proof.function = &function;
        Translator in;
        std::vector<std::string> arguments;
        std::vector<std::string> invariants;
        std::vector<std::string> declarations;
        for (const Local* parameter : function.parameters) {
            arguments.push_back(smt::symbol("in", parameter->name));
            proof.shown.push_back({arguments.back(), parameter->name, parameter->type, true});
            declarations.push_back(fmt::format("(declare-const {} {})", arguments.back(), in.sort(parameter->type)));
            invariants.push_back(in.invariant(parameter->type, arguments.back()));
        }
        const std::string holds =
            smt::conjunction({in.call_defined(function, arguments), in.call(function, arguments)});
        show_calls(in, proof, declarations, function);
        finish(std::move(proof), in, declarations, smt::conjunction(invariants), holds);
    }

 private:
    static Proof start(const Named& about, ProofKind kind, std::string statement) {
        const bool is_mapping = kind != ProofKind::property && kind != ProofKind::counterexample;
        Proof proof;
        proof.name = is_mapping ? fmt::format("{}.{}", about.name, to_string(kind)) : about.name;
        proof.statement = std::move(statement);
        proof.where = about.where;
        proof.kind = kind;
        return proof;
    }

    // Asks for values of what is declared with `given` and without `holds`.
    void finish(Proof proof, const Translator& in, const std::vector<std::string>& declarations,
                const std::string& given, const std::string& holds) {
        proofs_.diagnostics.insert(proofs_.diagnostics.end(), in.diagnostics().begin(), in.diagnostics().end());
        if (!in.diagnostics().empty()) return;
        std::string comment = proof.statement;
        for (std::size_t at = 0; (at = comment.find('\n', at)) != std::string::npos; at += 3) {
            comment.replace(at, 1, "\n; ");
        }
        const std::string_view wanted = proof.kind == ProofKind::counterexample ? "sat" : "unsat";
        proof.script =
            fmt::format("; {}: {}\n; The wanted answer is {}.\n(set-option :produce-models true)\n(set-logic QF_BV)\n",
                        proof.name, comment, wanted);
        for (const std::string& part : in.script()) proof.script += part + "\n";
        for (const std::string& declaration : declarations) proof.script += declaration + "\n";
        if (given != "true") proof.script += fmt::format("(assert {})\n", given);
        proof.script += fmt::format("(assert (not {}))\n(check-sat)\n", holds);
        proofs_.proofs.push_back(std::move(proof));
    }

    // A proof about all words (or values) of a mapping. `state` gives what is assumed and what holds of the symbol.
    using State = std::function<std::pair<std::string, std::string>(Translator&, Proof&, std::vector<std::string>&)>;
    void about(const Code& code, ProofKind kind, std::string statement, const State& state) {
        const bool is_word = kind == ProofKind::word_round_trip || kind == ProofKind::one_reading ||
                             kind == ProofKind::catch_all || kind == ProofKind::every_word;
        Proof proof = start(*code.mapping, kind, std::move(statement));
        proof.mapping = code.mapping;
        const TypeRef type = is_word ? code.word : code.value;
        const std::string name = is_word ? "word" : "value";
        Translator in;
        std::vector<std::string> declarations = {fmt::format("(declare-const {} {})", name, in.sort(type))};
        proof.shown.push_back({name, name, type, true});
        auto [given, holds] = state(in, proof, declarations);
        given = smt::conjunction({in.invariant(type, name), given});
        finish(std::move(proof), in, declarations, given, holds);
    }

    static void show(Translator& in, Proof& proof, std::vector<std::string>& declarations, const std::string& name,
                     TypeRef type, const smt::Term& term) {
        declarations.push_back(fmt::format("(define-fun {} () {} {})", name, in.sort(type), term.value));
        proof.shown.push_back({name, name, type, false, term.defined});
    }

    static void show_applied(Translator& in, Proof& proof, std::vector<std::string>& declarations, const Code& code,
                             Direction direction, const std::string& argument) {
        const bool is_encode = direction == code.encode;
        const smt::Term term = {in.apply(*code.mapping, direction, argument),
                                in.apply_defined(*code.mapping, direction, argument)};
        show(in, proof, declarations, is_encode ? "encoded" : "decoded", is_encode ? code.word : code.value, term);
    }

    // What the function calls with nothing but its arguments, such as `decode(vc, header)`, explains a counterexample.
    void show_calls(Translator& in, Proof& proof, std::vector<std::string>& declarations,
                    const FunctionDef& function) const {
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            in.bind(function.parameters[i], proof.shown[i].symbol);
        }
        std::set<std::string> texts;
        for_each_node(function.body,
                      Overloaded{[&](ExprRef expr) {
                                     const bool is_call = std::holds_alternative<Call>(expr->node) ||
                                                          std::holds_alternative<MappingCall>(expr->node);
                                     if (!is_call || !is_of_parameters(function, expr)) return;
                                     const std::string text(program_.sources.text(expr->where));
                                     if (!texts.insert(text).second) return;
                                     const std::string name = fmt::format("call.{}", texts.size());
                                     show(in, proof, declarations, name, expr->type, in.expression(expr));
                                     proof.shown.back().name = text;
                                 },
                                 [](PatternRef) {}});
    }

    static bool is_of_parameters(const FunctionDef& function, ExprRef expr) {
        bool is_simple = true;
        for_each_node(expr, Overloaded{[&](ExprRef part) {
                                           const auto* ref = std::get_if<LocalRef>(&part->node);
                                           is_simple =
                                               is_simple && (ref == nullptr ||
                                                             std::ranges::count(function.parameters, ref->local) > 0);
                                       },
                                       [](PatternRef) {}});
        return is_simple;
    }

    void word_round_trip(const Code& code) {
        about(code, ProofKind::word_round_trip,
              fmt::format("{0}: every word that decodes is encoded again as the same word", code.mapping->name),
              [&code](Translator& in, Proof& proof, std::vector<std::string>& declarations) {
                  const MappingDef& mapping = *code.mapping;
                  show_applied(in, proof, declarations, code, code.decode, "word");
                  show_applied(in, proof, declarations, code, code.encode, "decoded");
                  return std::pair{
                      in.takes(mapping, code.decode, "word"),
                      smt::conjunction({in.apply_defined(mapping, code.decode, "word"),
                                        in.apply_defined(mapping, code.encode, "decoded"), "(= encoded word)"})};
              });
    }

    void value_round_trip(const Code& code) {
        about(
            code, ProofKind::value_round_trip,
            fmt::format("{0}: every value is decoded again from its word, catch-all values aside", code.mapping->name),
            [&code](Translator& in, Proof& proof, std::vector<std::string>& declarations) {
                const MappingDef& mapping = *code.mapping;
                show_applied(in, proof, declarations, code, code.encode, "value");
                show_applied(in, proof, declarations, code, code.decode, "encoded");
                std::vector<std::string> given = {in.apply_defined(mapping, code.encode, "value")};
                const std::size_t last = mapping.clauses.size() - 1;
                if (mapping.clauses[last].is_catch_all && last > 0) {
                    given.push_back(smt::negation(code.first_taken(in, last, code.encode, "value")));
                }
                return std::pair{
                    smt::conjunction(given),
                    smt::conjunction({in.apply_defined(mapping, code.decode, "encoded"), "(= decoded value)"})};
            });
    }

    void one_reading(const Code& code) {
        about(code, ProofKind::one_reading,
              fmt::format("{0}: no word fits two clauses, a catch-all clause aside", code.mapping->name),
              [&code](Translator& in, Proof& proof, std::vector<std::string>& declarations) {
                  const TypeRef integer = nullptr;
                  std::vector<std::string> twice;
                  std::vector<std::string> earlier;
                  std::string first = smt::int_literal(0);
                  std::string second = smt::int_literal(0);
                  for (std::size_t i = 0; i < code.mapping->clauses.size(); ++i) {
                      const MappingClause& clause = code.mapping->clauses[i];
                      if (clause.is_catch_all) continue;
                      const std::string name = fmt::format("clause.{}", i + 1);
                      declarations.push_back(fmt::format("(define-fun {} () Bool {})", name,
                                                         in.clause_takes(clause, code.decode, "word")));
                      const std::string number = smt::int_literal(static_cast<std::int64_t>(i + 1));
                      second = smt::conditional(name, number, second);
                      twice.push_back(smt::conjunction({name, smt::disjunction(earlier)}));
                      earlier.push_back(name);
                  }
                  for (std::size_t i = earlier.size(); i-- > 0;) {
                      const auto number = std::stoll(earlier[i].substr(sizeof("clause.") - 1));
                      first = smt::conditional(earlier[i], smt::int_literal(number), first);
                  }
                  declarations.push_back(fmt::format("(define-fun first () (_ BitVec 64) {})", first));
                  declarations.push_back(fmt::format("(define-fun second () (_ BitVec 64) {})", second));
                  proof.shown.push_back({"first", "first clause", integer, false});
                  proof.shown.push_back({"second", "second clause", integer, false});
                  return std::pair{std::string("true"), smt::negation(smt::disjunction(twice))};
              });
    }

    void catch_all(const Code& code) {
        about(
            code, ProofKind::catch_all,
            fmt::format("{0}: a word of the catch-all clause decodes to a value that no other clause encodes, and that "
                        "is encoded as a word of no other clause",
                        code.mapping->name),
            [&code](Translator& in, Proof& proof, std::vector<std::string>& declarations) {
                const MappingDef& mapping = *code.mapping;
                const std::size_t last = mapping.clauses.size() - 1;
                show_applied(in, proof, declarations, code, code.decode, "word");
                show_applied(in, proof, declarations, code, code.encode, "decoded");
                return std::pair{code.first_taken(in, last, code.decode, "word"),
                                 smt::conjunction({code.first_taken(in, last, code.encode, "decoded"),
                                                   code.first_taken(in, last, code.decode, "encoded")})};
            });
    }

    void every_word(const Code& code) {
        about(code, ProofKind::every_word, fmt::format("{}: every word decodes", code.mapping->name),
              [&code](Translator& in, Proof&, std::vector<std::string>&) {
                  return std::pair{std::string("true"),
                                   smt::conjunction({in.takes(*code.mapping, code.decode, "word"),
                                                     in.apply_defined(*code.mapping, code.decode, "word")})};
              });
    }

    void every_value(const Code& code) {
        about(code, ProofKind::every_value, fmt::format("{}: every value has a word", code.mapping->name),
              [&code](Translator& in, Proof&, std::vector<std::string>&) {
                  return std::pair{std::string("true"),
                                   smt::conjunction({in.takes(*code.mapping, code.encode, "value"),
                                                     in.apply_defined(*code.mapping, code.encode, "value")})};
              });
    }

    void injective(const Code& code) {
        about(code, ProofKind::injective, fmt::format("{}: different values have different words", code.mapping->name),
              [&code](Translator& in, Proof& proof, std::vector<std::string>& declarations) {
                  const MappingDef& mapping = *code.mapping;
                  declarations.push_back(fmt::format("(declare-const other {})", in.sort(code.value)));
                  proof.shown.push_back({"other", "other value", code.value, true});
                  show_applied(in, proof, declarations, code, code.encode, "value");
                  return std::pair{
                      smt::conjunction({in.invariant(code.value, "other"),
                                        in.apply_defined(mapping, code.encode, "value"),
                                        in.apply_defined(mapping, code.encode, "other"), "(distinct value other)"}),
                      fmt::format("(distinct encoded {})", in.apply(mapping, code.encode, "other"))};
              });
    }

    const Program& program_;
    Proofs& proofs_;
};

}  // namespace

std::string_view to_string(ProofKind kind) {
    switch (kind) {
        case ProofKind::word_round_trip:
            return "word_round_trip";
        case ProofKind::value_round_trip:
            return "value_round_trip";
        case ProofKind::one_reading:
            return "one_reading";
        case ProofKind::catch_all:
            return "catch_all";
        case ProofKind::every_word:
            return "every_word";
        case ProofKind::every_value:
            return "every_value";
        case ProofKind::injective:
            return "injective";
        case ProofKind::property:
            return "property";
        case ProofKind::counterexample:
            return "counterexample";
    }
    return "";
}

Proofs make_proofs(const Program& program) {
    Proofs proofs;
    Maker maker(program, proofs);
    for (const Definition& definition : program.definitions) {
        if (const auto* mapping = std::get_if<const MappingDef*>(&definition)) maker.mapping(**mapping);
        if (const auto* function = std::get_if<const FunctionDef*>(&definition)) {
            if ((*function)->is_property || (*function)->is_counterexample) maker.property(**function);
        }
    }
    // The same construct is met in many proofs.
    std::vector<Diagnostic> once;
    for (Diagnostic& diagnostic : proofs.diagnostics) {
        const bool is_new = std::ranges::none_of(once, [&diagnostic](const Diagnostic& other) {
            return other.message == diagnostic.message && other.where.file == diagnostic.where.file &&
                   other.where.begin == diagnostic.where.begin;
        });
        if (is_new) once.push_back(std::move(diagnostic));
    }
    proofs.diagnostics = std::move(once);
    return proofs;
}

}  // namespace eciscope::sailgen
