"""How the program ends, and what it says when it cannot do what it is asked."""

import lzma
import os
import pty
import subprocess

import harness


class ExitCodes(harness.EndToEnd):
    def assert_refused(self, path, *looks, expect=harness.DAMAGED):
        """Says what the file looks like and what to do, in every command that reads a trace; writes nothing."""
        out = self.folder / "untouched.ewf"
        out.write_bytes(b"before")
        for command in (["decode", path, "-o", out], ["info", path], ["cut", path, "-o", out], ["merge", path, "-o", out]):
            stderr = self.eciscope(*command, expect=expect).stderr.decode()
            for look in looks:
                self.assertIn(look, stderr)
        self.assertEqual(out.read_bytes(), b"before", "the output was emptied before the input proved readable")

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_fine(self):
        process = self.eciscope("decode", self.data("small.pcap"), "--to", "none")
        self.assertIn(b"sums agree", process.stderr)
        self.assertEqual(process.stdout, b"")

    def test_losses_that_the_capture_names_are_no_damage(self):
        process = self.eciscope("decode", self.data("lossy.pcap"), "--to", "none")
        self.assertIn(b"loss: ", process.stderr)

    def test_a_capture_that_was_cut_gives_what_is_left(self):
        whole = self.data("small.pcap").read_bytes()
        cut = self.file("cut.pcap", whole[: len(whole) // 2 + 100])
        process = self.eciscope("decode", cut, "-o", self.folder / "cut.ewf", expect=harness.DAMAGED)
        self.assertIn(b"the file ends within a packet", process.stderr)
        self.assertIn(str(cut).encode() + b":", process.stderr, "the offset stands behind the name of the file")
        rows = self.rows_of(self.folder / "cut.ewf")
        truth = harness.truth_rows(self.data("small.truth.csv"))
        self.assertGreater(len(rows), len(truth) * 0.45)
        self.assertFalse(set(rows) - set(truth))

    def test_what_is_no_capture(self):
        self.assert_refused(self.file("a.out", b"\x7fELF\x02\x01\x01" + bytes(60)), "a.out", "program or library (ELF)")
        self.assert_refused(self.file("paper.pdf", b"%PDF-1.5\n%\xd0\xd4\n" + bytes(50)), "a PDF document")
        packed = lzma.compress(self.data("small.pcap").read_bytes())
        self.assert_refused(self.file("x.pcap.xz", packed), "xz-compressed", "xz -dc")
        self.assert_refused(self.file("empty", b""), "an empty file")
        self.assert_refused(self.file("notes.txt", b"dear diary\n"), "looks like text")
        self.assert_refused(self.file("other.json", b'{"name": "x"}\n'), "JSON")
        self.assert_refused(self.file("zeros", bytes(4096)), "nothing but zeros")

    def test_what_cannot_be_read(self):
        self.assert_refused(self.folder, "Is a directory")
        self.assert_refused(self.folder / "missing.pcap", "missing.pcap: No such file or directory", "→")

    def test_usage(self):
        small = self.data("small.pcap")
        for arguments in (
            [],
            ["nonsense"],
            ["decode"],
            ["decode", small, "--to", "xml"],
            ["decode", small, "--threads", "0"],
            ["check", small, "--limit", "-1"],
            ["capture", "-i", "lo", "-o", "x.pcap", "--count", "-1"],
            ["capture", "-i", "lo", "-o", "x.pcap", "--rotate-size", "-1"],
            ["replay", small, "--to", "127.0.0.1:9", "--seed", "-1"],
            ["decode", "--raw", small],
            ["decode", small, "--raw", "--link", "2", "--from", "0"],
            ["decode", "-", "-"],
            ["cut", small, "--from-time", "soon"],
            ["cut", small, "--line", "here"],
            ["cut", small, "--op", "RLDQ"],
            ["cut", small, "--messages", "7..3"],
            ["recover", small],
            ["completion", "tcsh"],
        ):
            process = self.eciscope(*arguments, expect=harness.USAGE)
            self.assertIn(b"eciscope", process.stderr)
            self.assertIn("→".encode(), process.stderr, arguments)
            self.assertEqual(process.stdout, b"")

    def test_an_output_that_is_an_input(self):
        ewf = self.folder / "x.ewf"
        before = self.written("decode", self.data("small.pcap"), name="x.ewf")
        os.link(ewf, self.folder / "y.ewf")
        for command in ("decode", "cut", "merge", "recover"):
            self.eciscope(command, ewf, "-o", self.folder / "y.ewf", expect=harness.USAGE)
        self.assertEqual(ewf.read_bytes(), before)

    def test_stored_traces_are_merged_not_decoded_together(self):
        self.written("decode", self.data("small.pcap"), name="x.ewf")
        process = self.eciscope("decode", self.folder / "x.ewf", self.data("small.pcap"), expect=harness.USAGE)
        self.assertIn(b"eciscope merge", process.stderr)

    def test_ewf_is_not_for_a_terminal(self):
        for form in ("ewf", "protobuf", "pcapng"):
            master, terminal = pty.openpty()
            process = subprocess.run(
                [harness.PROGRAM, "decode", str(self.data("small.pcap")), "--to", form],
                stdout=terminal,
                stderr=subprocess.PIPE,
                timeout=60,
                check=False,
            )
            os.close(terminal)
            os.close(master)
            self.assertEqual(process.returncode, harness.USAGE)
            self.assertIn(b"not for a terminal", process.stderr)

    def test_a_full_disk(self):
        for form in ("ewf", "ndjson", "text", "protobuf", "pcapng"):
            process = self.eciscope(
                "decode", self.data("small.pcap"), "--to", form, "-o", "/dev/full", expect=harness.DAMAGED
            )
            self.assertIn(b"/dev/full: No space left on device", process.stderr)
            self.assertIn(b"Make room", process.stderr)

    def test_a_folder_that_is_not_there(self):
        process = self.eciscope(
            "decode", self.data("small.pcap"), "-o", self.folder / "no" / "x.ewf", expect=harness.DAMAGED
        )
        self.assertIn(b"No such file or directory", process.stderr)

    def test_a_reader_that_leaves_is_no_failure(self):
        for form in ("ndjson", "text", "ewf"):
            read_end, write_end = os.pipe()
            os.close(read_end)
            with os.fdopen(write_end, "wb") as gone:
                process = subprocess.run(
                    [harness.PROGRAM, "decode", str(self.data("crc-replay.pcap")), "--to", form],
                    stdout=gone,
                    stderr=subprocess.PIPE,
                    timeout=60,
                    check=False,
                )
            self.assertEqual((process.returncode, process.stderr), (harness.FINE, b""), form)

    def test_quiet_says_only_why_it_failed(self):
        self.assertEqual(self.eciscope("decode", "-q", self.data("lossy.pcap"), "--to", "none").stderr, b"")
        process = self.eciscope("decode", "-q", self.folder / "missing", expect=harness.DAMAGED)
        self.assertIn(b"No such file", process.stderr)

    def test_verbose_lists_every_case(self):
        brief = self.eciscope("decode", self.data("lossy.pcap"), "--to", "none").stderr
        full = self.eciscope("decode", "-v", self.data("lossy.pcap"), "--to", "none").stderr
        self.assertGreater(len(full.splitlines()), len(brief.splitlines()))


if __name__ == "__main__":
    harness.main()
