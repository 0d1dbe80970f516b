#include "check/report.hpp"

#include <fmt/format.h>

#include "names.hpp"

namespace eciscope::cli {

const std::vector<std::string>& check_formats() {
    static const std::vector<std::string> formats = {"text", "ndjson", "junit", "html"};
    return formats;
}

std::unique_ptr<CheckReport> make_check_report(const std::string& format, const CheckContext& context,
                                               CountingSink& out) {
    if (format == "ndjson") {
        return ndjson_report(context, out);
    }
    if (format == "junit") {
        return junit_report(context, out);
    }
    return format == "html" ? html_report(context, out) : text_report(context, out);
}

void write_text(CountingSink& out, const std::string& text) {
    // An error is kept in the sink, which is asked at the end.
    (void)out.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string xml_escaped(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '&':
                escaped += "&amp;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return escaped;
}

std::string op_text(const conformance::Seen& message) {
    return std::string(op_name(message.vc, message.header));
}

std::string line_text(const conformance::CheckedLine& line) {
    return fmt::format("0x{:x} of node {} (aliased 0x{:x})", line_address(line.aliased_cli), line.home,
                       line.aliased_cli);
}

std::string way_text(const conformance::Seen& message) {
    return fmt::format("VC {}, link {}, node {} to node {}", message.vc, message.stream.link, message.stream.from,
                       1 - message.stream.from);
}

}  // namespace eciscope::cli
