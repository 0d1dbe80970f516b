#include <algorithm>
#include <array>
#include <optional>

#include "load.hpp"
#include "spec_query.hpp"

namespace eciscope::conformance::model {

namespace {

constexpr unsigned vc_bits = 4;
constexpr unsigned header_bits = 64;

class HeaderLoader : private SpecQuery {
 public:
    using SpecQuery::SpecQuery;

    Meanings meanings(const std::string& subset) {
        const Value agreed = call("subset_of", {member("profile", subset)});
        const HeaderBits where = bits();
        Meanings meanings;
        for_each_opcode(where, [&](std::uint8_t vc, std::uint8_t opcode, std::uint64_t header) {
            for (const bool has_dmask : {false, true}) {
                const std::uint64_t mask = has_dmask ? std::uint64_t{1} << where.dmask.shift : 0;
                const StepSet steps = steps_of(agreed, decoded(vc, header | mask));
                if (steps != 0) {
                    meanings.rows.push_back({vc, opcode, has_dmask, steps});
                }
            }
        });
        return meanings;
    }

    std::vector<Shape> shapes() {
        std::vector<Shape> shapes;
        for_each_opcode(bits(), [&](std::uint8_t vc, std::uint8_t opcode, std::uint64_t header) {
            if (line(vc, header)) {
                shapes.push_back(shape(vc, opcode, header));
            }
        });
        return shapes;
    }

    HeaderBits bits() {
        HeaderBits found;
        found.dmask =
            run_of(0, [&](std::uint64_t header) { return bits_of(call("mrsp_dmask", {SpecQuery::bits(64, header)})); });
        found.opcode =
            run_of(0, [&](std::uint64_t header) { return bits_of(call("opcode_of", {SpecQuery::bits(64, header)})); });
        return found;
    }

 private:
    template <class Visit>
    static void for_each_opcode(const HeaderBits& where, Visit&& visit) {
        for (std::uint8_t vc = 0; vc < 1U << vc_bits; ++vc) {
            for (std::uint64_t opcode = 0; opcode < std::uint64_t{1} << where.opcode.bits; ++opcode) {
                visit(vc, static_cast<std::uint8_t>(opcode), opcode << where.opcode.shift);
            }
        }
    }

    Value decoded(std::uint8_t vc, std::uint64_t header) {
        return call("decode", {SpecQuery::bits(vc_bits, vc), SpecQuery::bits(header_bits, header)});
    }

    StepSet steps_of(const Value& subset, const Value& message) {
        StepSet steps = 0;
        for (const Value& step : members("step")) {
            steps |= ask("may_mean", {subset, message, step}) ? StepSet{1} << index_of(step) : 0;
        }
        return steps;
    }

    std::optional<std::uint64_t> line(std::uint8_t vc, std::uint64_t header) {
        const Value outcome = call("line_of", {decoded(vc, header)});
        const Value* inside = payload(outcome);
        return inside == nullptr ? std::nullopt : std::optional(bits_of(*inside));
    }

    /// The id of the line's exchange that a header opens or closes.
    std::optional<std::uint64_t> id(const std::string& function, std::uint8_t vc, std::uint64_t header) {
        const Value outcome = call(function, {decoded(vc, header)});
        const Value* inside = payload(outcome);
        return inside == nullptr ? std::nullopt : std::optional(bits_of(field(*inside, 1)));
    }

    Shape shape(std::uint8_t vc, std::uint8_t opcode, std::uint64_t header) {
        Shape shape;
        shape.vc = vc;
        shape.opcode = opcode;
        shape.line = run_of(header, [&](std::uint64_t h) { return line(vc, h).value_or(0); });
        shape.sent_by_home = ask("sent_by_home", {decoded(vc, header)});
        shape.opens = id("opens", vc, header).has_value();
        shape.closes = id("closes", vc, header).has_value();
        const std::string function = shape.opens ? "opens" : "closes";
        if (shape.opens || shape.closes) {
            shape.id = run_of(header, [&](std::uint64_t h) { return id(function, vc, h).value_or(0); });
        }
        return shape;
    }

    /// The header bits that make up a value, lowest first and in one piece.
    template <class ValueOf>
    static BitRun run_of(std::uint64_t base, ValueOf&& value_of) {
        BitRun run;
        for (unsigned bit = 0; bit < header_bits; ++bit) {
            const std::uint64_t header = base | std::uint64_t{1} << bit;
            const std::uint64_t value = header == base ? 0 : value_of(header);
            if (value == 0) {
                continue;
            }
            if (run.bits == 0) {
                run.shift = static_cast<std::uint8_t>(bit);
            }
            if (bit != run.shift + run.bits || value != std::uint64_t{1} << run.bits) {
                throw QueryFailure{"a field of a header is not in one piece"};
            }
            ++run.bits;
        }
        return run;
    }
};

template <class Ask>
auto answered(const sailgen::Program& program, Ask&& ask)
    -> tl::expected<decltype(ask(std::declval<HeaderLoader&>())), std::string> {
    try {
        HeaderLoader loader(program);
        return ask(loader);
    } catch (const QueryFailure& failure) {
        return tl::unexpected(failure.message);
    }
}

}  // namespace

tl::expected<Meanings, std::string> load_meanings(const sailgen::Program& program, const std::string& subset) {
    return answered(program, [&](HeaderLoader& loader) { return loader.meanings(subset); });
}

tl::expected<std::vector<Shape>, std::string> load_shapes(const sailgen::Program& program) {
    return answered(program, [](HeaderLoader& loader) { return loader.shapes(); });
}

tl::expected<HeaderBits, std::string> load_header_bits(const sailgen::Program& program) {
    return answered(program, [](HeaderLoader& loader) { return loader.bits(); });
}

}  // namespace eciscope::conformance::model
