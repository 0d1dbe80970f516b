// Writes EWF files, and beside each its trace as text in the form that read_ewf.py prints.

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "trace_tools.hpp"

namespace {

using namespace eciscope;

std::string hex(std::uint64_t word) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016" PRIx64, word);
    return text.data();
}

/// `shift`: what has to be added to the trace's times to count from the file's base.
std::string text_of(const TraceBatch& trace, std::int64_t base, Picoseconds shift) {
    std::ostringstream out;
    out << "base " << base << '\n';
    std::size_t event = 0;
    for (std::size_t i = 0; i <= trace.messages.size(); ++i) {
        for (; event < trace.events.size() && trace.events[event].before == i; ++event) {
            const Event& e = trace.events[event];
            out << "event " << e.time + shift << ' ' << static_cast<unsigned>(e.kind) << ' ' << e.stream.index() << ' '
                << unsigned{e.vc} << ' ' << e.block << ' ' << e.count << ' ' << e.detail << '\n';
        }
        if (i == trace.messages.size()) {
            break;
        }
        const MessageHead& m = trace.messages[i];
        out << "message " << m.first + shift << ' ' << m.last + shift << ' ' << m.first_block << ' ' << m.last_block
            << ' ' << m.stream.index() << ' ' << unsigned{m.vc} << ' ' << unsigned{m.slot};
        for (const std::uint64_t word : trace.words_of(m)) {
            out << ' ' << hex(word);
        }
        out << '\n';
    }
    return out.str();
}

void save(const std::string& stem, const TraceBatch& trace, std::int64_t base, Picoseconds shift,
          const ewf::Provenance* provenance = nullptr) {
    const auto bytes = test::written({trace}, 1, provenance, {base + shift / picoseconds_per_second});
    std::ofstream(stem + ".ewf", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::ofstream(stem + ".txt") << text_of(trace, base, shift);
}

TraceBatch many_shapes() {
    TraceBatch trace;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        MessageHead head;
        head.first = head.last = static_cast<Picoseconds>(i * 4340);
        head.vc = 12;
        test::add_message(trace, head, {i * 0x0123456789abcdefU, ~i, i});
    }
    return trace;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::puts("usage: ewf_samples DATA-FOLDER OUTPUT-FOLDER");
        return 1;
    }
    const std::string out = std::string(argv[2]) + "/";
    const ewf::Provenance provenance{"tool", "1", {{"file", 1, "hash"}}};
    save(out + "truth", test::read_truth(std::string(argv[1]) + "/small.truth.csv"), 1'700'000'000, 0);
    save(out + "empty", {}, 0, 0);
    save(out + "extreme", test::extreme_trace(), 5, 0);
    save(out + "made-up", test::made_up_trace(21, 17'000), -3, 0, &provenance);
    save(out + "traffic", test::traffic(7, 5'000), 1'700'000'000, 0);
    save(out + "shapes", many_shapes(), 1, 0);
    return 0;
}
