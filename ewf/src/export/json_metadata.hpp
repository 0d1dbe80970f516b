// The `capture` object of a JSON trace, read.
#pragma once

#include <simdjson.h>
#include <optional>

#include "eciscope/ewf/metadata.hpp"
#include "export/json_object.hpp"

namespace eciscope::ewf::detail {

struct JsonHeader {
    std::optional<TimeBase> base;
    Metadata metadata;
    std::optional<Provenance> provenance;
    bool version_known = true;
};

/// What is missing has its default; `fault` says what was unusable.
[[nodiscard]] JsonHeader read_json_header(simdjson::dom::object object, std::optional<JsonFault>& fault);

}  // namespace eciscope::ewf::detail
