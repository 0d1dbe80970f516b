#include "header_facts.hpp"

#include <eciscope/spec/eci.hpp>

namespace eciscope::conformance {

namespace {

constexpr std::size_t kinds = vc_count * opcode_count;

std::uint8_t vc_of(std::size_t index) {
    return static_cast<std::uint8_t>(index / opcode_count);
}

std::uint64_t header_of(std::size_t index) {
    return std::uint64_t{index % opcode_count} << opcode_field.shift;
}

}  // namespace

HeaderFacts::HeaderFacts(const Profile& profile) : answers_(kinds * kinds) {
    for (std::size_t i = 0; i < kinds; ++i) {
        const HeaderShape& shape = header_shapes[i];
        HeaderFact& fact = facts_[i];
        fact.symbol = profile.meanings[i];
        fact.line_shift = shape.line_shift;
        fact.id_shift = shape.id_shift;
        fact.id_mask = shape.id_mask;
        fact.has_line = shape.has_line;
        fact.by_home = shape.sent_by_home;
        fact.opens = shape.opens && eci::reply_to(eci::decode(vc_of(i), header_of(i))) != eci::reply_rule::Reply_none;
        fact.closes = shape.closes;
        // The interrupt circuit's operations stand elsewhere than opcodes do.
        fact.undocumented = eci::class_of_vc(vc_of(i)) != eci::message_class::MXC &&
                            !eci::is_documented(eci::decode(vc_of(i), header_of(i)));
        for (const bool has_mask : {false, true}) {
            const std::uint64_t mask = has_mask ? std::uint64_t{1} << dmask_field.shift : 0;
            fact.wrong_circuit[has_mask ? 1 : 0] =
                !eci::vc_kind_fits(vc_of(i), eci::decode(vc_of(i), header_of(i) | mask));
            fact.suspicious[has_mask ? 1 : 0] = fact.undocumented || fact.wrong_circuit[has_mask ? 1 : 0];
        }
    }
    for (std::size_t answer = 0; answer < kinds; ++answer) {
        for (std::size_t request = 0; facts_[answer].closes && request < kinds; ++request) {
            answers_[answer * kinds + request] = eci::answers(eci::decode(vc_of(answer), header_of(answer)),
                                                              eci::decode(vc_of(request), header_of(request)));
        }
        for (unsigned bit = 0; facts_[answer].closes && bit < 64; ++bit) {
            const std::uint64_t header = header_of(answer) | std::uint64_t{1} << bit;
            const bool shows = header != header_of(answer) && bit < opcode_field.shift &&
                               eci::grants_dirty(eci::decode(vc_of(answer), header));
            dirty_mask_ |= shows ? std::uint64_t{1} << bit : 0;
        }
    }
}

}  // namespace eciscope::conformance
