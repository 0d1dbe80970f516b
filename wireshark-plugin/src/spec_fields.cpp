#include "spec_fields.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <type_traits>

namespace eciscope::shark {

namespace {

constexpr unsigned circuits = 16;
constexpr unsigned widest_operation = 8;  ///< operations are fields of at most so many bits

/// Filters of messages are grouped by class, whose header's mapping is named after it; those of control words are
/// fields of the block.
std::string prefix_of(const eci::layout_info& layout) {
    constexpr std::string_view header = "_header";
    std::string mapping(layout.mapping);
    if (mapping.ends_with(header)) {
        mapping.resize(mapping.size() - header.size());
        return "eci." + mapping + ".";
    }
    if (!mapping.empty()) {
        return "eciblk.";
    }
    std::string name(layout.constructor);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return "eci." + name + ".";
}

template <class F>
void for_each_operation(const eci::message& message, F&& f) {
    for_each_field(message, [&](const eci::field_info& info, const auto& value) {
        if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
            f(info, name(value));
        }
    });
}

/// Names of an enumeration's values: what the decoder calls each of them where the header is otherwise zero.
std::vector<MemberName> names_of(const eci::layout_info& layout, const eci::field_info& field) {
    const unsigned width = field.high - field.low + 1U;
    std::vector<MemberName> names;
    for (unsigned vc = 0; vc < circuits && width <= widest_operation; ++vc) {
        for (std::uint64_t code = 0; code >> width == 0; ++code) {
            const eci::message message = eci::decode(static_cast<std::uint8_t>(vc), code << field.low);
            if (&eci::layout_of(message) != &layout) {
                continue;
            }
            for_each_operation(message, [&](const eci::field_info& info, std::string_view name) {
                if (info.name == field.name) {
                    names.push_back({code, std::string(name)});
                }
            });
        }
    }
    return names;
}

class Collector {
 public:
    SpecFields collect() {
        for (const eci::layout_info& layout : eci::layouts) {
            std::vector<std::size_t>& places = all_.of_layout.emplace_back();
            for (const eci::field_info& field : layout.fields) {
                places.push_back(place_of(layout, field));
            }
        }
        for (SpecField& field : all_.fields) {
            std::sort(field.names.begin(), field.names.end());
            field.names.erase(std::unique(field.names.begin(), field.names.end()), field.names.end());
            field.is_truth = std::all_of(all_.fields.begin(), all_.fields.end(), [&field](const SpecField& other) {
                return other.filter != field.filter || (other.width == 1 && other.names.empty());
            });
        }
        return std::move(all_);
    }

 private:
    std::size_t place_of(const eci::layout_info& layout, const eci::field_info& info) {
        SpecField field;
        field.filter = prefix_of(layout) + std::string(info.name);
        field.name = info.name;
        field.doc = info.doc;
        field.low = info.low;
        field.width = info.high - info.low + 1U;
        if (info.type == eci::field_type::enumeration) {
            field.names = names_of(layout, info);
        }
        for (std::size_t i = 0; i < all_.fields.size(); ++i) {
            SpecField& known = all_.fields[i];
            if (known.filter == field.filter && known.low == field.low && known.width == field.width) {
                known.names.insert(known.names.end(), field.names.begin(), field.names.end());
                return i;
            }
        }
        all_.fields.push_back(std::move(field));
        return all_.fields.size() - 1;
    }

    SpecFields all_;
};

}  // namespace

const SpecFields& spec_fields() {
    static const SpecFields fields = Collector().collect();
    return fields;
}

std::vector<std::string> operation_names() {
    std::set<std::string> names;
    for (const SpecField& field : spec_fields().fields) {
        for (const MemberName& member : field.names) {
            names.insert(member.name);
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace eciscope::shark
