"""The program as its users call it, without a display. Python's standard library only."""

import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(__file__).resolve().parents[3]
VIEWER = os.environ["ECISCOPE_VIEW"]
ECISCOPE = os.environ["ECISCOPE"]
BOOT = SOURCE / "demo" / "boot.pcap"
VIOLATION = SOURCE / "conformance" / "tests" / "data" / "cases" / "grant-without-request.pcap"

FINE, DAMAGED, USAGE = 0, 2, 3


def size_of_png(path):
    return struct.unpack(">II", path.read_bytes()[16:24])


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}

    def run_program(self, *words):
        return subprocess.run([str(word) for word in words], capture_output=True, env=self.environment, timeout=120)

    def copy(self, path):
        return shutil.copy(path, self.folder)

    def picture(self, source, name, *words):
        path = self.folder / name
        done = self.run_program(VIEWER, self.copy(source), "--export", path, *words)
        self.assertEqual((done.returncode, done.stderr), (FINE, b""))
        return path

    def test_help_and_version_need_no_display(self):
        self.assertIn(b"--export", self.run_program(VIEWER, "--help").stdout)
        self.assertRegex(self.run_program(VIEWER, "--version").stdout, rb"^eciscope-view \d+\.\d+\.\d+\n$")

    def test_without_a_display_it_says_what_works_without(self):
        done = self.run_program(VIEWER, self.copy(BOOT))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn(b"--export", done.stderr)

    def test_a_png_has_its_size_times_the_scale(self):
        self.assertEqual(size_of_png(self.picture(BOOT, "a.png", "--size", "800x400")), (800, 400))
        self.assertEqual(size_of_png(self.picture(BOOT, "b.png", "--size", "800x400", "--scale", "1.25")), (1000, 500))

    def test_an_svg_is_whole(self):
        path = self.picture(BOOT, "a.svg", "--size", "900x500", "--from", "+0.00009", "--to", "+0.000091", "--theme", "dark")
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(root.get("viewBox"), "0 0 900 500")
        self.assertIn("VC 6 MREQ", "".join(root.itertext()))

    def test_the_window_with_a_violation(self):
        path = self.picture(VIOLATION, "a.png", "--window", "--finding", "violation", "--size", "1200x800")
        self.assertEqual(size_of_png(path), (1200, 800))

    def test_the_same_picture_twice(self):
        first = self.picture(BOOT, "a.png").read_bytes()
        self.assertEqual(first, self.picture(BOOT, "b.png").read_bytes())

    def test_wrong_usage_is_told(self):
        trace = self.copy(BOOT)
        for words in (["--size", "x"], ["--size", "10x10"], ["--scale", "9"], ["--theme", "pink"], ["--nonsense"], ["--line", "x@y"],
                      ["--from", "yesterday"], ["--from", "+2", "--to", "+1"], ["--message", "999999999"], ["--finding", "-1"],
                      ["--filter", "vc:none"]):
            with self.subTest(words=words):
                done = self.run_program(VIEWER, trace, "--export", self.folder / "a.png", *words)
                self.assertEqual(done.returncode, USAGE, done.stderr)
                self.assertTrue(done.stderr.startswith(b"eciscope-view: "))

    def test_files_that_are_none(self):
        for content in (b"", b"nothing that anybody knows", bytes(100000)):
            path = self.folder / "odd"
            path.write_bytes(content)
            done = self.run_program(VIEWER, path, "--export", self.folder / "a.png")
            self.assertEqual(done.returncode, DAMAGED, done.stderr)
            self.assertTrue(done.stderr.startswith(b"eciscope-view: "))
        done = self.run_program(VIEWER, self.folder / "missing", "--export", self.folder / "a.png")
        self.assertEqual(done.returncode, DAMAGED)
        done = self.run_program(VIEWER, self.copy(BOOT), "--export", self.folder / "a.gif")
        self.assertEqual(done.returncode, DAMAGED)

    def test_a_cut_file_is_shown_as_far_as_it_goes(self):
        stored = self.folder / "boot.ewf"
        self.run_program(ECISCOPE, "decode", BOOT, "-o", stored, "-q")
        stored.write_bytes(stored.read_bytes()[: stored.stat().st_size * 2 // 3])
        done = self.run_program(VIEWER, stored, "--export", self.folder / "a.png")
        self.assertIn(done.returncode, (FINE, DAMAGED))
        self.assertIn(b"damaged", done.stderr)

    def test_eciscope_view_starts_it(self):
        path = self.folder / "a.png"
        done = self.run_program(ECISCOPE, "view", self.copy(BOOT), "--export", path, "--size", "640x360")
        self.assertEqual((done.returncode, done.stderr), (FINE, b""))
        self.assertEqual(size_of_png(path), (640, 360))

    def test_eciscope_without_the_viewer_says_what_to_install(self):
        alone = shutil.copy(ECISCOPE, self.folder / "eciscope")
        done = self.run_program(alone, "view", BOOT)
        self.assertNotEqual(done.returncode, FINE)
        self.assertIn(b"qt6-base-dev", done.stderr)


if __name__ == "__main__":
    unittest.main()
