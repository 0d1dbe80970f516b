// Makes a long capture of a short one: repeat_capture IN.pcap OUT.pcap COPIES. Each copy follows the last one in time,
// and the record numbers of each stream go on, so that nothing looks lost. OUT may be "-".

#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace {

// Offsets within a record of the interposer's capture format.
constexpr std::size_t flags_at = 5;
constexpr std::size_t link_at = 6;
constexpr std::size_t sequence_at = 8;
constexpr std::size_t time_at = 16;
constexpr std::size_t header_bytes = 24;
constexpr std::uint64_t pause_ns = 1'000'000;

template <class T>
T load(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

template <class T>
void store(std::vector<std::uint8_t>& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::vector<std::vector<std::uint8_t>> read_records(const char* path) {
    std::array<char, PCAP_ERRBUF_SIZE> error{};
    const std::unique_ptr<pcap_t, decltype(&pcap_close)> in(
        pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, error.data()), &pcap_close);
    std::vector<std::vector<std::uint8_t>> records;
    if (!in) {
        std::fprintf(stderr, "repeat_capture: %s\n", error.data());
        return records;
    }
    pcap_pkthdr* header = nullptr;
    const std::uint8_t* data = nullptr;
    while (pcap_next_ex(in.get(), &header, &data) == 1) {
        if (header->caplen >= header_bytes) {
            records.emplace_back(data, data + header->caplen);
        }
    }
    return records;
}

bool write_copies(std::vector<std::vector<std::uint8_t>> records, const char* path, long copies) {
    const std::unique_ptr<pcap_t, decltype(&pcap_close)> format(
        pcap_open_dead_with_tstamp_precision(DLT_USER0, 65535, PCAP_TSTAMP_PRECISION_NANO), &pcap_close);
    const std::unique_ptr<pcap_dumper_t, decltype(&pcap_dump_close)> out(pcap_dump_open(format.get(), path),
                                                                         &pcap_dump_close);
    if (!out) {
        std::fprintf(stderr, "repeat_capture: %s\n", pcap_geterr(format.get()));
        return false;
    }
    std::uint64_t first = ~std::uint64_t{0};
    std::uint64_t last = 0;
    std::array<std::uint32_t, 4> length{};  // records of each stream in one copy
    for (const auto& record : records) {
        first = std::min(first, load<std::uint64_t>(record, time_at));
        last = std::max(last, load<std::uint64_t>(record, time_at));
        ++length[(record[link_at] & 1U) * 2U + (record[flags_at] & 1U)];
    }
    for (long copy = 0; copy < copies; ++copy) {
        for (auto& record : records) {
            const std::uint64_t time = load<std::uint64_t>(record, time_at);
            pcap_pkthdr header{};
            header.ts.tv_sec = static_cast<time_t>(time / 1'000'000'000);
            header.ts.tv_usec = static_cast<suseconds_t>(time % 1'000'000'000);
            header.caplen = static_cast<bpf_u_int32>(record.size());
            header.len = header.caplen;
            pcap_dump(reinterpret_cast<std::uint8_t*>(out.get()), &header, record.data());
            const std::size_t stream = (record[link_at] & 1U) * 2U + (record[flags_at] & 1U);
            store(record, sequence_at, load<std::uint32_t>(record, sequence_at) + length[stream]);
            store(record, time_at, time + (last - first) + pause_ns);
        }
    }
    return pcap_dump_flush(out.get()) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: repeat_capture IN.pcap OUT.pcap COPIES\n");
        return 3;
    }
    auto records = read_records(argv[1]);
    return !records.empty() && write_copies(std::move(records), argv[2], std::atol(argv[3])) ? 0 : 2;
}
