"""A field that is added in Sail becomes a field that Wireshark filters by, without a line of the plugin being changed."""

import os
import shutil
import subprocess
import unittest

import shark
from shark import harness

PRINT = """
#include "spec_fields.hpp"
#include <cstdio>
int main() {
    for (const auto& field : eciscope::shark::spec_fields().fields) {
        std::printf("%s %u %u %s\\n", field.filter.c_str(), field.low, field.width, field.doc.c_str());
    }
}
"""


class Spec(harness.EndToEnd):
    def fields_of(self, specification):
        """What the plugin's own file finds in a specification."""
        include = self.folder / "include" / "eciscope" / "spec"
        include.mkdir(parents=True, exist_ok=True)
        subprocess.run([os.environ["SAILGEN"], "cpp", specification, "-o", include / "eci.hpp"], check=True)
        (self.folder / "print.cpp").write_text(PRINT)
        source = shark.SOURCE / "wireshark-plugin" / "src"
        command = [os.environ.get("CXX_COMPILER", "c++"), "-std=c++20", f"-I{self.folder}/include", f"-I{source}",
                   self.folder / "print.cpp", source / "spec_fields.cpp", "-o", self.folder / "print"]  # fmt: skip
        subprocess.run([str(part) for part in command], check=True)
        out = subprocess.run([self.folder / "print"], capture_output=True, check=True).stdout.decode()
        return dict(line.split(" ", 1) for line in out.splitlines())

    def test_a_new_field(self):
        sail = self.folder / "sail"
        shutil.copytree(shark.SOURCE / "sail", sail, ignore=shutil.ignore_patterns("compiler", "tests"))
        mfwd = sail / "mfwd.sail"
        text = mfwd.read_text()
        self.assertIn("unused_44", text)
        mfwd.write_text(text.replace("unused_44", "colour"))
        fields = self.fields_of(sail / "eci.sail")
        self.assertIn("eci.mfwd.colour", fields)
        self.assertTrue(fields["eci.mfwd.colour"].startswith("44 1 "))
        self.assertNotIn("eci.mfwd.unused_44", fields)


if __name__ == "__main__":
    unittest.main()
