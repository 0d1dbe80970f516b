#include "header_facts.hpp"

#include <eciscope/spec/eci.hpp>

namespace eciscope::conformance {

namespace {

constexpr std::size_t kinds = vc_count * opcode_count;

std::uint8_t vc_of(std::size_t kind) {
    return static_cast<std::uint8_t>(kind / opcode_count);
}

std::uint64_t header_of(std::size_t kind) {
    return std::uint64_t{kind % opcode_count} << opcode_field.shift;
}

eci::message message_of(std::size_t kind, std::uint64_t more = 0) {
    return eci::decode(vc_of(kind), header_of(kind) | more);
}

HeaderFact fact_of(const Profile& profile, std::size_t kind, bool has_mask) {
    const std::uint64_t mask = has_mask ? std::uint64_t{1} << dmask_field.shift : 0;
    const HeaderShape& shape = header_shapes[kind];
    const SymbolPair& symbols = profile.meanings[kind];
    HeaderFact fact;
    fact.symbol = symbols[has_mask ? 1 : 0];
    fact.line_shift = shape.line_shift;
    fact.id_shift = shape.id_shift;
    fact.id_mask = shape.id_mask;
    fact.to_home = shape.sent_by_home ? 0 : 1;
    fact.has_line = shape.has_line;
    fact.opens = shape.opens && eci::reply_to(message_of(kind)) != eci::reply_rule::Reply_none;
    fact.closes = shape.closes;
    fact.has_mask = has_mask;
    // The interrupt circuit's operations stand elsewhere than opcodes do.
    fact.undocumented =
        eci::class_of_vc(vc_of(kind)) != eci::message_class::MXC && !eci::is_documented(message_of(kind));
    fact.wrong_circuit = !eci::vc_kind_fits(vc_of(kind), message_of(kind, mask));
    fact.means_nothing = symbols[0] == no_symbol && symbols[1] == no_symbol;
    return fact;
}

}  // namespace

HeaderFacts::HeaderFacts(const Profile& profile)
    : dmask_bits_(((std::uint64_t{1} << dmask_field.bits) - 1) << dmask_field.shift),
      opcode_shift_(opcode_field.shift),
      answers_(kinds * kinds) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        facts_.push_back(fact_of(profile, kind, false));
        facts_.push_back(fact_of(profile, kind, true));
    }
    for (std::size_t answer = 0; answer < kinds; ++answer) {
        const bool closes = header_shapes[answer].closes;
        for (std::size_t request = 0; closes && request < kinds; ++request) {
            const bool can = header_shapes[request].opens && eci::answers(message_of(answer), message_of(request));
            answers_[answer * kinds + request] = can ? 1 : 0;
        }
        for (unsigned bit = 0; closes && bit < opcode_field.shift; ++bit) {
            const std::uint64_t one = std::uint64_t{1} << bit;
            dirty_mask_ |= eci::grants_dirty(message_of(answer, one)) ? one : 0;
        }
    }
}

}  // namespace eciscope::conformance
