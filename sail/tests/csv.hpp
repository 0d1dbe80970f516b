// Small tables of test data: comma-separated, a header line, no quoting.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace eciscope::spec_test {

using CsvRow = std::map<std::string, std::string, std::less<>>;

inline std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> parts;
    std::stringstream stream(line);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

inline std::vector<CsvRow> read_csv(const std::string& name) {
    std::ifstream file(std::string(ECISCOPE_TEST_DATA) + "/" + name);
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> columns = split(line, ',');
    std::vector<CsvRow> rows;
    while (std::getline(file, line)) {
        std::vector<std::string> cells = split(line, ',');
        cells.resize(columns.size());
        CsvRow& row = rows.emplace_back();
        for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = cells[i];
    }
    return rows;
}

inline std::uint64_t from_hex(const std::string& text) {
    return std::stoull(text, nullptr, 16);
}
inline std::uint8_t small(const std::string& text) {
    return static_cast<std::uint8_t>(std::stoul(text));
}

}  // namespace eciscope::spec_test
