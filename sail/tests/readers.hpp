// What a test asks of a decoded message, whatever it is.
#pragma once

#include <eciscope/spec/eci.hpp>
#include <map>
#include <string>

namespace eciscope::spec_test {

// Field values as numbers, by name; enums by their name in `op`.
struct Read {
    std::string structure;
    std::string op;
    std::map<std::string, std::uint64_t, std::less<>> fields;
};

inline Read read(const eci::message& message) {
    Read result;
    result.structure = eci::layout_of(message).structure;
    eci::for_each_field(message, [&]<class T>(const eci::field_info& field, T value) {
        if constexpr (eci::documented_enum<T>) {
            if (field.name == "op") result.op = eci::name(value);
        } else {
            result.fields[std::string(field.name)] = value;
        }
    });
    return result;
}

}  // namespace eciscope::spec_test
