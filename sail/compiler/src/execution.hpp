// One run of the evaluator: the interpreter proper.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sailgen/evaluator.hpp"

namespace eciscope::sailgen {

// After an error or a `return`, every operation gives unit at once until the error or the call is reached.
class Execution {
 public:
    explicit Execution(Evaluator& evaluator) : evaluator_(evaluator) {}

    Value call(const FunctionDef& function, std::vector<Value> arguments);
    // What the mapping makes of the value; nothing if no clause fits (or there is an error). With `only_matches` the
    // result is not built, and is unit.
    std::optional<Value> convert(const MappingDef& mapping, Direction direction, const Value& value, bool only_matches);
    Value value_of(const LetDef& let);

    [[nodiscard]] const std::optional<EvalError>& error() const { return error_; }
    void fail(EvalErrorKind kind, SourceRange where, std::string message);

 private:
    [[nodiscard]] bool stopped() const { return error_.has_value() || is_returning_; }
    bool step(SourceRange where);

    Value eval(ExprRef expr);
    std::vector<Value> eval_all(const std::vector<ExprRef>& exprs);
    Value run(const Literal& node, const Expr& expr);
    Value run(const EnumRef& node, const Expr& expr);
    Value run(const LocalRef& node, const Expr& expr);
    Value run(const GlobalRef& node, const Expr& expr);
    Value run(const RegisterRef& node, const Expr& expr);
    Value run(const Call& node, const Expr& expr);
    Value run(const MappingCall& node, const Expr& expr);
    Value run(const BuiltinCall& node, const Expr& expr);
    Value run(const Construct& node, const Expr& expr);
    Value run(const MakeSome& node, const Expr& expr);
    Value run(const MakeNone& node, const Expr& expr);
    Value run(const Tuple& node, const Expr& expr);
    Value run(const VectorLiteral& node, const Expr& expr);
    Value run(const StructLiteral& node, const Expr& expr);
    Value run(const StructUpdate& node, const Expr& expr);
    Value run(const FieldAccess& node, const Expr& expr);
    Value run(const BitfieldMake& node, const Expr& expr);
    Value run(const BitfieldBits& node, const Expr& expr);
    Value run(const BitfieldGet& node, const Expr& expr);
    Value run(const BitfieldUpdate& node, const Expr& expr);
    Value run(const Index& node, const Expr& expr);
    Value run(const Slice& node, const Expr& expr);
    Value run(const IndexUpdate& node, const Expr& expr);
    Value run(const SliceUpdate& node, const Expr& expr);
    Value run(const Concat& node, const Expr& expr);
    Value run(const If& node, const Expr& expr);
    Value run(const Match& node, const Expr& expr);
    Value run(const Block& node, const Expr& expr);
    Value run(const Assign& node, const Expr& expr);
    Value run(const Foreach& node, const Expr& expr);
    Value run(const While& node, const Expr& expr);
    Value run(const Repeat& node, const Expr& expr);
    Value run(const Return& node, const Expr& expr);
    Value run(const Assert& node, const Expr& expr);
    void statement(const Statement& statement, SourceRange where);

    bool match(PatternRef pattern, const Value& value);
    bool take(const WildcardPattern& node, const Value& value, const Pattern& pattern);
    bool take(const BindPattern& node, const Value& value, const Pattern& pattern);
    bool take(const LiteralPattern& node, const Value& value, const Pattern& pattern);
    bool take(const EnumPattern& node, const Value& value, const Pattern& pattern);
    bool take(const ConstructorPattern& node, const Value& value, const Pattern& pattern);
    bool take(const SomePattern& node, const Value& value, const Pattern& pattern);
    bool take(const NonePattern& node, const Value& value, const Pattern& pattern);
    bool take(const TuplePattern& node, const Value& value, const Pattern& pattern);
    bool take(const StructPattern& node, const Value& value, const Pattern& pattern);
    bool take(const BitfieldPattern& node, const Value& value, const Pattern& pattern);
    bool take(const AsPattern& node, const Value& value, const Pattern& pattern);
    bool take(const VectorPattern& node, const Value& value, const Pattern& pattern);
    bool take(const ConcatPattern& node, const Value& value, const Pattern& pattern);
    bool take(const MappingPattern& node, const Value& value, const Pattern& pattern);
    bool take(const SlicePattern& node, const Value& value, const Pattern& pattern);

    Value builtin(const BuiltinCall& node, const Expr& expr, const std::vector<Value>& arguments);
    std::optional<Value> int_builtin(Builtin builtin, const std::vector<Value>& arguments, SourceRange where);
    std::optional<Value> bits_builtin(Builtin builtin, const std::vector<Value>& arguments, const Expr& expr);
    void print(Builtin builtin, const std::vector<Value>& arguments);
    Value& local(const Local& local) { return (*frame_)[local.id]; }

    class Frame;

    Evaluator& evaluator_;
    std::vector<Value>* frame_ = nullptr;
    std::optional<EvalError> error_;
    bool is_returning_ = false;
    Value returned_;
    std::uint64_t steps_ = 0;
    unsigned depth_ = 0;
};

}  // namespace eciscope::sailgen
