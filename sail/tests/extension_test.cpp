// A new field, a new opcode and a new message class are written into a copy of the specification, and nowhere else; all
// that is generated then knows them.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace eciscope::spec_test {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The command's standard output and error; fails the test if it does not succeed.
std::string run(const std::string& command) {
    std::string output;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return {};
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        output.append(buffer.data(), count);
    EXPECT_EQ(pclose(pipe), 0) << command << "\n" << output;
    return output;
}

class Extension : public testing::Test {
 protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "eciscope-extension-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        for (const auto& entry : fs::directory_iterator(ECISCOPE_SOURCE_DIR "/sail")) {
            if (entry.path().extension() == ".sail") fs::copy(entry.path(), folder_ / entry.path().filename());
        }
    }
    void TearDown() override { fs::remove_all(folder_); }

    void replace(const std::string& file, const std::string& from, const std::string& to) {
        std::string text = read_file(folder_ / file);
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << file << " has no longer: " << from;
        text.replace(at, from.size(), to);
        std::ofstream(folder_ / file) << text;
    }

    void add_field() {
        replace("mreq.sail", "  unused_58   : bits(4),       //! zero in every capture seen\n",
                "  urgency     : bits(3),       //! how much it matters\n"
                "  unused_55   : bits(1),       //! zero in every capture seen\n");
        replace("mreq.sail", "unused_58 = a, rreq_id = id, dmask = m, ns = n, unknown_44 = b",
                "urgency = u, unused_55 = a, rreq_id = id, dmask = m, ns = n, unknown_44 = b");
        replace("mreq.sail", "<-> mreq_line_opcode(op) @ a @", "<-> mreq_line_opcode(op) @ u @ a @");
    }

    void add_opcode() {
        replace("mreq.sail", "  RSTY,    //!", "  RSTNEW,  //! a store that came later\n  RSTY,    //!");
        replace("mreq.sail", "  RSTY   <-> 0b01001,", "  RSTNEW <-> 0b01100,\n  RSTY   <-> 0b01001,");
        replace("mreq.sail", "    RSTY => words_with_sub_lines(r.dmask),",
                "    RSTNEW => words_with_sub_lines(r.dmask),\n    RSTY => words_with_sub_lines(r.dmask),");
    }

    void add_class() {
        std::ofstream(folder_ / "mnew.sail") << R"(/*! A message of the new class. */
struct mnew_note = {
  opcode  : bits(5),  //! the opcode as a number
  urgent  : bits(1),  //! it cannot wait
  payload : bits(58)  //! the note
}
scattered union mnew
val mnew_header : mnew <-> bits(64)
scattered mapping mnew_header
union clause mnew = Mnew_note : mnew_note
mapping clause mnew_header = Mnew_note(struct { opcode = o, urgent = u, payload = p }) <-> o @ u @ p
end mnew_header
end mnew
)";
        replace("eci.sail", "$include \"message.sail\"", "$include \"mnew.sail\"\n$include \"message.sail\"");
        replace("channel.sail", "  UNASSIGNED  //!", "  MNEW,       //! notes, VC 14\n  UNASSIGNED  //!");
        replace("channel.sail", "  0xD => MDLD,\n", "  0xD => MDLD,\n  0xE => MNEW,\n");
        replace("message.sail", "  Unassigned : unassigned_word\n",
                "  Mnew       : mnew,\n  Unassigned : unassigned_word\n");
        replace("message.sail", "  UNASSIGNED => Unassigned(",
                "  MNEW       => Mnew(mnew_header(header)),\n  UNASSIGNED => Unassigned(");
        replace("message.sail", "  Unassigned(r) => r.unknown_63\n",
                "  Mnew(r)       => mnew_header(r),\n  Unassigned(r) => r.unknown_63\n");
    }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

    void sailgen(const std::string& back_end, const std::string& output) {
        run(std::string(SAILGEN) + " " + back_end + " " + path("eci.sail") + " -o " + path(output));
    }

    // Prints every message of three words with the names of everything about it.
    std::string run_program() {
        std::ofstream(folder_ / "show.cpp") << R"(#include <cstdio>
#include "out/eci.hpp"

void show(std::uint8_t vc, std::uint64_t word) {
    const eci::message m = eci::decode(vc, word);
    const auto print = [](std::string_view text) { std::printf("%.*s ", static_cast<int>(text.size()), text.data()); };
    print(eci::name(eci::class_of_vc(vc)));
    print(eci::layout_of(m).structure);
    eci::for_each_field(m, [&]<class T>(const eci::field_info& field, T value) {
        print(field.name);
        if constexpr (eci::documented_enum<T>) {
            print(eci::name(value));
            print(eci::doc(value));
        } else {
            std::printf("%llx ", static_cast<unsigned long long>(value));
        }
    });
    std::printf("%u words %s\n", unsigned{eci::message_words(vc, word)}, eci::encode(m) == word ? "same" : "lost");
}

int main() {
    show(7, 0x0683e00000000080);
    show(2, 0x6003e00000000080);
    show(14, 0x0c00000000001234);
}
)";
        run(std::string(CXX_COMPILER) +
            " -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Werror -O0 " + path("show.cpp") +
            " -o " + path("show"));
        return run(path("show"));
    }

 private:
    fs::path folder_;
};

TEST_F(Extension, FieldOpcodeAndClassShowUpEverywhere) {
    add_field();
    add_opcode();
    add_class();
    if (HasFatalFailure()) return;
    fs::create_directory(path("out"));

    sailgen("cpp", "out/eci.hpp");
    EXPECT_EQ(run_program(),
              "MREQ mreq_line op RLDD read miss, wants a shared copy urgency 6 unused_55 1 rreq_id 0 dmask f ns 1 "
              "unknown_44 0 unknown_43 0 unknown_41 0 aliased_cli 1 fillo 0 unused_4 0 1 words same\n"
              "MREQ mreq_line op RSTNEW a store that came later urgency 0 unused_55 0 rreq_id 0 dmask f ns 1 "
              "unknown_44 0 unknown_43 0 unknown_41 0 aliased_cli 1 fillo 0 unused_4 0 17 words same\n"
              "MNEW mnew_note opcode 1 urgent 1 payload 1234 1 words same\n");

    sailgen("markdown", "out/reference.md");
    const std::string reference = read_file(path("out/reference.md"));
    for (const char* name :
         {"urgency", "how much it matters", "RSTNEW", "a store that came later", "Mnew_note", "urgent"}) {
        EXPECT_NE(reference.find(name), std::string::npos) << name;
    }

    sailgen("smt", "out/proofs.smt2");
    std::string proofs;
    for (const auto& entry : fs::recursive_directory_iterator(path("out"))) {
        if (entry.path().extension() == ".smt2") proofs += read_file(entry.path());
    }
    for (const char* name : {"urgency", "RSTNEW", "mnew_header"})
        EXPECT_NE(proofs.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace eciscope::spec_test
